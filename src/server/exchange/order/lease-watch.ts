/**
 * Suspends markets whose feed lease has run out: four times a second, and before any command is applied to such a market.
 * So no bet is matched between the end of a lease and the next check, and a delayed bet lapses.
 */
import type { Logger } from 'pino';
import type { Engine } from '#engine/engine.ts';
import type { Request } from '#server/exchange/exchange.ts';
import type { FeedLeases } from '#server/exchange/order/feed-leases.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';

const CHECK_EVERY_MS = 250;
/** A feed that falls silent may have hundreds of markets; the log names a few of them. */
const MOST_NAMED = 10;

interface LeaseWatchOptions {
	leases: FeedLeases;
	engine: Engine;
	log: Logger;
	/** Suspends the market in the same turn of the event loop, before anything else is applied to it. */
	suspend: (marketId: MarketId) => void;
	/** No command can be applied at the moment. */
	isPaused: () => boolean;
}

export class LeaseWatch {
	readonly #options: LeaseWatchOptions;
	#timer: NodeJS.Timeout | undefined;

	constructor(options: LeaseWatchOptions) {
		this.#options = options;
	}

	start(): void {
		this.#check();
		this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
	}

	stop(): void {
		clearInterval(this.#timer);
	}

	/**
	 * Suspends the command's market first when its lease has run out.
	 * @throws Refused MARKET_SUSPENDED when the command would resume the market: its prices may be stale
	 */
	beforeCommand(kind: Request['kind'], marketId: MarketId | undefined): void {
		if (kind === 'suspend-market' || kind === 'open-market') return;
		if (marketId === undefined || !this.#options.leases.hasRunOut(marketId)) return;
		if (kind === 'resume-market') throw new Refused('MARKET_SUSPENDED');
		if (this.#isTrading(marketId)) this.#options.suspend(marketId);
	}

	/** Suspends all such markets before the bets of triggers, which may be of any market, are placed. */
	beforeTriggers(): void {
		const { leases, suspend } = this.#options;
		for (const marketId of leases.runOut()) if (this.#isTrading(marketId)) suspend(marketId);
	}

	/** Suspends all such markets. A suspension that is refused now is repeated at the next check. */
	#check(): void {
		const { leases, log, suspend, isPaused } = this.#options;
		if (isPaused()) return;
		const marketIds = leases.runOut().filter((marketId) => this.#isTrading(marketId));
		if (marketIds.length === 0) return;
		const shown = marketIds.slice(0, MOST_NAMED);
		log.warn(
			{ markets: marketIds.length, marketIds: shown },
			'the feed of these markets is silent; they are suspended',
		);
		for (const marketId of marketIds) suspend(marketId);
	}

	/** Open or in play with a ball running. The lease of a market that has ended is dropped. */
	#isTrading(marketId: MarketId): boolean {
		const status = this.#options.engine.market(marketId)?.status;
		if (status === 'OPEN' || status === 'BALL_RUNNING') return true;
		if (status !== 'SUSPENDED') this.#options.leases.end(marketId);
		return false;
	}
}
