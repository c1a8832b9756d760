/** Crash: the rounds of public chains, the flight, and what no player can know before. */
import { describe, expect, it } from 'vitest';
import { CRASH_RETURN, crashTarget } from '#games/crash/crash.ts';
import { chainOf, crashCents, crashCentsOf, otherCrashCents, previousHash } from '#games/crash/crash-result.ts';
import { centsAt, crashMs, flightTable, GROWTH, MOST_CENTS } from '#games/crash/flight.ts';
import { compare, fraction } from '#games/fraction.ts';
import { returnOf } from '#games/game.ts';
import { hasVectors, readVectors } from './vectors.ts';

interface PublicRound {
	gameId: number;
	hash: string;
	crash: string;
}
interface PublicChains {
	v3: { salt: string; startGameId: number; startHash: string; explicit: PublicRound[]; named: PublicRound[] };
	v2: { salt: string; vectors: PublicRound[] };
}
interface OtherSite {
	crash: { hash: string; seed: string; crash: string }[];
	slide: { hash: string; seed: string; crash: string }[];
}

const chains = readVectors<PublicChains>('crash-rounds');
const centsOf = (text: string) => Math.round(Number(text) * 100);

describe.skipIf(!hasVectors)('public chains', () => {
	it.each([
		['explicit', 40],
		['named', 13],
		['older', 7],
	] as const)('%s rounds crash where the site said', (kind, count) => {
		const { salt } = kind === 'older' ? chains.v2 : chains.v3;
		const rounds = kind === 'older' ? chains.v2.vectors : chains.v3[kind];
		expect(rounds).toHaveLength(count);
		for (const { hash, crash } of rounds)
			expect(crashCents({ hash, salt, bettorSeeds: [], returnPercent: 99 })).toBe(centsOf(crash));
	});

	it('walk back from round to round', () => {
		const { explicit, startGameId, startHash } = chains.v3;
		const walked = new Map([[startGameId, startHash]]);
		let hash = startHash;
		const first = Math.min(...explicit.map(({ gameId }) => gameId));
		for (let gameId = startGameId - 1; gameId >= first; gameId--) {
			hash = previousHash(hash);
			walked.set(gameId, hash);
		}
		expect(explicit.map(({ gameId }) => walked.get(gameId))).toEqual(explicit.map((round) => round.hash));
	});

	it('of another formula are verified too', () => {
		const { crash, slide } = readVectors<OtherSite>('crash-variant');
		for (const [rounds, percent] of [
			[crash, 99],
			[slide, 98],
		] as const) {
			expect(rounds).toHaveLength(13);
			for (const { hash, seed, crash: multiplier } of rounds)
				expect(otherCrashCents(hash, seed, percent)).toBe(centsOf(multiplier));
		}
	});
});

describe('a result', () => {
	const [before, hash] = chainOf('5d'.repeat(32), 1) as [string, string];
	const round = {
		hash,
		salt: '00'.repeat(32),
		bettorSeeds: ['first-seed', 'second_seed'],
		returnPercent: CRASH_RETURN,
	};

	it('depends on the hash, the salt and each seed in its place', () => {
		const swapped = { ...round, bettorSeeds: [...round.bettorSeeds].reverse() };
		const variants = [
			round,
			swapped,
			{ ...round, bettorSeeds: [] },
			{ ...round, bettorSeeds: ['first-seed'] },
			{ ...round, salt: '01'.repeat(32) },
			{ ...round, hash: before },
		];
		expect(new Set(variants.map(crashCents)).size).toBe(variants.length);
	});

	it('does not follow from what is published before: the hash of the round before is its digest', () => {
		expect(previousHash(hash)).toBe(before);
		expect(crashCents({ ...round, hash: before })).not.toBe(crashCents(round));
	});

	it('pays its return at every target, exactly: floor(E × 2^52 / cents) of 2^52 numbers reach it', () => {
		const range = 2n ** 52n;
		const reaches = (bits: bigint, cents: number) => crashCentsOf(bits, CRASH_RETURN) >= cents;
		for (const cents of [101, 150, 200, 997, 10_000, MOST_CENTS]) {
			const count = (BigInt(CRASH_RETURN) * range) / BigInt(cents);
			expect([reaches(range - count, cents), reaches(range - count - 1n, cents)]).toEqual([true, false]);
			const returned = returnOf(crashTarget(cents));
			expect(compare(returned, fraction(CRASH_RETURN, 100))).toBeLessThanOrEqual(0);
			expect(compare(returned, fraction(CRASH_RETURN * 10 ** 9 - 1, 100 * 10 ** 9))).toBe(1);
		}
	});

	it('is 1.00x at least', () => expect(crashCentsOf(0n, CRASH_RETURN)).toBe(100));
});

describe('a flight', () => {
	const table = flightTable();

	it('shows each number of hundredths from its first millisecond on', () => {
		for (let cents = 101; cents <= MOST_CENTS; cents += cents < 2_000 ? 1 : 997) {
			const start = table[cents] as number;
			// Above 166x more than one hundredth passes in a millisecond, so some are never shown.
			const shown = Math.floor(100 * Math.exp(GROWTH * start) + 1e-9);
			expect(centsAt(table, start)).toBe(Math.min(shown, MOST_CENTS));
			expect(shown).toBeGreaterThanOrEqual(cents);
			expect(centsAt(table, start - 1)).toBeLessThan(cents);
		}
	});

	it('rises and never skips back', () => {
		expect(table.findIndex((start, cents) => cents > 0 && start < (table[cents - 1] as number))).toBe(-1);
	});

	it('ends when the next hundredth would be shown', () => {
		expect(crashMs(table, 100)).toBe(Math.ceil(Math.log(1.01) / GROWTH));
		for (const cents of [100, 101, 237, 10_000]) {
			expect(centsAt(table, crashMs(table, cents) - 1)).toBe(cents);
			expect(centsAt(table, crashMs(table, cents))).toBeGreaterThan(cents);
		}
	});
});
