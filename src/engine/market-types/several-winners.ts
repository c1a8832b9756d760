/** Markets in which several runners win. */
import { type MarketType, winnersOf } from '#engine/market-types/market-type.ts';

/** A race: to finish among the first places. */
export const place: MarketType = {
	name: 'PLACE',
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	reducible: true,
	winners: ({ places }) => places ?? 1,
	decidedByWinners: () => true,
	resultOf: winnersOf,
};

/** A race: half of the bet to win, half of it to be placed at a fraction of the odds. */
export const eachWay: MarketType = { ...place, name: 'EACH_WAY' };

/** Two of three outcomes in one bet, so that two of the three runners win. */
export const doubleChance: MarketType = {
	name: 'DOUBLE_CHANCE',
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	winners: () => 2,
	decidedByWinners: () => true,
	resultOf: winnersOf,
};
