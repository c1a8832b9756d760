/**
 * The embedded database moves to another major version. There is one version of the binaries here, so the old one is played
 * by a program that makes them call the folder theirs while it starts them, and calls it an older one's otherwise. A whole
 * copy takes many seconds, so it belongs to `npm run faults` alone; that a start refuses is in refused-start.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { clusterFolder, startEmbeddedPostgres, stopCluster, upgradedFolder } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { Day } from '../crashes/day.ts';
import { expectSound } from '../support/audit.ts';
import { TOKEN_KEY } from '../support/server.ts';
import { isLongForm } from './support/form.ts';

const OLD = '9';
const ROOT = join(import.meta.dirname, '..', '..');
const BINARIES = join(
	dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
	'..',
	'native',
	'bin',
	'postgres',
);
/** Steps after which the upgrade is killed, before it gets through. */
const KILLED_AT = ['started the old one', 'made the new one', 'copied every row', 'audited'];

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

/** @returns the folder of the old binaries */
function oldBinaries(): string {
	const native = join(folder, 'old', 'native');
	mkdirSync(join(native, 'bin'), { recursive: true });
	writeFileSync(join(folder, 'old', 'package.json'), `{"version":"${OLD}.1.0"}`);
	writeFileSync(join(native, 'pg-symlinks.json'), '[]');
	writeFileSync(
		join(native, 'bin', 'postgres'),
		`#!/bin/sh
cp "$2/PG_VERSION.real" "$2/PG_VERSION"
"${BINARIES}" "$@" &
until grep -q ready "$2/postmaster.pid"; do sleep 0.05; done
echo ${OLD} > "$2/PG_VERSION"
wait
`,
		{ mode: 0o755 },
	);
	return native;
}

/** A database with a day of bets, as the old version left it. @returns its rows by table */
async function oldDatabase(): Promise<Record<string, number>> {
	const cluster = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
	const db = connect(cluster.url('backlay'));
	await migrate(db);
	const day = new Day(1, { url: cluster.url('backlay'), db, drop: async () => {} }, 0);
	await day.open();
	for (let step = 0; step < 40; step++) await day.step();
	await day.exchange?.drain();
	const rows = await counts(db);
	await db.end();
	await cluster.stop();
	const version = join(clusterFolder(dataDir), 'PG_VERSION');
	writeFileSync(`${version}.real`, readFileSync(version));
	writeFileSync(version, `${OLD}\n`);
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
async function upgrade(
	binaries: string,
	killAt: string | null = null,
): Promise<{ code: number | null; lines: string[] }> {
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
		const binaries = oldBinaries();
		for (const step of KILLED_AT) {
			expect((await upgrade(binaries, step)).code).toBeNull();
			await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(`PostgreSQL ${OLD} made the database`);
		}
		expect((await upgrade(binaries)).code).toBe(0);
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
	const binaries = oldBinaries();
	const old = await startEmbeddedPostgres({ dataDir, binaries });
	const db = connect(old.url('backlay'), { max: 1 });
	await db.query('update wallet set cash = cash + 1 where wallet_id = 1001');
	await db.end();
	await old.stop();
	const { code, lines } = await upgrade(binaries);
	expect(code).toBe(1);
	expect(lines.at(-1)).toContain('"ok":false');
	expect(readFileSync(join(clusterFolder(dataDir), 'PG_VERSION'), 'utf8').trim()).toBe(OLD);
	await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('follow “Upgrade PostgreSQL’s major version”');
});
