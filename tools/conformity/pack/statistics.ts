/** The statistical pages of an evidence pack: the battery, its known-answer checks, and the returns. */
import { GAMES } from '#games/all-games.ts';
import { percentText } from '#games/fraction.ts';
import { returnsOf } from '#games/game.ts';
import { aligned } from '../../markdown-table.ts';
import { type Figure, figuresOf, verdictOn } from '../battery/battery.ts';
import { playGames, type RealisedReturn } from '../battery/game-figures.ts';
import { houseStreams } from '../battery/house-streams.ts';
import { PLANTED_COUNT, PLANTED_STREAMS } from '../battery/planted-streams.ts';

export interface Statistics {
	/** Pages by their names. */
	files: Map<string, string>;
	/** Figures of sound generators that chance alone does not explain, and planted faults that no test found. */
	problems: string[];
	words: string;
}

const rare = (chance: number): string => chance.toExponential(2);
const percent = (part: number): string => `${(part * 100).toFixed(3)}%`;

/** @param count numbers that each test reads, and rounds of each game */
export function statistics(count: number, seed: string): Statistics {
	const { figures: ofGames, returns, byPlay } = playGames(count, seed);
	const figures = [...houseStreams(seed).flatMap((stream) => figuresOf(stream, count)), ...ofGames];
	const { bound, outside } = verdictOn(figures);
	const planted = PLANTED_STREAMS.map(({ fault, open }) => {
		const of = figuresOf(open(seed), PLANTED_COUNT);
		return { fault, tests: verdictOn(of).outside.map(({ test }) => test) };
	});
	const missed = planted.filter(({ tests }) => tests.length === 0);
	const head = `Seed \`${seed}\`; each test reads ${count} numbers, and each game plays ${count} rounds.`;
	const words = `${figures.length} figures of generators and games at 99 % over all of them: ${outside.length} outside. ${planted.length - missed.length} of ${planted.length} planted faults found.`;
	return {
		files: new Map([
			['battery.md', batteryPage({ head, words, bound, figures })],
			['known-answers.md', knownAnswersPage(planted)],
			['returns.md', returnsPage(head, returns, byPlay)],
		]),
		problems: [
			...outside.map(({ subject, test, chance }) => `${subject}, ${test}: chance ${rare(chance)}`),
			...missed.map(({ fault }) => `not found: ${fault}`),
		],
		words,
	};
}

function batteryPage(parts: { head: string; words: string; bound: number; figures: readonly Figure[] }): string {
	const { head, words, bound, figures } = parts;
	const rows = figures.map(({ subject, test, chance }) => [
		subject,
		test,
		rare(chance),
		chance < bound ? 'outside' : 'inside',
	]);
	return `# Statistical battery\n\n${head} ${words}\n\nThe chance is that of a figure as extreme, on either side, if numbers are even and independent. A figure is outside below ${rare(bound)}, so that all of them together are outside in one run of a hundred. \`tools/conformity/battery\` has the tests.\n\n${aligned([['generator or game', 'test', 'chance', 'verdict'], ...rows])}\n`;
}

function knownAnswersPage(planted: readonly { fault: string; tests: readonly string[] }[]): string {
	const rows = planted.map(({ fault, tests }) => [fault, tests.join(', ') || 'no test']);
	return `# Known answers\n\nGenerators with a fault each, of which each test reads ${PLANTED_COUNT} numbers, and the tests that find it.\n\n${aligned([['fault', 'found by'], ...rows])}\n`;
}

function returnsPage(head: string, returns: readonly RealisedReturn[], byPlay: readonly string[]): string {
	const exact = GAMES.map((game) => {
		const { lowest, highest, worst } = returnsOf(game);
		return [game.name, percentText(lowest), percentText(highest), percentText(worst.returns)];
	});
	const realised = returns.map(({ game, bet, rounds, exact: mean, realised: part, band }) => [
		game,
		bet,
		String(rounds),
		percent(mean),
		percent(part),
		`±${percent(band)}`,
		Math.abs(part - mean) <= band ? 'inside' : 'outside',
	]);
	return `# Returns\n\n${head} The exact returns follow from the pay tables, which tests count over all outcomes.\n\n${aligned([['game', 'lowest bet', 'highest bet', 'worst play'], ...exact])}\n\n## Realised\n\nLuck alone leaves one bet in a hundred outside its band. Of ${byPlay.join(', ') || 'no game'} the player decides, so no bet has a return of its own: \`npm run games\` plays them by best play.\n\n${aligned([['game', 'bet', 'rounds', 'exact', 'realised', 'band', 'verdict'], ...realised])}\n`;
}
