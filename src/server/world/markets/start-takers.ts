/**
 * Simulated takers of the starting price: two house wallets in each pool, one that backs and one that lays, because no
 * player stands on both sides of an auction. Shortly before a simulated start they place bets on close, so that its races
 * have starting prices, and near and far prices before. They see the published books alone. docs/MARKETS.md, "The crowd".
 */
import type { Logger } from 'pino';
import type { BookRunner, Exchange, Request } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { type Fixture, type Fixtures, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { HouseOrders, randomCount } from '#server/world/markets/house-orders.ts';
import { houseWalletsFrom, openHouseWallets } from '#server/world/markets/house-wallets.ts';
import { type Draw, normalFrom } from '#sports/random.ts';
import { stakeIn } from '#values/currencies.ts';
import { currencyOf, type Pool } from '#values/pools.ts';
import { type AnyPrice, LADDERS } from '#values/price-ladder.ts';
import { BACK, LAY } from '#values/sides.ts';
import { EVENS } from '#values/starting-price.ts';

export const START_BACKERS = houseWalletsFrom(7, 300);
export const START_LAYERS = houseWalletsFrom(10, 400);

const TURN_MS = 1_000;
/** How long before its start a market gets bets on close, in simulated time. */
const BEFORE_START_MS = 10 * 60_000;
/** Pairs of bets that a runner gets on average, in each pool. */
const PAIRS_OF_RUNNER = 2;
/** Limit of pairs per market and turn, at any speed of play. */
const MOST_A_TURN = 4;
/** Share of the bets that take any price. */
const WITHOUT_LIMIT = 0.4;
/** The worst price that the others take, as a share of the book's. */
const LIMITS = { back: 0.85, lay: 1.2 };
/** How far both sides of a pair differ, so that a starting price is not the book's. */
const SPREAD = 0.08;
/** Median and spread of a log-normal draw of stakes, minor units. */
const STAKE = { median: 100_000, spread: 0.8 };
/** The smallest liability is this many of the market's smallest stakes. */
const LEAST_LIABILITY = 10;

interface StartTakersParts {
	exchange: Exchange;
	fixtures: Fixtures;
	pools: readonly Pool[];
	/** Whether a fixture is simulated. */
	follows: (fixture: Fixture) => boolean;
	/** 1 is real time. */
	speed: number;
	/** Numbers from 0 up to 1. */
	draw: Draw;
	log: Logger;
}

/** Opens their wallets and grants them play money, once. */
export async function openStartTakers(exchange: Exchange): Promise<void> {
	await openHouseWallets(exchange, START_BACKERS, 'start-backer-grant', { quotes: false });
	await openHouseWallets(exchange, START_LAYERS, 'start-layer-grant', { quotes: false });
}

export class StartTakers {
	readonly #parts: StartTakersParts;
	readonly #timer: NodeJS.Timeout;
	readonly #orders: HouseOrders;

	constructor(parts: StartTakersParts) {
		this.#parts = parts;
		this.#orders = new HouseOrders(parts.exchange, parts.log, 'a bet on close failed');
		this.#timer = setInterval(() => this.#turn(), TURN_MS).unref();
	}

	async stop(): Promise<void> {
		clearInterval(this.#timer);
		await this.#orders.answered();
	}

	#turn(): void {
		const { fixtures, follows, speed } = this.#parts;
		for (const fixture of fixtures.all()) {
			if (fixture.status === 'IN_PLAY' || !isUnfinished(fixture) || !follows(fixture)) continue;
			if ((fixture.startsAtMs - Date.now()) * speed > BEFORE_START_MS) continue;
			for (const listing of fixtures.markets(fixture.id)) if (listing.startingPrice) this.#bid(listing);
		}
	}

	#bid(listing: MarketListing): void {
		const { exchange, pools, speed, draw } = this.#parts;
		const market = exchange.market(listing.id);
		if (market?.status !== 'OPEN' || market.inPlay) return;
		const mean = (listing.runners.length * PAIRS_OF_RUNNER * TURN_MS * speed) / BEFORE_START_MS;
		for (const pool of pools) {
			for (let pairs = randomCount(mean, MOST_A_TURN, draw); pairs > 0; pairs--) this.#submitPair(listing, pool);
		}
	}

	#submitPair(listing: MarketListing, pool: Pool): void {
		const { exchange, draw } = this.#parts;
		const runner = Math.floor(draw() * listing.runners.length);
		const price = middleOf(exchange.book(listing.id, pool)?.runners[runner]);
		if (price === null) return;
		const about = { marketId: listing.id, runner, price: EVENS, persist: false } as const;
		const { backs, lays } = pairAt(price, { listing, pool, draw });
		const bets: Request[] = [
			{
				...about,
				kind: 'place-bet',
				walletId: START_BACKERS[pool],
				side: BACK,
				stake: backs.amount,
				onClose: { limit: backs.limit },
			},
			{
				...about,
				kind: 'place-bet',
				walletId: START_LAYERS[pool],
				side: LAY,
				stake: lays.amount,
				onClose: { limit: lays.limit },
			},
		];
		for (const bet of bets) this.#orders.submit(bet);
	}
}

/** Between what is offered to backers and to layers; null where one of them is offered nothing. */
function middleOf(runner: BookRunner | undefined): AnyPrice | null {
	const [back, lay] = [runner?.back[0]?.price, runner?.lay[0]?.price];
	return back === undefined || lay === undefined ? null : Math.round((back + lay) / 2);
}

interface Bid {
	/** The stake of a back, the liability of a lay; minor units. */
	amount: number;
	limit: AnyPrice | null;
}

/** A back, and a lay that stands against about as much of it at the book's price. */
function pairAt(
	price: AnyPrice,
	{ listing, pool, draw }: { listing: MarketListing; pool: Pool; draw: Draw },
): { backs: Bid; lays: Bid } {
	const { minStake, maxStake } = listing;
	const currency = currencyOf(pool);
	const within = (amount: number, least: number) => stakeIn(currency, Math.min(Math.max(amount, least), maxStake));
	const least = (LEAST_LIABILITY * minStake * 100) / (price - 100);
	// At long odds the market's largest stake bounds the liability, and with it what it can stand against.
	const wanted = Math.min(STAKE.median * Math.exp(STAKE.spread * normalFrom(draw)), (maxStake * 50) / (price - 100));
	const stake = Math.max(wanted, minStake, Math.min(least, maxStake));
	const liability = (stake * (price - 100) * Math.exp(SPREAD * normalFrom(draw))) / 100;
	const hasLimit = () => draw() >= WITHOUT_LIMIT;
	return {
		backs: {
			amount: within(stake, minStake),
			limit: hasLimit() ? LADDERS.CLASSIC.nearest(price * LIMITS.back).above : null,
		},
		lays: {
			amount: within(liability, LEAST_LIABILITY * minStake),
			limit: hasLimit() ? LADDERS.CLASSIC.nearest(price * LIMITS.lay).below : null,
		},
	};
}
