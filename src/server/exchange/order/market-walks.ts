/**
 * What concerns every bet of a market with many bets is a walk: some wallets a step, each step a command of its own, with
 * other commands between them. The command that begins it fixes what is done, and its answer waits for the last
 * step. Each batch takes a step: while it is written, the next step is worked out and joins the bets that wait.
 */
import { needsAllBets } from '#engine/change-bets.ts';
import type { Command } from '#engine/command.ts';
import type { Engine } from '#engine/engine.ts';
import { settledBy } from '#engine/market-types/settled-by.ts';
import type { Receipt, Request } from '#server/exchange/exchange.ts';
import type { WrittenFigures } from '#server/exchange/ledger/batch-writer.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { StepPace } from '#server/exchange/order/step-pace.ts';
import { change, reverse, type SettledWallets, type Step, settle } from '#server/exchange/order/walk-steps.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';

/** A market with no more bets is settled, or changed, by one command: a hundred such markets may end in one batch. */
export const AT_ONCE = 100;
/** Bets, of a step that nothing waits for, on a fast machine. */
export const MOST_A_STEP = 500;
/** While bets wait, a step takes a share of it: less than an ordinary batch. With twice as much their p99 is a sixth higher. */
const SHARE_BESIDE_BETS = 0.1;

type Settlement = Request & { kind: 'settle-market' | 'void-market' };
type Reversal = Request & { kind: 'begin-reversal' };
type Change = Request & {
	kind: 'suspend-market' | 'turn-in-play' | 'close-market' | 'remove-runner' | 'return-runner' | 'correct-reduction';
};

const CHANGES: ReadonlySet<Request['kind']> = new Set<Change['kind']>([
	'turn-in-play',
	'close-market',
	'remove-runner',
	'return-runner',
	'correct-reduction',
]);

const isSettlement = (request: Request): request is Settlement =>
	request.kind === 'settle-market' || request.kind === 'void-market';
const isChange = (request: Request): request is Change =>
	CHANGES.has(request.kind) || (request.kind === 'suspend-market' && request.lapseUnmatched);

/** Whether a command concerns every bet of its market, and may be a walk. */
export const concernsAllBets = (request: Request): request is Settlement | Change | Reversal =>
	isSettlement(request) || isChange(request) || request.kind === 'begin-reversal';

/** Whether a command that was applied left its market to steps. */
export const beginsWalk = (command: Command): command is Command & { marketId: MarketId } =>
	command.kind === 'begin-settlement' ||
	command.kind === 'begin-reversal' ||
	('inSteps' in command && command.inSteps === true);

/** The command that begins a walk. */
function beginningOf(request: Settlement | Change | Reversal): Request {
	if (request.kind === 'begin-reversal') return request;
	if (!isSettlement(request)) return { ...request, inSteps: true };
	const { kind: _, ...what } = request;
	return { results: null, ...what, kind: 'begin-settlement' };
}

/** A step that was refused so is taken again. */
const LATER: ReadonlySet<ErrorCode> = new Set(['OVERLOADED', 'DEADLINE_PASSED']);

/** A step whose batch is on its way. */
export interface TakenStep {
	durable: Promise<Receipt>;
}

interface MarketWalksOptions {
	engine: Engine;
	/** How many bets a step takes at most; a market with no more is settled, or changed, by one command. */
	betsAStep?: number | undefined;
	/** Resolves when the batch of the step is on its way. @param bets how many it takes @throws Refused when it was not applied */
	take: (step: Step, bets: number) => Promise<TakenStep>;
	settledWallets: SettledWallets;
	nothingDone: () => Receipt;
	/** Called when the bets of a market do not add up, so that its settlement cannot end. */
	onUneven: (marketId: MarketId) => void;
	/** How many commands wait to be durable, those of walks too. */
	waiting: () => number;
	/** Waits before a step that was refused is taken again. */
	pause: () => Promise<void>;
}

export class MarketWalks {
	readonly #options: MarketWalksOptions;
	readonly #atOnce: number;
	readonly #pace: StepPace;
	/** Until they have ended. */
	readonly #walks = new Map<MarketId, Promise<Receipt>>();
	/** Markets whose settlement cannot end, from the end of its walk until another walk begins. */
	readonly #uneven = new Set<MarketId>();
	/** Steps whose batches are on their way. */
	#onTheirWay = 0;
	/** Walks through several markets take turns, so that no batch has more than one step. */
	readonly #turns = new Turns<'step'>();

	constructor(options: MarketWalksOptions) {
		this.#options = options;
		this.#atOnce = options.betsAStep ?? AT_ONCE;
		const most = options.betsAStep ?? MOST_A_STEP;
		this.#pace = new StepPace({ most, mostBesideBets: most * SHARE_BESIDE_BETS });
	}

	/** A batch is durable. */
	written({ tookMs, step }: WrittenFigures): void {
		if (step) this.#onTheirWay--;
		this.#pace.wrote(step?.bets ?? 0, tookMs + (step?.tookMs ?? 0));
	}

	/** Whether the market has more bets than one command should take. */
	#isNeededFor({ kind, marketId }: Settlement | Change | Reversal): boolean {
		return kind === 'begin-reversal' || this.#options.engine.betCount(marketId, this.#atOnce + 1) > this.#atOnce;
	}

	/**
	 * Settles a market, or changes its bets, by one command or by a walk; takes a settlement back by a walk. The same settlement again, while it is under way,
	 * has the same answer.
	 * @param decide applies a command and resolves when it is durable
	 */
	async act(
		request: Settlement | Change | Reversal,
		untilMs: number,
		decide: (request: Request) => Promise<Receipt>,
	): Promise<Receipt> {
		const { marketId } = request;
		let done: Receipt;
		try {
			done = await decide(this.#isNeededFor(request) ? beginningOf(request) : request);
		} catch (error) {
			if (!(error instanceof Refused && isSettlement(request) && this.#isJoined(request, error))) throw error;
			done = this.#options.nothingDone();
		}
		return (await before(this.ended(marketId), untilMs, 'OUTCOME_UNKNOWN')) ?? done;
	}

	/** Walks once the beginning is durable. A walk that fails leaves the market to the process that has the exchange next. */
	begin(marketId: MarketId, begun = Promise.resolve(this.#options.nothingDone())): void {
		// The last step of a walk may be on its way still, and what follows is the matter of this one.
		const isLast = () => this.#walks.get(marketId) === walk;
		const walk = begun.then((receipt) => this.#walk(marketId, receipt, isLast));
		this.#walks.set(marketId, walk);
		this.#uneven.delete(marketId);
		const forget = () => {
			if (this.#walks.get(marketId) === walk) this.#walks.delete(marketId);
		};
		walk.then(forget, forget);
	}

	/** Markets whose settlement has stopped because their bets do not add up. */
	unevenMarkets(): MarketId[] {
		return [...this.#uneven];
	}

	/**
	 * Resolves when no walk goes through the market any more; at once when there is none.
	 * @returns the receipt of the last step; null when there is no walk
	 * @throws Refused OUTCOME_UNKNOWN when this process takes no further step of it, MARKET_UNEVEN when its bets do not add
	 *   up
	 */
	async ended(marketId: MarketId): Promise<Receipt | null> {
		try {
			const last = (await this.#walks.get(marketId)) ?? null;
			if (!this.#uneven.has(marketId)) return last;
		} catch (error) {
			throw error instanceof Refused ? new Refused('OUTCOME_UNKNOWN') : error;
		}
		throw new Refused('MARKET_UNEVEN');
	}

	/** Resolves when a command need no longer wait for a change of its market's bets; null when it need not wait. */
	change(request: Request): Promise<void> | null {
		if (!needsAllBets(request)) return null;
		const { engine } = this.#options;
		const marketId = 'marketId' in request ? request.marketId : undefined;
		const isChanging = marketId !== undefined && engine.market(marketId)?.changing != null;
		const walk = isChanging ? this.#walks.get(marketId) : undefined;
		return (
			walk?.then(
				() => undefined,
				() => undefined,
			) ?? null
		);
	}

	/** Whether a settlement was refused because the same one is under way. */
	#isJoined(settlement: Settlement, { code }: Refused): boolean {
		// Its last step may be applied and not durable yet.
		const isLast = code === 'WRONG_MARKET_STATE' && this.#walks.has(settlement.marketId);
		return (code === 'MARKET_SETTLING' || isLast) && this.#isRepeated(settlement);
	}

	/** Whether it is what a market that is being settled is settled by. */
	#isRepeated(settlement: Settlement): boolean {
		const market = this.#options.engine.market(settlement.marketId);
		if (!market) return false;
		const by = settledBy(market);
		if (!by) return false;
		if (settlement.kind === 'void-market') return by.results === null;
		const { results, places = market.numberOfWinners } = settlement;
		return String(results) === String(by.results) && places === (by.places ?? market.numberOfWinners);
	}

	/** @param isLast whether no other walk through the market began since */
	async #walk(marketId: MarketId, begun: Receipt, isLast: () => boolean): Promise<Receipt> {
		const { engine, waiting, settledWallets } = this.#options;
		let last = Promise.resolve(begun);
		const isUnderWay = () => {
			const { status, changing = null } = engine.market(marketId) ?? {};
			return status === 'SETTLING' || changing !== null;
		};
		// Where quotes are withdrawn meanwhile, a step may find less than was seen, and the market may have ended.
		const take = async (step: Step, bets: number): Promise<void> => {
			if (!isUnderWay()) return;
			last = (await this.#take(step, bets)).durable;
		};
		const most = () => this.#pace.next(waiting() > this.#onTheirWay);
		const walk = { marketId, engine, most, take, settledWallets };
		const isSettling = () => engine.market(marketId)?.status === 'SETTLING';
		const isReversing = () => engine.market(marketId)?.reversing != null;
		const isSettlement = isSettling();
		// Read again after a fault of the database, bets that are back meanwhile are passed over.
		if (isReversing()) await retryFaults(() => reverse(walk));
		if (!isSettlement) await change(walk);
		else if (isLast() && isSettling() && !isReversing()) await settle(walk);
		const receipt = await last;
		if (isSettlement && isLast() && isSettling()) {
			this.#uneven.add(marketId);
			this.#options.onUneven(marketId);
		}
		return receipt;
	}

	async #take(step: Step, bets: number): Promise<TakenStep> {
		for (;;) {
			try {
				const taken = await this.#turns.take('step', () => this.#options.take(step, bets));
				this.#onTheirWay++;
				return taken;
			} catch (error) {
				if (!(error instanceof Refused && LATER.has(error.code))) throw error;
				await this.#options.pause();
			}
		}
	}
}
