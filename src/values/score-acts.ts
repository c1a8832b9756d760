/** What a trader can say of a match that no feed plays, by sport, with the keys of the keyboard that say it. */
import type { SportKey } from '#values/sports.ts';

interface ScoreAct {
	readonly act: string;
	readonly label: string;
	/** One key, or one for each side: the left hand scores for the first, the right hand for the second. */
	readonly keys: readonly [string] | readonly [string, string];
	/** It moves prices, so every market is suspended before players read it. */
	readonly isIncident: boolean;
}

/** Sports whose matches are scored by hand. Others are played by feeds alone. */
export type ScoredSport = Extract<SportKey, 'football' | 'tennis' | 'cricket' | 'kabaddi'>;

const act = (name: string, label: string, ...keys: [string] | [string, string]): ScoreAct => ({
	act: name,
	label,
	keys,
	isIncident: false,
});
const incident = (name: string, label: string, ...keys: [string] | [string, string]): ScoreAct => ({
	...act(name, label, ...keys),
	isIncident: true,
});

const HALVES = [act('BREAK', 'Half time', 'h'), act('SECOND_HALF', 'Second half', 'n')];

export const SCORE_ACTS: Readonly<Record<ScoredSport, readonly ScoreAct[]>> = {
	football: [
		incident('GOAL', 'Goal', 'a', 'l'),
		act('YELLOW_CARD', 'Yellow card', 's', 'k'),
		incident('RED_CARD', 'Red card', 'd', 'j'),
		act('CLOCK', 'Show the minute', 'c'),
		...HALVES,
	],
	tennis: [act('POINT', 'Point', 'a', 'l'), act('SERVE', 'Serves', 's', 'k')],
	cricket: [
		act('BATS', 'Bats now', 'a', 'l'),
		...[0, 1, 2, 3, 4, 6].map((runs) => act(`RUNS_${runs}`, runs === 0 ? 'No run' : `Runs: ${runs}`, String(runs))),
		act('WIDE', 'Wide', 'd'),
		act('NO_BALL', 'No ball', 'n'),
		incident('WICKET', 'Wicket', 'w'),
	],
	kabaddi: [
		act('POINT', 'Point', 'a', 'l'),
		incident('ALL_OUT', 'All out, two points', 's', 'k'),
		act('CLOCK', 'Show the clock', 'c'),
		...HALVES,
	],
};

/** Takes the latest score back, in every sport. */
export const UNDO: ScoreAct = act('UNDO', 'Take back', 'u');

export const isScoredSport = (key: string): key is ScoredSport => Object.hasOwn(SCORE_ACTS, key);

/** The names of all acts, without repetition. */
export const SCORE_ACT_NAMES: readonly string[] = [
	...new Set([...Object.values(SCORE_ACTS).flat(), UNDO].map(({ act: name }) => name)),
];
