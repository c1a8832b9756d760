/**
 * The crowd: simulated takers, a house wallet in each pool. It gives orders at a rate by sport, decides each from the
 * published book alone, and takes the offers there: the market maker's quotes, or the bet of a player. It sees neither
 * play nor results, so it has no advantage over a player. docs/MARKETS.md, "The crowd".
 */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { type Fixture, type Fixtures, isUnfinished } from '#server/world/fixtures/fixtures.ts';
import { HouseOrders, randomCount } from '#server/world/markets/house-orders.ts';
import { houseWalletsFrom, openHouseWallets } from '#server/world/markets/house-wallets.ts';
import { type Draw, normalFrom } from '#sports/random.ts';
import { stakeIn } from '#values/currencies.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, type Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** The house wallets that take, one for each pool. */
export const CROWD_WALLETS = houseWalletsFrom(4, 200);

/** Orders a minute in one pool. */
export interface OrderRate {
	inPlay: number;
	/** In the last half hour before the start; lower before that. */
	atTheStart: number;
}

/** Earlier than this, interest in a fixture falls with the remaining hours. */
const NEAR_START_MS = 30 * 60_000;
/** Orders a minute at any time before the start. */
const LEAST_RATE = 0.15;
const TURN_MS = 500;
/** Limit of orders per fixture and turn, at any speed of play. */
const MOST_A_TURN = 3;
/** Share of the orders that go to the fixture's main market. */
const MAIN_SHARE = 0.7;
const BACK_SHARE = 0.55;
/** Share of the orders that accept the second price as well. */
const SWEEPS = 0.15;
/** Stakes are round, most of them small: median and spread of a log-normal draw, minor units. */
const STAKE = { median: 150_000, spread: 1.3, unit: 10_000 };

interface CrowdParts {
	exchange: Exchange;
	fixtures: Fixtures;
	pools: readonly Pool[];
	/** The fixtures that the crowd follows, with their rates. */
	rateOf: (fixture: Fixture) => OrderRate | null;
	/** 1 is real time. */
	speed: number;
	/** Numbers from 0 up to 1. */
	draw: Draw;
	log: Logger;
}

/** Opens the crowd's wallets and grants them play money, once. */
export const openCrowd = (exchange: Exchange): Promise<void> =>
	openHouseWallets(exchange, CROWD_WALLETS, 'crowd-grant');

export class Crowd {
	readonly #parts: CrowdParts;
	readonly #timer: NodeJS.Timeout;
	readonly #orders: HouseOrders;

	constructor(parts: CrowdParts) {
		this.#parts = parts;
		this.#orders = new HouseOrders(parts.exchange, parts.log, 'an order of the crowd failed');
		this.#timer = setInterval(() => this.#turn(), TURN_MS).unref();
	}

	async stop(): Promise<void> {
		clearInterval(this.#timer);
		await this.#orders.answered();
	}

	#turn(): void {
		const { fixtures, pools, rateOf, speed, draw } = this.#parts;
		for (const fixture of fixtures.all()) {
			if (!isUnfinished(fixture)) continue;
			const rate = rateOf(fixture);
			if (!rate) continue;
			const expected = (ordersAMinute(fixture, rate, Date.now(), speed) * speed * TURN_MS) / 60_000;
			for (const pool of pools) {
				for (let orders = randomCount(expected, MOST_A_TURN, draw); orders > 0; orders--) this.#order(fixture, pool);
			}
		}
	}

	#order(fixture: Fixture, pool: Pool): void {
		const market = this.#pickMarket(fixture);
		const order = market && orderFor(market, pool, this.#parts);
		if (!order) return;
		this.#orders.submit({ kind: 'take-quotes', walletId: CROWD_WALLETS[pool], ...order });
	}

	#pickMarket(fixture: Fixture): MarketListing | null {
		const { exchange, fixtures, draw } = this.#parts;
		const [main, ...others] = fixtures
			.markets(fixture.id)
			.filter(({ id, bettingModel }) => bettingModel === 'EXCHANGE' && exchange.market(id)?.status === 'OPEN');
		const other = others[Math.floor(draw() * others.length)];
		return (draw() < MAIN_SHARE ? main : other) ?? main ?? null;
	}
}

/** Interest grows towards the start. */
export function ordersAMinute(
	{ status, startsAtMs }: Pick<Fixture, 'status' | 'startsAtMs'>,
	{ inPlay, atTheStart }: OrderRate,
	nowMs: number,
	speed: number,
): number {
	if (status === 'IN_PLAY') return inPlay;
	const leftMs = (startsAtMs - nowMs) * speed;
	return leftMs <= NEAR_START_MS ? atTheStart : Math.max(LEAST_RATE, (atTheStart * NEAR_START_MS) / leftMs);
}

interface Order {
	marketId: MarketId;
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
}

/**
 * An order for an offered runner, favourites more often than others, at the best price or the next one. Null if the
 * book offers nothing.
 */
function orderFor(listing: MarketListing, pool: Pool, { exchange, draw }: CrowdParts): Order | null {
	const book = exchange.book(listing.id, pool);
	if (!book) return null;
	const side = draw() < BACK_SHARE ? BACK : LAY;
	const offers = book.runners.map((runner) => (side === BACK ? runner.back : runner.lay));
	const weights = offers.map(([best]) => (best ? 1 / best.price : 0));
	const runner = weighted(weights, draw());
	const [best, behind] = offers[runner] ?? [];
	if (!best) return null;
	const price = (behind && draw() < SWEEPS ? behind : best).price;
	return {
		marketId: listing.id,
		runner,
		side,
		price,
		stake: stakeIn(currencyOf(pool), stakeFor(listing, price, draw)),
	};
}

/** The index at a number from 0 up to 1; -1 if no weight is above 0. */
function weighted(weights: readonly number[], drawn: number): number {
	let left = drawn * weights.reduce((sum, weight) => sum + weight, 0);
	return weights.findIndex((weight) => {
		left -= weight;
		return left < 0;
	});
}

/** Smaller on outsiders. On lines, where the price carries no risk, as at evens. */
function stakeFor({ minStake, maxStake, lineRange }: MarketListing, price: AnyPrice, draw: Draw): number {
	const share = lineRange ? 1 : Math.min(1.5, 200 / price);
	const wanted = STAKE.median * share * Math.exp(STAKE.spread * normalFrom(draw));
	const round = Math.max(1, Math.round(wanted / STAKE.unit)) * STAKE.unit;
	return Math.min(Math.max(round, minStake), maxStake);
}
