/** The cricket sides: nations, and the invented sides of three leagues. */
import { leagueOf, meetingOf, nationsOf } from '#sports/names.ts';

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
