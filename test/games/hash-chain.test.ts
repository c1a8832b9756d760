/** The chain of a table game while the database fails, and the clock of a flight whose ticks stop coming. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beaconTimeOf, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { LocalBeacon } from '#server/money/casino/beacon/local-beacon.ts';
import { HashChain } from '#server/money/casino/tables/hash-chain.ts';
import { RoundRecords } from '#server/money/casino/tables/round-records.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { FlightClock } from '#web/features/casino/crash/flight-clock.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { OPEN_ACCESS } from '../support/open-access.ts';
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
	beacon: new LocalBeacon(TOKEN_KEY, 100),
	keys: new DataKeys([TOKEN_KEY]),
	access: OPEN_ACCESS,
	owner: randomUUID(),
	returnPercent: 97,
	signal: new AbortController().signal,
});

const FIRST = { number: 1, firstRound: 1, replaced: null, lateBefore: 0 };

describe.each(['before', 'after'] as const)('a database that fails %s a statement', (when) => {
	const game = `broken-${when}`;

	it('delays the first chain of a game, which is made once', when === 'after' ? {} : { tags: 'thorough' }, async () => {
		const first = { ...partsOf(breaking(when, 3), game), ...FIRST };
		const { facts } = await HashChain.begin(first);
		expect(facts).toMatchObject({ number: 1, firstRound: 1 });
		await HashChain.takeOver(partsOf(breaking(when, 3), game));
		expect((await HashChain.ofRound(partsOf(breaking(when, 3), game), 1))?.facts).toEqual(facts);
	});

	it('delays what a start reads of the rounds', async () => {
		const records = new RoundRecords(breaking(when, 2), game, 'owner', new AbortController().signal);
		expect([await records.running(), await records.last()]).toEqual([[], 0]);
	});
});

it('a chain that an earlier process has announced stands, and follows only for the process that runs the game', async () => {
	const [earlier, now] = [partsOf(database.db, 'taken'), partsOf(database.db, 'taken')];
	const { facts } = await HashChain.begin({ ...earlier, ...FIRST });
	await HashChain.takeOver(now);
	expect((await HashChain.begin({ ...now, ...FIRST })).facts).toEqual(facts);
	await expect(HashChain.begin({ ...earlier, ...FIRST, number: 2 })).rejects.toThrow('another process');
	expect((await HashChain.begin({ ...now, ...FIRST, number: 2 })).facts.number).toBe(2);
});

it('has a salt that its beacon gives after the public log has the chain, and none if the log has it later', {
	tags: 'thorough',
}, async () => {
	const { db } = database;
	const signal = new AbortController().signal;
	const parts = partsOf(db, 'salted');
	const log = (number: number) =>
		db.query(`update game_chain set is_logged = true where game = 'salted' and number = $1`, [number]);
	const first = await HashChain.begin({ ...parts, ...FIRST });
	const { saltRound } = first.facts;
	expect(first.facts.salt).toBe('');
	expect(beaconTimeOf(parts.beacon.chain, saltRound ?? 0)).toBeGreaterThan(parts.beacon.nowMs());
	const salting = first.salted(db, parts.beacon, signal);
	await log(1);
	expect(await salting).toBe(true);
	const signature = await parts.beacon.signatureOf(saltRound ?? 0);
	expect(first.facts.salt).toBe(randomnessOf(signature ?? ''));
	expect((await HashChain.ofRound(parts, 1))?.facts).toEqual(first.facts);

	const late = await HashChain.begin({ ...parts, ...FIRST, number: 2 });
	const tooLate = late.salted(db, parts.beacon, signal);
	await expect.poll(() => parts.beacon.signatureOf(late.facts.saltRound ?? 0)).not.toBeNull();
	await log(2);
	expect(await tooLate).toBe(false);
	expect(late.facts.salt).toBe('');
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
