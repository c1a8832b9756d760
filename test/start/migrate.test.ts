/** Migrations run once each, in order, and a database that was migrated by other files is left alone. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { startServer } from '#server/process/start.ts';
import { startStandby } from '#server/process/start-standby.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
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

it('a file that changed after it ran is refused by its name', async () => {
	const [first] = await applied();
	await database.db.query(`update migration set checksum = 'another' where name = $1`, [first]);
	await expect(migrate(database.db)).rejects.toThrow(first);
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
