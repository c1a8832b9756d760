/** `log-verify` and `log-witness` over a running server and over a folder: they pass what is whole, and name what is not. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSignedBy, parseNote, parseVerifierKey } from '#public-log/signed-note.ts';
import { closeLog } from '#server/platform/public-log/log-rows.ts';
import { verifyLog } from '../../tools/log-verify.ts';
import { lookAsWitness } from '../../tools/log-witness.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { LEDGER_KEY, TestServer } from '../support/server.ts';
import { logAgain } from './forger.ts';
import type { PublishedLogs } from './log-reader.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
	server = await TestServer.start();
	folder = await mkdtemp(join(scratchFolder(), 'public-log-'));
	await server.demoGambler();
	await server.running.publicLog.append();
});
afterAll(async () => {
	await server.dispose();
	await rm(folder, { recursive: true, force: true });
});

const logs = async () => (await (await fetch(`${server.url}/public-log/logs.json`)).json()) as PublishedLogs;
const verify = (...args: string[]) => runTool('tools/log-verify.ts', args, process.env);
/** The same without a process of its own. */
const verified = (from: string, asked: Partial<Parameters<typeof verifyLog>[0]> = {}) =>
	verifyLog({ from, key: null, save: null, leaf: null, witnessed: [], ...asked });
const witness = (from = `${server.url}/public-log/1`, name = 'witness') =>
	runTool('tools/log-witness.ts', [from, '--name', `${name}.example`, '--state', join(folder, name)], process.env);
/** The house changes a leaf and signs the log again. */
async function forgeHistory(): Promise<void> {
	const client = await server.database.db.connect();
	await client.query(`update public_log_entry set leaf = replace(leaf, ' log', ' forged log') where entry = 0`);
	await logAgain(client, LEDGER_KEY);
	client.release();
}

const lineOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

it('saves a log, finds a leaf in it without the server, and checks that the log goes on from what was saved', async () => {
	const mirror = join(folder, 'mirror');
	const [{ key = '', size = 0 } = {}] = await logs();
	const first = await verify(server.url, '--key', key, '--save', mirror);
	expect(lineOf(first)).toMatchObject({ size, isKeyGiven: true, continues: null });
	await server.demoGambler();
	await server.running.publicLog.append();
	const second = (await verified(server.url, { key, save: mirror })) as Record<string, unknown>;
	expect(second).toMatchObject({ continues: size });
	const { rows } = await server.database.db.query<{ leaf: string; entry: number }>(
		`select leaf, entry from public_log_entry where type = 'pair' order by entry desc limit 1`,
	);
	const [{ leaf, entry } = { leaf: '', entry: -1 }] = rows;
	expect(await verified(mirror, { leaf })).toMatchObject({ size: second['size'], leaf: entry });
	await expect(verified(mirror, { leaf: leaf.replace('"pair"', '"pear"') })).rejects.toThrow('no such leaf');
	const entries = join(mirror, `tile/entries/000.p/${second['size']}`);
	await writeFile(entries, (await readFile(entries, 'latin1')).replace('commitment', 'commitmant'), 'latin1');
	expect((await verify(mirror)).stderr).toContain('is not what the checkpoint says: leaf');
});

it('cosigns what continues, and refuses a log with two histories', async () => {
	const signed = lineOf(await witness());
	const note = parseNote(await readFile(join(folder, 'witness/checkpoint'), 'utf8'));
	expect(isSignedBy(note, parseVerifierKey(`${signed['witness']}`))).toBe(true);
	expect(isSignedBy(note, parseVerifierKey((await logs())[0]?.key ?? ''))).toBe(true);
	await server.demoGambler();
	await server.running.publicLog.append();
	await lookAsWitness(`${server.url}/public-log/1`, 'witness.example', join(folder, 'witness'), null);

	await forgeHistory();
	const refused = await witness();
	expect(refused).toMatchObject({ code: 1, stdout: '' });
	expect(refused.stderr).toContain('does not continue');
});

it('finds that two witnesses are shown two histories, which each of them finds whole', {
	tags: 'thorough',
}, async () => {
	const honest = join(folder, 'honest');
	const [east, west] = ['east', 'west'].map((name) => join(folder, name, 'checkpoint')) as [string, string];
	expect((await verify(server.url, '--save', honest)).code).toBe(0);
	expect((await witness(honest, 'east')).code).toBe(0);
	await server.demoGambler();
	await server.running.publicLog.append();
	expect((await witness(undefined, 'west')).code).toBe(0);
	expect(lineOf(await verify(server.url, '--witnessed', east, '--witnessed', west))).toMatchObject({ witnessed: 2 });
	// What the mirror has is older than what the witness saw: no proof of a second history.
	expect((await verify(honest, '--witnessed', west)).stderr).toContain('read a newer state');

	await rm(join(folder, 'west'), { recursive: true });
	await forgeHistory();
	expect((await witness(undefined, 'west')).code).toBe(0);
	expect((await verify(server.url, '--witnessed', west)).code).toBe(0);
	expect((await verify(honest, '--witnessed', east)).code).toBe(0);
	const found = await verify(server.url, '--witnessed', west, '--witnessed', east);
	expect(found).toMatchObject({ code: 1, stdout: '' });
	expect(found.stderr).toContain('two histories');
});

it('begins another log after a restored backup, which names the one before', { tags: 'thorough' }, async () => {
	const [before] = await logs();
	await closeLog(server.database.db, 'the database was restored from a backup');
	await server.running.publicLog.append();
	const [now, ...others] = await logs();
	expect(others.map(({ origin }) => origin)).toEqual([before?.origin]);
	expect(now).toMatchObject({ log: 2, reason: 'the database was restored from a backup' });
	expect(now?.origin).not.toBe(before?.origin);
	const { rows } = await server.database.db.query<{ leaf: string }>(
		'select leaf from public_log_entry where log = 2 and entry = 0',
	);
	expect(rows[0]?.leaf).toContain(`${before?.origin}\\n${before?.size}\\n`);
	expect((await verify(server.url)).code).toBe(0);
});
