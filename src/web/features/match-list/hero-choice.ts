/** Which match in play stands above a list: the tightest of the big ones. Pure. */
import type { MainMarket } from '#web/features/match-list/match-columns.ts';

type Prices = Pick<MainMarket, 'totalMatched' | 'runners'>;

/** Of the largest matched volume: a match with as much is a big one. */
const BIG_SHARE = 0.25;
/** Hundredths. At such a price of its favourite a match is as good as over. */
const DECIDED = 110;

/** Of the favourite, by the best prices to back; 0 without any. */
function favouritePrice({ runners }: Prices): number {
	const prices = runners.flatMap(({ back }) => (back ? [back.price] : []));
	return prices.length === 0 ? 0 : Math.min(...prices);
}

/** Whether its favourite has all but won. A market without prices, such as a suspended one, is not decided. */
export function isDecided(market: Prices): boolean {
	const price = favouritePrice(market);
	return price > 0 && price <= DECIDED;
}

/** Of the undecided big ones the match whose favourite has the longest price; null if all are decided. */
export function tightestOf<Match extends { market: Prices }>(matches: readonly Match[]): Match | null {
	const open = matches.filter(({ market }) => !isDecided(market));
	const most = Math.max(0, ...open.map(({ market }) => market.totalMatched));
	const big = open.filter(({ market }) => market.totalMatched >= most * BIG_SHARE);
	return big.reduce<Match | null>(
		(best, match) => (best && favouritePrice(best.market) >= favouritePrice(match.market) ? best : match),
		null,
	);
}
