/** The market types there are, a line each. */
import { asianHandicap } from '#engine/market-types/asian-handicap.ts';
import {
	batsmanRuns,
	boundaries,
	fallOfWicket,
	overRuns,
	points,
	sessionRuns,
	trade,
} from '#engine/market-types/fancy.ts';
import { line } from '#engine/market-types/line.ts';
import type { MarketType } from '#engine/market-types/market-type.ts';
import {
	bookmaker,
	completedMatch,
	correctScore,
	matchOdds,
	oddEven,
	outright,
	setWinner,
	tiedMatch,
	toss,
	win,
} from '#engine/market-types/one-winner.ts';
import { overUnder } from '#engine/market-types/over-under.ts';
import { doubleChance, eachWay, place } from '#engine/market-types/several-winners.ts';

const ALL: readonly MarketType[] = [
	matchOdds,
	toss,
	completedMatch,
	tiedMatch,
	setWinner,
	correctScore,
	outright,
	win,
	place,
	eachWay,
	doubleChance,
	overUnder,
	asianHandicap,
	line,
	bookmaker,
	sessionRuns,
	overRuns,
	batsmanRuns,
	fallOfWicket,
	boundaries,
	oddEven,
	points,
	trade,
];
const byName = new Map(ALL.map((type) => [type.name, type]));

/** @throws Error for an unknown type: listings are checked before they are kept */
export function marketType(name: string): MarketType {
	const type = byName.get(name);
	if (!type) throw new Error(`no market type ${name}`);
	return type;
}

export const MARKET_TYPE_NAMES: readonly string[] = ALL.map(({ name }) => name);
