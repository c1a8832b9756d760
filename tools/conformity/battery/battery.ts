/**
 * Runs tests at a level of 99 % over all of them together: with m figures, one is outside if chance alone is rarer than
 * 1 − 0.99^(1/m) (Šidák). A sound generator fails one run in a hundred, however many tests there are.
 */
import { STREAM_TESTS, type Stream } from './stream-tests.ts';

const LEVEL = 0.99;

export interface Figure {
	/** The generator, or the game. */
	subject: string;
	test: string;
	/** How likely chance alone is to be as extreme. */
	chance: number;
}

/** The figures of every test that suits the stream. */
export const figuresOf = (stream: Stream, count: number): Figure[] =>
	Object.entries(STREAM_TESTS).flatMap(([test, run]) => {
		const chance = run(stream, count);
		return chance === null ? [] : [{ subject: stream.name, test, chance }];
	});

/** @returns the bound of a single figure, and those that are outside of it */
export function verdictOn(figures: readonly Figure[]): { bound: number; outside: Figure[] } {
	const bound = 1 - LEVEL ** (1 / Math.max(1, figures.length));
	return { bound, outside: figures.filter(({ chance }) => chance < bound) };
}
