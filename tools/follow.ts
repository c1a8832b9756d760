/**
 * `npm run --silent follow -- bet|deposit|round|settlement`: runs one such job on a real server and prints the files of
 * `src` that it passed, in order, with their functions: from the door over engine and ledger to the message on the hub.
 * A file that can refuse the job, or writes the state, is marked. It uses the PostgreSQL of DATABASE_URL, or an
 * embedded one in a temporary folder.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapOf } from './follow/map.ts';
import { follow, markProduct } from './follow/marked-product.ts';

const NAMES = ['bet', 'deposit', 'round', 'settlement'] as const;
const name = NAMES.find((one) => one === process.argv[2]);
if (!name) {
	console.error(`Name a job to follow: ${NAMES.join(', ')}.`);
	process.exit(1);
}

await markProduct();
const { JOBS } = await import('./follow/jobs.ts');
const { TestServer } = await import('../test/support/server.ts');
const { connect } = await import('../src/server/platform/postgres/connect.ts');
const { startEmbeddedPostgres } = await import('../src/server/platform/postgres/embedded-postgres.ts');

await using started = new AsyncDisposableStack();

async function ownDatabase(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-follow-'));
	started.defer(() => rmSync(folder, { recursive: true, force: true }));
	const cluster = await startEmbeddedPostgres({ dataDir: folder });
	started.defer(() => cluster.stop());
	return cluster.url('backlay');
}

const url = process.env['DATABASE_URL'] ?? (await ownDatabase());
const db = connect(url);
const server = await TestServer.start({ url, db, drop: () => db.end() });
started.defer(() => server.dispose());
const { lines, files, deciding, returns } = mapOf(await follow(await JOBS[name](server)));
console.log(lines.join('\n'));
console.log(
	`A ${name} passes ${files} files; ${deciding} of them decide or change something, and the way returns to one ${returns} times.`,
);
