/** Turns a stream's book into quotes for our market: the best price levels, with sizes scaled down. */

import type { RunnerKey, StreamMarket } from '#server/world/feeds/betfair/stream-market.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { priceFromDecimal, tickOf } from '#values/price-ladder.ts';

/** Price levels quoted on each side. */
const DEPTH = 5;
/** The stream's sizes are pounds in a large market; ours are rupees in a small one. */
const MINOR_PER_POUND = 2_000;
const MIN_QUOTE_MINOR = 10_000;
const MAX_QUOTE_MINOR = 20_000_000;

/** @param keys the stream's runners, in our order. A crossed or empty book gives no quotes. */
export function streamQuotes(stream: StreamMarket, keys: readonly RunnerKey[]): QuotedRunner[] {
	return keys.map((key) => {
		const { back, lay } = stream.book(key);
		if ((back[0]?.[0] ?? 0) >= (lay[0]?.[0] ?? Number.POSITIVE_INFINITY)) return { back: [], lay: [] };
		return { back: quotable(back), lay: quotable(lay) };
	});
}

function quotable(levels: readonly [number, number][]): { price: number; size: number }[] {
	return levels.slice(0, DEPTH).flatMap(([decimal, pounds]) => {
		const price = priceFromDecimal(decimal);
		if (price === null || tickOf(price) < 0) return [];
		const size = Math.min(Math.round((pounds * MINOR_PER_POUND) / 1000) * 1000, MAX_QUOTE_MINOR);
		return [{ price, size: Math.max(size, MIN_QUOTE_MINOR) }];
	});
}
