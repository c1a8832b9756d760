/**
 * Starting prices as players and bots see them: before the turn in-play what they would be, and what takes part in them; afterwards what
 * they are. The near price counts bets on close and the rests of bets in the book, the far price bets on close alone.
 */
import type { Committed } from '#server/exchange/committed.ts';
import type { BetRecord, Exchange } from '#server/exchange/exchange.ts';
import type { BetId, MarketId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import { type Pool, stepOf } from '#values/pools.ts';
import { decimalFromPrice, MAX_PRICE, MIN_PRICE } from '#values/price-ladder.ts';
import { BACK } from '#values/sides.ts';
import { type BackAtStart, type LayAtStart, startingPrice } from '#values/starting-price.ts';

/** Prices as decimals, amounts in major units. */
interface PointOfPrice {
	price: number;
	size: number;
}

export interface StartingPriceView {
	/** Null where nothing would be matched. */
	near: number | null;
	far: number | null;
	/** The stakes of backs and the liabilities of lays by the worst price that they take; once there is a price, what was matched at it. */
	backStakeTaken: PointOfPrice[];
	layLiabilityTaken: PointOfPrice[];
	/** Null before the turn in-play, and where there is none. */
	actual: number | null;
}

interface KnownPrices {
	/** By pool, one for each runner. */
	views: Map<Pool, readonly StartingPriceView[]>;
	/** The bets that take part in them. */
	taking: Set<BetId>;
}

const NOTHING: StartingPriceView = { near: null, far: null, backStakeTaken: [], layLiabilityTaken: [], actual: null };

const isWaiting = ({ onClose, takesStart, remaining }: BetRecord): boolean =>
	remaining > 0 && (onClose !== null || takesStart);

export class StartingPrices {
	readonly #exchange: Pick<Exchange, 'betsIn' | 'market'>;
	/** By market, until a bet of theirs changes. */
	readonly #known = new Map<MarketId, KnownPrices>();

	constructor(exchange: Pick<Exchange, 'betsIn' | 'market'>) {
		this.#exchange = exchange;
	}

	onCommitted({ bets, markets }: Pick<Committed, 'bets' | 'markets'>): void {
		// A bet that takes part no more changes them, too.
		for (const { betId, marketId, onClose, takesStart } of bets)
			if (onClose || takesStart || this.#known.get(marketId)?.taking.has(betId)) this.#known.delete(marketId);
		for (const { marketId } of markets) this.#known.delete(marketId);
	}

	/** Null in a market without starting prices. */
	of(marketId: MarketId, pool: Pool, runner: number): StartingPriceView | null {
		const market = this.#exchange.market(marketId);
		if (!market?.startingPrice) return null;
		const known = this.#known.get(marketId) ?? { views: new Map(), taking: new Set() };
		this.#known.set(marketId, known);
		const views = known.views.get(pool) ?? this.#views(marketId, pool, known.taking);
		known.views.set(pool, views);
		return views[runner] ?? NOTHING;
	}

	/** @param taking gets the bets that take part */
	#views(marketId: MarketId, pool: Pool, taking: KnownPrices['taking']): readonly StartingPriceView[] {
		const market = this.#exchange.market(marketId);
		if (!market) return [];
		const { startingPrices, inPlay, runners } = market;
		if (startingPrices || inPlay) {
			return Array.from({ length: runners }, (_, runner) => {
				const found = startingPrices?.find((each) => each.pool === pool && each.runner === runner);
				if (!found) return NOTHING;
				const actual = decimalFromPrice(found.price);
				const liability = Math.floor((found.matched * (found.price - 100)) / 100);
				return {
					near: actual,
					far: actual,
					backStakeTaken: [{ price: actual, size: majorFromMinor(found.matched) }],
					layLiabilityTaken: [{ price: actual, size: majorFromMinor(liability) }],
					actual,
				};
			});
		}
		const waiting = this.#exchange.betsIn([marketId]).filter((bet) => bet.pool === pool && isWaiting(bet));
		for (const { betId } of waiting) taking.add(betId);
		const byRunner = Map.groupBy(waiting, ({ runner }) => runner);
		return Array.from({ length: runners }, (_, runner) => viewOf(byRunner.get(runner) ?? [], pool));
	}

	/** Drops markets that left the exchange's memory. */
	forget(isRemembered: (marketId: MarketId) => boolean): void {
		for (const marketId of this.#known.keys()) if (!isRemembered(marketId)) this.#known.delete(marketId);
	}
}

function viewOf(bets: readonly BetRecord[], pool: Pool): StartingPriceView {
	if (bets.length === 0) return NOTHING;
	const onClose = bets.filter((bet) => bet.onClose);
	const priceOf = (bidding: readonly BetRecord[]): number | null => {
		const { backs, lays } = bidsOf(bidding);
		const found = startingPrice(backs, lays, stepOf(pool));
		return found && decimalFromPrice(found.price);
	};
	const { backs, lays } = bidsOf(onClose);
	return {
		near: priceOf(bets),
		far: priceOf(onClose),
		backStakeTaken: points(backs.map(({ limit, stake }) => ({ price: limit ?? MIN_PRICE, size: stake }))),
		layLiabilityTaken: points(lays.map(({ limit, liability }) => ({ price: limit ?? MAX_PRICE, size: liability }))),
		actual: null,
	};
}

/** The bets as the auction would take them. */
function bidsOf(bets: readonly BetRecord[]): { backs: BackAtStart[]; lays: LayAtStart[] } {
	const limitOf = ({ onClose }: BetRecord) => onClose?.limit ?? null;
	return {
		backs: bets.flatMap((bet) =>
			bet.side === BACK ? [{ betId: bet.betId, limit: limitOf(bet), stake: bet.remaining }] : [],
		),
		lays: bets.flatMap((bet) => {
			const liability = Math.floor((bet.remaining * (bet.price - 100)) / 100);
			return bet.side === BACK ? [] : [{ betId: bet.betId, limit: limitOf(bet), liability }];
		}),
	};
}

function points(from: readonly { price: number; size: number }[]): PointOfPrice[] {
	const sums = new Map<number, number>();
	for (const { price, size } of from) sums.set(price, (sums.get(price) ?? 0) + size);
	return [...sums]
		.sort(([one], [other]) => one - other)
		.map(([price, size]) => ({ price: decimalFromPrice(price), size: majorFromMinor(size) }));
}
