/**
 * Migrations run once each, in order. A database of the last release before the baseline is adopted; one that other files
 * migrated is left alone.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { startServer } from '#server/process/start.ts';
import { startStandby } from '#server/process/start-standby.ts';
import { randomFrom } from '#sports/random.ts';
import { fromBeforeBaseline } from '../support/before-baseline.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { schemaText } from '../support/schema-text.ts';
import { testConfig } from '../support/server.ts';

let database: FreshDatabase;
beforeAll(async () => {
	database = await freshDatabase();
});
afterAll(() => database.drop());

const applied = async () =>
	(await database.db.query<{ name: string }>('select name from migration order by name')).rows.map(({ name }) => name);

it('a migrated database is unchanged', async () => {
	const before = await applied();
	expect(before.length).toBeGreaterThan(0);
	await migrate(database.db);
	expect(await applied()).toEqual(before);
});

it('two servers that start at once do not migrate twice', async () => {
	await database.db.query('drop schema public cascade');
	await database.db.query('create schema public');
	await Promise.all([migrate(database.db), migrate(database.db)]);
	expect(new Set(await applied()).size).toBe((await applied()).length);
});

it('a start on a database that has all of them waits for no process that migrates', async () => {
	const fresh = await freshDatabase();
	onTestFinished(() => fresh.drop());
	const migrating = await fresh.db.connect();
	onTestFinished(() => migrating.release(true));
	await migrating.query('begin; lock table migration in exclusive mode');
	const server = await startServer(testConfig(fresh.url), () => undefined);
	await server.stop();
});

it('a file that changed after it ran is refused by its name', async () => {
	const [first] = await applied();
	await database.db.query(`update migration set checksum = 'another' where name = $1`, [first]);
	await expect(migrate(database.db)).rejects.toThrow(first);
});

it('no file names the storage of a column beside its type, which PostgreSQL 15 does not read', async () => {
	const folder = join(import.meta.dirname, '../../db/migrations');
	for (const name of await readdir(folder))
		expect(await readFile(join(folder, name), 'utf8'), name).not.toMatch(/^\t\w+ \w+ storage /m);
});

it('a database that a former text of a file made is taken as it is', async () => {
	const former = (await readFile(join(import.meta.dirname, '../../db/rewritten.sha256'), 'utf8'))
		.trimEnd()
		.split('\n')
		.map((line) => line.split('  ') as [checksum: string, name: string]);
	const fresh = await freshDatabase();
	onTestFinished(() => fresh.drop());
	for (const [checksum, name] of former)
		await fresh.db.query('update migration set checksum = $1 where name = $2', [checksum, name]);
	const rows = async () => (await fresh.db.query('select name, checksum from migration order by name')).rows;
	const before = await rows();
	await migrate(fresh.db);
	expect(await rows()).toEqual(before);
	// The text of another file is no former one of this.
	await fresh.db.query('update migration set checksum = $1 where name = $2', [former[0]?.[0], former[1]?.[1]]);
	await expect(migrate(fresh.db)).rejects.toThrow(former[1]?.[1]);
});

it('a database of a later release is refused by name, by the exchange and by a standby, and stays as it is', async () => {
	const later = ['9998-of-later.sql', '9999-of-later-still.sql'];
	const fresh = await freshDatabase();
	onTestFinished(() => fresh.drop());
	await fresh.db.query(`insert into migration (name, checksum) select unnest($1::text[]), 'x'`, [later]);
	await fresh.db.query(`delete from migration where name = (select max(name) from migration where name < '9')`);
	const rows = async () => (await fresh.db.query('select name, checksum from migration order by name')).rows;
	const before = await rows();
	const config = testConfig(fresh.url, { standby: { silenceMs: 1_000, goneMs: 1_000 } });
	const ignore = () => undefined;
	for (const start of [
		() => startServer(config, ignore),
		() => startStandby(config, { onServing: ignore, onStopped: ignore }),
	])
		await expect(start()).rejects.toThrow(`${later.join(', ')} are not known to this one`);
	expect(await rows()).toEqual(before);
});

describe('a database of a release before the baseline', () => {
	/** Everything that adopting could change. */
	const stateOf = async ({ db }: FreshDatabase) => ({
		rows: (await db.query('select name, checksum from migration order by name')).rows,
		schema: await schemaText(db),
	});

	it('is adopted by two processes at once and is then the same as a fresh one', async () => {
		const [old, fresh] = await Promise.all([freshDatabase(), freshDatabase()]);
		onTestFinished(async () => {
			await Promise.all([old.drop(), fresh.drop()]);
		});
		await fromBeforeBaseline(old.db);
		expect((await stateOf(old)).schema).not.toBe((await stateOf(fresh)).schema);
		const other = connect(old.url, { max: 2 });
		onTestFinished(() => other.end());
		await Promise.all([migrate(old.db), migrate(other)]);
		const adopted = await stateOf(old);
		expect(adopted).toEqual(await stateOf(fresh));
		expect(adopted.schema).toBe(await readFile(join(import.meta.dirname, '..', '..', 'db', 'schema.sql'), 'utf8'));
	});

	it('is refused and stays as it is when it lacks any of its migrations, or one was changed', async () => {
		const old = await freshDatabase();
		onTestFinished(() => old.drop());
		const all = await fromBeforeBaseline(old.db);
		const random = randomFrom(1);
		for (let attempt = 0; attempt < 4; attempt++) {
			const least = random();
			const missing = all.filter(() => random() >= least);
			if (missing.length === 0 || missing.length === all.length) continue;
			await old.db.query('delete from migration where name = any($1)', [missing.map(({ name }) => name)]);
			const before = await stateOf(old);
			await expect(migrate(old.db)).rejects.toThrow(
				`lacks ${missing.map(({ name }) => name).join(', ')}. Start the last release before the baseline on it once`,
			);
			expect(await stateOf(old)).toEqual(before);
			await fromBeforeBaseline(old.db);
		}
		const changed = all[Math.floor(random() * all.length)]?.name ?? '';
		await old.db.query(`update migration set checksum = 'another' where name = $1`, [changed]);
		const before = await stateOf(old);
		await expect(migrate(old.db)).rejects.toThrow(`${changed} was changed`);
		expect(await stateOf(old)).toEqual(before);
	});
});
