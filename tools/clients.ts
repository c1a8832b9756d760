/**
 * `npm run clients`: runs the public clients of the protocol that are here against a server and against the service's recorded
 * answers, prints which operation which of them could use, and writes the table into docs/BOTS.md with `--write`. It fetches
 * nothing: clients are those that are installed or in the folder CLIENTS.
 * PostgreSQL is the one of DATABASE_URL, or the embedded one in a folder that goes away.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '../src/server/platform/postgres/embedded-postgres.ts';
import { runClients } from './clients/clients-lab.ts';
import { clientsTable, faultsOf, withTable } from './clients/clients-table.ts';
import { presentClients } from './clients/known-clients.ts';

const DOCUMENT = join(import.meta.dirname, '..', 'docs', 'BOTS.md');

const { clients, absent } = presentClients(process.env['CLIENTS'] ?? null);
for (const reason of absent) console.error(`Not run: ${reason}.`);
if (clients.length === 0) process.exit(1);

await using started = new AsyncDisposableStack();
async function ownDatabase(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-clients-'));
	started.defer(() => rmSync(folder, { recursive: true, force: true }));
	const cluster = await startEmbeddedPostgres({ dataDir: folder });
	started.defer(() => cluster.stop());
	return cluster.url('backlay');
}
const url = process.env['DATABASE_URL'] ?? (await ownDatabase());
const db = connect(url);
const findings = await runClients(clients, { url, db, drop: () => db.end() });
const table = clientsTable(findings);
console.log(table);
const faults = findings.flatMap(faultsOf);
for (const fault of faults) console.error(fault);
if (process.argv.includes('--write')) writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), table));
process.exitCode = faults.length > 0 ? 1 : 0;
