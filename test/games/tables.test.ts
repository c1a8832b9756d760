/** Table games as definitions: what they show step by step, and what bounds the house's loss. */
import { describe, expect, it } from 'vitest';
import { GAMES } from '#games/all-games.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { isPublished } from '#games/round-result.ts';
import { seededWords } from '#games/seeded-words.ts';
import { MOST_DEALING_MS } from '#games/tables/table-times.ts';

const TABLES = GAMES.filter((game) => game.kind === 'table');
const ROUNDS = 500;

function* outcomes(game: (typeof TABLES)[number]) {
	for (let nonce = 1; nonce <= ROUNDS; nonce++)
		yield game.outcomeOf(drawFrom(seededWords({ serverSeed: `seed of ${game.code}`, clientSeed: 'salt', nonce })));
}

/** A document as the database gives it back. */
function reordered(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(reordered);
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, part]) => [key, reordered(part)]),
	);
}

describe.each(TABLES.map((game) => [game.name, game] as const))('%s', (_, game) => {
	it('pays in no way that the risk of the house leaves out', () => {
		const sets = game.faces().map(({ bets, outcomes: faces }) => {
			const prizesOf = (outcome: unknown) => bets.map((code) => game.betOf(code)?.prizeOf(outcome) ?? null).join();
			return { prizesOf, ways: new Set(faces.map(prizesOf)) };
		});
		for (const outcome of outcomes(game))
			for (const { prizesOf, ways } of sets) expect(ways).toContain(prizesOf(outcome));
	});

	it('has each bet in one set of the risk, and each of its prizes among the ways', () => {
		const faces = game.faces();
		expect(faces.flatMap(({ bets }) => bets).sort()).toEqual(game.bets.map(({ code }) => code).sort());
		for (const { bets, outcomes: ways } of faces)
			for (const code of bets) {
				const bet = game.betOf(code);
				const reached = new Set(ways.map((outcome) => bet?.prizeOf(outcome) ?? null));
				expect([...(bet?.prizes.keys() ?? [])].filter((prize) => !reached.has(prize))).toEqual([]);
			}
	});

	it('knows its published outcome by its cards, not by the order of its fields', () => {
		const [one, ...others] = outcomes(game);
		expect(isPublished(one, reordered(one))).toBe(true);
		expect(others.filter((other) => !isPublished(other, reordered(one))).length).toBeGreaterThan(0);
	});

	it('shows its outcome in steps of rising time, the last one whole', () => {
		for (const outcome of outcomes(game)) {
			const reveals = game.revealsOf(outcome);
			expect(reveals.at(-1)?.shown).toEqual(outcome);
			const times = reveals.map(({ atMs }) => atMs);
			expect(times.every((atMs, index) => atMs > (times[index - 1] ?? 0))).toBe(true);
			expect(times.at(-1)).toBeLessThan(12_000);
			expect((times.at(-1) ?? 0) + game.holdMs).toBeLessThanOrEqual(MOST_DEALING_MS);
			expect(game.markOf(outcome).text.length).toBeLessThan(4);
		}
	});
});
