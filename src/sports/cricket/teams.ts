/** The cricket sides: nations, and the invented sides of three leagues; and their grounds. */
import type { Ground } from '#sports/cricket/ball-model.ts';
import { leagueOf, meetingOf, nationsOf, type Team } from '#sports/names.ts';
import { randomFrom, seedOf } from '#sports/random.ts';

const LEAGUES = [
	nationsOf('International Twenty20', {
		india: 'India, Sri Lanka, Bangladesh, Pakistan, Nepal',
		islands: 'Australia, England, New Zealand, Ireland, Scotland, West Indies',
		orient: 'South Africa, Afghanistan, Zimbabwe',
	}),
	leagueOf(
		'Indian City Twenty20',
		'india',
		'Ahmedabad Lions, Bengaluru Comets, Chennai Mariners, Delhi Forts, Goa Breakers, Hyderabad Nawabs, Jaipur Amber, Kolkata Ferrymen, Lucknow Lancers, Mumbai Tides, Pune Peaks, Ranchi Rhinos',
	),
	leagueOf(
		'County Blast',
		'islands',
		'Cornish Kites, Dales Rangers, Fenland Falcons, Granite Bulls, Harbour Kites, Highland Foxes, Lantern City, Valley Rangers',
	),
	leagueOf(
		'Women’s Super Twenty20',
		'india',
		'Delta Storks, Copper Falcons, Monsoon Riders, Saffron Stars, Silver Herons, Deccan Queens',
	),
] as const;

/** The match of that number. */
export const meeting = (match: number) => meetingOf(LEAGUES, match);

/** Of nations, roughly as they have ranked for years; a side of 4 is a step above one of 3. */
const NATIONS: Readonly<Record<string, number>> = {
	India: 4.2,
	Australia: 4,
	England: 3.8,
	'South Africa': 3.6,
	'New Zealand': 3.4,
	Pakistan: 3.2,
	'West Indies': 3.2,
	Afghanistan: 2.8,
	'Sri Lanka': 2.7,
	Bangladesh: 2.4,
	Ireland: 1.8,
	Zimbabwe: 1.6,
	Scotland: 1.5,
	Nepal: 1,
};
/** Between the weakest and the strongest invented side. */
const STEPS_OF_A_LEAGUE = 2.5;

/** How strong a side is, always the same; differences count within a league. */
const strengthOf = ({ name }: Team): number =>
	NATIONS[name] ?? randomFrom(seedOf(...[...name].map((letter) => letter.charCodeAt(0))))() * STEPS_OF_A_LEAGUE;

const listed = (names: string): ReadonlySet<string> => new Set(names.split(', '));

/** Sides at whose grounds the ball turns. */
const TURNING_AT = listed(
	'India, Sri Lanka, Bangladesh, Pakistan, Afghanistan, Chennai Mariners, Lucknow Lancers, Hyderabad Nawabs, Goa Breakers, Delta Storks, Deccan Queens',
);
/** Nations whose batters and bowlers grew up with spin. */
const AT_HOME_WITH_SPIN = listed('India, Sri Lanka, Bangladesh, Pakistan, Afghanistan, Nepal');
const DEWY_LEAGUES = listed('Indian City Twenty20, Women’s Super Twenty20');
const DEWY_NATIONS = listed('India, Bangladesh, Sri Lanka');
/** Of the matches at a ground that has dew, those in the evening. */
const EVENINGS = 0.7;

/** The ground of the side that is named first. @param evening between 0 and 1: how late the match begins, of all */
export const groundOf = (competition: string, { name }: Team, evening: number): Ground => ({
	pitch: TURNING_AT.has(name) ? 'TURNING' : 'TRUE',
	hasDew: (DEWY_LEAGUES.has(competition) || DEWY_NATIONS.has(name)) && evening < EVENINGS,
});

/**
 * At home a side is stronger by little: until 2021 five of the eight largest nations won more Twenty20 internationals at
 * home than away, three of them less ("How important is home advantage in T20 international cricket?", cricket8.com).
 */
const STEPS_AT_HOME = 0.25;
/**
 * Against spin the sides of the subcontinent made about 40 runs a wicket, England 31 (S. Rajesh, "England's problems
 * against spin", ESPNcricinfo, 5 September 2014).
 */
const STEPS_BY_SPIN = 0.3;

/** How strong a side is on a ground. */
export const strengthAt = ({ pitch }: Ground, team: Team, isHome: boolean): number =>
	strengthOf(team) +
	(isHome ? STEPS_AT_HOME : 0) +
	(pitch === 'TURNING' && AT_HOME_WITH_SPIN.has(team.name) ? STEPS_BY_SPIN : 0);
