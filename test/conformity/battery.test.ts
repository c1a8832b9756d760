/**
 * The statistical battery finds each planted fault, and nothing in sound streams nor in the generators and games of the
 * house; its functions have known values.
 */
import { expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import type { Draw } from '#games/fair-draw.ts';
import type { InstantGame } from '#games/game.ts';
import { type CoinSide, coinFlip } from '#games/instant/coin-flip.ts';
import { figuresOf, verdictOn } from '../../tools/conformity/battery/battery.ts';
import {
	chiSquareChance,
	fitChance,
	normalChance,
	poissonChance,
	upperGamma,
} from '../../tools/conformity/battery/distributions.ts';
import { playGame, playGames } from '../../tools/conformity/battery/game-figures.ts';
import { houseStreams } from '../../tools/conformity/battery/house-streams.ts';
import { PLANTED_COUNT, PLANTED_STREAMS, soundStream } from '../../tools/conformity/battery/planted-streams.ts';
import { STREAM_TESTS } from '../../tools/conformity/battery/stream-tests.ts';
import { mainlyEach } from '../support/main-rows.ts';

/** The streams follow from it, so that a run finds what the run before found. */
const SEED = 'battery';

it('the distributions have the values of tables', () => {
	// Upper points of chi square, 5 % and 1 %: NIST handbook, 1.3.6.7.4.
	for (const [degrees, at, upper] of [
		[1, 3.841, 0.05],
		[10, 18.307, 0.05],
		[10, 23.209, 0.01],
		[100, 124.342, 0.05],
	] as const)
		expect(upperGamma(degrees / 2, at / 2)).toBeCloseTo(upper, 4);
	expect(chiSquareChance(18.307, 10)).toBeCloseTo(0.1, 3);
	expect(normalChance(1.96)).toBeCloseTo(0.05, 4);
	expect(normalChance(-2.5758)).toBeCloseTo(0.01, 4);
	// By hand: e^-2 is P(X = 0) of a mean of 2.
	expect(poissonChance(0, 2)).toBeCloseTo(2 * Math.exp(-2), 10);
	expect(poissonChance(2, 2)).toBe(1);
	expect(poissonChance(6, 2)).toBeCloseTo(2 * (1 - Math.exp(-2) * (1 + 2 + 2 + 4 / 3 + 2 / 3 + 4 / 15)), 10);
	// Fewer than five expected are taken together with their neighbours: two cells of ten.
	expect(fitChance([4, 4, 12], [3, 7, 10])).toBeCloseTo(upperGamma(0.5, 0.4), 10);
	expect(fitChance([10, 10], [10, 10])).toBe(1);
	const even = Array.from({ length: 40 }, () => 10);
	expect(fitChance(even, even)).toBeLessThan(1e-6);
	expect(fitChance([1, 2], [1, 2])).toBeNull();
});

/** The tests of the battery that find a planted fault. */
const finding = ({ open }: (typeof PLANTED_STREAMS)[number]): string[] =>
	verdictOn(figuresOf(open(SEED), PLANTED_COUNT)).outside.map(({ test }) => test);

/** With `npm test` the first of them: each takes a stream of its own. */
mainlyEach(
	PLANTED_STREAMS.map((planted) => [planted.fault, planted] as const),
	([, planted]) => planted === PLANTED_STREAMS[0],
)('finds that %s', (_, planted) => expect(finding(planted)).not.toEqual([]));

it('needs every test that it has: each finds a planted fault', { tags: 'thorough' }, () => {
	const used = new Set(PLANTED_STREAMS.flatMap(finding));
	expect(Object.keys(STREAM_TESTS).filter((test) => !used.has(test))).toEqual([]);
});

it('finds nothing in sound streams, whose figures are spread evenly', { tags: 'thorough' }, () => {
	const figures = [2, 6, 37, 10_000, 2 ** 32].flatMap((sides) => figuresOf(soundStream(SEED, sides), PLANTED_COUNT));
	expect(verdictOn(figures).outside).toEqual([]);
	// Half of the figures of a right test are below one half; four standard deviations either way.
	const below = figures.filter(({ chance }) => chance < 0.5).length;
	expect(Math.abs(below - figures.length / 2)).toBeLessThan(2 * Math.sqrt(figures.length));
});

it('finds nothing in the generators of the house', { tags: 'thorough' }, () => {
	const figures = houseStreams(SEED).flatMap((stream) => figuresOf(stream, 1_000));
	expect(verdictOn(figures).outside).toEqual([]);
	expect(new Set(figures.map(({ subject }) => subject)).size).toBeGreaterThan(10);
});

it('finds nothing in the rounds of any game whose bets the deal decides, and leaves out the others', {
	tags: 'thorough',
}, () => {
	const { figures, returns, byPlay } = playGames(400, SEED);
	expect(verdictOn(figures).outside).toEqual([]);
	expect(byPlay).toEqual(['Blackjack']);
	expect(new Set(returns.map(({ game }) => game)).size).toBe(GAMES.length - 1);
});

it.each([
	['pays one side more often', (): CoinSide[] => [], (draw: Draw) => draw(10) === 0],
	['pays less after a win', (): CoinSide[] => ['heads'], (draw: Draw) => draw(4) === 0],
	['follows a loss with a win', (): CoinSide[] => ['tails'], (draw: Draw) => draw(4) === 0],
])('finds a game that %s', (_, after, isTurned) => {
	let last: CoinSide = 'heads';
	const turned: InstantGame<CoinSide> = {
		...coinFlip,
		outcomeOf: (draw) => {
			const fair = coinFlip.outcomeOf(draw);
			const when = after();
			const other: CoinSide = when.includes('tails') ? 'heads' : 'tails';
			last = (when.length === 0 || when.includes(last)) && isTurned(draw) ? other : fair;
			return last;
		},
	};
	const { figures } = playGame(turned, 4_000, SEED) ?? expect.unreachable();
	expect(verdictOn(figures).outside).not.toEqual([]);
});
