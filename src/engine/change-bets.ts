/**
 * Changes all bets of a market that the same event concerns: lapses what is unmatched, or voids and reprices after a
 * removal. A market with few bets is changed by the command itself. One with many is changed by a walk: the command
 * suspends the market, and steps change some wallets each, with other commands in between. Until the last step nothing is
 * placed or matched in the market, and acts that need its bets as a whole are refused.
 *
 * Steps name wallets with rising ids, and the market keeps the last one: a step that is repeated, or that a recovered engine
 * takes again, changes nothing twice. A wallet is changed whole, except a wallet of the house with more bets than a step.
 * Source: exchange rules, "Market life" and "Removal, dead heat, voiding".
 */
import type { BetChange, ChangeWalk, RunnerChange } from '#engine/bet-change.ts';
import type { ChangeBets, ChangeWallets, Command } from '#engine/command.ts';
import type { Effects, LapseReason } from '#engine/effect.ts';
import type { WalletToChange } from '#engine/engine.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { RunnerBets } from '#engine/runner-bets.ts';
import { lapseTriggers } from '#engine/triggers/end-triggers.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';

/** Changes all bets now, or suspends the market and leaves them to the steps that follow. */
export function changeBets(
	state: EngineState,
	market: Market,
	{ change, inSteps = false }: { change: BetChange; inSteps?: boolean | undefined },
	effects: Effects,
): void {
	if (change.kind === 'LAPSE') lapseTriggers(state, market, change, effects);
	if (!inSteps) {
		state.lapse(market, lapsing(state, market, change), reasonOf(change), effects);
		if (change.kind === 'RUNNER') for (const side of market.sides) changeSide(state, market, { change, side }, effects);
		return;
	}
	market.changing = { change, nextStatus: market.status, doneWallet: 0, part: null };
	if (!market.ended) market.status = 'SUSPENDED';
	state.changing.add(market);
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
}

/** The unmatched bets that lapse because of the change alone, by price level. */
const lapsing = (state: EngineState, market: Market, change: BetChange): number[] =>
	state.waiting(market).filter((bet) => lapses(state, change, bet));

function lapses({ bets }: EngineState, change: BetChange, bet: number): boolean {
	if (change.kind === 'RUNNER') return change.voids && bets.runner(bet) === change.runner;
	return !(change.unlessPersistent && bets.persists(bet));
}

const reasonOf = (change: BetChange): LapseReason => (change.kind === 'LAPSE' ? change.reason : 'RUNNER_REMOVED');

function changeSide(
	state: EngineState,
	market: Market,
	{ change, side }: { change: RunnerChange; side: PoolSide },
	effects: Effects,
): void {
	const positions = state.positionsOf(side);
	new RunnerBets(state, market, change, effects).take(state.betsOf(side));
	for (const position of positions) state.hold(market, position, effects);
}

function changePosition(
	state: EngineState,
	market: Market,
	{ change, position, after = 0 }: { change: BetChange; position: number; after?: BetId },
	effects: Effects,
): void {
	const rows = state.betsOfPosition(position).filter((bet) => state.bets.id(bet) > after);
	changeRows(state, market, { change, rows }, effects);
	state.hold(market, position, effects);
}

/** The caller updates what is held. */
function changeRows(
	state: EngineState,
	market: Market,
	{ change, rows }: { change: BetChange; rows: readonly number[] },
	effects: Effects,
): void {
	if (change.kind === 'RUNNER') new RunnerBets(state, market, change, effects).take(rows);
	else for (const bet of rows) if (lapses(state, change, bet)) state.lapseRest(market, bet, change.reason, effects);
}

export function changeStep(state: EngineState, command: ChangeWallets | ChangeBets, effects: Effects): Outcome {
	const market = state.markets.get(command.marketId);
	if (!market) return refuse('UNKNOWN_MARKET');
	const walk = market.changing;
	if (!walk) return refuse('WRONG_MARKET_STATE');
	if (command.kind === 'change-bets') changePart(state, market, { walk, command }, effects);
	else for (const walletId of command.wallets) changeWallet(state, market, { walk, walletId }, effects);
	state.digest.touch(market);
	if (command.kind === 'change-wallets' && command.isLast) end(state, market, walk, effects);
	else effects.marketStepped(market.marketId);
	return DONE;
}

function changeWallet(
	state: EngineState,
	market: Market,
	{ walk, walletId }: { walk: ChangeWalk; walletId: WalletId },
	effects: Effects,
): void {
	const { change, doneWallet, part } = walk;
	if (walletId <= doneWallet) return;
	const position = state.positionOf(market, walletId);
	const after = part?.walletId === walletId ? part.betId : 0;
	// What is held for it follows from the runners as they are now.
	walk.doneWallet = walletId;
	walk.part = null;
	if (position !== NONE) changePosition(state, market, { change, position, after }, effects);
}

function changePart(
	state: EngineState,
	market: Market,
	{ walk, command }: { walk: ChangeWalk; command: ChangeBets },
	effects: Effects,
): void {
	const { walletId } = command;
	const position = state.positionOf(market, walletId);
	if (walletId <= walk.doneWallet || position === NONE) return;
	const after = walk.part?.walletId === walletId ? walk.part.betId : 0;
	const own = command.bets.filter((betId) => betId > after);
	walk.part = { walletId, betId: Math.max(after, ...own) };
	const rows = own.map((betId) => state.bets.find(betId));
	const change = walk.change;
	const isHere = (bet: number) => bet !== NONE && state.bets.position(bet) === position;
	changeRows(state, market, { change, rows: rows.filter(isHere) }, effects);
	state.hold(market, position, effects);
}

function end(state: EngineState, market: Market, { nextStatus }: ChangeWalk, effects: Effects): void {
	market.changing = null;
	market.status = nextStatus;
	state.changing.delete(market);
	effects.marketChanged(market.marketId);
}

/** Acts that need the bets of a market as they are before or after a change. */
const NEEDS_ALL_BETS: ReadonlySet<Command['kind']> = new Set([
	'resume-market',
	'turn-in-play',
	'close-market',
	'remove-runner',
	'return-runner',
	'correct-reduction',
	'settle-market',
	'begin-settlement',
	'void-market',
	'void-matches',
	'update-bet',
]);

/** Whether a command has to wait until the bets of its market are changed. */
export const needsAllBets = (command: { kind: Command['kind']; lapseUnmatched?: boolean }): boolean =>
	NEEDS_ALL_BETS.has(command.kind) || (command.kind === 'suspend-market' && command.lapseUnmatched === true);

/** Whether a command is about a market whose bets are being changed, and has to wait. */
export function waitsForChange({ markets, bets, positions, changing }: EngineState, command: Command): boolean {
	if (changing.size === 0 || !needsAllBets(command)) return false;
	if ('marketId' in command && command.marketId !== undefined) return markets.get(command.marketId)?.changing != null;
	const bet = 'betId' in command ? bets.find(command.betId) : NONE;
	return bet !== NONE && positions.marketOf(bets.position(bet)).changing !== null;
}

/** Bets after which a look at a market pauses. */
const BETS_A_LOOK = 5_000;

/**
 * The wallets that a change under way has left, by rising id, each with its bets that are left. No wallet joins them
 * meanwhile. It changes nothing.
 * @returns null for a pause
 */
export function* walletsToChange(state: EngineState, marketId: MarketId): Generator<WalletToChange | null> {
	const market = state.markets.get(marketId);
	const walk = market?.changing;
	if (!market || !walk) return;
	const left = new Map<WalletId, BetId[]>();
	let looked = 0;
	for (const side of market.sides) {
		for (let position = state.positions.newest(side); position !== NONE; ) {
			const walletId = state.accounts.wallets.id(state.positions.walletOf(position));
			const rows = walletId > walk.doneWallet ? state.betsOfPosition(position) : [];
			const own = rows.filter((bet) => isLeft(state, walk, { walletId, bet }));
			if (own.length > 0)
				left.set(
					walletId,
					own.map((bet) => state.bets.id(bet)),
				);
			position = state.positions.next(position);
			looked += rows.length + 1;
			if (looked >= BETS_A_LOOK) {
				looked = 0;
				yield null;
			}
		}
	}
	for (const walletId of Float64Array.from(left.keys()).sort()) yield { walletId, bets: left.get(walletId) as BetId[] };
}

function isLeft(
	state: EngineState,
	{ change, part }: ChangeWalk,
	{ walletId, bet }: { walletId: WalletId; bet: number },
): boolean {
	if (part?.walletId === walletId && state.bets.id(bet) <= part.betId) return false;
	return change.kind === 'RUNNER' || (state.bets.remaining(bet) > 0 && lapses(state, change, bet));
}
