/** A day is closed when it is over by the clocks of both the process and the database, whatever closes it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SumTrees } from '#server/money/liabilities/trees.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { HOME_ZONE } from '#values/zoned-calendar.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { runTool } from '../support/run-tool.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { TestServer } from '../support/server.ts';

const AHEAD_MS = 2 * DAY_MS;
/** What a tool runs first: its clock is two days ahead. */
const AHEAD = `data:text/javascript,const now = Date.now; Date.now = () => now() + ${AHEAD_MS};`;

let server: TestServer;
let into: string;

beforeAll(async () => {
	into = mkdtempSync(join(scratchFolder(), 'clock-ahead-'));
	server = await TestServer.start();
	const match = await openTestMatch(server);
	for (const side of ['BACK', 'LAY'] as const)
		await server.result('placeBetV2', betOn(match, { side, price: 3 }), (await server.playPlayer()).token);
	await server.stop();
});
afterAll(async () => {
	rmSync(into, { recursive: true, force: true });
	await server.dispose();
});

const treeCount = async () => (await server.database.db.query('select from sum_tree')).rowCount;
const environment = () => ({
	...process.env,
	DATABASE_URL: server.database.url,
	NODE_OPTIONS: `--import="${AHEAD}"`,
});

/** Looks twice, so that the first look has ended. */
async function lookTwice(): Promise<void> {
	const { db } = server.database;
	let looks = 0;
	const counted = new Proxy(db, {
		get: (of, name) => {
			if (name !== 'query') return Reflect.get(of, name);
			return (...asked: Parameters<typeof db.query>) => {
				if (String(asked[0]).includes('from lease')) looks++;
				return of.query(...asked);
			};
		},
	});
	const trees = new SumTrees({
		zone: HOME_ZONE,
		db: counted,
		databaseUrl: server.database.url,
		pools: HOME_POOLS,
		log: pino({ level: 'silent' }),
		lookEveryMs: 10,
	});
	trees.start();
	await expect.poll(() => looks, { timeout: 30_000 }).toBeGreaterThan(1);
	await trees.stop();
}

it.each([
	['sum trees', 'tools/liabilities.ts', []],
	['day files', 'tools/day-files.ts', ['--into']],
] as const)('a tool whose clock is ahead makes no %s of such a day', async (_, tool, args) => {
	const given = args.length > 0 ? [...args, into] : [];
	expect(await runTool(tool, given, environment())).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('a server whose clock is ahead makes no sum tree of a day that is not over by the database’s clock', async () => {
	const now = Date.now;
	const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + AHEAD_MS);
	await lookTwice().finally(() => clock.mockRestore());
	expect(await treeCount()).toBe(0);
});

it('a batch that a clock ahead has stamped closes no day either', async () => {
	const { db } = server.database;
	await db.query('update lease set at = at + $1', [AHEAD_MS]);
	await lookTwice();
	expect(await treeCount()).toBe(0);
});
