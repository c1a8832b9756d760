/**
 * A day of betting on markets of every kind, with a house that quotes, and with a crash at every other commit: before
 * it, inside it, after it. Players who got no answer ask again under the same request id, some ask again although they
 * got one, the clock stands still or jumps, and markets that are over are forgotten and opened again. In the end nothing
 * acknowledged is missing, nothing is there twice, and the auditor's checks hold.
 */
import { expect, it } from 'vitest';
import { CHECKS } from '../../tools/audit-checks.ts';
import { sealKeys } from '../../tools/audit-seals.ts';
import { freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { Day, DONE, EVERYTHING, HOUSE, MAKER } from './day.ts';

const SEEDS = [1, 2];
const CRASHES_PER_SEED = 250;
/** Every other commit. */
const FAULT_PERCENT = 50;

onSeeds(SEEDS, 'seed %s: nothing acknowledged is lost, nothing is doubled, every check holds', async (seed) => {
	const database = await freshDatabase();
	const day = new Day(seed, database, FAULT_PERCENT);
	await day.open();
	while (day.faulty.crashes < CRASHES_PER_SEED) await day.step();
	await day.exchange?.drain();
	const { rows: written } = await database.db.query<{ batch: number }>('select distinct batch from posting');
	expect(written.filter(({ batch }) => !day.published.has(batch))).toEqual([]);
	for (const count of [day.rebuilt, day.quotes]) expect(count).toBeGreaterThan(100);
	expect(day.recalled).toBeGreaterThan(0);

	const { rows } = await database.db.query<{ bet_id: number; client_request_id: string }>(
		`select (answer ->> 'betId')::bigint as bet_id, client_request_id from request_key where client_request_id like 'bet-%'`,
	);
	const kept = new Map(rows.map(({ bet_id, client_request_id }) => [client_request_id, bet_id]));
	expect(new Map([...day.acknowledged].filter(([id, betId]) => kept.get(id) !== betId))).toEqual(new Map());
	const { rows: cashOuts } = await database.db.query<{ hedges: number }>(
		`select coalesce(sum(jsonb_array_length(answer -> 'hedges')), 0)::int as hedges from request_key
			 where client_request_id like 'cash-out-%'`,
	);
	const hedges = cashOuts[0]?.hedges ?? 0;
	expect(hedges).toBeGreaterThan(10);
	const { rows: bets } = await database.db.query<{ bets: number }>(
		'select count(*)::int as bets from bet where wallet_id <> all($1)',
		[[HOUSE, MAKER]],
	);
	expect(bets[0]?.bets).toBe(kept.size + hedges);
	expect(kept.size).toBeGreaterThan(200);
	const { rows: ofMaker } = await database.db.query<{ matched: number }>(
		'select count(*)::int as matched from bet where wallet_id = $1 and matched + voided > 0',
		[MAKER],
	);
	expect(ofMaker[0]?.matched).toBeGreaterThan(20);

	const client = await database.db.connect();
	await client.query('begin transaction isolation level repeatable read read only');
	for (const { name, run } of CHECKS)
		expect([name, (await run(client, sealKeys([LEDGER_KEY]))).wrong]).toEqual([name, null]);
	client.release(true);
	await database.drop();
});

it('the days had every act in them', () => {
	expect([...DONE]).toEqual(expect.arrayContaining([...EVERYTHING]));
});
