/**
 * `npm run audit`: proves the ledger of a running or stopped server, one JSON line per check, and exits with 1 and the
 * first wrong row if it is invalid. It reads one snapshot, so a server may continue to take bets.
 *
 * The keys come from LEDGER_KEY, or from the server's TOKEN_KEY or data folder; earlier keys are listed in
 * LEDGER_KEYS_RETIRED, separated by commas. With `-- --anchor FILE` the database has to contain the heads in the file,
 * and the current ones are appended to it. With `-- --parquet FOLDER` it proves the days in the folder from their files
 * alone (`npm run day-files`), with `--days N` the newest N; without a key in the environment it leaves the seals out.
 */
import { parseArgs } from 'node:util';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import type { EmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { anchored } from './audit-anchor.ts';
import type { Check, SealKeys } from './audit-check.ts';
import { CHECKS } from './audit-checks.ts';
import { auditKeys } from './audit-keys.ts';
import { auditLedger } from './audit-ledger.ts';
import { auditDays } from './day-files/audit-days.ts';
import { failureOf, ownDatabase } from './own-database.ts';

/** Writes a line for each check. @returns true if all hold */
async function audit(url: string, checks: readonly Check[], keys: SealKeys): Promise<boolean> {
	const db = connect(url, { max: 1 });
	try {
		for await (const { check, rows, wrong } of auditLedger(db, checks, keys)) {
			console.log(JSON.stringify({ check, ok: wrong === null, rows, ...(wrong ? { wrong } : {}) }));
			if (wrong) return false;
		}
		return true;
	} finally {
		await db.end();
	}
}

/** The same for the files of days. A folder without a day proves nothing. */
async function auditFiles(folder: string, newest: number): Promise<boolean> {
	try {
		const { env } = process;
		const keys = env['LEDGER_KEY'] || env['TOKEN_KEY'] ? auditKeys(env, null) : null;
		let found = 0;
		for await (const { day, check, rows, wrong } of auditDays(folder, keys, newest)) {
			found++;
			console.log(JSON.stringify({ day, check, ok: wrong === null, rows, ...(wrong ? { wrong } : {}) }));
			if (wrong) return false;
		}
		if (found === 0) throw new Error(`There is no day in ${folder}.`);
		return true;
	} catch (error) {
		console.error(failureOf(error));
		return false;
	}
}

const { values } = parseArgs({
	options: {
		'database-url': { type: 'string' },
		'data-dir': { type: 'string' },
		anchor: { type: 'string' },
		parquet: { type: 'string' },
		days: { type: 'string' },
	},
});
const { env } = process;
if (values.parquet !== undefined)
	process.exit((await auditFiles(values.parquet, Number(values.days ?? Number.POSITIVE_INFINITY))) ? 0 : 1);
const given = values['database-url'] ?? (env['DATABASE_URL'] || null);
const dataDir = values['data-dir'] ?? env['DATA_DIR'] ?? defaultDataDir(env);
let embedded: EmbeddedPostgres | null = null;
let holds = false;
try {
	const keys = auditKeys(env, given === null || env['DATA_DIR'] ? dataDir : null);
	embedded = given ? null : await ownDatabase(dataDir);
	const checks = values.anchor === undefined ? CHECKS : [...CHECKS, anchored(values.anchor)];
	holds = await audit(given ?? (embedded as EmbeddedPostgres).url('backlay'), checks, keys);
} catch (error) {
	console.error(failureOf(error));
} finally {
	await embedded?.stop();
}
process.exit(holds ? 0 : 1);
