/** The house's offers at the chances of a model. */
import { expect, it } from 'vitest';
import { quotesFromChances } from '#server/world/markets/quotes-from-chances.ts';

it('quotes markets of the same chances in different sizes, and one market always alike', () => {
	const listing = (id: number) => ({ id, type: 'MATCH_ODDS', maxStake: 1_000_000 });
	const quotes = (id: number) => quotesFromChances(listing(id), [0.5, 0.5], { depth: 3 });
	expect(quotes(101)).toEqual(quotes(101));
	const sizes = (id: number) => quotes(id).flatMap(({ back, lay }) => [...back, ...lay].map(({ size }) => size));
	expect(sizes(101)).not.toEqual(sizes(102));
	const prices = (id: number) => quotes(id).flatMap(({ back, lay }) => [...back, ...lay].map(({ price }) => price));
	expect(prices(101)).toEqual(prices(102));
});
