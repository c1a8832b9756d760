/**
 * `npm run liabilities`: makes the sum trees of closed days that a running or stopped server has not made, and prints a
 * JSON line for each. A running server does it itself soon after midnight, and puts their roots into the public log.
 * Exits with 1 where the wallets of a day are not what the trial balance says, and when the database is away.
 */
import { parseArgs } from 'node:util';
import { servedPools } from '../src/server/exchange/recovery/served-pools.ts';
import { makeTrees } from '../src/server/money/liabilities/make-trees.ts';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import { earlierTime } from '../src/server/platform/postgres/earlier-time.ts';
import type { EmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { HOME_ZONE } from '../src/values/zoned-calendar.ts';
import { failureOf, ownDatabase } from './own-database.ts';

const { values } = parseArgs({ options: { 'database-url': { type: 'string' }, 'data-dir': { type: 'string' } } });
const { env } = process;
const zone = env['BOOKS_ZONE'] || HOME_ZONE;
const given = values['database-url'] ?? (env['DATABASE_URL'] || null);
let embedded: EmbeddedPostgres | null = null;
try {
	embedded = given ? null : await ownDatabase(values['data-dir'] ?? env['DATA_DIR'] ?? defaultDataDir(env));
	const db = connect(given ?? (embedded as EmbeddedPostgres).url('backlay'), { max: 2 });
	try {
		for await (const made of makeTrees(db, { pools: await servedPools(db), zone, nowMs: await earlierTime(db) }))
			console.log(JSON.stringify(made));
	} finally {
		await db.end();
	}
} catch (error) {
	console.error(failureOf(error));
	process.exitCode = 1;
} finally {
	await embedded?.stop();
}
