/**
 * A day of betting on markets of every kind, with a house that quotes, and with a crash at every other commit: before
 * it, inside it, after it. Players who got no answer ask again under the same request id, some ask again although they
 * got one, the clock stands still or jumps, and markets that are over are forgotten and opened again. In the end nothing
 * acknowledged is missing, nothing is there twice, and the auditor's checks hold.
 *
 * @module-tag thorough
 */
import { expect, onTestFinished } from 'vitest';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { Day, DONE, EVERYTHING, HOUSE, MAKER, PLANNER } from './day.ts';

const SEEDS = [1, 2];
/** Of the first seed, and of the thorough one. */
const CRASHES = [60, 250];
/** Every other commit. */
const FAULT_PERCENT = 50;
const STEPS_AT_ONCE = 20;

/** Which commits crash depends on the time they take, so a day goes on until everything has happened. */
async function isFull(day: Day, { db }: FreshDatabase): Promise<boolean> {
	if (!EVERYTHING.every((act) => DONE.has(act)) || day.recalled === 0) return false;
	const { rows } = await db.query<{ hedges: number; matched: number; triggered: number }>(
		`select (select coalesce(sum(jsonb_array_length(answer -> 'hedges')), 0)::int from request_key
				where client_request_id like 'cash-out-%') as hedges,
			(select count(*)::int from bet where wallet_id = $1 and matched + voided > 0) as matched,
			(select least(count(*) filter (where plan is null), count(*) filter (where plan is not null))::int
				from bet_trigger where bet_id is not null) as triggered`,
		[MAKER],
	);
	return rows.every(({ hedges, matched, triggered }) => Math.min(hedges, matched, triggered) > 0);
}

onSeeds(SEEDS, 'seed %s: nothing acknowledged is lost, nothing is doubled, every check holds', async (seed) => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const day = new Day(seed, database, FAULT_PERCENT);
	await day.open();
	const crashes = CRASHES[SEEDS.indexOf(seed)] ?? expect.unreachable();
	while (day.faulty.crashes < crashes || !(await isFull(day, database)))
		for (let step = 0; step < STEPS_AT_ONCE; step++) await day.step();
	await day.exchange?.drain();
	const { rows: written } = await database.db.query<{ batch: number }>('select distinct batch from posting');
	expect(written.filter(({ batch }) => !day.published.has(batch))).toEqual([]);
	expect(day.rebuilt).toBeGreaterThan(crashes / 4);

	const { rows } = await database.db.query<{ bet_id: number; client_request_id: string }>(
		`select (answer ->> 'betId')::bigint as bet_id, client_request_id from request_key where client_request_id like 'bet-%'`,
	);
	const kept = new Map(rows.map(({ bet_id, client_request_id }) => [client_request_id, bet_id]));
	expect(new Map([...day.acknowledged].filter(([id, betId]) => kept.get(id) !== betId))).toEqual(new Map());
	const { rows: cashOuts } = await database.db.query<{ hedges: number }>(
		`select coalesce(sum(jsonb_array_length(answer -> 'hedges')), 0)::int as hedges from request_key
			 where client_request_id like 'cash-out-%'`,
	);
	const { rows: triggers } = await database.db.query<{ id: number; bet: number | null; status: string }>(
		'select trigger_id as id, case when plan is null then bet_id end as bet, status from bet_trigger',
	);
	const known = new Set(triggers.map(({ id }) => id));
	expect([...day.triggers.keys()].filter((id) => !known.has(id))).toEqual([]);
	const triggered = triggers.filter(({ bet }) => bet !== null).length;
	expect(triggered).toBeGreaterThan(0);
	const hedges = cashOuts[0]?.hedges ?? 0;
	const { rows: bets } = await database.db.query<{ bets: number }>(
		'select count(*)::int as bets from bet where wallet_id <> all($1)',
		[[HOUSE, MAKER, PLANNER]],
	);
	expect(bets[0]?.bets).toBe(kept.size + hedges + triggered);
	expect(kept.size).toBeGreaterThan(crashes / 2);

	await expectSound(database.db);
});
