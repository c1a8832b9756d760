/**
 * The example bots of README, run as a player runs them, against the server as `npm start` runs it.
 *
 * @module-tag thorough
 */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerProcess } from '../browser/server-process.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { PASSWORD } from '../support/sign-up.ts';
import type { Wire } from './bot.ts';
import { openBotAt, type ProcessBot, streamingProcess } from './bot-process.ts';

const TOOLS = join(import.meta.dirname, '..', '..', 'tools');
const QUIET = ['--log-level', 'error'];
const RECORDINGS = sharedFolder('recordings', 'no bot runs on a recorded day');
const run = promisify(execFile);

let server: ServerProcess;
let streamPort: number;
let bot: ProcessBot;
beforeAll(async () => {
	({ server, streamPort } = await streamingProcess());
	await server.start(['--sim-speed', '1', ...QUIET]);
	bot = await openBotAt(server, `example-${Date.now()}`);
});
afterAll(() => server.dispose());

/** Names of events with match odds that do not change while a bot is at work: the last to start comes first. */
async function eventsAhead(): Promise<string[]> {
	const filter = { marketBettingTypes: ['ODDS'], marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
	const asked = { filter, maxResults: 50, marketProjection: ['EVENT'], sort: 'LAST_TO_START' };
	const response = await fetch(`${server.url}/exchange/betting/rest/v1.0/listMarketCatalogue/`, {
		method: 'POST',
		headers: { 'X-Application': bot.appKey, 'X-Authentication': bot.token },
		body: JSON.stringify(asked),
	});
	return ((await response.json()) as Wire[]).map(({ event }) => event.name);
}

/** What a bot says, line by line. @param path where programs are looked for, as the player's shell has it */
async function saidBy(
	[program, ...words]: readonly string[],
	event: string,
	path = process.env['PATH'],
): Promise<string[]> {
	const env = {
		...process.env,
		PATH: path,
		BOT_URL: server.url,
		BOT_STREAM: `127.0.0.1:${streamPort}`,
		BOT_USER: bot.userName,
		BOT_PASSWORD: PASSWORD,
		BOT_APP_KEY: bot.appKey,
		BOT_EVENT: event,
	};
	const { stdout } = await run(program ?? '', words, { env, cwd: join(TOOLS, '..'), timeout: 60_000 });
	return stdout.trim().split('\n');
}

/** Each step of the example, whose order was placed, moved, cancelled in full and reported. */
function expectWholeRun(said: readonly string[]): void {
	expect(said.map((line) => line.split(' ')[0])).toEqual([
		'market',
		'book',
		'placed',
		'replaced',
		'cancelled',
		'open',
		'cleared',
	]);
	expect(said).toContain('cancelled SUCCESS 100');
	expect(said).toContain('cleared 1 done');
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const IN_TYPESCRIPT = [process.execPath, 'tools/example-bot.ts'];
const PROGRAMS: [string, readonly string[]][] = [
	['TypeScript', IN_TYPESCRIPT],
	...(hasPython ? [['Python', ['python3', 'tools/example-bot.py']] as [string, readonly string[]]] : []),
];

it.each(PROGRAMS)(
	'the one in %s logs in, follows the stream, places, replaces, cancels and reports',
	async (_, words) => {
		const [event = ''] = await eventsAhead();
		expectWholeRun(await saidBy(words, event));
	},
	90_000,
);

/** Folders of the Nodes that a player's shell may find: `NODES=/a/bin:/b/bin`, by default the one that this shell finds. */
const NODES = (process.env['NODES'] ?? '').split(':');
const ofPackages = (folder: string): boolean => folder.includes('node_modules');

it.each(NODES)(
	'README’s words run the one in TypeScript, whichever Node the shell finds: %s',
	async (folder) => {
		const found = (process.env['PATH'] ?? '').split(':').filter((each) => !ofPackages(each));
		const [event = ''] = await eventsAhead();
		const path = [...(folder === '' ? [] : [folder]), ...found].join(':');
		expectWholeRun(await saidBy(['npm', 'run', '--silent', 'example-bot'], event, path));
	},
	90_000,
);

it.skipIf(!RECORDINGS.isPresent)(
	'trades on a recorded day at sixty times its speed, whose prices it sees',
	{ timeout: 90_000 },
	async () => {
		const recording = join(RECORDINGS.path, '1.200806927-cricket-market.bz2');
		const score = join(RECORDINGS.path, '1.200806927-cricket-score.bz2');
		await server.stop();
		await server.start(['--recording', recording, '--score', score, '--speed', '60', ...QUIET]);
		const isRecorded = (name: string) => name.includes('Netherlands');
		await expect.poll(async () => (await eventsAhead()).some(isRecorded), { timeout: 30_000 }).toBe(true);
		const said = await saidBy(IN_TYPESCRIPT, 'Netherlands');
		expectWholeRun(said);
		expect(said[1]).toContain('"batb":[[0,');
	},
);
