/**
 * The log has one history, whatever happens to what writes it: processes that append at once, connections that are cut in
 * the middle, a process that is replaced. All checkpoints that were ever published are of one tree.
 */
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Checkpoint, readCheckpoint } from '#public-log/checkpoint.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { tileOfPath } from '#public-log/tiles.ts';
import { continues, verifyWhole } from '#public-log/verify-log.ts';
import { batchLeaves } from '#server/exchange/ledger/log-batches.ts';
import { pairLeaves } from '#server/money/casino/log-pairs.ts';
import type { LeafSource } from '#server/platform/public-log/leaf-source.ts';
import { fileOf, publishedLogs } from '#server/platform/public-log/log-rows.ts';
import { PublicLog } from '#server/platform/public-log/public-log.ts';
import { pick, randomFrom } from '#sports/random.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';

const STEPS = 25;

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

const openLog = (ledgerKey = LEDGER_KEY, db: pg.Pool = database.db): PublicLog =>
	new PublicLog({
		db,
		ledgerKey,
		sources: [pairLeaves, batchLeaves] as LeafSource[],
		logger: pino({ level: 'silent' }),
		clock: Date.now,
	});

async function newest() {
	const [log] = await publishedLogs(database.db);
	if (!log) throw new Error('there is no log');
	return { ...log, signed: readCheckpoint(log.checkpoint, parseVerifierKey(log.key)) };
}

const read = (log: number, size: number) => async (path: string) => {
	const name = tileOfPath(path);
	const file = name && (await fileOf(database.db, log, size, name));
	if (!file) throw new Error(`no ${path}`);
	return file;
};

/** Writes more of what the log is about; batches come in order, pairs in any. */
class Ledger {
	batches = 0;
	pairs = 0;

	async write(count: number): Promise<void> {
		this.pairs += count;
		await database.db.query(
			`with pairs as (
				insert into game_seed_pair (wallet_id, number, rule, commitment, announced_at)
				select 1000 + n, $1::int, 2, encode(sha256(format('%s %s', n, $1::int)::bytea), 'hex'), 0
				from generate_series(1, $2::int) as n
			)
			insert into batch_seal (batch, part, key_id, entries, chain)
			select $3::int + n, 0, 'key', sha256(n::text::bytea), sha256(n::text::bytea) from generate_series(1, $2::int) as n`,
			[this.batches + 1, count, this.batches],
		);
		this.batches += count;
	}
}

/** Ends the connections that append at this moment, as a crash or a failing network does. */
const cutConnections = () =>
	database.db.query(
		`select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
	);

const ledger = new Ledger();

onSeeds([1, 2, 3], 'has one history while processes append at once and are cut off, on seed %i', async (seed) => {
	const draw = randomFrom(seed);
	let logs = [openLog(), openLog()];
	const published = new Map<number, string>();
	const note = async (): Promise<void> => {
		const { signed } = await newest();
		const root = Buffer.from(signed.root).toString('hex');
		expect(published.get(signed.size) ?? root).toBe(root);
		published.set(signed.size, root);
	};
	await Promise.allSettled(logs.map((log) => log.append()));
	for (let step = 0; step < STEPS; step++) {
		await ledger.write(1 + Math.floor(draw() * 40));
		const appended = Promise.allSettled(logs.map((log) => log.append()));
		if (draw() < 0.3) await cutConnections().catch(() => undefined);
		if (draw() < 0.2) logs = logs.with(Math.floor(draw() * 2), openLog());
		await appended;
		if (draw() < 0.7) await note();
	}
	await pick(logs, draw).append();
	const { log, origin, signed } = await newest();
	for (const [size, root] of published) {
		const earlier: Checkpoint = { origin, size, root: Buffer.from(root, 'hex') };
		expect(await continues(read(log, signed.size), earlier, signed)).toBe(true);
	}
	const leaves: Record<string, unknown>[] = [];
	expect(
		await verifyWhole(read(log, signed.size), signed, (leaf) => leaves.push(JSON.parse(Buffer.from(leaf).toString()))),
	).toBeNull();
	const batches = leaves.filter(({ type }) => type === 'batch').map(({ batch }) => batch);
	expect(batches).toEqual(Array.from({ length: ledger.batches }, (_, at) => at + 1));
	expect(new Set(leaves.map(({ commitment }) => commitment).filter((each) => each !== undefined)).size).toBe(
		ledger.pairs,
	);
});

it.each([
	[
		'on another timeline, as after the promotion of a replica',
		`update public_log set cluster = left(cluster, -8) || '000000FF'`,
		LEDGER_KEY,
	],
	['under another key', 'select 1', 'another key of the ledger, which signs another log'],
])('begins another log %s', async (_, change, key) => {
	await openLog().append();
	const before = await newest();
	await ledger.write(3);
	await database.db.query(change);
	await openLog(key).append();
	const after = await newest();
	expect(after.log).toBe(before.log + 1);
	expect(after.origin).not.toBe(before.origin);
	const old = (await publishedLogs(database.db)).find(({ log }) => log === before.log);
	expect(old?.checkpoint).toBe(before.checkpoint);
	const { rows } = await database.db.query<{ leaf: string }>(
		'select leaf from public_log_entry where log = $1 order by entry',
		[after.log],
	);
	expect(JSON.parse(rows[0]?.leaf ?? '')).toMatchObject({ type: 'log', before: before.checkpoint });
	// What is logged goes on from the ledger: nothing twice, nothing left out.
	expect(rows.filter(({ leaf }) => leaf.includes('"batch"'))).toHaveLength(3);
});
