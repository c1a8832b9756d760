/** A database as the last release before the baseline left it: the same tables, other migrations, and fewer comments. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

const DB = join(import.meta.dirname, '..', '..', 'db');
const REPLACED = join(DB, 'before-baseline.sha256');
const MADE = /^create (table|index) (\w+)/gm;
const ADDED = /^alter table (\w+) add (column|constraint) (\w+)/gm;

const WITHOUT_COMMENTS = `do $$ declare one record; begin
	for one in
		select objoid::regclass as "table", attname as "column" from pg_description
		left join pg_attribute on attrelid = objoid and attnum = objsubid and attnum > 0
		where classoid = 'pg_class'::regclass
			and objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
	loop
		if one."column" is null then execute format('comment on table %s is %L', one."table", 'from before');
		else execute format('comment on column %s.%I is null', one."table", one."column");
		end if;
	end loop;
end $$`;

/** What later migrations took away or replaced, by their names. */
const TAKEN_AWAY: Readonly<Record<string, string>> = {
	'0195-wins-by-quarter.sql': `create index if not exists workflow_win_of_day on workflow
		(pool, ((at + 19800000) / 86400000), (data -> 'payout') desc)
		where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake'`,
	'0196-taxes.sql': `alter table house_account drop constraint if exists house_account_check,
		add constraint house_account_check check (balance >= 0 or kind in
		('mint', 'rounding', 'gateway', 'bank', 'payment_cost', 'casino', 'bonus_cost', 'referral_cost', 'loss'))`,
};

/** Takes away what the migrations after the baseline made, and puts back what they took away. */
async function undoLater(db: pg.Pool): Promise<void> {
	const later = (await readdir(join(DB, 'migrations'))).filter((name) => name >= '0100').toSorted();
	for (const name of later.toReversed()) {
		const text = await readFile(join(DB, 'migrations', name), 'utf8');
		for (const [, kind, made] of [...text.matchAll(MADE)].reverse()) await db.query(`drop ${kind} if exists ${made}`);
		for (const [, table, kind, added] of [...text.matchAll(ADDED)].reverse())
			await db.query(`alter table if exists ${table} drop ${kind} if exists ${added}`);
		if (TAKEN_AWAY[name]) await db.query(TAKEN_AWAY[name]);
	}
}

/** Makes a migrated database one from before. @returns its migrations */
export async function fromBeforeBaseline(db: pg.Pool): Promise<{ name: string; checksum: string }[]> {
	const rows = (await readFile(REPLACED, 'utf8'))
		.trim()
		.split('\n')
		.map((line) => ({ checksum: line.slice(0, 64), name: line.slice(64).trim() }));
	await undoLater(db);
	await db.query(WITHOUT_COMMENTS);
	await db.query('delete from migration');
	await db.query(
		'insert into migration (name, checksum) select name, checksum from json_populate_recordset(null::migration, $1)',
		[JSON.stringify(rows)],
	);
	return rows;
}
