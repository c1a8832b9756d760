/**
 * Cashing out by itself: a player names what he wants for certain in a market, and as soon as book and bets allow it the
 * hedges are placed. This file keeps the targets and looks again whenever a market's book changes; hedging.ts works out
 * what cashing out comes to and places it.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { hedge, standing } from '#server/cash-out/hedging.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

/** After hedges were placed, beside the market's delay: time for what became of them. */
const PATIENCE_MS = 1000;

export interface AutoCashOut {
	/** Paise; null when the player named none for that market. */
	target(walletId: number, marketId: number): number | null;
	/** Null takes the target away. @throws Refused NOTHING_TO_CASH_OUT when there is no position to hedge */
	set(walletId: number, marketId: number, target: number | null): Promise<void>;
	onCommitted(committed: Committed): void;
}

interface Target {
	walletId: number;
	marketId: number;
	target: number;
	/** Hedges are on their way until then. */
	busyUntilMs: number;
}

export async function openAutoCashOut(options: {
	pool: pg.Pool;
	exchange: Exchange;
	log: Logger;
	clock: () => number;
}): Promise<AutoCashOut> {
	const { rows } = await options.pool.query<Omit<Target, 'busyUntilMs'>>(
		'select wallet_id as "walletId", market_id as "marketId", target from auto_cash_out',
	);
	return new Targets(
		options,
		rows.map((row) => ({ ...row, busyUntilMs: 0 })),
	);
}

class Targets implements AutoCashOut {
	readonly #options: { pool: pg.Pool; exchange: Exchange; log: Logger; clock: () => number };
	readonly #ofMarket = new Map<number, Map<number, Target>>();
	/** Markets to look at again in this turn of the loop. */
	readonly #changed = new Set<number>();

	constructor(options: { pool: pg.Pool; exchange: Exchange; log: Logger; clock: () => number }, known: Target[]) {
		this.#options = options;
		for (const target of known) this.#keep(target);
	}

	target(walletId: number, marketId: number): number | null {
		return this.#ofMarket.get(marketId)?.get(walletId)?.target ?? null;
	}

	async set(walletId: number, marketId: number, target: number | null): Promise<void> {
		const { pool, exchange, clock } = this.#options;
		if (target === null) {
			await this.#forget(walletId, marketId);
			return;
		}
		if (standing(exchange, walletId, marketId).plan === 'NOTHING_TO_CASH_OUT') throw new Refused('NOTHING_TO_CASH_OUT');
		await pool.query(
			`insert into auto_cash_out (wallet_id, market_id, target, set_at) values ($1, $2, $3, $4)
			 on conflict (wallet_id, market_id) do update set target = excluded.target, set_at = excluded.set_at`,
			[walletId, marketId, target, clock()],
		);
		this.#keep({ walletId, marketId, target, busyUntilMs: 0 });
		this.#look(marketId);
	}

	onCommitted({ books, markets }: Committed): void {
		for (const { marketId } of books) this.#look(marketId);
		for (const { marketId } of markets) this.#look(marketId);
	}

	#keep(target: Target): void {
		const ofMarket = this.#ofMarket.get(target.marketId) ?? new Map<number, Target>();
		ofMarket.set(target.walletId, target);
		this.#ofMarket.set(target.marketId, ofMarket);
	}

	/** Many changes of one turn are one look. */
	#look(marketId: number): void {
		if (!this.#ofMarket.has(marketId) || this.#changed.has(marketId)) return;
		this.#changed.add(marketId);
		setImmediate(() => {
			this.#changed.delete(marketId);
			for (const target of this.#ofMarket.get(marketId)?.values() ?? []) void this.#consider(target);
		});
	}

	async #consider(target: Target): Promise<void> {
		const { exchange, clock, log } = this.#options;
		const { walletId, marketId } = target;
		try {
			const market = exchange.market(marketId);
			const { plan } = standing(exchange, walletId, marketId);
			const over = !market || ['CLOSED', 'SETTLED', 'VOIDED'].includes(market.status);
			if (over || plan === 'NOTHING_TO_CASH_OUT') {
				await this.#forget(walletId, marketId);
				return;
			}
			const reached = typeof plan !== 'string' && plan.certain >= target.target;
			if (!reached || market.status !== 'OPEN' || clock() < target.busyUntilMs) return;
			target.busyUntilMs = clock() + (market.inPlay ? market.betDelayMs : 0) + PATIENCE_MS;
			for (const one of plan.hedges) await hedge(exchange, walletId, marketId, one);
		} catch (error) {
			// The book moved on, or the market was suspended: the target stays, the next change is looked at.
			if (!(error instanceof Refused)) log.error({ err: error, marketId }, 'a cash-out at a target failed');
		}
	}

	async #forget(walletId: number, marketId: number): Promise<void> {
		const ofMarket = this.#ofMarket.get(marketId);
		ofMarket?.delete(walletId);
		if (ofMarket?.size === 0) this.#ofMarket.delete(marketId);
		await this.#options.pool.query('delete from auto_cash_out where wallet_id = $1 and market_id = $2', [
			walletId,
			marketId,
		]);
	}
}
