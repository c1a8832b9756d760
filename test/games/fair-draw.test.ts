/** Draws: the vectors of third parties, and that each side is equally likely. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { drawFrom, drawSome, sideOf, type Words } from '#games/fair-draw.ts';
import { dice } from '#games/instant/dice.ts';
import { plinko, slotOf } from '#games/instant/plinko.ts';
import { commitmentOf, type RoundSeeds, seededWords } from '#games/seeded-words.ts';
import { mines } from '#games/turns/mines.ts';
import { byForm } from './form.ts';
import { hasVectors, readVectors } from './vectors.ts';

interface Seeds {
	serverSeed: string;
	clientSeed: string;
}
interface SeedStream {
	words: RoundSeeds & { 'floats_word_over_2^32': number[] };
	mines: Seeds & { byNonce: number[][] };
	roulette: Seeds & { byNonce: number[] };
	dice: Seeds & { byNonce: string[] };
	single: (RoundSeeds & { dice: string; roulette: number; 'limbo_floor(99*2^32/w)/100': string })[];
	plinko: Seeds & { vectors: { nonce: number; rows: number; rightSteps: number }[] };
	cards_infinite_deck: Seeds & { byNonce: string[][] };
}

const stream = readVectors<SeedStream>('seed-stream');
const drawOf = ({ serverSeed, clientSeed }: Seeds, nonce: number) =>
	drawFrom(seededWords({ serverSeed, clientSeed, nonce }));
/** The site of the vectors draws one of 10,001 numbers and shows it with two decimals. */
const shownDice = (drawn: number) => (drawn / 100).toFixed(2).replace(/^0(?=\d)/, '');

describe.skipIf(!hasVectors)('third-party vectors', () => {
	it('have the words of the seed stream', () => {
		const words = seededWords(stream.words);
		for (const float of stream.words['floats_word_over_2^32']) expect(words() / 2 ** 32).toBeCloseTo(float, 11);
	});

	it('have the mines that the game deals', () => {
		for (const [nonce, positions] of stream.mines.byNonce.entries())
			expect(mines.deal(drawOf(stream.mines, nonce), String(nonce + 1))).toEqual(positions);
	});

	it('have the roulette pockets and dice rolls that the draw gives', () => {
		expect(stream.roulette.byNonce.map((_, nonce) => drawOf(stream.roulette, nonce)(37))).toEqual(
			stream.roulette.byNonce,
		);
		expect(stream.dice.byNonce.map((_, nonce) => shownDice(drawOf(stream.dice, nonce)(10_001)))).toEqual(
			stream.dice.byNonce,
		);
		for (const single of stream.single) {
			expect(drawOf(single, single.nonce)(37)).toBe(single.roulette);
			expect(shownDice(drawOf(single, single.nonce)(10_001))).toBe(single.dice);
		}
	});

	it('have the slots that the plinko path ends in', () => {
		for (const { nonce, rows, rightSteps } of stream.plinko.vectors) {
			const path = plinko.outcomeOf(drawOf(stream.plinko, nonce));
			expect(slotOf(path as number[], rows as 8)).toBe(rightSteps);
		}
	});

	it('have the cards of an endless shoe', () => {
		const ranks = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
		const suits = ['diamond', 'heart', 'spade', 'club'];
		for (const [nonce, cards] of stream.cards_infinite_deck.byNonce.entries()) {
			const draw = drawOf(stream.cards_infinite_deck, nonce);
			const drawn = cards.map(() => draw(52)).map((index) => `${ranks[Math.floor(index / 4)]}-${suits[index % 4]}`);
			expect(drawn).toEqual(cards);
		}
	});
});

/** Uniform words that are the same in every run. */
function testWords(seed: string): Words {
	let block = Buffer.alloc(0);
	let used = 0;
	return () => {
		if (used === block.length) {
			block = createHash('sha512').update(block).update(seed).digest();
			used = 0;
		}
		used += 4;
		return block.readUInt32BE(used - 4);
	};
}

/** How far counts are from equal, in standard deviations of the chi-square statistic. */
function deviation(counts: readonly number[]): number {
	const total = counts.reduce((sum, count) => sum + count, 0);
	const expected = total / counts.length;
	const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
	const freedom = counts.length - 1;
	// Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
	return (Math.cbrt(statistic / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom));
}

/** 99 of 100 right draws lie inside. */
const BOUND = 2.58;

describe('every side is equally likely', () => {
	const DRAWS = byForm(200_000, 1_000_000);
	const tally = (sides: number, draw: () => number): number[] => {
		const counts = Array.from({ length: sides }, () => 0);
		for (let drawn = 0; drawn < DRAWS; drawn++) {
			const side = draw();
			counts[side] = (counts[side] as number) + 1;
		}
		return counts;
	};

	it.each([2, 13, 20, 25, 32, 37, 40, 52, 416, 10_000])('of %i', (sides) => {
		const draw = drawFrom(testWords(`sides ${sides}`));
		expect(Math.abs(deviation(tally(sides, () => draw(sides))))).toBeLessThan(BOUND);
	});

	it('and the same measure rejects a remainder of 16-bit words', () => {
		const words = testWords('remainder');
		expect(deviation(tally(10_000, () => (words() >>> 16) % 10_000))).toBeGreaterThan(2 * BOUND);
	});

	it.each([1, 2, 3, 7, 13, 37, 52, 416, 9_999, 10_000, 40_000])('of %i, counted over all 16-bit words', (sides) => {
		const counts = new Map<number, number>();
		for (let word = 0; word < 2 ** 16; word++) {
			const side = sideOf(word, sides, 2 ** 16);
			if (side !== null) counts.set(side, (counts.get(side) ?? 0) + 1);
		}
		expect(counts.size).toBe(sides);
		expect(new Set(counts.values())).toEqual(new Set([Math.floor(2 ** 16 / sides)]));
		expect(Math.max(...counts.keys())).toBe(sides - 1);
	});

	it('and numbers too wide for one multiplication are computed exactly', () => {
		for (const sides of [2 ** 21 + 1, 2 ** 26, 3_000_000_019 % 2 ** 32]) {
			const words = testWords(`wide ${sides}`);
			for (let drawn = 0; drawn < 1_000; drawn++) {
				const word = words();
				const product = BigInt(word) * BigInt(sides);
				const isRejected = product % 2n ** 32n < 2n ** 32n % BigInt(sides);
				expect(sideOf(word, sides)).toBe(isRejected ? null : Number(product >> 32n));
			}
		}
	});

	it('and a shuffle of a few gives every order equally often', () => {
		const draw = drawFrom(testWords('orders'));
		const counts = new Map<string, number>();
		for (let drawn = 0; drawn < 60_000; drawn++) {
			const order = drawSome(draw, 3, 5).join();
			counts.set(order, (counts.get(order) ?? 0) + 1);
		}
		expect(counts.size).toBe(60);
		expect(Math.abs(deviation([...counts.values()]))).toBeLessThan(BOUND);
	});

	it('refuses numbers of sides that are none', () => {
		const draw = drawFrom(() => 0);
		for (const sides of [0, -1, 1.5, Number.NaN, 2 ** 33]) expect(() => draw(sides)).toThrow('not a number of sides');
	});
});

describe('the commitment of a round', () => {
	it('is the hash of the server seed, and no round is computed from the hash', () => {
		const seeds = { clientSeed: 'player', nonce: 1 };
		const serverSeed = '5d43f77f53fec7d115180136105400f0fd2a1f20b681b6b54a289c207923b190';
		const published = commitmentOf(serverSeed);
		expect(published).toBe(createHash('sha256').update(serverSeed).digest('hex'));
		const rolls = (seed: string) => {
			const draw = drawFrom(seededWords({ ...seeds, serverSeed: seed }));
			return Array.from({ length: 20 }, () => dice.outcomeOf(draw));
		};
		expect(rolls(published)).not.toEqual(rolls(serverSeed));
	});

	it('leaves every nonce and client seed its own words', () => {
		const first = ({ nonce, clientSeed }: { nonce: number; clientSeed: string }) =>
			seededWords({ serverSeed: 'server', clientSeed, nonce })();
		const words = [0, 1, 2].flatMap((nonce) => ['a', 'b'].map((clientSeed) => first({ nonce, clientSeed })));
		expect(new Set(words).size).toBe(6);
	});
});
