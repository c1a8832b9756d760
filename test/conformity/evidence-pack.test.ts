/**
 * The evidence pack is whole, hides persons, and says what is wrong.
 *
 * @module-tag thorough
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import { adjust } from '../support/adjustment.ts';
import { runTool } from '../support/run-tool.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	player = await signUp(server);
	await adjust(server, player, 1_234);
	await server.act('player-freeze', { playerId: String(player.userId), reason: 'to be found' });
});
afterAll(() => server.dispose());

const OPTIONS = ['--count', '1000', '--seed', 'pack'];
const made = async (folder: string, ...options: string[]) => {
	const environment = { ...process.env, DATABASE_URL: server.database.url };
	return await runTool('tools/conformity.ts', ['--pack', folder, ...OPTIONS, ...options], environment);
};

function freshFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'backlay-pack-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

it('has hashes, statistics, logs, policies and registers, each with its hash, and names no person', {
	tags: 'thorough',
}, async () => {
	const folder = freshFolder();
	const { code, stdout } = await made(folder);
	expect([code, stdout]).toEqual([0, `The pack is in ${folder}.\n`]);
	const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
	const wanted = [
		'build.sha256',
		'battery.md',
		'known-answers.md',
		'returns.md',
		'void-policy.md',
		'network.md',
		'data.md',
	];
	for (const name of [...wanted, ...Object.keys(PROFILES).map((profile) => `register/${profile}.md`)])
		expect(files).toContain(name);
	const head = read('README.md');
	for (const name of files.filter((file) => file !== 'README.md'))
		expect(head).toMatch(new RegExp(`${name} +\\| ${createHash('sha256').update(read(name)).digest('hex')}`));
	expect(read('known-answers.md')).not.toContain('no test');
	expect(read('logs/journal.csv')).toContain('ACCOUNT_FROZEN');
	expect(read('logs/postings.csv')).toContain('ADJUSTMENT,');
	const { rows } = await server.database.db.query<{ name: string }>('select user_name as name from player');
	const persons = [...rows.map(({ name }) => name), `player ${player.userId}`, '127.0.0.1', 'to be found'];
	const logs = files.filter((name) => name.startsWith('logs/')).map(read);
	expect(persons.filter((person) => logs.some((log) => log.includes(person)))).toEqual([]);
});

it('is written beside no other file, and with a number of rounds that says something', async () => {
	const folder = freshFolder();
	writeFileSync(join(folder, 'mine.txt'), '');
	expect(await made(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('There are files in') });
	expect(await made(freshFolder(), '--count', '10')).toMatchObject({ code: 1 });
	expect(readdirSync(folder)).toEqual(['mine.txt']);
});
