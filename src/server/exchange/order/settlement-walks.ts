/**
 * A market with many bets is settled by a walk: some wallets a step, each step a command of its own, with other commands
 * between them. The engine keeps no place in it. This file finds the wallets that are left, and names the losers before
 * the winners, so that the market's pot can pay. Each batch takes a step: while it is written, the next step is worked
 * out and joins the queued bets. A process that recovers, or takes over, begins again with what is left.
 */
import type { Engine, UnsettledWallet } from '#engine/engine.ts';
import type { Receipt, Request } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Bets, of a step that nothing waits for. A market with no more is settled by one command. */
export const SETTLED_A_STEP = 500;
/** While bets wait, a step takes a share of it: a few milliseconds, about as much as an ordinary batch. */
const SHARE_BESIDE_BETS = 0.2;

type Settlement = Request & { kind: 'settle-market' | 'void-market' };
type Step = Request & { kind: 'settle-wallets' | 'settle-bets' | 'cancel-all' };

export const isSettlement = (request: Request): request is Settlement =>
	request.kind === 'settle-market' || request.kind === 'void-market';

/** The command that begins it. */
function beginningOf(settlement: Settlement): Request & { kind: 'begin-settlement' } {
	const { kind: _, ...what } = settlement;
	return { results: null, ...what, kind: 'begin-settlement' };
}

/** A step that was refused so is taken again. */
const LATER: ReadonlySet<ErrorCode> = new Set(['OVERLOADED', 'DEADLINE_PASSED']);

/** A step whose batch is on its way. */
export interface TakenStep {
	durable: Promise<Receipt>;
}

interface SettlementWalksOptions {
	engine: Engine;
	/** About how many bets a step takes; a market with no more is settled by one command. */
	betsAStep?: number | undefined;
	/** Resolves when the batch of the step is on its way. @throws Refused when it was not applied */
	take: (step: Step) => Promise<TakenStep>;
	nothingDone: () => Receipt;
	/** Whether other commands wait to be durable. */
	othersWait: () => boolean;
	/** Waits before a step that was refused is taken again. */
	pause: () => Promise<void>;
}

export class SettlementWalks {
	readonly #options: SettlementWalksOptions;
	readonly #betsAStep: number;
	/** Until the market has ended. */
	readonly #walks = new Map<MarketId, Promise<Receipt>>();
	/** Markets that end at the same time take turns, so that no batch has more than one step. */
	readonly #turns = new Turns<'step'>();

	constructor(options: SettlementWalksOptions) {
		this.#options = options;
		this.#betsAStep = options.betsAStep ?? SETTLED_A_STEP;
	}

	/** Whether the market has more bets than one command should settle. */
	#isNeededFor(marketId: MarketId): boolean {
		return this.#options.engine.betCount(marketId, this.#betsAStep + 1) > this.#betsAStep;
	}

	/**
	 * Settles a market by one command or by a walk. The same settlement again, while it is under way, has the same answer.
	 * @param decide applies a command and resolves when it is durable
	 */
	async settle(
		settlement: Settlement,
		untilMs: number,
		decide: (request: Request) => Promise<Receipt>,
	): Promise<Receipt> {
		const { marketId } = settlement;
		let done: Receipt;
		try {
			done = await decide(this.#isNeededFor(marketId) ? beginningOf(settlement) : settlement);
		} catch (error) {
			if (!(error instanceof Refused && this.#isUnderWay(marketId, error) && this.#isRepeated(settlement))) throw error;
			done = this.#options.nothingDone();
		}
		return (await before(this.ended(marketId), untilMs, 'OUTCOME_UNKNOWN')) ?? done;
	}

	/** Walks once the beginning is durable. A walk that fails leaves the market to the process that has the exchange next. */
	begin(marketId: MarketId, begun = Promise.resolve(this.#options.nothingDone())): void {
		const walk = begun.then((receipt) => this.#walk(marketId, receipt));
		this.#walks.set(marketId, walk);
		const forget = () => this.#walks.delete(marketId);
		walk.then(forget, forget);
	}

	/**
	 * Resolves when the market has ended; at once when none of it is being settled.
	 * @returns the receipt of the last step; null when there is no walk
	 * @throws Refused OUTCOME_UNKNOWN when this process settles it no further
	 */
	async ended(marketId: MarketId): Promise<Receipt | null> {
		try {
			return (await this.#walks.get(marketId)) ?? null;
		} catch (error) {
			throw error instanceof Refused ? new Refused('OUTCOME_UNKNOWN') : error;
		}
	}

	/** Whether a settlement was refused because one is under way; its last step may be applied and not durable yet. */
	#isUnderWay(marketId: MarketId, { code }: Refused): boolean {
		return code === 'MARKET_SETTLING' || (code === 'WRONG_MARKET_STATE' && this.#walks.has(marketId));
	}

	/** Whether it is what a market that is being settled is settled by. */
	#isRepeated(settlement: Settlement): boolean {
		const market = this.#options.engine.market(settlement.marketId);
		if (!market) return false;
		if (settlement.kind === 'void-market') return market.results === null;
		const { results, places = market.numberOfWinners } = settlement;
		return String(results) === String(market.results) && places === (market.placesPaid ?? market.numberOfWinners);
	}

	async #walk(marketId: MarketId, begun: Receipt): Promise<Receipt> {
		let last = Promise.resolve(begun);
		const winners: UnsettledWallet[] = [];
		// Where quotes are withdrawn meanwhile, a step may find less than was seen, and the market may have ended.
		const take = async (step: Step): Promise<void> => {
			if (this.#isSettling(marketId)) last = (await this.#take(step)).durable;
		};
		const losers = this.#stepsOf(marketId, take);
		const wallets = this.#options.engine.unsettledWallets(marketId);
		for (let next = wallets.next(); next.done !== true; next = wallets.next()) {
			const wallet = next.value;
			if (wallet === null) await new Promise((resume) => setImmediate(resume));
			else if (wallet.wins) winners.push(wallet);
			else await losers.add(wallet);
		}
		await losers.finish();
		const rest = this.#stepsOf(marketId, take);
		for (const winner of winners) await rest.add(winner);
		await rest.finish();
		// Quotes may go without a step: when they are withdrawn, or with the process that had them in memory.
		await take({ kind: 'settle-wallets', marketId, wallets: [] });
		return await last;
	}

	#isSettling(marketId: MarketId): boolean {
		return this.#options.engine.market(marketId)?.status === 'SETTLING';
	}

	#stepsOf(marketId: MarketId, take: (step: Step) => Promise<void>): Steps {
		const { engine, othersWait } = this.#options;
		const most = () => (othersWait() ? this.#betsAStep * SHARE_BESIDE_BETS : this.#betsAStep);
		return new Steps({ marketId, engine, most, take });
	}

	async #take(step: Step): Promise<TakenStep> {
		for (;;) {
			try {
				return await this.#turns.take('step', () => this.#options.take(step));
			} catch (error) {
				if (!(error instanceof Refused && LATER.has(error.code))) throw error;
				await this.#options.pause();
			}
		}
	}
}

interface StepsOptions {
	marketId: MarketId;
	engine: Engine;
	/** How many bets the next step takes. */
	most: () => number;
	take: (step: Step) => Promise<void>;
}

/** Wallets of a walk in their order, as steps. */
class Steps {
	readonly #options: StepsOptions;
	#wallets: WalletId[] = [];
	#bets = 0;

	constructor(options: StepsOptions) {
		this.#options = options;
	}

	async add({ walletId, bets }: UnsettledWallet): Promise<void> {
		const most = this.#options.most();
		// What a player had at risk is worked out of all his bets in the batch that settles him. The house may have most of a
		// market's bets.
		if (bets > most && walletId < FIRST_PLAYER_ID) return await this.#inParts(walletId);
		if (this.#bets + bets > most) await this.finish();
		this.#wallets.push(walletId);
		this.#bets += bets;
	}

	async finish(): Promise<void> {
		const { marketId, take } = this.#options;
		const wallets = this.#wallets;
		if (wallets.length === 0) return;
		this.#wallets = [];
		this.#bets = 0;
		await take({ kind: 'settle-wallets', marketId, wallets });
	}

	async #inParts(walletId: WalletId): Promise<void> {
		const { marketId, engine, most, take } = this.#options;
		// What is set aside for quotes is freed while the wallet has all its bets.
		if (engine.wallet(walletId)?.quotes) await take({ kind: 'cancel-all', walletId, marketId });
		for (;;) {
			const bets = engine.someBets(walletId, marketId, most());
			if (bets.length === 0) return;
			await take({ kind: 'settle-bets', marketId, walletId, bets });
		}
	}
}
