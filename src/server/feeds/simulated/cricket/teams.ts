/** Teams and players nobody has ever seen. */
const TEAMS = [
	'Harbour Kites',
	'Valley Rangers',
	'Copper Falcons',
	'Monsoon Riders',
	'Granite Bulls',
	'Lantern City',
	'Delta Storks',
	'Highland Foxes',
];
const FIRST = ['Aru', 'Bel', 'Cato', 'Dev', 'Eshan', 'Farro', 'Goran', 'Hari', 'Ivo', 'Jai', 'Kiran'];
const LAST = ['Marsh', 'Vale', 'Thorne', 'Quill', 'Rook', 'Sable', 'Drift', 'Flint', 'Brook', 'Haze', 'Lark'];

export interface Team {
	name: string;
	players: string[];
}

/** Two different teams for a match of that number. */
export function teamsOf(match: number): [Team, Team] {
	const first = (match * 3) % TEAMS.length;
	const second = (first + 1 + (match % (TEAMS.length - 1))) % TEAMS.length;
	return [teamAt(first), teamAt(second)];
}

function teamAt(at: number): Team {
	const players = FIRST.map((name, player) => `${name} ${LAST[(player * 2 + at * 3) % LAST.length]}`);
	return { name: TEAMS[at] as string, players };
}
