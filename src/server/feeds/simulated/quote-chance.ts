/** From a chance to quotes: the rungs around the fair price, a little worse for those who take them. */
import type { QuotedRunner } from '#server/feeds/market-maker.ts';
import { nearestPrices, priceAt, RUNGS, rungOf } from '#values/price-ladder.ts';

const LEVELS = 3;
const LEAST = 0.004;

/** Both runners of a two-runner market, the first with that chance. `draw` sizes the offers. */
export function quotesOf(chance: number, draw: () => number): QuotedRunner[] {
	const first = Math.min(1 - LEAST, Math.max(LEAST, chance));
	return [runnerQuotes(first, draw), runnerQuotes(1 - first, draw)];
}

function runnerQuotes(chance: number, draw: () => number): QuotedRunner {
	const { below } = nearestPrices(Math.round(100 / chance));
	const fair = rungOf(below ?? 101);
	const size = () => Math.round(20 + draw() * draw() * 1_500) * 10_000;
	const offers = (from: number, step: 1 | -1) => {
		const rungs = Array.from({ length: LEVELS }, (_, at) => from + at * step);
		return rungs.filter((rung) => rung >= 0 && rung < RUNGS).map((rung) => ({ price: priceAt(rung), size: size() }));
	};
	return { back: offers(fair - 1, -1), lay: offers(fair + 1, 1) };
}
