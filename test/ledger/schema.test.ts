/** The schema that the migrations make can be read in one file, and each table says what its rows are. */
import { expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { schemaText } from '../support/schema-text.ts';

it('is what db/schema.sql shows', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	await expect(await schemaText(database.db)).toMatchFileSnapshot('../../db/schema.sql');
});

it('says of each table what its rows are', async () => {
	const database = await freshDatabase();
	onTestFinished(() => database.drop());
	const { rows } = await database.db.query<{ name: string }>(
		`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
		 and not relispartition and obj_description(oid) is null order by 1`,
	);
	expect(
		rows.map(({ name }) => name),
		'Write `comment on table` in the migration that makes it.',
	).toEqual([]);
});
