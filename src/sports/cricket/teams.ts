/** Invented teams. */
import { pairOf, squadOf } from '#sports/names.ts';

export interface Team {
	name: string;
	players: string[];
}

const TEAMS: readonly Team[] = [
	'Harbour Kites',
	'Valley Rangers',
	'Copper Falcons',
	'Monsoon Riders',
	'Granite Bulls',
	'Lantern City',
	'Delta Storks',
	'Highland Foxes',
].map((name, at) => ({ name, players: squadOf(at) }));

/** Two different teams for a match of that number. */
export const teamsOf = (match: number): [Team, Team] => pairOf(TEAMS, match);
