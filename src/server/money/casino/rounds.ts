/** Rounds of the house's own games with one player: played at once, or decided turn by turn. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { abandonedRound } from '#games/abandoned-round.ts';
import { gameOf } from '#games/all-games.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { NONE } from '#games/fraction.ts';
import {
	type Bet,
	type BetTerms,
	type InstantGame,
	payoutOf,
	type RoundGame,
	type Turn,
	type TurnGame,
} from '#games/game.ts';
import { seededWords } from '#games/seeded-words.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { Admission, Exchange, Receipt, RequestKey } from '#server/exchange/exchange.ts';
import type { CasinoWorkflow, RoundAtRisk } from '#server/exchange/order/workflow.ts';
import type { OwnRoundData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import { openWorkflows, storedWorkflows, workflowsByKey } from '#server/exchange/recovery/stored-workflows.ts';
import { GameWallet, type Player, type Submission } from '#server/money/casino/game-wallet.ts';
import { OpenRounds } from '#server/money/casino/open-rounds.ts';
import type { PairAccess } from '#server/money/casino/outcome-access.ts';
import {
	type ActivePair,
	type AnnouncedPair,
	type Beginning,
	PlayerSeeds,
	type Rotation,
	type SeedPair,
} from '#server/money/casino/player-seeds.ts';
import { isOfProvider, type ProviderRound } from '#server/money/casino/providers/provider-rounds.ts';
import { checkStake, checkStakes, largestPayout, leastPayout, refuseAbove } from '#server/money/casino/stake-limits.ts';
import { isShared, type TableBetWorkflow } from '#server/money/casino/tables/table-round.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { Currency } from '#values/currency-codes.ts';
import { ERRORS, Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, type Pool, stepOf } from '#values/pools.ts';

interface StakedBet {
	bet: string;
	/** Minor units. */
	stake: AnyMinor;
}

type OwnRound = CasinoWorkflow<OwnRoundData>;

export interface Round {
	id: number;
	state: string;
	atMs: number;
	data: OwnRoundData;
	/** For a game with turns. */
	turn: Turn | null;
}

export interface PlayedRound {
	round: Round;
	receipt: Receipt;
}

const roundOf = ({ id, state, openedAtMs, data }: OwnRound, turn: Turn | null): Round => ({
	id,
	state,
	atMs: openedAtMs,
	data,
	turn,
});

interface RoundsOptions {
	db: pg.Pool;
	log: Pick<Logger, 'error'>;
	exchange: Exchange;
	tokenKey: string;
	access: PairAccess;
}

export class CasinoRounds {
	readonly #db: pg.Pool;
	readonly #exchange: Exchange;
	readonly #wallet: GameWallet;
	readonly #seeds: PlayerSeeds;
	readonly #open: OpenRounds;
	readonly #turns = new Turns<WalletId>();
	/** By player: requests whose rounds have an unknown outcome. */
	readonly #doubts = new Map<WalletId, RequestKey>();

	private constructor({ db, exchange }: RoundsOptions, seeds: PlayerSeeds, open: OpenRounds) {
		this.#db = db;
		this.#exchange = exchange;
		this.#wallet = new GameWallet(exchange);
		this.#seeds = seeds;
		this.#open = open;
	}

	static async open(parts: RoundsOptions): Promise<CasinoRounds> {
		const { db, log } = parts;
		const open = new OpenRounds(await openWorkflows(db, log, 'CASINO'));
		return new CasinoRounds(parts, new PlayerSeeds(parts), open);
	}

	get onCommitted(): CommittedListener {
		return this.#open.onCommitted;
	}

	/**
	 * Plays a round, or starts one with turns. A repeated request gets the first answer.
	 * @throws Refused UNKNOWN_GAME, UNKNOWN_GAME_BET, INVALID_STAKE, STAKE_TOO_SMALL, STAKE_TOO_LARGE, WIN_TOO_LARGE,
	 * ROUND_OPEN, ROUND_TOO_SOON, NO_CLIENT_SEED, and refusals of the exchange
	 */
	play(player: Player, game: string, bets: readonly StakedBet[], submission: KeyedSubmission): Promise<PlayedRound> {
		return this.#once(player, submission, async () => {
			const known = gameOf(game);
			if (!known || known.kind === 'crash' || known.kind === 'table') throw new Refused('UNKNOWN_GAME');
			const currency = currencyOf(player.pool);
			for (const { stake } of bets) checkStake(stake, currency);
			checkStakes(sum(bets.map(({ stake }) => stake)), currency);
			await this.#settleDoubt(player.walletId, submission.untilMs);
			this.#checkCycle(player, submission.shortestCycleMs);
			return known.kind === 'turns'
				? this.#begin(player, known, bets, submission)
				: this.#playAtOnce(player, known, bets, submission);
		});
	}

	/**
	 * Applies a decision of the player.
	 * @throws Refused UNKNOWN_ROUND, ACTION_NOT_POSSIBLE, STAKE_TOO_LARGE, WIN_TOO_LARGE, and refusals of the exchange
	 */
	act(player: Player, id: number, action: string, submission: KeyedSubmission): Promise<PlayedRound> {
		return this.#once(player, submission, async () => {
			const workflow = this.#open.find(player.walletId, id) ?? (await this.#stored(player, id));
			if (!workflow.isOpen || !isOwn(workflow)) throw new Refused('UNKNOWN_ROUND');
			const { data } = workflow;
			const { game, hidden } = await this.#hiddenOf(player, data);
			const choice = (data.bets[0] as StakedBet).bet;
			const before = turnOf(game, hidden, choice, data.actions);
			if (!before.actions.includes(action)) throw new Refused('ACTION_NOT_POSSIBLE', { next: before.actions });
			const actions = [...data.actions, action];
			const turn = turnOf(game, hidden, choice, actions);
			const first = (data.bets[0] as StakedBet).stake;
			const currency = currencyOf(player.pool);
			refuseAbove(payoutOf(first, game.mostAfter(before, action)), currency);
			const added = (turn.stakes - before.stakes) * first;
			checkStakes(data.stake + added, currency);
			const changed = roundData(data, { turn, hidden, actions, stake: data.stake + added }, player.pool);
			const step = { data: changed, stake: added, payout: changed.payout };
			const hasEnded = turn.actions.length === 0;
			const terms = submitted(submission, { added, inRound: changed.stake });
			const receipt = hasEnded
				? await this.#wallet.settle(player, id, { ...step, atRisk: atRiskIn(changed) }, terms)
				: await this.#wallet.act(player, id, step, terms);
			// A repeated request changed nothing: its receipt is of an earlier step.
			if (receipt.workflows?.[0]?.step !== workflow.step + 1) return await this.#answeredBefore(player, receipt);
			const state = hasEnded ? 'SETTLED' : 'OPEN';
			return { receipt, round: { id, state, atMs: workflow.openedAtMs, data: changed, turn } };
		});
	}

	/**
	 * Ends an abandoned round: by the action that the game names for that, or by returning the stake. A round that the
	 * player has ended or continued meanwhile is left alone.
	 */
	abandon({ id, walletId, pool, step }: OwnRound): Promise<void> {
		const player = { walletId, pool };
		return this.#turns.take(walletId, async () => {
			const workflow = this.#open.find(walletId, id);
			if (workflow?.step !== step || !isOwn(workflow)) return;
			const { data } = workflow;
			const { game, hidden } = await this.#hiddenOf(player, data);
			const end = abandonedRound(game, hidden, (data.bets[0] as StakedBet).bet, data.actions);
			if (!end) {
				const returned = { ...data, payout: data.stake, outcome: hidden as WorkflowValue, result: STAKE_RETURNED };
				await this.#wallet.rollback(player, id, { data: returned, payout: data.stake }, {});
				return;
			}
			const changed = roundData(data, { ...end, hidden, stake: data.stake }, player.pool);
			await this.#wallet.settle(player, id, { data: changed, payout: changed.payout, atRisk: atRiskIn(changed) }, {});
		});
	}

	/** Rounds without a decision of their player since that ledger time. */
	leftSince(beforeMs: number): OwnRound[] {
		return this.#open
			.all()
			.filter((round) => isOwn(round))
			.filter(({ atMs }) => atMs < beforeMs);
	}

	/**
	 * A refused request may repeat an accepted one; it then gets the answer of the accepted one. The exchange recognizes
	 * repetitions.
	 */
	#once(player: Player, submission: KeyedSubmission, task: () => Promise<PlayedRound>): Promise<PlayedRound> {
		return this.#turns.take(player.walletId, async () => {
			try {
				return await task();
			} catch (error) {
				if (!(error instanceof Refused) || ERRORS[error.code].status >= 500) throw error;
				const receipt = await this.#exchange.earlier(submission.key, submission.untilMs);
				if (!receipt) throw error;
				return await this.#answeredBefore(player, receipt);
			}
		});
	}

	/** The rounds that await a decision of the player. */
	async openRounds(player: Player): Promise<Round[]> {
		const own = await this.#storedOpen(player.walletId);
		return Promise.all(own.map((workflow) => this.#shown(player, workflow)));
	}

	/**
	 * A round of the player's own with its seeds, the bet on a shared round, or a round at a provider. @throws Refused
	 * UNKNOWN_ROUND
	 */
	async round(
		player: Player,
		id: number,
	): Promise<{ round: Round; seeds: SeedPair } | { shared: TableBetWorkflow } | { ofProvider: ProviderRound }> {
		const workflow = await this.#stored(player, id);
		if (isOfProvider(workflow)) return { ofProvider: workflow };
		if (isShared(workflow)) return { shared: workflow };
		if (!isOwn(workflow)) throw new Refused('UNKNOWN_ROUND');
		const seeds = await this.#seeds.shown(player.walletId, workflow.data.pair);
		if (!seeds) throw new Refused('UNKNOWN_ROUND');
		return { round: await this.#shown(player, workflow), seeds };
	}

	/** A stored round as its player sees it. */
	shown(player: Player, workflow: OwnRound): Promise<Round> {
		return this.#shown(player, workflow);
	}

	/** The client seeds of players at a wall-clock time; players without one are left out. */
	clientSeedsBefore(walletIds: readonly number[], beforeMs: number): Promise<Map<number, string>> {
		return this.#seeds.clientSeedsBefore(walletIds, beforeMs);
	}

	/** The pair in use with its next nonce, null before the first pair; and the next pair. */
	async seeds(
		{ walletId }: Player,
		untilMs: number,
	): Promise<{ seeds: SeedPair | null; nonce: number; next: AnnouncedPair }> {
		return this.#turns.take(walletId, async () => {
			await this.#settleDoubt(walletId, untilMs);
			const { active, next } = await this.#seeds.pairs(walletId);
			if (!active) return { seeds: null, nonce: 0, next };
			return { seeds: await this.#seeds.shown(walletId, active.number), nonce: active.nonce, next };
		});
	}

	/**
	 * Reveals the pair in use and starts the announced one. A repeated request gets the first answer.
	 * @throws Refused SEEDS_IN_USE while a round of the pair awaits a decision, because its seed would reveal hidden
	 * cards; SEEDS_REPLACED if another request has started the pair
	 */
	async rotateSeeds({ walletId }: Player, beginning: Beginning, untilMs: number): Promise<Rotation> {
		return this.#turns.take(walletId, async () => {
			await this.#settleDoubt(walletId, untilMs);
			const repeated = await this.#seeds.repeated(walletId, beginning);
			if (repeated) return repeated;
			if ((await this.#storedOpen(walletId)).length > 0) throw new Refused('SEEDS_IN_USE');
			return this.#seeds.rotate(walletId, beginning);
		});
	}

	async #playAtOnce(
		player: Player,
		game: InstantGame,
		bets: readonly StakedBet[],
		submission: KeyedSubmission,
	): Promise<PlayedRound> {
		const named = bets.map(({ bet: code, stake }) => ({ code, stake, bet: betOf(game, code) }));
		refuseAbove(sum(named.map(({ bet, stake }) => largestPayout(bet, stake))), currencyOf(player.pool));
		const pair = await this.#seeds.active(player.walletId);
		const outcome = game.outcomeOf(drawOf(pair));
		const paid = named.map(({ code, bet, stake }) => {
			const prize = bet.prizeOf(outcome);
			const pays = prize === null ? NONE : (bet.prizes[prize]?.pays ?? NONE);
			return { bet: code, stake, payout: payoutOf(stake, pays, stepOf(player.pool)) };
		});
		const data: OwnRoundData = {
			game: game.code,
			bets: paid,
			stake: sum(paid.map(({ stake }) => stake)),
			payout: sum(paid.map(({ payout }) => payout)),
			actions: [],
			result: game.describe(outcome),
			outcome: outcome as WorkflowValue,
			pair: pair.number,
			nonce: pair.nonce,
		};
		const atRisk = { game: game.code, round: null, amount: leastLoss(named) };
		const step = { data, stake: data.stake, payout: data.payout, atRisk };
		const receipt = await this.#taking(player, submission, () =>
			this.#wallet.betWin(player, step, submitted(submission, staked(data.stake))),
		);
		if (!this.#isNew(player, receipt, data)) return await this.#answeredBefore(player, receipt);
		this.#seeds.taken(player.walletId, pair.nonce);
		return { receipt, round: { id: idOf(receipt), state: 'SETTLED', atMs: receipt.atMs, data, turn: null } };
	}

	async #begin(
		player: Player,
		game: TurnGame,
		bets: readonly StakedBet[],
		submission: KeyedSubmission,
	): Promise<PlayedRound> {
		const [{ bet: choice, stake } = { bet: '', stake: 0 }] = bets;
		if (bets.length !== 1 || !game.isChoice(choice)) throw new Refused('UNKNOWN_GAME_BET', { bet: choice });
		const isOpen = this.#open.of(player.walletId).find((round) => isOwn(round) && round.data.game === game.code);
		if (isOpen) throw new Refused('ROUND_OPEN', { roundId: String(isOpen.id) });
		const pair = await this.#seeds.active(player.walletId);
		const hidden = game.deal(drawOf(pair), choice);
		const turn = turnOf(game, hidden, choice, []);
		checkFirstActions(game, turn, stake, currencyOf(player.pool));
		const begun = {
			game: game.code,
			bets: [{ bet: choice, stake, payout: 0 }],
			stake,
			payout: 0,
			actions: [],
			result: '',
			outcome: null,
			pair: pair.number,
			nonce: pair.nonce,
		};
		const data = roundData(begun, { turn, hidden, actions: [], stake }, player.pool);
		const step = { data, stake, payout: data.payout };
		const hasEnded = turn.actions.length === 0;
		const receipt = await this.#taking(player, submission, () =>
			hasEnded
				? this.#wallet.betWin(player, { ...step, atRisk: atRiskIn(data) }, submitted(submission, staked(stake)))
				: this.#wallet.bet(player, step, submitted(submission, staked(stake))),
		);
		if (!this.#isNew(player, receipt, data)) return await this.#answeredBefore(player, receipt);
		this.#seeds.taken(player.walletId, pair.nonce);
		const state = hasEnded ? 'SETTLED' : 'OPEN';
		return { receipt, round: { id: idOf(receipt), state, atMs: receipt.atMs, data, turn } };
	}

	/**
	 * From start to start of two rounds of the player, in whichever games. A restart forgets the rounds that have ended; it
	 * takes longer itself than most of a cycle, and no client can cause one.
	 */
	#checkCycle({ walletId }: Player, shortestCycleMs: number | null): void {
		if (shortestCycleMs === null) return;
		const waitMs = this.#open.lastStartMs(walletId) + shortestCycleMs - this.#exchange.now();
		if (waitMs > 0) throw new Refused('ROUND_TOO_SOON', { waitMs });
	}

	/** An unknown outcome leaves the next nonce unknown. */
	async #taking({ walletId }: Player, { key }: KeyedSubmission, submit: () => Promise<Receipt>): Promise<Receipt> {
		try {
			return await submit();
		} catch (error) {
			if (!(error instanceof Refused) || error.code === 'OUTCOME_UNKNOWN') this.#doubts.set(walletId, key);
			throw error;
		}
	}

	/**
	 * A skipped nonce would look like a suppressed result, and a reused nonce would reveal a result in advance. So
	 * nothing is drawn until the outcome of the last round is known.
	 * @throws Refused OUTCOME_UNKNOWN until then
	 */
	async #settleDoubt(walletId: WalletId, untilMs: number): Promise<void> {
		const key = this.#doubts.get(walletId);
		if (!key) return;
		await this.#exchange.earlier(key, untilMs);
		this.#doubts.delete(walletId);
		this.#seeds.forget(walletId);
	}

	/** Whether the receipt belongs to this round, and not to an earlier one with the same request key. */
	#isNew({ walletId }: Player, receipt: Receipt, { pair, nonce }: OwnRoundData): boolean {
		const latest = this.#open.latest(walletId);
		if (!latest || latest.id !== idOf(receipt) || !isOwn(latest)) return false;
		return latest.data.pair === pair && latest.data.nonce === nonce;
	}

	/** The round of an earlier request, as it stood after that request. */
	async #answeredBefore(player: Player, receipt: Receipt): Promise<PlayedRound> {
		const workflow = await this.#stored(player, idOf(receipt));
		if (!isOwn(workflow)) throw new Refused('UNKNOWN_ROUND');
		const stoodAt = receipt.workflows?.[0];
		if (!stoodAt || stoodAt.step === workflow.step) return { receipt, round: await this.#shown(player, workflow) };
		// Later actions followed: the answer shows the round before them.
		const { data } = workflow;
		const { game, hidden } = await this.#hiddenOf(player, data);
		const actions = data.actions.slice(0, stoodAt.step - 1);
		const turn = turnOf(game, hidden, (data.bets[0] as StakedBet).bet, actions);
		const stake = (data.bets[0] as StakedBet).stake * turn.stakes;
		const then = roundData(data, { turn, hidden, actions, stake }, player.pool);
		return { receipt, round: { id: workflow.id, state: stoodAt.state, atMs: workflow.openedAtMs, data: then, turn } };
	}

	/** Read from the table, because a batch with an unknown outcome is in no list of this process. */
	async #storedOpen(walletId: WalletId): Promise<OwnRound[]> {
		const where = `wallet_id = $1 and is_open and data->>'pair' is not null`;
		return (await storedWorkflows(this.#db, { kind: 'CASINO', where, values: [walletId] })).filter(isOwn);
	}

	async #stored({ walletId }: Player, id: number): Promise<CasinoWorkflow> {
		const [workflow] = await workflowsByKey(this.#db, [{ kind: 'CASINO', id }]);
		if (workflow?.walletId !== walletId) throw new Refused('UNKNOWN_ROUND');
		return workflow;
	}

	async #shown(player: Player, workflow: OwnRound): Promise<Round> {
		const { data } = workflow;
		const game = gameOf(data.game);
		if (game?.kind !== 'turns') return roundOf(workflow, null);
		const hidden = data.outcome ?? (await this.#hiddenOf(player, data)).hidden;
		return roundOf(workflow, turnOf(game, hidden, (data.bets[0] as StakedBet).bet, data.actions));
	}

	/** The hidden draws of a round with turns, derived again from its seeds. Only the seeds are secret. */
	async #hiddenOf({ walletId }: Player, data: OwnRoundData): Promise<{ game: TurnGame; hidden: unknown }> {
		const game = gameOf(data.game);
		if (game?.kind !== 'turns') throw new Refused('UNKNOWN_ROUND');
		if (data.outcome !== null) return { game, hidden: data.outcome };
		const pair = await this.#seeds.active(walletId);
		if (pair.number !== data.pair) throw new Error(`the seeds of an open round of ${walletId} were replaced`);
		const draw = drawOf({ ...pair, nonce: data.nonce });
		return { game, hidden: game.deal(draw, (data.bets[0] as StakedBet).bet) };
	}
}

/** A player's request. */
export interface KeyedSubmission {
	key: RequestKey;
	/** The caller's deadline on the monotonic clock. */
	untilMs: number;
	/** Requires the player's admission if minor units are staked; an action that ends a round needs none. */
	admission: (stake: RoundStake) => Admission;
	/** By the profile of the player's brand; null for none. */
	shortestCycleMs: number | null;
}

/** Minor units. */
export interface RoundStake {
	/** By this request. */
	added: AnyMinor;
	/** The player's whole stake in the round, this request included. */
	inRound: AnyMinor;
}

const STAKE_RETURNED = 'Left before the first decision: the stake was returned';

const staked = (stake: AnyMinor): RoundStake => ({ added: stake, inRound: stake });

const submitted = ({ key, untilMs, admission }: KeyedSubmission, stake: RoundStake): Submission => ({
	key,
	terms: stake.added > 0 ? { untilMs, admit: admission(stake) } : { untilMs },
});

/** The whole stake of a round with turns can be lost. */
const atRiskIn = ({ game, stake }: OwnRoundData): RoundAtRisk => ({ game, round: null, amount: stake });

/**
 * The largest combined loss of bets that share one result. When a player bets on several outcomes, it is the largest
 * loss of one bet, less the wins of the others.
 */
export function leastLoss(bets: readonly { code: string; bet: BetTerms; stake: AnyMinor }[]): AnyMinor {
	const byCode = Map.groupBy(bets, ({ code }) => code);
	const each = [...byCode.values()].map((same) => {
		const { bet } = same[0] as (typeof bets)[number];
		const stake = sum(same.map((one) => one.stake));
		return {
			loss: stake - sum(same.map((one) => leastPayout(bet, one.stake))),
			win: Math.max(0, sum(same.map((one) => largestPayout(bet, one.stake))) - stake),
		};
	});
	const wins = sum(each.map(({ win }) => win));
	return Math.max(0, ...each.map(({ loss, win }) => loss - (wins - win)));
}

/** Whether it is a single-player round of the house's own games. */
export const isOwn = (workflow: CasinoWorkflow): workflow is OwnRound => 'pair' in workflow.data;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const idOf = (receipt: Receipt): number => {
	const id = receipt.workflows?.[0]?.id;
	if (id === undefined) throw new Error('the receipt of a round names no workflow');
	return id;
};

const drawOf = ({ serverSeed, clientSeed, nonce }: ActivePair) =>
	drawFrom(seededWords({ serverSeed, clientSeed, nonce }));

function turnOf(game: TurnGame, hidden: unknown, choice: string, actions: readonly string[]): Turn {
	const turn = game.turnAfter(hidden, choice, actions);
	if (!turn) throw new Error(`a round of ${game.code} cannot have come to ${actions.join(', ')}`);
	return turn;
}

interface TurnChange {
	turn: Turn;
	hidden: unknown;
	actions: readonly string[];
	stake: AnyMinor;
}

/** The data of a round after a turn; the hidden draws are added when the round has ended. */
function roundData(data: OwnRoundData, { turn, hidden, actions, stake }: TurnChange, pool: Pool): OwnRoundData {
	const { bet, stake: first } = data.bets[0] as StakedBet;
	const hasEnded = turn.actions.length === 0;
	const payout = hasEnded ? payoutOf(first, turn.pays, stepOf(pool)) : 0;
	const outcome = hasEnded ? (hidden as WorkflowValue) : null;
	return { ...data, bets: [{ bet, stake: first, payout }], stake, payout, actions, result: turn.result, outcome };
}

/** @throws Refused UNKNOWN_GAME_BET */
function betOf(game: RoundGame, code: string): Bet {
	const bet = game.betOf(code);
	if (!bet) throw new Refused('UNKNOWN_GAME_BET', { bet: code });
	return bet;
}

/**
 * A player must always be able to continue: an action whose possible win exceeds the house's limit is refused on
 * request.
 */
function checkFirstActions(game: TurnGame, turn: Turn, stake: AnyMinor, currency: Currency): void {
	const reached = turn.actions.map((action) => payoutOf(stake, game.mostAfter(turn, action)));
	refuseAbove(turn.actions.length > 0 ? Math.min(...reached) : payoutOf(stake, turn.pays), currency);
}
