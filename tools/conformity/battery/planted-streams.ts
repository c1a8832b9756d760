/** Generators with a fault each, which the battery has to find: its known-answer checks. */
import { createHash } from 'node:crypto';
import type { Stream } from './stream-tests.ts';

/** Sound bytes, from which faulty streams are made. */
function soundBytes(seed: string): () => number {
	let block = Buffer.alloc(0);
	let [used, count] = [0, 0];
	return () => {
		if (used === block.length) {
			block = createHash('sha512').update(`${seed}:${count++}`).digest();
			used = 0;
		}
		return block[used++] ?? 0;
	};
}

function soundBelow(seed: string): (sides: number) => number {
	const byte = soundBytes(seed);
	return (sides) => {
		const word = ((byte() << 24) | (byte() << 16) | (byte() << 8) | byte()) >>> 0;
		return Math.floor((word / 2 ** 32) * sides);
	};
}

/** Numbers that a test reads of a planted stream: its fault shows in as many. */
export const PLANTED_COUNT = 40_000;

interface PlantedStream {
	fault: string;
	open: (seed: string) => Stream;
}

/** What `STREAM_TESTS` need not find is not here: each is found by one of them at least, and each of them finds one. */
export const PLANTED_STREAMS: readonly PlantedStream[] = [
	{
		fault: 'the remainder of a byte is a number of 37',
		open: (seed) => {
			const byte = soundBytes(seed);
			return { name: 'remainder', sides: 37, next: () => byte() % 37 };
		},
	},
	{
		fault: 'the last number of ten never comes',
		open: (seed) => {
			const below = soundBelow(seed);
			return { name: 'missing', sides: 10, next: () => below(9) };
		},
	},
	{
		fault: 'the first number of six never comes',
		open: (seed) => {
			const below = soundBelow(seed);
			return { name: 'missing first', sides: 6, next: () => 1 + below(5) };
		},
	},
	{
		fault: 'one number in 37 is a third likelier',
		open: (seed) => {
			const below = soundBelow(seed);
			return { name: 'favourite', sides: 37, next: () => (below(111) === 0 ? 17 : below(37)) };
		},
	},
	{
		fault: 'a number repeats the one before once in 50',
		open: (seed) => {
			const below = soundBelow(seed);
			let last = 0;
			return {
				name: 'sticky',
				sides: 52,
				next: () => {
					if (below(50) !== 0) last = below(52);
					return last;
				},
			};
		},
	},
	{
		fault: 'numbers are dealt from a deck without being put back',
		open: (seed) => {
			const below = soundBelow(seed);
			let deck: number[] = [];
			return {
				name: 'deck',
				sides: 10,
				next: () => {
					if (deck.length === 0) deck = Array.from({ length: 10 }, (_, number) => number);
					return deck.splice(below(deck.length), 1)[0] ?? 0;
				},
			};
		},
	},
	{
		fault: 'a linear congruential generator whose triples lie on fifteen planes (RANDU)',
		open: (seed) => {
			let state = (Number.parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 7), 16) | 1) >>> 0;
			return {
				name: 'randu',
				sides: 2 ** 31,
				next: () => {
					state = Number((BigInt(state) * 65_539n) % 2n ** 31n);
					return state;
				},
			};
		},
	},
	{
		fault: 'a stream of 32-bit words begins again after 5,000',
		open: (seed) => {
			const below = soundBelow(seed);
			const words = Array.from({ length: 5_000 }, () => below(2 ** 32));
			let at = 0;
			return { name: 'short period', sides: 2 ** 32, next: () => words[at++ % words.length] ?? 0 };
		},
	},
	{
		fault: 'a losing number in ten is followed by another one: the game pays less after a win',
		open: (seed) => {
			const below = soundBelow(seed);
			let last = 0;
			return {
				name: 'adaptive',
				sides: 2,
				next: () => {
					last = last === 1 && below(10) === 0 ? 0 : below(2);
					return last;
				},
			};
		},
	},
	{
		fault: 'what was drawn eight numbers ago is drawn again once in 25',
		open: (seed) => {
			const below = soundBelow(seed);
			const drawn: number[] = [];
			return {
				name: 'echo',
				sides: 100,
				next: () => {
					const number = drawn.length >= 8 && below(25) === 0 ? (drawn[drawn.length - 8] ?? 0) : below(100);
					drawn.push(number);
					if (drawn.length > 16) drawn.shift();
					return number;
				},
			};
		},
	},
	{
		fault: 'a counter that is taken for chance: every number comes equally often, and too evenly',
		open: () => {
			let count = 0;
			return { name: 'counter', sides: 64, next: () => count++ % 64 };
		},
	},
	{
		fault: 'four neighbours are put in rising order once in 20',
		open: (seed) => {
			const below = soundBelow(seed);
			let tuple: number[] = [];
			return {
				name: 'ordered',
				sides: 1_000,
				next: () => {
					if (tuple.length === 0) {
						tuple = Array.from({ length: 4 }, () => below(1_000));
						if (below(20) === 0) tuple.sort((one, other) => one - other);
					}
					return tuple.shift() ?? 0;
				},
			};
		},
	},
];

/** A sound stream, in which the battery finds nothing. */
export const soundStream = (seed: string, sides: number): Stream => {
	const below = soundBelow(seed);
	return { name: `sound, of ${sides}`, sides, next: () => below(sides) };
};
