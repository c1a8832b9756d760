/**
 * The feed of the process that leads: it opens a market every while, quotes it, renews its lease, turns it in-play and
 * settles it, all by what the exchange shows. A feed that falls silent renews nothing.
 */
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';

/** By the currency: nothing of one meets anything of the other. */
export const PLAYED_POOLS = ['PLAY', 'PLAY-JPY'] as const satisfies readonly Pool[];
export type PlayedPool = (typeof PLAYED_POOLS)[number];
export const MAKERS: Readonly<Record<PlayedPool, number>> = { PLAY: 2, 'PLAY-JPY': 3 };
export const LEASE_MS = 2_000;
export const BET_DELAY_MS = 1_000;
export const RUNNERS = 2;
const TICK_MS = 400;
const MARKET_EVERY_MS = 30_000;
const IN_PLAY_AFTER_MS = 15_000;
const ENDS_AFTER_MS = 55_000;
const QUOTED_PRICES = [190, 210];
const QUOTED_STAKES: Readonly<Record<PlayedPool, number>> = { PLAY: 4_000, 'PLAY-JPY': 400_000 };

/** What all processes' feeds know. */
export interface FeedPlan {
	silentUntilMs: number;
	/** Whether a feed quotes again now. */
	changesPrices(): boolean;
	/** Of a market, by its id. */
	winnerOf(marketId: number): number;
	/** A market's prices stand, by the exchange's time. */
	onRenewed(marketId: number, process: string, atMs: number): void;
}

export const marketsAt = (nowMs: number): number[] => {
	const last = 1 + Math.floor(nowMs / MARKET_EVERY_MS);
	return [last - 1, last].filter((marketId) => marketId > 0);
};

interface FeedOptions {
	/** Its name. */
	process: string;
	exchange: Exchange;
	plan: FeedPlan;
	nowMs: () => number;
}

export class Feed {
	readonly #options: FeedOptions;
	#timer: NodeJS.Timeout | undefined;
	/** Markets that have quotes of this process. */
	#quoted = new Set<number>();
	#isActing = false;
	#stopped = false;

	constructor(options: FeedOptions) {
		this.#options = options;
	}

	start(): void {
		this.#options.exchange.onRebuilt(() => this.#quoted.clear());
		this.#timer = setInterval(() => void this.#tick(), TICK_MS);
	}

	stop(): void {
		this.#stopped = true;
		clearInterval(this.#timer);
	}

	async #tick(): Promise<void> {
		const { plan, nowMs } = this.#options;
		if (this.#isActing || plan.silentUntilMs > nowMs()) return;
		this.#isActing = true;
		try {
			for (let marketId = 1; marketId <= Math.floor(nowMs() / MARKET_EVERY_MS) + 1; marketId++)
				await this.#care(marketId);
		} finally {
			this.#isActing = false;
		}
	}

	async #care(marketId: number): Promise<void> {
		const { exchange, plan, process, nowMs } = this.#options;
		const ageMs = nowMs() - (marketId - 1) * MARKET_EVERY_MS;
		if (ageMs > ENDS_AFTER_MS + 5 * MARKET_EVERY_MS) return;
		const market = exchange.market(marketId);
		if (!market) {
			if (ageMs < ENDS_AFTER_MS) await this.#ask(opening(marketId));
			return;
		}
		if (market.status === 'SETTLED' || market.status === 'VOIDED') return;
		if (ageMs > ENDS_AFTER_MS) {
			const winner = plan.winnerOf(marketId);
			const results = Array.from(
				{ length: RUNNERS },
				(_, runner) => (runner === winner ? 'WIN' : 'LOSE') as 'WIN' | 'LOSE',
			);
			await this.#ask({ kind: 'settle-market', marketId, results });
			return;
		}
		if (!market.inPlay && ageMs > IN_PLAY_AFTER_MS) await this.#ask({ kind: 'turn-in-play', marketId });
		if (market.status === 'BALL_RUNNING') await this.#ask({ kind: 'resume-market', marketId, byFeed: true });
		else if (market.inPlay && plan.changesPrices()) await this.#ask(ball(marketId));
		if (!this.#quoted.has(marketId)) await this.#quote(marketId);
		else if (plan.changesPrices()) {
			for (const walletId of Object.values(MAKERS)) await this.#ask({ kind: 'cancel-all', walletId, marketId });
			await this.#quote(marketId);
		}
		if (this.#stopped || !exchange.isOpen()) return;
		// What the exchange counts from is read before the renewal.
		plan.onRenewed(marketId, process, exchange.now());
		exchange.renewLeases([marketId]);
		if (market.status === 'SUSPENDED') await this.#ask({ kind: 'resume-market', marketId, byFeed: true });
	}

	async #quote(marketId: number): Promise<void> {
		this.#quoted.add(marketId);
		const quotes = PLAYED_POOLS.flatMap((pool) =>
			Array.from({ length: RUNNERS }, (_, runner) =>
				QUOTED_PRICES.map((price, at) =>
					this.#ask({
						kind: 'place-bet',
						walletId: MAKERS[pool],
						marketId,
						runner,
						side: at === 0 ? 1 : 0,
						price,
						stake: QUOTED_STAKES[pool],
						persist: true,
					}),
				),
			).flat(),
		);
		await Promise.all(quotes);
	}

	async #ask(request: Request): Promise<void> {
		try {
			await this.#options.exchange.submit(request);
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
		}
	}
}

/** For some moments nothing is matched, and bets whose delay ends meanwhile are tried again. */
const ball = (marketId: number): Request => ({
	kind: 'suspend-market',
	marketId,
	lapseUnmatched: false,
	ballRunning: true,
	byFeed: true,
});

const opening = (marketId: number): Request => ({
	kind: 'open-market',
	marketId,
	pools: PLAYED_POOLS,
	runners: RUNNERS,
	numberOfWinners: 1,
	commissionBp: 200,
	minStake: 10,
	maxStake: 1_000_000,
	profitRatioRule: false,
	selfMatch: 'REFUSE',
	suspended: false,
	betDelayMs: BET_DELAY_MS,
	// Every third one is led by operators, and needs no feed.
	feedLeaseMs: marketId % 3 === 0 ? 0 : LEASE_MS,
});
