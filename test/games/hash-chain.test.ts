/** The chain of a table game while the database fails, and the clock of a flight whose ticks stop coming. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { RoundRecords } from '#server/money/casino/tables/round-records.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { FlightClock } from '#web/features/casino/crash/flight-clock.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { TOKEN_KEY } from '../support/server.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

/** The database behind a line that breaks: before a statement reaches it, or before its answer comes back. */
function breaking(when: 'before' | 'after', times: number): pg.Pool {
	let left = times;
	const query = async (...asked: [string, unknown[]]) => {
		const isBroken = left-- > 0;
		const fault = Object.assign(new Error('Connection terminated'), { code: '57P01' });
		if (isBroken && when === 'before') throw fault;
		const answer = await database.db.query(...asked);
		if (isBroken) throw fault;
		return answer;
	};
	return { query } as unknown as pg.Pool;
}

const partsOf = (db: pg.Pool, game: string) => ({
	db,
	game,
	keys: new DataKeys([TOKEN_KEY]),
	owner: randomUUID(),
	returnPercent: 97,
});

describe.each(['before', 'after'] as const)('a database that fails %s a statement', (when) => {
	const game = `broken-${when}`;

	it('delays the first chain of a game, which is made once', async () => {
		const first = { ...partsOf(breaking(when, 3), game), number: 1, firstRound: 1 };
		const { facts } = await HashChain.begin(first);
		expect(facts).toMatchObject({ number: 1, firstRound: 1 });
		expect((await HashChain.find(partsOf(breaking(when, 3), game)))?.facts).toEqual(facts);
	});

	it('delays what a start reads of the rounds', async () => {
		const records = new RoundRecords(breaking(when, 2), game, 'owner', new AbortController().signal);
		expect([await records.running(), await records.last()]).toEqual([[], 0]);
	});
});

it('a chain that another process made under the same number is not taken for one’s own', async () => {
	const parts = { ...partsOf(database.db, 'broken-after'), number: 1, firstRound: 1 };
	await expect(HashChain.begin(parts)).rejects.toThrow('another process');
});

it('a server that stops does not wait for a database that is away', async () => {
	const stopping = new AbortController();
	const records = new RoundRecords(breaking('before', Number.POSITIVE_INFINITY), 'away', 'owner', stopping.signal);
	const reading = records.running();
	stopping.abort();
	await expect(reading).rejects.toThrow('Connection terminated');
});

it('a flight whose ticks stop coming shows no multiplier after 1.2 seconds, and shows one again with the next tick', () => {
	const clock = new FlightClock();
	clock.reset(1);
	clock.heard(0, 5_000);
	expect(clock.cents(6_200)).toBe(107);
	expect(clock.cents(6_201)).toBeNull();
	clock.heard(2_000, 7_000);
	expect(clock.cents(7_000)).toBe(112);
});
