/**
 * The effect of a result, computed as the engine does when it settles. A preview needs a market that is not open, so
 * that nothing is matched between the preview and its confirmation. A large market is looked at in turns with all else:
 * its bets are listed at one instant, and records of bets never change.
 */
import { createHash } from 'node:crypto';
import type { Settlement } from '#engine/command.ts';
import type { MarketView } from '#engine/engine.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import type { Payable } from '#engine/market-types/payable.ts';
import { type MatchedBet, netOfParts, payableFor, profitExactParts } from '#engine/market-types/runner-result.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { numberOf } from '#server/exchange/views/wire-views.ts';
import type { ActPreview, OperatorOptions } from '#server/operators/act.ts';
import { flatMapInTurns, visitInTurns } from '#server/platform/pacing/in-turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import { commissionMinor } from '#values/liability.ts';
import { majorFromMinor } from '#values/money.ts';
import { type Pool, stepOf } from '#values/pools.ts';

/** Limit of movements that a preview lists. */
const MOST_LINES = 50;

/** The change of one wallet, minor units. */
export interface Move {
	walletId: number;
	pool: string;
	what: string;
	amount: number;
}

export type Previewing = Pick<OperatorOptions, 'exchange' | 'db'> & {
	fixtures: Pick<OperatorOptions['fixtures'], 'fixture'>;
};

/** A market with its event: the confirming member must not confuse two matches. */
export const fullNameOf = ({ fixtures }: Pick<Previewing, 'fixtures'>, { fixtureId, name }: MarketListing): string =>
	[fixtures.fixture(fixtureId)?.title, name].filter(Boolean).join(' · ');

/** @throws Refused MARKET_NOT_SUSPENDED while bets are taken; MARKET_SETTLING, MARKET_CHANGING; WRONG_MARKET_STATE after it is paid */
export function standingMarket({ exchange }: Previewing, listing: MarketListing): MarketView {
	const market = exchange.market(listing.id);
	if (market?.status === 'SETTLING') throw new Refused('MARKET_SETTLING');
	if (market?.changing) throw new Refused('MARKET_CHANGING');
	if (!market || market.status === 'SETTLED' || market.status === 'VOIDED') throw new Refused('WRONG_MARKET_STATE');
	if (market.status === 'OPEN' || market.status === 'BALL_RUNNING') throw new Refused('MARKET_NOT_SUSPENDED');
	return market;
}

/** The largest changes, and the sums by pool and kind. */
export async function previewOf(summary: string[], moves: readonly Move[], basis: unknown): Promise<ActPreview> {
	const sums = new Map<string, Move>();
	const digest = createHash('sha256').update(`[${JSON.stringify(summary)},[`);
	let largest: Move[] = [];
	const cut = () => {
		largest = largest.sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount)).slice(0, MOST_LINES);
	};
	await visitInTurns(moves, (move, at) => {
		const key = `${move.pool} ${move.what}`;
		const sum = sums.get(key);
		if (sum) sum.amount += move.amount;
		else sums.set(key, { ...move });
		if (largest.push(move) > 10 * MOST_LINES) cut();
		digest.update(`${at > 0 ? ',' : ''}${JSON.stringify(move)}`);
	});
	cut();
	return {
		summary,
		lines: largest.map(lineOf),
		total: moves.length,
		sums: [...sums.values()].map((sum) => ({ ...lineOf(sum), who: 'all' })),
		basis: digest.update(`],${JSON.stringify(basis)}]`).digest('base64url'),
	};
}

const lineOf = ({ walletId, pool, what, amount }: Move) => ({
	what,
	who: String(walletId),
	pool,
	amount: majorFromMinor(amount),
});

/** A wallet that does not exist has no currency. */
export const stepOfWallet = (wallet: { pool: Pool } | null): number => (wallet ? stepOf(wallet.pool) : 1);

/** The total of each wallet's matched bets under a result, minor units, rounded once as the engine does. */
export async function netsOf(
	bets: readonly (BetRecord & MatchedBet)[],
	payable: Payable,
): Promise<Map<number, number>> {
	const exact = new Map<number, bigint>();
	const steps = new Map<number, number>();
	await visitInTurns(bets, (bet) => {
		steps.set(bet.walletId, stepOf(bet.pool));
		const profit = bet.matched > 0 ? profitExactParts(bet, payable) : null;
		if (profit !== null) exact.set(bet.walletId, (exact.get(bet.walletId) ?? 0n) + BigInt(profit));
	});
	const nets = new Map<number, number>();
	await visitInTurns(exact, ([walletId, sum]) => {
		nets.set(walletId, netOfParts(sum, payable.parts, steps.get(walletId) ?? 1));
	});
	return nets;
}

/** The basis of a market's payment. */
export interface Result {
	results: RunnerResult[];
	/** The announced places, unless fewer are paid. */
	places?: number;
}

/** `netsOf` a valid result of the market. @throws Refused INCOMPLETE_RESULT */
export async function netsBy(
	market: MarketView,
	bets: Parameters<typeof netsOf>[0],
	{ results, places = market.numberOfWinners }: Result,
): Promise<Map<number, number>> {
	const payable = payableFor(results, places, market, new Map(market.removed));
	if (!payable) throw new Refused('INCOMPLETE_RESULT');
	return await netsOf(bets, payable);
}

/** @throws Refused INCOMPLETE_RESULT; MARKET_NOT_SUSPENDED; WRONG_MARKET_STATE */
export async function settlementPreview(
	parts: Previewing,
	listing: MarketListing,
	result: Result,
): Promise<ActPreview> {
	const market = standingMarket(parts, listing);
	const { results, places } = result;
	const { status, version } = market;
	const bets = parts.exchange.betsIn([listing.id]);
	const nets = await netsBy(market, bets, result);
	const moves = await flatMapInTurns(nets, ([walletId, net]): Move[] => {
		const wallet = parts.exchange.wallet(walletId);
		const commission = commissionMinor(net, wallet?.commissionBp ?? market.commissionBp, stepOfWallet(wallet));
		const pool = wallet?.pool ?? '';
		return [
			{ walletId, pool, what: net < 0 ? 'loses' : 'wins', amount: net },
			...(commission > 0 ? [{ walletId, pool, what: 'pays commission', amount: -commission }] : []),
		];
	});
	const summary = [
		`${fullNameOf(parts, listing)} is settled.`,
		...inWords(listing, results),
		`${count(bets, isMatched)} matched bets of ${nets.size} players; ${count(bets, isUnmatched)} unmatched bets lapse.`,
	];
	return { ...(await previewOf(summary, moves, [status, version, results, places])), seen: { status, version } };
}

/** The number that decided a market on lines, or the result of each runner that did not lose. */
export function inWords(listing: MarketListing, results: readonly RunnerResult[]): string[] {
	const { numberWas } = numberOf(listing, results);
	if (numberWas) return [`the number is ${wordsOfNumber(numberWas)}`];
	return results.flatMap((result, at) =>
		result === 'LOSE'
			? []
			: [`${listing.runners[at]?.name ?? `line ${at}`}: ${result.replace('_', ' ').toLowerCase()}`],
	);
}

function wordsOfNumber({ from, to }: { from: number | null; to: number | null }): string {
	if (from === null) return to === null ? 'any' : `${to} or less`;
	if (to === null) return `${from} or more`;
	return from === to ? String(from) : `${from} to ${to}`;
}

const isMatched = ({ matched }: BetRecord): boolean => matched > 0;
const isUnmatched = ({ remaining }: BetRecord): boolean => remaining > 0;

function count(bets: readonly BetRecord[], counts: (bet: BetRecord) => boolean): number {
	let counted = 0;
	for (const bet of bets) if (counts(bet)) counted++;
	return counted;
}

/** @throws Refused MARKET_NOT_SUSPENDED; WRONG_MARKET_STATE */
export async function voidPreview(parts: Previewing, listing: MarketListing): Promise<ActPreview> {
	const { exchange } = parts;
	const { status, version } = standingMarket(parts, listing);
	const bets = exchange.betsIn([listing.id]);
	const pools = new Map<WalletId, string>();
	for (const { walletId, pool, matched } of bets) if (matched > 0) pools.set(walletId, pool);
	const moves = await flatMapInTurns(pools, ([walletId, pool]): Move[] => {
		const amount = exchange.profitLoss(walletId, listing.id)?.exposure ?? 0;
		return [{ walletId, pool, what: 'gets back what is held', amount }];
	});
	const summary = [
		`${fullNameOf(parts, listing)} is void: every stake is returned.`,
		`${count(bets, isMatched)} matched bets of ${pools.size} players are void.`,
	];
	return { ...(await previewOf(summary, moves, [status, version])), seen: { status, version } };
}

/** Each player's change if a paid market is paid again: the new total of the bets less the amount paid. */
export async function changesOf(
	{ exchange }: Pick<Previewing, 'exchange'>,
	market: MarketView,
	payments: Settlement['payments'],
	nets: ReadonlyMap<number, number>,
): Promise<Move[]> {
	const paid = new Map(payments.map((payment) => [payment.walletId, payment]));
	return await flatMapInTurns(new Set([...paid.keys(), ...nets.keys()]), (walletId): Move[] => {
		const { net, commission } = paid.get(walletId) ?? { net: 0, commission: 0 };
		const wallet = exchange.wallet(walletId);
		const after = nets.get(walletId) ?? 0;
		const commissionAfter = commissionMinor(after, wallet?.commissionBp ?? market.commissionBp, stepOfWallet(wallet));
		const about = { walletId, pool: wallet?.pool ?? '' };
		return [
			...(after === net ? [] : [{ ...about, what: 'result changes by', amount: after - net }]),
			...(commissionAfter === commission
				? []
				: [{ ...about, what: 'commission changes by', amount: commission - commissionAfter }]),
		];
	});
}

/** @throws Refused WRONG_MARKET_STATE for an unsettled market */
export async function reopenPreview(parts: Previewing, listing: MarketListing): Promise<ActPreview> {
	const { exchange, db } = parts;
	const status = exchange.market(listing.id)?.status;
	if (status === 'SETTLING') throw new Refused('MARKET_SETTLING');
	if (status !== 'SETTLED') throw new Refused('WRONG_MARKET_STATE');
	const { rows } = await db.query<{ walletId: number; pool: string; net: number; commission: number }>(
		`select wallet_id as "walletId", pool, net, commission from player_settlement join wallet using (wallet_id)
		 where market_id = $1 order by wallet_id`,
		[listing.id],
	);
	const moves = await flatMapInTurns(rows, ({ walletId, pool, net, commission }): Move[] => [
		{ walletId, pool, what: net < 0 ? 'gets back a loss' : 'gives back a win', amount: -net },
		...(commission > 0 ? [{ walletId, pool, what: 'gets back commission', amount: commission }] : []),
	]);
	const summary = [
		`The settlement of ${fullNameOf(parts, listing)} is taken back; the market is closed and its bets are held for again.`,
		'A player who has spent the winnings goes below zero and takes no further risk.',
	];
	return await previewOf(summary, moves, [status, exchange.market(listing.id)?.nextStep]);
}

/**
 * A runner that is removed, or restored (`reduction` null).
 * @throws Refused MARKET_NOT_SUSPENDED; WRONG_MARKET_STATE
 */
export async function removalPreview(
	parts: Previewing,
	listing: MarketListing,
	{ runner, reduction }: { runner: number; reduction: number | null },
): Promise<ActPreview> {
	const { status, version, removed } = standingMarket(parts, listing);
	const bets = parts.exchange.betsIn([listing.id]);
	const name = listing.runners[runner]?.name ?? String(runner);
	const digest = createHash('sha256');
	const own = { count: 0, stake: 0 };
	await visitInTurns(bets, (bet) => {
		digest.update(`${bet.betId} ${bet.matched}\n`);
		if (bet.runner !== runner || bet.matched === 0) return;
		own.count++;
		own.stake += bet.matched;
	});
	const summary =
		reduction === null
			? [`${name} takes part again in ${fullNameOf(parts, listing)}.`]
			: [
					`${name} leaves ${fullNameOf(parts, listing)}: ${own.count} matched bets with a stake of ${majorFromMinor(own.stake)} are void.`,
					`The matched prices of ${bets.length - own.count} other bets are reduced by ${reduction} %.`,
				];
	return await previewOf(summary, [], [status, version, removed, runner, reduction, digest.digest('base64url')]);
}
