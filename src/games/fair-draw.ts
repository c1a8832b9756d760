/**
 * The casino's own games: rules, pay tables, chances and results, each game in one definition. The folder is pure: a
 * round follows from its draws alone, so a browser can recompute it without the server.
 *
 * This file derives unbiased numbers from 32-bit words.
 */

/** The next word of a round, from 0 up to 2^32 - 1. */
export type Words = () => number;
/** A number from 0 up to `sides` - 1, each equally likely. */
export type Draw = (sides: number) => number;

const WORD_RANGE = 2 ** 32;
/** A word times this many sides is a safe integer. */
const MOST_SIDES_IN_NUMBERS = 2 ** 21;

/**
 * Multiply-shift with rejection: of `range` words each side gets the same number, and the rest are rejected.
 * @param range the number of words; a power of two
 * @returns the side, or null if the word is rejected and the next one is needed
 */
export function sideOf(word: number, sides: number, range: number = WORD_RANGE): number | null {
	if (sides > MOST_SIDES_IN_NUMBERS) return wideSideOf(word, sides, range);
	const product = word * sides;
	const low = product % range;
	return low < range % sides ? null : (product - low) / range;
}

function wideSideOf(word: number, sides: number, range: number): number | null {
	const product = BigInt(word) * BigInt(sides);
	const low = product % BigInt(range);
	return low < BigInt(range % sides) ? null : Number((product - low) / BigInt(range));
}

/** @throws if sides is not a whole number from 1 to 2^32 */
export function drawFrom(words: Words): Draw {
	return (sides) => {
		if (!Number.isInteger(sides) || sides < 1 || sides > WORD_RANGE) throw new Error(`not a number of sides: ${sides}`);
		for (;;) {
			const side = sideOf(words(), sides);
			if (side !== null) return side;
		}
	};
}

/** Draws and removes: `count` of the numbers from 0 up to `from` - 1, in the order they were drawn. */
export function drawSome(draw: Draw, count: number, from: number): number[] {
	const left = Array.from({ length: from }, (_, index) => index);
	return Array.from({ length: count }, () => left.splice(draw(left.length), 1)[0] as number);
}
