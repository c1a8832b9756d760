/**
 * The market maker quotes one market: it keeps bets of a house wallet in the order book at given prices. It compares
 * resting quotes with wanted ones, and cancels before it places, so it never matches itself. What it replaces is one
 * batch, so neither players nor triggers see a book in between. Unmatched quotes are not
 * stored: after a restart its feed quotes again, and after a rebuild in place the market maker repeats its quotes.
 */
import type { Exchange, Receipt, Request } from '#server/exchange/exchange.ts';
import { houseWalletsFrom, openHouseWallets } from '#server/world/markets/house-wallets.ts';
import { stakeIn } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import { currencyOf, type Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** The house wallets that quote, one for each pool. */
export const MARKET_MAKER_WALLETS = houseWalletsFrom(1, 100);
/** A resting quote stays while its size is within this share of the wanted size. */
const SIZE_TOLERANCE_PERCENT = 25;

/** Quotes for a runner, prices in hundredths and sizes in minor units: `back` for backers to take, `lay` for layers. */
export interface QuotedRunner {
	back: { price: AnyPrice; size: number }[];
	lay: { price: AnyPrice; size: number }[];
}

/** Opens the house wallets and grants them play money, once. */
export const openMarketMakers = (exchange: Exchange): Promise<void> =>
	openHouseWallets(exchange, MARKET_MAKER_WALLETS, 'maker-grant');

/** Refusals of an unavailable exchange: the command may or may not have been carried out. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'INTERNAL']);

interface Quote {
	runner: number;
	side: SideCode;
	price: AnyPrice;
	size: number;
}

/** How the quotes of a wallet change. */
interface QuoteChange {
	cancelled: readonly Request[];
	placed: readonly { key: string; bet: Extract<Request, { kind: 'place-bet' }> }[];
}

const quoteKey = (runner: number, side: SideCode, price: AnyPrice): string => `${runner}.${side}.${price}`;

export class MarketMaker {
	readonly #exchange: Exchange;
	readonly marketId: MarketId;
	readonly #pools: readonly Pool[];
	/** By wallet, quotes that were placed and may still rest: bet ids by quote key. */
	readonly #placed = new Map<number, Map<string, number>>();
	#wanted: readonly QuotedRunner[] | null = null;
	/** Commands that open the market for the wanted quotes: they stand between the quotes that leave and those that come. */
	#opening: readonly Request[] = [];
	/** The quotes of the last call, to repeat after a rebuild. */
	#quoted: readonly QuotedRunner[] = [];
	#stopListening: (() => void) | null = null;
	#working: Promise<void> | null = null;
	/** Why the last quotes are not in the book; null if they are. */
	#failure: unknown = null;

	constructor(options: { exchange: Exchange; marketId: MarketId; pools: readonly Pool[] }) {
		this.#exchange = options.exchange;
		this.marketId = options.marketId;
		this.#pools = options.pools;
	}

	/**
	 * Replaces the quotes. A newer call supersedes the quotes of one that is still waiting.
	 * @param opening commands that let the market or a runner take them: in the same batch, so that no book without quotes
	 *   is open
	 */
	quote(runners: readonly QuotedRunner[], opening: readonly Request[] = []): void {
		this.#wanted = runners;
		this.#opening = [...this.#opening, ...opening];
		this.#quoted = runners;
		this.#stopListening ??= this.#exchange.onRebuilt(() => this.#quoteAgain());
		this.#working ??= this.#work();
	}

	/** Stops quoting, because the market ends. */
	retire(): void {
		this.#stopListening?.();
		this.#stopListening = null;
		this.#exchange.quotesStand(this.marketId, true);
	}

	/** A rebuilt exchange has forgotten the quotes and reuses their bet ids. */
	#quoteAgain(): void {
		this.#placed.clear();
		if (this.#exchange.market(this.marketId)?.status === 'OPEN') this.quote(this.#quoted);
	}

	/** Resolves when the last quotes are in the book. @throws the reason why they are not, such as an unavailable exchange */
	async settled(): Promise<void> {
		await this.#working;
		if (this.#failure) throw this.#failure;
	}

	async #work(): Promise<void> {
		while (this.#wanted) {
			const wanted = this.#wanted;
			const opening = this.#opening;
			this.#wanted = null;
			this.#opening = [];
			try {
				await this.#replace(wanted, opening);
				this.#failure = null;
			} catch (error) {
				this.#failure = error;
				// The outcome is unknown: the next call looks up resting quotes.
				this.#placed.clear();
			}
		}
		this.#working = null;
	}

	/**
	 * Cancels before it places, in all pools.
	 * @throws Refused when the exchange is unavailable, or a command that opens the market was refused
	 */
	async #replace(runners: readonly QuotedRunner[], opening: readonly Request[]): Promise<void> {
		const changes = this.#pools.map((pool) => this.#changeOf(runners, pool));
		const cancels = changes.flatMap(({ cancelled }) => cancelled);
		const placed = changes.flatMap((change) => change.placed);
		const requests = [...cancels, ...opening, ...placed.map(({ bet }) => bet)];
		if (requests.length === 0) return this.#exchange.quotesStand(this.marketId, true);
		const results = await this.#exchange.submitTogether(requests);
		placed.forEach(({ key, bet }, at) => {
			const done = doneOf(results[cancels.length + opening.length + at]);
			if (done?.betId && done.remaining > 0) this.#placedBy(bet.walletId).set(key, done.betId);
		});
		const isKeptOut = results.some((result) => result.status === 'rejected' && isSuspended(result.reason));
		this.#exchange.quotesStand(this.marketId, !isKeptOut);
		for (const result of results.slice(0, cancels.length)) doneOf(result);
		for (const result of results.slice(cancels.length, cancels.length + opening.length))
			if (result.status === 'rejected') throw result.reason;
	}

	/** What a wallet cancels and places, so that its quotes are the wanted ones. */
	#changeOf(runners: readonly QuotedRunner[], pool: Pool): QuoteChange {
		const walletId = MARKET_MAKER_WALLETS[pool];
		const missing = wantedSizes(runners, currencyOf(pool));
		const placed = this.#placedBy(walletId);
		const cancelled: Request[] = [];
		for (const [key, betId] of placed) {
			const remaining = this.#exchange.bet(betId)?.remaining ?? 0;
			const want = missing.get(key)?.size ?? 0;
			const off = Math.abs(want - remaining) * 100;
			if (remaining > 0 && want > 0 && off <= want * SIZE_TOLERANCE_PERCENT) missing.delete(key);
			else {
				placed.delete(key);
				if (remaining > 0) cancelled.push({ kind: 'cancel-bet', betId, walletId });
			}
		}
		const { marketId } = this;
		return {
			cancelled,
			placed: Array.from(missing, ([key, { runner, side, price, size }]) => ({
				key,
				bet: { kind: 'place-bet', walletId, marketId, runner, side, price, stake: size, persist: false },
			})),
		};
	}

	#placedBy(walletId: WalletId): Map<string, number> {
		const known = this.#placed.get(walletId);
		if (known) return known;
		const found = new Map<string, number>();
		for (const { betId, remaining, runner, side, price } of this.#exchange.openBets(walletId, this.marketId)) {
			if (remaining > 0) found.set(quoteKey(runner, side, price), betId);
		}
		this.#placed.set(walletId, found);
		return found;
	}
}

const isSuspended = (reason: unknown): boolean => reason instanceof Refused && reason.code === 'MARKET_SUSPENDED';

/**
 * Null if the market refuses a late quote: suspended, closed, already taken. @throws Refused if the exchange is
 * unavailable
 */
function doneOf(result: PromiseSettledResult<Receipt> | undefined): Receipt | null {
	if (result?.status === 'fulfilled') return result.value;
	const reason: unknown = result?.reason;
	if (!(reason instanceof Refused) || UNAVAILABLE.has(reason.code)) throw reason;
	return null;
}

/** Quotes for backers are lays, and quotes for layers are backs. Sizes are wanted in the home currency. */
function wantedSizes(runners: readonly QuotedRunner[], currency: Currency): Map<string, Quote> {
	const wanted = new Map<string, Quote>();
	runners.forEach(({ back, lay }, runner) => {
		for (const [levels, side] of [
			[back, LAY],
			[lay, BACK],
		] as const) {
			for (const { price, size } of levels) {
				const quote = { runner, side, price, size: stakeIn(currency, size) };
				wanted.set(quoteKey(runner, side, price), quote);
			}
		}
	});
	return wanted;
}
