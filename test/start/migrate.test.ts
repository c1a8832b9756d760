/** Migrations run once each, in order, and a database that was migrated by other files is left alone. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

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
