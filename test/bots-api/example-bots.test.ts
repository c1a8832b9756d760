/** The example bots of README, run as a player runs them. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type Bot, openBot } from './bot.ts';

const TOOLS = join(import.meta.dirname, '..', '..', 'tools');
const run = promisify(execFile);

let server: TestServer;
let bot: Bot;
beforeAll(async () => {
	const stream = { port: 0, host: '127.0.0.1', tls: null, authenticateMs: 15_000 };
	server = await TestServer.start(undefined, { stream });
	bot = await openBot(server);
});
afterAll(() => server.dispose());

const hasPython = spawnSync('python3', ['--version']).status === 0;

it.each([
	['TypeScript', process.execPath, 'example-bot.ts'],
	...(hasPython ? [['Python', 'python3', 'example-bot.py']] : []),
] as [string, string, string][])(
	'the one in %s logs in, follows the stream, places, replaces, cancels and reports',
	async (_, program, file) => {
		await openTestMatch(server);
		const env = {
			...process.env,
			BOT_URL: server.url,
			BOT_STREAM: `127.0.0.1:${server.running.streamPort}`,
			BOT_USER: bot.userName,
			BOT_PASSWORD: PASSWORD,
			BOT_APP_KEY: bot.appKey,
		};
		const { stdout } = await run(program, [join(TOOLS, file)], { env, timeout: 60_000 });
		const words = stdout
			.trim()
			.split('\n')
			.map((line) => line.split(' ')[0]);
		expect(words).toEqual(['market', 'book', 'placed', 'replaced', 'cancelled', 'open', 'cleared']);
		expect(stdout).toContain('cancelled SUCCESS 100');
		expect(stdout).toContain('cleared 1 done');
	},
	90_000,
);
