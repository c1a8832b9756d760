/**
 * The embedded database moves from the major version before to the one of the lockfile. The old binaries are fetched as
 * docs/RUNBOOK.md says, and a whole copy takes many seconds, so it belongs to `npm run faults` alone. A copy between two
 * clusters of the version at hand needs neither; that a start refuses is in refused-start, and that a database from
 * before the baseline is adopted in start/migrate.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect } from '#server/platform/postgres/connect.ts';
import {
	clusterFolder,
	startEmbeddedPostgres,
	stopCluster,
	upgradedFolder,
} from '#server/platform/postgres/embedded-postgres.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { Day } from '../crashes/day.ts';
import { expectSound } from '../support/audit.ts';
import { schemaText } from '../support/schema-text.ts';
import { TOKEN_KEY } from '../support/server.ts';
import { fetchedBinaries, PACKAGE } from './support/fetched-binaries.ts';
import { isLongForm } from './support/form.ts';

const OLD = '17';
const OLD_VERSION = '17.10.0-beta.17';
const ROOT = join(import.meta.dirname, '..', '..');
/** Steps after which the upgrade is killed, before it gets through. */
const KILLED_AT = ['started the old one', 'made the new one', 'copied every row', 'audited'];

let fetched: ReturnType<typeof fetchedBinaries> | null = null;
/** The folder of the old binaries; of those at hand where the old ones are not fetched. */
let binaries = join(ROOT, 'node_modules', ...PACKAGE.split('/'), 'native');
beforeAll(() => {
	if (!isLongForm) return;
	fetched = fetchedBinaries(OLD_VERSION);
	binaries = fetched.folder;
});
afterAll(() => fetched?.remove());

let folder: string;
let dataDir: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'blu-'));
	dataDir = join(folder, 'data');
});
afterEach(async () => {
	for (const cluster of [dataDir, join(dataDir, 'upgrade')]) await stopCluster(clusterFolder(cluster));
	rmSync(folder, { recursive: true, force: true });
});

/** A database with a day of bets, as the old version left it. @returns its rows by table */
async function oldDatabase(): Promise<Record<string, number>> {
	const cluster = await startEmbeddedPostgres({ dataDir, binaries, settings: { fsync: 'off' } });
	const db = connect(cluster.url('backlay'));
	await migrate(db);
	const day = new Day(1, { url: cluster.url('backlay'), db, drop: async () => {} }, 0);
	await day.open();
	for (let step = 0; step < 40; step++) await day.step();
	await day.exchange?.drain();
	const rows = await counts(db);
	await db.end();
	await cluster.stop();
	return rows;
}

async function counts(db: ReturnType<typeof connect>): Promise<Record<string, number>> {
	const found: Record<string, number> = {};
	for (const table of ['bet', 'bet_match', 'posting', 'wallet', 'batch_seal', 'market_state', 'migration', 'lease'])
		found[table] =
			(await db.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0;
	return found;
}

/** Runs the tool. @param killAt the step after which it is killed; null lets it go on */
async function upgrade(killAt: string | null = null): Promise<{ code: number | null; lines: string[] }> {
	const args = ['tools/upgrade-database.ts', '--binaries', binaries, '--data-dir', dataDir];
	const tool = spawn(process.execPath, args, {
		cwd: ROOT,
		env: { ...process.env, TOKEN_KEY, DATABASE_URL: '' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const lines: string[] = [];
	createInterface({ input: tool.stdout }).on('line', (line) => {
		lines.push(line);
		if (line === JSON.stringify({ step: killAt })) tool.kill('SIGKILL');
	});
	const [code] = await once(tool, 'close');
	return { code, lines };
}

it.runIf(isLongForm)(
	'keeps every row and the old folder, also when it is killed on the way, and a start finds a whole database or says what to do',
	async () => {
		const before = await oldDatabase();
		for (const step of KILLED_AT) {
			expect((await upgrade(step)).code).toBeNull();
			await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`PostgreSQL ${OLD} made the database`);
		}
		expect((await upgrade()).code).toBe(0);
		// What a kill before the last step leaves: no cluster in its place, and the new one beside it.
		renameSync(clusterFolder(dataDir), upgradedFolder(dataDir));
		const cluster = await startEmbeddedPostgres({ dataDir });
		const db = connect(cluster.url('backlay'));
		expect(await counts(db)).toEqual(before);
		await db.end();
		await expectSound(cluster.url('backlay'));
		await cluster.stop();
		expect(readdirSync(dataDir)).toContain(`postgres.${OLD}`);
		expect(readFileSync(join(dataDir, `postgres.${OLD}`, 'PG_VERSION'), 'utf8').trim()).toBe(OLD);
	},
);

it.runIf(isLongForm)('leaves the old database where it is when the new one does not pass the audit', async () => {
	await oldDatabase();
	const old = await startEmbeddedPostgres({ dataDir, binaries });
	const db = connect(old.url('backlay'), { max: 1 });
	await db.query('update wallet set cash = cash + 1 where wallet_id = 1001');
	await db.end();
	await old.stop();
	const { code, lines } = await upgrade();
	expect(code).toBe(1);
	expect(lines.at(-1)).toContain('"ok":false');
	expect(readFileSync(join(clusterFolder(dataDir), 'PG_VERSION'), 'utf8').trim()).toBe(OLD);
	await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('follow “Upgrade PostgreSQL’s major version”');
});

it('copies a database between clusters of the version at hand, and its schema', { tags: 'thorough' }, async () => {
	const before = await oldDatabase();
	const old = await startEmbeddedPostgres({ dataDir, binaries });
	const oldDb = connect(old.url('backlay'), { max: 1 });
	const fresh = await schemaText(oldDb);
	await oldDb.end();
	await old.stop();
	expect((await upgrade()).code).toBe(0);
	const cluster = await startEmbeddedPostgres({ dataDir });
	const db = connect(cluster.url('backlay'), { max: 1 });
	expect(await counts(db)).toEqual(before);
	expect(await schemaText(db)).toBe(fresh);
	await db.end();
	await cluster.stop();
});
