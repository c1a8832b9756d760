import type { MarketStatus } from '#engine/effect.ts';
import type { FindSubject } from '#server/operators/references/subject.ts';

export const findMarket: FindSubject = async ({ reads, fixtures }, id) => {
	const { rows } = await reads.query<{ status: MarketStatus }>('select status from market_state where market_id = $1', [
		id,
	]);
	const [state] = rows;
	const market = (await fixtures.named([id])).get(id);
	if (!market || !state) return null;
	const title = `${market.fixture.title} · ${market.listing.name}`;
	return {
		kind: 'market',
		id,
		playerId: null,
		marketId: id,
		about: title,
		answer: async () => ({
			say: ({ market: texts }) => [texts.named(title), texts.states[state.status]],
			postings: [],
		}),
	};
};
