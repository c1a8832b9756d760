/** The generators of the house, from seeds as the server makes them: words, draws, shuffles, chains, simulated sports. */
import { createHash } from 'node:crypto';
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { previousHash } from '#games/crash/crash-result.ts';
import { drawFrom, drawSome } from '#games/fair-draw.ts';
import { seededWords } from '#games/seeded-words.ts';
import { drawSeeds } from '#games/shared-result.ts';
import { randomFrom, seedOf } from '#sports/random.ts';
import type { Stream } from './stream-tests.ts';

const WORD = 2 ** 32;
/** Those that the games draw from: coins, ranks, wheels, decks, dice. */
const SIDES = [2, 6, 13, 37, 52, 54, 100, 10_000];
const CARDS = 4;

/** 64 hexadecimal digits. */
export const hashOf = (...parts: readonly (string | number)[]): string =>
	createHash('sha256').update(parts.join(' ')).digest('hex');

/** The hashes of a chain in the order in which its rounds use them, or in the other one: statistically it is the same. */
export function chainFrom(seed: string): () => string {
	let hash = hashOf('chain', seed);
	return () => {
		hash = previousHash(hash);
		return hash;
	};
}

/** The seeds of a table's rounds. @param withBeacon mixes what a beacon published into each hash */
export function sharedSeeds(seed: string, withBeacon: boolean): () => ReturnType<typeof drawSeeds> {
	const next = chainFrom(seed);
	let round = 0;
	return () => {
		round++;
		const signature = withBeacon ? `${hashOf('signature', seed, round)}${hashOf(seed, round)}`.slice(0, 96) : null;
		return drawSeeds({ hash: next(), signature, salt: hashOf('salt', seed), bettorSeeds: [], round });
	};
}

export function houseStreams(seed: string): Stream[] {
	const serverSeed = hashOf('server seed', seed);
	const words = seededWords({ serverSeed, clientSeed: 'words', nonce: 0 });
	let nonce = 0;
	const [ofChain, ofBeacon] = [sharedSeeds(seed, false), sharedSeeds(seed, true)];
	const mixed = chainFrom(`mixed ${seed}`);
	const sports = randomFrom(seedOf(Number.parseInt(serverSeed.slice(0, 8), 16)));
	let [match, place] = [0, 0];
	const shuffle = drawFrom(seededWords({ serverSeed, clientSeed: 'shuffles', nonce: 0 }));
	return [
		{ name: 'words of one round', sides: WORD, next: words },
		{
			name: 'first word of each round of a pair of seeds',
			sides: WORD,
			next: () => seededWords({ serverSeed, clientSeed: 'rounds', nonce: nonce++ })(),
		},
		{ name: 'first word of each round of a chain', sides: WORD, next: () => seededWords(ofChain())() },
		{ name: 'first word of each round of a chain with a beacon', sides: WORD, next: () => seededWords(ofBeacon())() },
		{
			name: 'hash with a beacon’s value',
			sides: WORD,
			next: () => Number.parseInt(resultHash(mixed(), hashOf('beacon', seed)).slice(0, 8), 16),
		},
		...SIDES.map((sides): Stream => {
			const draw = drawFrom(seededWords({ serverSeed, clientSeed: `of ${sides}`, nonce: 0 }));
			return { name: `draws of ${sides}`, sides, next: () => draw(sides) };
		}),
		{
			name: 'cards of shuffles, one place after another',
			sides: 52,
			next: () => drawSome(shuffle, 52, 52)[place++ % 52] ?? 0,
		},
		{ name: 'order of four shuffled cards', sides: 24, next: () => orderOf(drawSome(shuffle, CARDS, CARDS)) },
		{ name: 'simulated sports', sides: WORD, next: () => Math.floor(sports() * WORD) },
		{
			name: 'first number of each simulated match',
			sides: WORD,
			next: () => Math.floor(randomFrom(seedOf(1, match++))() * WORD),
		},
	];
}

/** The number of an order in the factorial system. */
const orderOf = (numbers: readonly number[]): number =>
	numbers.reduce(
		(order, number, at) =>
			order * (numbers.length - at) + numbers.slice(at + 1).filter((later) => later < number).length,
		0,
	);
