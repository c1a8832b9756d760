/** Games of the house: playing, deciding, and reading rounds and seeds. */
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { rulesAt, zoneAt } from '#contract/rules-at.ts';
import { GAMES, gameOf } from '#games/all-games.ts';
import { toNumber } from '#games/fraction.ts';
import { type Game, returnsOf } from '#games/game.ts';
import { type Caller, type HandlersOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { largestSlotStake } from '#server/calls/profile-stakes.ts';
import { requestKey } from '#server/calls/request-key.ts';
import { gameStakeAdmission } from '#server/calls/stake-admission.ts';
import type { Admission, Receipt } from '#server/exchange/exchange.ts';
import type { ProviderRoundData } from '#server/exchange/order/workflow-data.ts';
import { checkedWorkflows, WORKFLOW_COLUMNS, type WorkflowRow } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { GameRule } from '#server/money/casino/game-rules.ts';
import type { Player } from '#server/money/casino/game-wallet.ts';
import type { AnnouncedPair, SeedPair } from '#server/money/casino/player-seeds.ts';
import type { ProviderGame } from '#server/money/casino/providers/provider.ts';
import { isOfProvider, type ProviderRound } from '#server/money/casino/providers/provider-rounds.ts';
import { termsOf } from '#server/money/casino/providers/round-terms.ts';
import {
	isOwn,
	type KeyedSubmission,
	type PlayedRound,
	type Round,
	type RoundStake,
} from '#server/money/casino/rounds.ts';
import { isShared, type TableBetWorkflow } from '#server/money/casino/tables/table-round.ts';
import type { Door } from '#server/people/persons/doors.ts';
import { casinoLimits } from '#values/casino-limits.ts';
import { CURRENCIES, type Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { currencyOf } from '#values/pools.ts';
import { startsOf } from '#values/zoned-calendar.ts';

type RoundView = ResultOf<Calls['playRound']>['round'];
type GameView = ResultOf<Calls['getCasinoGames']>['games'][number];
type RecordView = ResultOf<Calls['getRound']>['round'];

type Names =
	| 'getCasinoGames'
	| 'playRound'
	| 'actInRound'
	| 'getGameMarks'
	| 'markGame'
	| 'getOpenRounds'
	| 'getRounds'
	| 'getRound'
	| 'getSeeds'
	| 'rotateSeeds';

export const casinoHandlers = (parts: Parts): HandlersOf<Names> => {
	const { casino } = parts;
	const submission = (
		call: string,
		{ game = null, ...input }: { clientRequestId: string; game?: string | null },
		caller: Caller,
	): KeyedSubmission => {
		const { playerId } = playerOf(caller);
		return {
			key: requestKey(call, playerId, game === null ? { ...input } : { ...input, game }),
			untilMs: caller.untilMs,
			admission: (stake) => stakeAdmission(parts, caller, stake, { door: 'ROUND', game }),
			shortestCycleMs: rulesAt(caller.visitor.brand.setting, () => parts.exchange.now()).shortestCycleMs,
		};
	};
	return {
		getCasinoGames: (_, caller) => lobby(parts, caller),
		playRound: async (input, caller) => {
			const { game, bets } = input;
			return playedView(await casino.rounds.play(gambler(caller), game, bets, submission('CasinoPlay', input, caller)));
		},
		actInRound: async (input, caller) =>
			playedView(
				await casino.rounds.act(
					gambler(caller),
					roundId(input.roundId),
					input.action,
					submission('CasinoAct', input, caller),
				),
			),
		getGameMarks: (_, caller) => casino.marks.of(playerOf(caller).playerId),
		markGame: (input, caller) => markGame(parts, input, caller),
		getOpenRounds: async (_, caller) => ({
			rounds: (await casino.rounds.openRounds(gambler(caller))).map(roundView),
		}),
		getRounds: (input, caller) => roundsOf(parts, input, caller),
		getRound: async (input, caller) => {
			const found = await casino.rounds.round(gambler(caller), roundId(input.roundId));
			if ('ofProvider' in found) return { round: providerRoundView(found.ofProvider), seeds: null };
			if ('shared' in found)
				return { round: (await sharedRoundViews(parts, [found.shared]))[0] as RecordView, seeds: null };
			return { round: roundView(found.round), seeds: seedsView(found.seeds) };
		},
		getSeeds: async (_, caller) => {
			const { seeds, nonce, next } = await casino.rounds.seeds(gambler(caller), caller.untilMs);
			return { seeds: seeds && seedsView(seeds), nonce, next: nextView(next) };
		},
		rotateSeeds: async (input, caller) => {
			const { revealed, seeds, next } = await casino.rounds.rotateSeeds(gambler(caller), input, caller.untilMs);
			return { revealed: revealed && seedsView(revealed), seeds: seedsView(seeds), next: nextView(next) };
		},
	};
};

/** The games as the caller's brand offers them, with what happens in them now. */
function lobby({ casino, providers, exchange, funds }: Parts, caller: Caller): ResultOf<Calls['getCasinoGames']> {
	const nowMs = Date.now();
	const pool = poolOf(caller);
	const currency = currencyOf(pool);
	const { host, setting } = caller.visitor.brand;
	const age = caller.login ? funds.protection.leastAgeOf(caller.login.playerId) : null;
	const most = largestSlotStake(
		rulesAt(setting, () => exchange.now()),
		age,
	);
	const ofProviders = providers.games.all().map((game) => withLargestStake(providerGameView(game, currency), most));
	const games = [...(OWN_GAMES.get(currency) ?? []), ...ofProviders].map((game) => ({
		...underRule(game, casino.gameRules.of(host, game.code, currency)),
		playersNow: casino.figures.playersOf(pool, game.code, nowMs),
	}));
	const today = startsOf(nowMs, zoneAt(setting, nowMs)).day;
	const win = casino.figures.biggestWin(pool, today);
	return {
		games,
		live: {
			lastCrashCents: casino.crash.lastCents,
			biggestWin: win && {
				game: win.game,
				stake: majorFromMinor(win.stake),
				payout: majorFromMinor(win.payout),
			},
		},
	};
}

async function markGame(
	{ casino, providers }: Parts,
	{ game, as }: RequestOf<Calls['markGame']>,
	caller: Caller,
): Promise<ResultOf<Calls['markGame']>> {
	const { playerId } = playerOf(caller);
	if (!gameOf(game) && !providers.games.find(null, game)) throw new Refused('UNKNOWN_GAME');
	if (as === 'opened') await casino.marks.open(playerId, game);
	else await casino.marks.setFavourite(playerId, game, as === 'favourite');
	return casino.marks.of(playerId);
}

/** Admission of the caller's stake, checked where the stake is ordered. */
export function stakeAdmission(
	parts: Parts,
	caller: Caller,
	{ added, inRound }: RoundStake,
	{ door, game }: { door: Door; game: string | null },
): Admission {
	const { playerId, loginId, brand } = playerOf(caller);
	const staker = { playerId, loginId, brand, country: caller.visitor.country ?? null, door, game };
	return gameStakeAdmission({ ...parts, gameRules: parts.casino.gameRules }, staker, added, inRound);
}

/** The player's money after a command, or the current money if no command was needed. */
export function walletAfter({ exchange }: Parts, caller: Caller, receipt: Receipt | null, unpaid = 0) {
	const wallet = exchange.wallet(playerOf(caller).playerId);
	return {
		balance: majorFromMinor((receipt?.balance ?? wallet?.cash ?? 0) + unpaid),
		exposure: majorFromMinor(receipt?.exposure ?? wallet?.exposure ?? 0),
	};
}

/** The caller in the form for the casino. */
export function gambler(caller: Caller): Player {
	const { playerId, pool } = playerOf(caller);
	return { walletId: playerId, pool };
}

function roundId(wireId: string): number {
	const id = Number(wireId);
	if (!Number.isSafeInteger(id) || id <= 0) throw new Refused('UNKNOWN_ROUND');
	return id;
}

async function roundsOf(
	parts: Parts,
	{ game, pair, from, to, maxResultCount, skipCount }: RequestOf<Calls['getRounds']>,
	caller: Caller,
): Promise<ResultOf<Calls['getRounds']>> {
	const { casino, reads } = parts;
	const player = gambler(caller);
	const where = `wallet_id = $1 and kind = 'CASINO' and ($2::text is null or data->>'game' = $2)
		and ($3::bigint is null or opened_at >= $3) and ($4::bigint is null or opened_at <= $4)
		and ($5::int is null or (data->>'pair')::int = $5)`;
	const instant = (time: string | undefined) => (time === undefined ? null : Date.parse(time));
	const values = [player.walletId, game ?? null, instant(from), instant(to), pair ?? null];
	const counted = await reads.query<{ count: number }>(
		`select count(*)::int as count from workflow where ${where}`,
		values,
	);
	const { rows } = await reads.query<WorkflowRow<'CASINO'>>(
		`select ${WORKFLOW_COLUMNS} from workflow where ${where} order by id desc limit ${maxResultCount} offset ${skipCount}`,
		values,
	);
	const workflows = checkedWorkflows(rows);
	const shared = workflows.filter(isShared);
	const sharedViews = new Map((await sharedRoundViews(parts, shared)).map((view) => [view.roundId, view]));
	const items = workflows.map(async (workflow): Promise<RecordView> => {
		if (isOfProvider(workflow)) return providerRoundView(workflow);
		const ofTable = sharedViews.get(String(workflow.id));
		if (ofTable) return ofTable;
		if (!isOwn(workflow)) throw new Refused('UNKNOWN_ROUND');
		return roundView(await casino.rounds.shown(player, workflow));
	});
	return { totalCount: counted.rows[0]?.count ?? 0, items: await Promise.all(items) };
}

/** Bets on shared rounds, with the results of these rounds. */
async function sharedRoundViews({ casino }: Parts, workflows: readonly TableBetWorkflow[]): Promise<RecordView[]> {
	const tables = [...casino.tables.values()];
	const views = tables.map((table) => table.records(workflows.filter(({ data }) => data.game === table.code)));
	return (await Promise.all(views)).flat();
}

function gameView(game: Game, currency: Currency): Omit<GameView, 'playersNow'> {
	const { leastStake, mostStake, mostPayout } = casinoLimits(currency);
	const { lowest, highest, worst } = returnsOf(game);
	return {
		code: game.code,
		name: game.name,
		provider: 'Backlay Originals',
		kind: game.kind,
		summary: game.summary,
		lowestReturn: percent(lowest),
		highestReturn: percent(highest),
		worstPlay: { play: worst.name, returns: percent(worst.returns) },
		minStake: majorFromMinor(leastStake),
		maxStake: majorFromMinor(mostStake),
		maxPayout: majorFromMinor(mostPayout),
		enabled: true,
		launch: null,
	};
}

function providerGameView(game: ProviderGame, currency: Currency): Omit<GameView, 'playersNow'> {
	const { leastStake, mostStaked, mostPaid } = termsOf(game, currency);
	return {
		code: game.code,
		name: game.name,
		provider: game.provider.name,
		kind: 'provider',
		summary: game.summary,
		lowestReturn: game.returnPercent,
		highestReturn: game.returnPercent,
		worstPlay: null,
		minStake: majorFromMinor(leastStake),
		maxStake: majorFromMinor(mostStaked),
		maxPayout: majorFromMinor(mostPaid),
		enabled: game.isEnabled,
		launch: { gameId: game.id, door: game.provider.door },
	};
}

const percent = (value: Parameters<typeof toNumber>[0]): number => Math.round(toNumber(value) * 100_000) / 1000;

/** A game as the operator's rule for it lets players see it. */
const underRule = <View extends Omit<GameView, 'playersNow'>>(
	game: View,
	{ isOpen, maxStake }: Pick<GameRule, 'isOpen' | 'maxStake'>,
): View => ({
	...withLargestStake(game, maxStake),
	enabled: game.enabled && isOpen,
});

/** @param most minor units; null for no further limit */
const withLargestStake = <View extends Pick<GameView, 'maxStake'>>(game: View, most: AnyMinor | null): View => ({
	...game,
	maxStake: most === null ? game.maxStake : Math.min(game.maxStake, majorFromMinor(most)),
});

/** Their returns are sums of fractions, and never change. */
const OWN_GAMES = new Map(CURRENCIES.map((currency) => [currency, GAMES.map((game) => gameView(game, currency))]));

const playedView = ({ round, receipt }: PlayedRound): ResultOf<Calls['playRound']> => ({
	round: roundView(round),
	balance: majorFromMinor(receipt.balance),
	exposure: majorFromMinor(receipt.exposure),
});

function providerResult({ bets, isTip, providerRound }: ProviderRoundData): string {
	if (isTip) return bets.some(({ isRefunded }) => isRefunded) ? 'Tip, returned' : 'Tip';
	const hasFreeBet = bets.some(({ campaign }) => campaign !== undefined);
	return hasFreeBet ? `Round ${providerRound}, free bet` : `Round ${providerRound}`;
}

/** A round at an outside provider: its payments in and out, and the provider's own name for it. */
function providerRoundView(workflow: ProviderRound): RecordView {
	const { id, state, openedAtMs, isOpen } = workflow;
	const data = workflow.data;
	const { game, bets, stake, payout } = data;
	return {
		roundId: String(id),
		game,
		state: state as RecordView['state'],
		at: isoTime(openedAtMs),
		stake: majorFromMinor(stake),
		payout: majorFromMinor(payout),
		bets: bets.map((bet) => ({
			bet: bet.isRefunded ? 'returned' : bet.campaign === undefined ? 'stake' : 'free',
			stake: majorFromMinor(bet.stake),
			payout: majorFromMinor(bet.payout),
		})),
		actions: [],
		result: isOpen ? '' : providerResult(data),
		outcome: null,
		shown: null,
		next: [],
		pair: null,
		nonce: null,
	};
}

function roundView({ id, state, atMs, data, turn }: Round): RoundView {
	return {
		roundId: String(id),
		game: data.game,
		state: state as 'OPEN' | 'SETTLED' | 'VOID',
		at: isoTime(atMs),
		stake: majorFromMinor(data.stake),
		payout: majorFromMinor(data.payout),
		bets: data.bets.map(({ bet, stake, payout }) => ({
			bet,
			stake: majorFromMinor(stake),
			payout: majorFromMinor(payout),
		})),
		actions: [...data.actions],
		result: data.result,
		outcome: data.outcome,
		shown: turn?.shown ?? null,
		next: state === 'OPEN' ? [...(turn?.actions ?? [])] : [],
		pair: data.pair,
		nonce: data.nonce,
	};
}

const seedsView = ({ number, ...seeds }: SeedPair) => ({ pair: number, ...seeds });
const nextView = ({ number, commitment }: AnnouncedPair) => ({ pair: number, commitment });
