/**
 * `npm run audit`: proves the ledger of a running or stopped server, one JSON line a check, and ends with 1 and the
 * first wrong row where it does not hold. It reads one snapshot, so a server may go on taking bets meanwhile.
 *
 * The keys come from LEDGER_KEY, or from the server's TOKEN_KEY or data folder; keys that were used before stand in
 * LEDGER_KEYS_RETIRED, with commas between them. With `-- --anchor FILE` the heads that the file holds have to be part of
 * what the database holds, and the current ones are written to it.
 */
import { parseArgs } from 'node:util';
import { keptTokenKey } from '../src/server/config.ts';
import { defaultDataDir } from '../src/server/db/data-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/server/db/embedded-postgres.ts';
import { ledgerKeyOf } from '../src/server/ledger-key.ts';
import { anchored } from './audit-anchor.ts';
import type { Check, SealKeys } from './audit-check.ts';
import { CHECKS } from './audit-checks.ts';
import { auditLedger } from './audit-ledger.ts';
import { sealKeys } from './audit-seals.ts';

/** Writes a line for each check. @returns true when all hold */
async function audit(url: string, checks: readonly Check[], keys: SealKeys): Promise<boolean> {
	for await (const { check, rows, wrong } of auditLedger(url, checks, keys)) {
		console.log(JSON.stringify({ check, ok: wrong === null, rows, ...(wrong ? { wrong } : {}) }));
		if (wrong) return false;
	}
	return true;
}

/** A retired key is given as it was configured: the ledger's own, or the server's secret from which it was derived. */
function keysFrom(env: NodeJS.ProcessEnv, dataDir: string | null): SealKeys {
	const given = env['LEDGER_KEY'] || null;
	const tokenKey = env['TOKEN_KEY'] || (given === null && dataDir !== null ? keptTokenKey(dataDir) : null);
	if (given === null && tokenKey === null) throw new Error('Set LEDGER_KEY, or the TOKEN_KEY of the server.');
	const retired = (env['LEDGER_KEYS_RETIRED'] ?? '').split(',').filter((key) => key !== '');
	return sealKeys([
		ledgerKeyOf(tokenKey ?? '', given ?? undefined),
		...retired.flatMap((key) => [key, ledgerKeyOf(key, undefined)]),
	]);
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
	const keys = keysFrom(env, given === null || env['DATA_DIR'] ? dataDir : null);
	embedded = given ? null : await startEmbeddedPostgres({ dataDir });
	const checks = values.anchor === undefined ? CHECKS : [...CHECKS, anchored(values.anchor)];
	holds = await audit(given ?? (embedded as EmbeddedPostgres).url('backlay'), checks, keys);
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
} finally {
	// A database that a server uses keeps running.
	if (embedded && !embedded.adopted) await embedded.stop();
}
process.exit(holds ? 0 : 1);
