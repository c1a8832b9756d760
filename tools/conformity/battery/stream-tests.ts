/**
 * Statistical tests of a stream of whole numbers, each equally likely and independent of the others, as Knuth has them:
 * The Art of Computer Programming, volume 2, 3.3.2. Each reads numbers and says how likely chance alone is.
 */
import { fitChance, normalChance, poissonChance } from './distributions.ts';

export interface Stream {
	name: string;
	/** Numbers lie from 0 up to this, exclusive. */
	sides: number;
	next: () => number;
}

/** @returns the chance, or null where the stream has too few sides, or too few numbers are read */
export type StreamTest = (stream: Stream, count: number) => number | null;

/** Numbers of fewer, equally likely groups; those that fit into no group are left out. */
function grouped({ sides, next }: Stream, groups: number): () => number {
	const width = Math.floor(sides / groups);
	return () => {
		for (;;) {
			const group = Math.floor(next() / width);
			if (group < groups) return group;
		}
	};
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);
const add = (counts: number[], at: number): void => {
	counts[at] = (counts[at] ?? 0) + 1;
};

/** Each number occurs equally often. */
const frequency: StreamTest = (stream, count) => {
	const cells = Math.min(stream.sides, Math.floor(count / 20), 4096);
	const next = cells === stream.sides ? stream.next : grouped(stream, cells);
	const counts = zeros(cells);
	for (let read = 0; read < count; read++) add(counts, next());
	return fitChance(counts, zeros(cells).fill(count / cells));
};

/** Expected in each cell of pairs and triples. */
const IN_A_CELL = 10;
const MOST_GROUPS = 64;

/** Each tuple of that many neighbours occurs equally often. */
const tuples =
	(length: number): StreamTest =>
	(stream, count) => {
		const read = Math.floor(count / length);
		const groups = Math.min(stream.sides, MOST_GROUPS, Math.floor((read / IN_A_CELL) ** (1 / length)));
		if (groups < 2) return null;
		const next = grouped(stream, groups);
		const counts = zeros(groups ** length);
		for (let tuple = 0; tuple < read; tuple++) {
			let cell = 0;
			for (let at = 0; at < length; at++) cell = cell * groups + next();
			add(counts, cell);
		}
		return fitChance(counts, zeros(counts.length).fill(read / counts.length));
	};

/** How many numbers lie between two of the first group; a longer gap begins again. */
const gaps: StreamTest = (stream, count) => {
	const groups = Math.min(stream.sides, 8);
	const next = grouped(stream, groups);
	const wanted = Math.floor(count / groups);
	const longest = groups * 6;
	const counts = zeros(longest + 1);
	for (let found = 0; found < wanted; found++) {
		let gap = 0;
		while (gap < longest && next() !== 0) gap++;
		add(counts, gap);
	}
	const hit = 1 / groups;
	const chances = counts.map((_, gap) => (gap === longest ? (1 - hit) ** gap : hit * (1 - hit) ** gap));
	return fitChance(
		counts,
		chances.map((chance) => chance * wanted),
	);
};

/** Ways to put `items` into `boxes` of which none stays empty, without regard to the boxes' order. */
function stirling(items: number, boxes: number): number {
	if (items === boxes) return 1;
	if (boxes === 0 || boxes > items) return 0;
	let row = [1];
	for (let item = 1; item <= items; item++)
		row = Array.from({ length: Math.min(item, boxes) + 1 }, (_, box) => box * (row[box] ?? 0) + (row[box - 1] ?? 0));
	return row[boxes] ?? 0;
}

const HAND = 5;

/** How many different numbers a hand of five has. */
const poker: StreamTest = (stream, count) => {
	const groups = Math.min(stream.sides, 10);
	const next = grouped(stream, groups);
	const hands = Math.floor(count / HAND);
	const counts = zeros(HAND);
	for (let hand = 0; hand < hands; hand++) add(counts, new Set(Array.from({ length: HAND }, () => next())).size - 1);
	const expected = counts.map((_, index) => {
		const different = index + 1;
		let ways = stirling(HAND, different);
		for (let taken = 0; taken < different; taken++) ways *= Math.max(0, groups - taken);
		return (ways / groups ** HAND) * hands;
	});
	return fitChance(counts, expected);
};

/** How many numbers it takes until each was there, up to seven times as many: a number may never come. */
const coupons: StreamTest = (stream, count) => {
	const groups = Math.min(stream.sides, 5);
	const next = grouped(stream, groups);
	const longest = groups * 7;
	const counts = zeros(longest - groups + 1);
	let sets = 0;
	for (let read = 0; read < count; sets++) {
		const seen = new Set<number>();
		let length = 0;
		while (seen.size < groups && length < longest) {
			seen.add(next());
			length++;
		}
		read += length;
		add(counts, length - groups);
	}
	const ofLength = (length: number): number => {
		let ways = stirling(length - 1, groups - 1);
		for (let taken = 1; taken <= groups; taken++) ways *= taken;
		return ways / groups ** length;
	};
	const chances = counts.map((_, index) => ofLength(index + groups));
	const rest = 1 - chances.slice(0, -1).reduce((sum, chance) => sum + chance, 0);
	return fitChance(
		counts,
		[...chances.slice(0, -1), rest].map((chance) => chance * sets),
	);
};

/** Each order of neighbours that differ is equally likely. */
const permutations: StreamTest = ({ sides, next }, count) => {
	const length = Math.min(4, sides);
	const tuples = Math.floor(count / length);
	const orders = [1, 1, 2, 6, 24][length] ?? 1;
	const counts = zeros(orders);
	let kept = 0;
	for (let tuple = 0; tuple < tuples; tuple++) {
		const numbers = Array.from({ length }, () => next());
		if (new Set(numbers).size < length) continue;
		kept++;
		// The order's number in the factorial system.
		add(
			counts,
			numbers.reduce((order, number, at) => {
				const smaller = numbers.slice(at + 1).filter((later) => later < number).length;
				return order * (length - at) + smaller;
			}, 0),
		);
	}
	return fitChance(counts, zeros(orders).fill(kept / orders));
};

/** How often the stream changes between its lower and its upper half. */
const runs: StreamTest = (stream, count) => {
	const next = grouped(stream, 2);
	let changes = 0;
	let before = next();
	for (let read = 1; read < count; read++) {
		const half = next();
		if (half !== before) changes++;
		before = half;
	}
	const steps = count - 1;
	return normalChance((changes - steps / 2) / Math.sqrt(steps / 4));
};

const LAGS = 8;

/** Whether a number says anything about those that follow within eight. */
const correlation: StreamTest = ({ sides, next }, count) => {
	const numbers = Array.from({ length: count }, () => next() - (sides - 1) / 2);
	const variance = (sides ** 2 - 1) / 12;
	const chances = Array.from({ length: LAGS }, (_, index) => {
		const lag = index + 1;
		let sum = 0;
		for (let at = lag; at < count; at++) sum += (numbers[at] ?? 0) * (numbers[at - lag] ?? 0);
		return normalChance(sum / (variance * Math.sqrt(count - lag)));
	});
	return Math.min(1, Math.min(...chances) * LAGS);
};

/** The largest of five. */
const maximum: StreamTest = ({ sides, next }, count) => {
	const groups = Math.floor(count / HAND);
	const bounds = [
		...new Set(Array.from({ length: 20 }, (_, index) => Math.ceil(sides * ((index + 1) / 20) ** (1 / HAND)))),
	];
	const counts = zeros(bounds.length);
	for (let group = 0; group < groups; group++) {
		let largest = 0;
		for (let read = 0; read < HAND; read++) largest = Math.max(largest, next());
		add(
			counts,
			bounds.findIndex((bound) => largest < bound),
		);
	}
	const below = bounds.map((bound) => (bound / sides) ** HAND);
	return fitChance(
		counts,
		below.map((chance, index) => (chance - (below[index - 1] ?? 0)) * groups),
	);
};

const URNS = 2 ** 20;
const BALLS = 2 ** 14;

/** How many of 2^14 balls fall into one of 2^20 urns that has one already. */
const collisions: StreamTest = (stream, count) => {
	const rounds = Math.floor(count / BALLS);
	if (stream.sides < URNS || rounds === 0) return null;
	const next = grouped(stream, URNS);
	let found = 0;
	for (let round = 0; round < rounds; round++)
		found += BALLS - new Set(Array.from({ length: BALLS }, () => next())).size;
	const filled = URNS * (1 - (1 - 1 / URNS) ** BALLS);
	return poissonChance(found, (BALLS - filled) * rounds);
};

export const STREAM_TESTS: Readonly<Record<string, StreamTest>> = {
	frequency,
	pairs: tuples(2),
	triples: tuples(3),
	gaps,
	poker,
	coupons,
	permutations,
	runs,
	correlation,
	maximum,
	collisions,
};
