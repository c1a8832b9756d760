/**
 * The market maker keeps the quotes it is told in our own book, by bets of a wallet that quotes. It compares what rests
 * with what is wanted, takes back first and offers then, so that it never meets itself. The tables know no quotes that
 * wait: after a restart it places all of them, and when the exchange was built anew it does so by itself.
 */
import type { Done, Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { Pool } from '#values/pools.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** The house's wallets, one a pool. */
export const MARKET_MAKER_WALLETS: Record<Pool, number> = { DEMO: 1, PLAY: 2, REAL: 3 };
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
export async function openMarketMakers(exchange: Exchange, pools: readonly Pool[]): Promise<void> {
	for (const pool of pools) {
		const walletId = MARKET_MAKER_WALLETS[pool];
		await exchange.submit({ kind: 'open-wallet', walletId, pool, currency: 'INR', commissionBp: 0, quotes: true });
		await exchange.submit(
			{ kind: 'grant-coins', grantId: walletId, walletId, amount: GRANT_PAISE },
			{ walletId, clientRequestId: 'maker-grant', body: 'maker-grant' },
		);
	}
}

/** The exchange is away: what was asked may not have been done. */
const AWAY: ReadonlySet<string> = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'INTERNAL']);

interface Quote {
	runner: number;
	side: SideCode;
	price: number;
	size: number;
}

const quoteKey = (runner: number, side: SideCode, price: number): string => `${runner}.${side}.${price}`;

export class MarketMaker {
	readonly #exchange: Exchange;
	readonly marketId: number;
	readonly #pools: readonly Pool[];
	/** By wallet, what was placed and may still wait: bet ids by quote. */
	readonly #placed = new Map<number, Map<string, number>>();
	#wanted: readonly QuotedRunner[] | null = null;
	/** What was asked for last, and what ends listening for a rebuilt exchange that has forgotten it. */
	#quoted: readonly QuotedRunner[] = [];
	#stopListening: (() => void) | null = null;
	#working: Promise<void> | null = null;
	/** Why the quotes asked for last do not stand. */
	#failure: unknown = null;

	constructor(options: { exchange: Exchange; marketId: number; pools: readonly Pool[] }) {
		this.#exchange = options.exchange;
		this.marketId = options.marketId;
		this.#pools = options.pools;
	}

	/** Asks for these quotes; a newer call replaces one that was not carried out yet. */
	quote(runners: readonly QuotedRunner[]): void {
		this.#wanted = runners;
		this.#quoted = runners;
		this.#stopListening ??= this.#exchange.onRebuilt(() => this.#quoteAnew());
		this.#working ??= this.#work();
	}

	/** Quotes no more: betting on its market is over. */
	retire(): void {
		this.#stopListening?.();
		this.#stopListening = null;
	}

	/** The numbers of bets that were forgotten are given again. */
	#quoteAnew(): void {
		this.#placed.clear();
		if (this.#exchange.market(this.marketId)?.status === 'OPEN') this.quote(this.#quoted);
	}

	/** Resolves when the quotes asked for last stand. @throws what kept them from it, such as an exchange that is away */
	async settled(): Promise<void> {
		await this.#working;
		if (this.#failure) throw this.#failure;
	}

	async #work(): Promise<void> {
		while (this.#wanted) {
			const wanted = this.#wanted;
			this.#wanted = null;
			try {
				await Promise.all(this.#pools.map((pool) => this.#bringTo(wanted, MARKET_MAKER_WALLETS[pool])));
				this.#failure = null;
			} catch (error) {
				this.#failure = error;
				// What became of the bets is not known: the next quotes find out what rests.
				this.#placed.clear();
			}
		}
		this.#working = null;
	}

	/** Cancels before it places, all in one batch: commands are carried out in the order they are submitted. */
	async #bringTo(runners: readonly QuotedRunner[], walletId: number): Promise<void> {
		const missing = wantedSizes(runners);
		const placed = this.#placedBy(walletId);
		const work: Promise<unknown>[] = [];
		for (const [key, betId] of placed) {
			const remaining = this.#exchange.bet(betId)?.remaining ?? 0;
			const want = missing.get(key)?.size ?? 0;
			const off = Math.abs(want - remaining) * 100;
			if (remaining > 0 && want > 0 && off <= want * SIZE_TOLERANCE_PERCENT) missing.delete(key);
			else {
				placed.delete(key);
				if (remaining > 0) work.push(this.#submit({ kind: 'cancel-bet', betId, walletId }));
			}
		}
		for (const [key, quote] of missing) work.push(this.#place(key, quote, walletId));
		await Promise.all(work);
	}

	async #place(key: string, { runner, side, price, size }: Quote, walletId: number): Promise<void> {
		const bet = { walletId, marketId: this.marketId, runner, side, price, stake: size, persist: false };
		const done = await this.#submit({ kind: 'place-bet', ...bet });
		if (done?.betId && done.remaining > 0) this.#placedBy(walletId).set(key, done.betId);
	}

	#placedBy(walletId: number): Map<string, number> {
		const known = this.#placed.get(walletId);
		if (known) return known;
		const found = new Map<string, number>();
		for (const { betId, marketId, remaining, runner, side, price } of this.#exchange.openBets(walletId)) {
			if (marketId === this.marketId && remaining > 0) found.set(quoteKey(runner, side, price), betId);
		}
		this.#placed.set(walletId, found);
		return found;
	}

	/** A refusal is the market's answer to a late quote: suspended, closed, already taken. @throws Refused when the exchange is away */
	async #submit(request: Parameters<Exchange['submit']>[0]): Promise<Done | null> {
		try {
			return await this.#exchange.submit(request);
		} catch (error) {
			if (!(error instanceof Refused) || AWAY.has(error.code)) throw error;
			return null;
		}
	}
}

/** What backers can take is offered by laying, and the other way round. */
function wantedSizes(runners: readonly QuotedRunner[]): Map<string, Quote> {
	const wanted = new Map<string, Quote>();
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
