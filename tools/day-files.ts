/**
 * `npm run day-files -- --into FOLDER [--from DAY]`: writes each closed day that the folder lacks as Parquet files, from
 * one snapshot of the database of a running or stopped server, and prints a JSON line for each. `npm run audit --
 * --parquet FOLDER` proves the days from these files alone. Exits with 1, and leaves no part of a day, when the disk is
 * full or the database is away.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { earlierTime } from '../src/server/platform/postgres/earlier-time.ts';
import type { EmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { dayNumber, HOME_ZONE, isZone } from '../src/values/zoned-calendar.ts';
import { writeDays } from './day-files/write-days.ts';
import { failureOf, ownDatabase } from './own-database.ts';

const { values } = parseArgs({
	options: {
		'database-url': { type: 'string' },
		'data-dir': { type: 'string' },
		into: { type: 'string' },
		from: { type: 'string' },
	},
});
const { env } = process;
const given = values['database-url'] ?? (env['DATABASE_URL'] || null);
let embedded: EmbeddedPostgres | null = null;
try {
	const { into, from = null } = values;
	const zone = env['BOOKS_ZONE'] || HOME_ZONE;
	if (!isZone(zone)) throw new Error('BOOKS_ZONE must be a time zone, such as Europe/London.');
	if (into === undefined) throw new Error('npm run day-files -- --into FOLDER [--from DAY]');
	if (from !== null && !/^\d{4}-\d\d-\d\d$/.test(from)) throw new Error('--from is a day such as 2026-11-25.');
	embedded = given ? null : await ownDatabase(values['data-dir'] ?? env['DATA_DIR'] ?? defaultDataDir(env));
	const db = connect(given ?? (embedded as EmbeddedPostgres).url('backlay'), { max: 1 });
	const client = await db.connect();
	try {
		const asked = { from: from === null ? null : dayNumber(from), nowMs: await earlierTime(client), zone };
		for await (const day of writeDays(client, resolve(into), asked)) console.log(JSON.stringify(day));
	} finally {
		client.release(true);
		await db.end();
	}
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
} finally {
	await embedded?.stop();
}
