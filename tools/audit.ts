/**
 * `npm run audit`: proves the ledger of a running or stopped server, one JSON line a check, and ends with 1 and the
 * first wrong row where it does not hold. It reads one snapshot, so a server may go on taking bets meanwhile.
 */
import { parseArgs } from 'node:util';
import { connect } from '../src/server/db/connect.ts';
import { defaultDataDir } from '../src/server/db/data-folder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/server/db/embedded-postgres.ts';
import { CHECKS } from './audit-checks.ts';

async function audit(url: string): Promise<boolean> {
	const pool = connect(url, { max: 1 });
	const client = await pool.connect();
	try {
		await client.query('begin transaction isolation level repeatable read read only');
		for (const { name, run } of CHECKS) {
			const { rows, wrong } = await run(client);
			console.log(JSON.stringify({ check: name, ok: wrong === null, rows, ...(wrong ? { wrong } : {}) }));
			if (wrong) return false;
		}
		return true;
	} finally {
		client.release(true);
		await pool.end();
	}
}

const { values } = parseArgs({
	options: { 'database-url': { type: 'string' }, 'data-dir': { type: 'string' } },
});
const given = values['database-url'] ?? (process.env['DATABASE_URL'] || null);
const dataDir = values['data-dir'] ?? process.env['DATA_DIR'] ?? defaultDataDir(process.env);
let embedded: EmbeddedPostgres | null = null;
let holds = false;
try {
	embedded = given ? null : await startEmbeddedPostgres({ dataDir });
	holds = await audit(given ?? (embedded as EmbeddedPostgres).url('backlay'));
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
} finally {
	// A database that a server uses stays up for it.
	if (embedded && !embedded.adopted) await embedded.stop();
}
process.exit(holds ? 0 : 1);
