/** Invented names of people and clubs, and the pairings of a league. Nations are real ones. */

/** Where a side or a player comes from decides what people are called. */
export type Region = 'india' | 'islands' | 'europe' | 'orient';

const FIRST: Record<Region, readonly string[]> = {
	india: words(
		'Aarav Abhay Aditya Ajit Akash Amol Anirudh Arjun Ashwin Bhuvan Chetan Darshan Deepak Devesh Dhruv Farhan Gaurav Girish Harish Imran Ishan Jatin Karan Kunal Lokesh Madhav Manish Mohit Naveen Nikhil Omkar Pranav Rahul Raghav Rohan Sagar Sahil Sanjay Tarun Uday Varun Vikram Yash Zaheer',
	),
	islands: words(
		'Aidan Alfie Ben Callum Caleb Connor Daniel Declan Dylan Eddie Ethan Fergus Finn Gareth George Harry Hugh Isaac Jack Jamie Joel Jonah Kieran Lewis Liam Logan Luke Marcus Mason Nathan Oliver Owen Patrick Reece Robbie Rory Ryan Sam Sean Theo Toby Tom Tyrone Will',
	),
	europe: words(
		'Adrian Alessio Andrei Anton Bastian Bruno Carlos Cesar Dario Diego Emil Enzo Erik Fabio Felix Gabriel Goran Hugo Igor Ivan Jakub Joao Julian Kasper Lars Leon Luca Marek Mateo Matti Milan Nico Oskar Pablo Paulo Rafael Rene Sergio Stefan Tomas Viktor Xavier Yannick Zoran',
	),
	orient: words(
		'Akira Amir Anan Arash Bao Chai Daichi Dawit Emeka Farid Haruto Hassan Hiro Hossein Idris Jamal Kaito Kamal Kenji Kofi Kwame Linh Masud Mehdi Minh Musa Naoki Obi Omar Prasit Ren Reza Ryo Samuel Sota Tariq Tunde Wale Yusuf Zubair',
	),
};
const LAST: Record<Region, readonly string[]> = {
	india: words(
		'Agarwal Bansal Basu Bhatt Chauhan Chopra Dalal Desai Dhillon Dogra Gill Gokhale Gupta Hegde Iyer Jadhav Joshi Kadam Kamath Khanna Kulkarni Lamba Malhotra Mehta Menon Mishra Nair Narang Pandit Patil Pillai Rana Rao Rathore Reddy Sahni Saxena Sethi Shetty Solanki Suri Thakur Tomar Varma Yadav',
	),
	islands: words(
		'Alder Ashby Barrow Beck Birch Brook Carrick Clay Dale Drake Ellery Fenwick Flint Garrow Grange Hale Hartley Holt Kerr Kirby Lark Lowe Marsh Mercer Nolan Oakes Penrose Quill Rook Rowan Sable Selby Shaw Stroud Tallis Thorne Vale Vaughan Wade Warren Weir Wilder Wray Yates',
	),
	europe: words(
		'Albrecht Almeida Arndt Berg Blanc Bosko Castell Corvo Dahl Delorme Dragan Eklund Falk Ferro Galan Hansen Horvat Ilves Jansen Kovar Laurent Lindqvist Lopes Marchetti Moreau Navarro Novak Ortega Petrov Pires Rinaldi Romero Sandor Santoro Solano Stahl Torres Urban Valente Varga Weiss Winter Zanetti Zielinski',
	),
	orient: words(
		'Abe Adeyemi Ahmadi Asante Bekele Chen Diallo Ebadi Endo Fujita Hakimi Hamada Ito Jafari Kamara Karimi Kato Kimura Koroma Mensah Mori Nakata Nguyen Okafor Okoro Pham Rahimi Saito Sato Shah Shirazi Sultan Suzuki Tanaka Toure Tran Ueda Wong Yamada Zamani',
	),
};
const WOMEN = words(
	'Alba Alina Amara Anouk Asha Bianca Bruna Camila Carla Chiara Clara Dagny Dalia Diya Elena Elif Emma Esme Eva Freya Gia Greta Hana Helena Ines Ira Isla Jana Jara Julia Kaia Kavya Lara Leena Lena Lucia Mara Maya Mila Nadia Naomi Nina Nora Oona Petra Priya Rhea Rosa Sara Sofia Tara Tess Uma Vera Yuki Zoe',
);

function words(text: string): readonly string[] {
	return text.split(' ');
}

/**
 * The person of a number in a region. Neighbours have different surnames, and no two of the first thousand are the same:
 * each round of all surnames gives them the next first names.
 */
export function personOf(region: Region, number: number, firstNames: readonly string[] = FIRST[region]): string {
	const last = LAST[region];
	const [at, round] = [number % last.length, Math.floor(number / last.length)];
	// 13 divides the length of no list of surnames, so every surname has its turn.
	return `${firstNames[(at * 7 + round) % firstNames.length]} ${last[(at * 13) % last.length]}`;
}

/** A woman of that number, from any region. */
export function womanOf(number: number): string {
	const regions = Object.keys(LAST) as Region[];
	return personOf(regions[number % regions.length] as Region, Math.floor(number / regions.length) + number * 3, WOMEN);
}

const SQUAD = 11;

export interface Team {
	name: string;
	players: string[];
}

/** A side with eleven people, always the same for its name and region. */
function teamOf(name: string, region: Region): Team {
	let at = 0;
	for (const letter of name) at = (Math.imul(at, 31) + letter.charCodeAt(0)) >>> 0;
	const first = at % 1500;
	return { name, players: Array.from({ length: SQUAD }, (_, player) => personOf(region, first + player)) };
}

export interface League {
	name: string;
	/** An even number. */
	teams: readonly Team[];
}

/** @param names separated by commas */
export const leagueOf = (name: string, region: Region, names: string): League => ({
	name,
	teams: names.split(', ').map((team) => teamOf(team, region)),
});

/** Nations with the regions of their people, an even number. */
export const nationsOf = (name: string, nations: Partial<Record<Region, string>>): League => ({
	name,
	teams: interleaved(
		Object.entries(nations).map(([region, names]) => names.split(', ').map((team) => teamOf(team, region as Region))),
	),
});

function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
	const longest = Math.max(...lists.map(({ length }) => length));
	return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** The match of that number: the leagues take turns, and each plays its round robin. */
export function meetingOf(leagues: readonly League[], match: number): { competition: string; teams: [Team, Team] } {
	const league = leagues[match % leagues.length] as League;
	return { competition: league.name, teams: pairOf(league.teams, Math.floor(match / leagues.length)) };
}

/**
 * The pair that meets in the match of that number. A round robin over a list of even length: each meets each other once,
 * and plays once in a round.
 */
export function pairOf<T>(list: readonly T[], match: number): [T, T] {
	const others = list.length - 1;
	const slots = list.length / 2;
	const round = Math.floor(match / slots) % others;
	const slot = match % slots;
	const at = (place: number) => list[1 + ((round + place) % others)] as T;
	return slot === 0 ? [list[0] as T, at(0)] : [at(slot), at(others - slot)];
}
