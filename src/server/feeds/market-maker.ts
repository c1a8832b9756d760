/**
 * The market maker: an ordinary wallet that keeps the quotes it is told in our own book. It compares what rests with
 * what is wanted, takes back first and offers then, so that it never meets itself; after a restart it finds its bets
 * in the book like anybody.
 */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** The house's wallets, one a pool. */
export const MAKER_WALLETS: Record<Pool, number> = { DEMO: 1, PLAY: 2, REAL: 3 };
/** ₹1,000 crore of play money: never the reason a quote is missing. */
const GRANT_PAISE = 1_000_000_000_000;
/** A quote whose size moved by less than this share stays as it is. */
const SIZE_TOLERANCE_PERCENT = 25;

/** Prices others can take, hundredths and paise: `back` those for backers, `lay` those for layers. */
export interface QuotedRunner {
	back: { price: number; size: number }[];
	lay: { price: number; size: number }[];
}

/** Makes the wallets of the market makers and gives them play money, once. */
export async function openMakers(exchange: Exchange, pools: readonly Pool[]): Promise<void> {
	for (const pool of pools) {
		const walletId = MAKER_WALLETS[pool];
		await exchange.submit({ kind: 'open-wallet', walletId, pool, currency: 'INR', commissionBp: 0 });
		await exchange.submit(
			{ kind: 'grant-coins', grantId: walletId, walletId, amount: GRANT_PAISE },
			{ walletId, clientRequestId: 'maker-grant', body: 'maker-grant' },
		);
	}
}

const quoteKey = (runner: number, side: SideCode, price: number): string => `${runner}.${side}.${price}`;

export class MarketMaker {
	readonly #exchange: Exchange;
	readonly #log: Logger;
	readonly #marketId: number;
	readonly #pools: readonly Pool[];
	#wanted: readonly QuotedRunner[] | null = null;
	#working: Promise<void> | null = null;

	constructor(options: { exchange: Exchange; log: Logger; marketId: number; pools: readonly Pool[] }) {
		this.#exchange = options.exchange;
		this.#log = options.log;
		this.#marketId = options.marketId;
		this.#pools = options.pools;
	}

	/** Asks for these quotes; a newer call replaces one that was not carried out yet. */
	quote(runners: readonly QuotedRunner[]): void {
		this.#wanted = runners;
		this.#working ??= this.#work();
	}

	/** Resolves when the quotes asked for last stand. */
	async settled(): Promise<void> {
		await this.#working;
	}

	async #work(): Promise<void> {
		while (this.#wanted) {
			const wanted = this.#wanted;
			this.#wanted = null;
			try {
				await Promise.all(this.#pools.map((pool) => this.#bringTo(wanted, MAKER_WALLETS[pool])));
			} catch (error) {
				this.#log.warn({ err: error, marketId: this.#marketId }, 'the market maker could not quote');
			}
		}
		this.#working = null;
	}

	async #bringTo(runners: readonly QuotedRunner[], walletId: number): Promise<void> {
		const missing = wantedSizes(runners);
		const cancels: Promise<unknown>[] = [];
		for (const bet of this.#exchange.openBets(walletId)) {
			if (bet.marketId !== this.#marketId || bet.remaining === 0) continue;
			const key = quoteKey(bet.runner, bet.side, bet.price);
			const want = missing.get(key)?.size ?? 0;
			const off = Math.abs(want - bet.remaining) * 100;
			if (want > 0 && off <= want * SIZE_TOLERANCE_PERCENT) missing.delete(key);
			else cancels.push(this.#submit({ kind: 'cancel-bet', betId: bet.betId, walletId }));
		}
		await Promise.all(cancels);
		await Promise.all(
			[...missing.values()].map(({ runner, side, price, size }) =>
				this.#submit({
					kind: 'place-bet',
					walletId,
					marketId: this.#marketId,
					runner,
					side,
					price,
					stake: size,
					persist: false,
				}),
			),
		);
	}

	/** A refusal is the market's answer to a late quote: suspended, closed, already taken. */
	async #submit(request: Parameters<Exchange['submit']>[0]): Promise<void> {
		try {
			await this.#exchange.submit(request);
		} catch (error) {
			if (!(error instanceof Refused)) throw error;
		}
	}
}

/** What backers can take is offered by laying, and the other way round. */
function wantedSizes(runners: readonly QuotedRunner[]) {
	const wanted = new Map<string, { runner: number; side: SideCode; price: number; size: number }>();
	runners.forEach(({ back, lay }, runner) => {
		for (const [levels, side] of [
			[back, LAY],
			[lay, BACK],
		] as const) {
			for (const { price, size } of levels) wanted.set(quoteKey(runner, side, price), { runner, side, price, size });
		}
	});
	return wanted;
}
