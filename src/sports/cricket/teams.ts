/** The cricket sides: nations, and the invented sides of three leagues. */
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
export const strengthOf = ({ name }: Team): number =>
	NATIONS[name] ?? randomFrom(seedOf(...[...name].map((letter) => letter.charCodeAt(0))))() * STEPS_OF_A_LEAGUE;
