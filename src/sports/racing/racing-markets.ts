/** The markets of a race: to win, to be placed, and each way, priced by the race run out many times. */
import type { MarketState } from '#sports/play.ts';
import type { Race, RaceChances } from '#sports/racing/race.ts';
import type { PlayResult } from '#values/play-result.ts';

/** Price levels quoted in running, where each step moves every price. */
const DEPTH_IN_RUNNING = 8;
/** Each way a place pays a fifth of the odds. */
const EACH_WAY_DIVISOR = 5;
const BET_DELAY_SECONDS = 1;
/** Basis points: a place is worth about a third of its chance in each of three places. */
const WHOLE_BP = 10_000;

const RULES = {
	win:
		'Which horse passes the post first. Bets on a non-runner are void, and prices matched on the others are reduced by ' +
		'its factor. In a dead heat the stake is shared. Bets on a horse that falls lose.',
	eachWay:
		'One bet of two equal parts: the stake you name on the horse to win, and the same stake on it to be among the first ' +
		'three at a fifth of the odds. Betting ends at the off. Bets on a non-runner are void, and prices matched on the ' +
		'others are reduced by its factor to win. In a dead heat the part it is about is shared.',
	place:
		'Which horses are among the first three. Bets on a non-runner are void, and prices matched on the others are reduced ' +
		'by its factor. Horses that tie for the last place share it: a stake is paid in the proportion of places to horses. ' +
		'Bets on a horse that falls lose.',
};

/** One over the odds at which both parts together are fair: win × p + place × (1 + (p − 1) / divisor) = 2. */
const eachWayChance = (win: number, place: number): number =>
	(win + place / EACH_WAY_DIVISOR) / (2 - place * (1 - 1 / EACH_WAY_DIVISOR));

/**
 * @param opening chances of the whole field at the start
 * @param isOff the race has begun
 */
export function racingMarkets(race: Race, opening: RaceChances, isOff: boolean): MarketState[] {
	// Once the race is won there is nothing left to bet on.
	const { win, place } = race.isWon ? { win: null, place: null } : race.chances();
	const runners = race.horses.map(({ id, name, silks, jockey }) => ({ id, name, silks, jockey }));
	const how = {
		runners,
		betDelaySeconds: BET_DELAY_SECONDS,
		...(isOff ? { depth: DEPTH_IN_RUNNING } : {}),
	};
	return [
		{
			name: 'Win',
			type: 'WIN',
			startingPrice: true,
			rules: RULES.win,
			chances: win,
			removed: nonRunners(race, opening.win, 1),
			result: race.isEnded ? firstOf(race, 1) : null,
			...how,
		},
		{
			name: `To be placed (${race.places} places)`,
			type: 'PLACE',
			startingPrice: true,
			places: race.places,
			rules: RULES.place,
			chances: place,
			removed: nonRunners(race, opening.place, race.places),
			result: race.isEnded ? firstOf(race, race.places) : null,
			...how,
		},
		{
			name: `Each way (1/${EACH_WAY_DIVISOR} odds, ${race.places} places)`,
			type: 'EACH_WAY',
			places: race.places,
			eachWayDivisor: EACH_WAY_DIVISOR,
			rules: RULES.eachWay,
			chances: win && place && win.map((chance, at) => eachWayChance(chance, place[at] as number)),
			closesAtStart: true,
			removed: nonRunners(race, opening.win, 1),
			result: race.isEnded ? placedBehind(race) : null,
			...how,
		},
	];
}

/** Non-runners, with a reduction factor for each from its share of the field. */
function nonRunners({ horses }: Race, opening: readonly number[], places: number) {
	return horses.flatMap(({ isOut }, runner) =>
		isOut ? [{ runner, reductionBp: Math.round(((opening[runner] as number) / places) * WHOLE_BP) }] : [],
	);
}

/** The first horses, as many as there are places. Equal horses beyond that share the remaining places. */
function firstOf(race: Race, places: number): PlayResult {
	const winners: number[] = [];
	for (const group of race.order()) {
		if (winners.length === places) break;
		if (winners.length + group.length > places) return { winners, tied: group };
		winners.push(...group);
	}
	return { winners };
}

/** The winner, and the horses placed behind it. */
function placedBehind(race: Race): PlayResult {
	const [winners = []] = race.order();
	const { winners: first = [], tied = [] } = firstOf(race, race.places);
	const placed = first.filter((at) => !winners.includes(at));
	return { winners, placed, tied: tied.filter((at) => !winners.includes(at)) };
}
