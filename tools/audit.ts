/**
 * `npm run audit`: proves the ledger of a running or stopped server, one JSON line a check, and ends with 1 and the
 * first wrong row where it does not hold. It reads one snapshot, so a server may go on taking bets meanwhile.
 *
 * The keys come from LEDGER_KEY, or from the server's TOKEN_KEY or data folder; keys that were used before stand in
 * LEDGER_KEYS_RETIRED, with commas between them. With `-- --anchor FILE` the heads that the file holds have to be part of
 * what the database holds, and the current ones are written to it.
 */
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../src/server/platform/postgres/data-folder.ts';
import type { EmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { anchored } from './audit-anchor.ts';
import type { Check, SealKeys } from './audit-check.ts';
import { CHECKS } from './audit-checks.ts';
import { auditKeys } from './audit-keys.ts';
import { auditLedger } from './audit-ledger.ts';
import { failureOf, ownDatabase } from './own-database.ts';

/** Writes a line for each check. @returns true when all hold */
async function audit(url: string, checks: readonly Check[], keys: SealKeys): Promise<boolean> {
	for await (const { check, rows, wrong } of auditLedger(url, checks, keys)) {
		console.log(JSON.stringify({ check, ok: wrong === null, rows, ...(wrong ? { wrong } : {}) }));
		if (wrong) return false;
	}
	return true;
}

const { values } = parseArgs({
	options: { 'database-url': { type: 'string' }, 'data-dir': { type: 'string' }, anchor: { type: 'string' } },
});
const { env } = process;
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
	// A database that a server uses keeps running.
	if (embedded && !embedded.adopted) await embedded.stop();
}
process.exit(holds ? 0 : 1);
