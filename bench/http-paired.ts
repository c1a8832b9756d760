/**
 * `npm run bench -- http-paired DIR`: the bets of `bench http-bets` on this checkout's server and on the one in DIR, which
 * run at the same time and take turns of two seconds, so that both meet the same machine. Prints one JSON line: bets a
 * second of both, and this checkout's as a ratio of the other's, over all turns and turn by turn; and the processor time
 * of the server for each bet, the other's as a ratio of this checkout's.
 *
 * `npm run bench -- http-paired --command-rows`: what command rows cost. Both servers are this checkout's; `ours` writes them.
 * `npm run bench -- http-paired --traces`: what traces of the default share of calls cost. Both are this checkout's; `ours` sends them to a
 * collector on this machine, whose processor time it shares.
 *
 * `npm run bench -- http-paired --log`: what the public log costs. Both are this checkout's; `ours` writes it. The log of the other
 * stands still, because the bench holds its row.
 *
 * `npm run bench -- http-paired --receipts yes|later`: what receipts cost. Both write their logs; each bet of `ours` asks for a
 * receipt in its answer, or for the reference of one. A receipt in the answer waits for the next batch, which has its root:
 * `--connections` says how many bets are under way at once, of which 64 wait for the disk and 256 for the processor.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { demoTokens } from './support/bet-client.ts';
import { type BetLoad, betRate, CONNECTIONS, loadFigures, loadOn } from './support/bet-load.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import type * as ServerChildModule from './support/server-child.ts';

const PLAYERS = 500;
const WARM_UP_MS = 6_000;
const TURN_MS = 2_000;
const MUST = { ratio: 0.97 };

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: {
		turns: { type: 'string', default: '30' },
		'command-rows': { type: 'boolean', default: false },
		traces: { type: 'boolean', default: false },
		log: { type: 'boolean', default: false },
		receipts: { type: 'string', default: 'no' },
		connections: { type: 'string', default: String(CONNECTIONS) },
	},
});
const HERE = join(import.meta.dirname, '..');
const { 'command-rows': commandRows, traces, log, receipts } = values;
const [otherFolder = commandRows || traces || log || receipts !== 'no' ? HERE : null] = positionals;
const RECEIPTS: Readonly<Record<string, readonly string[]>> = {
	yes: ['X-Receipt: yes'],
	later: ['X-Receipt: later'],
	no: [],
};
if (!otherFolder) throw new Error('Name the folder of the other checkout.');

interface Turn extends BetLoad {
	/** Processor time of the server. */
	cpuSeconds: number;
}

interface Side {
	/** The checkout. */
	folder: string;
	commandRows: boolean;
	/** Where it sends traces; empty for nowhere. */
	collectorUrl: string;
	/** Whether its log stands still. */
	holdsLog: boolean;
	/** Of the head of each bet. */
	lines: readonly string[];
}

const collector = traces ? fork(new URL('./support/bare-collector.ts', import.meta.url)) : null;
try {
	const collectorUrl = collector ? `http://127.0.0.1:${await numberFrom(collector)}` : '';
	const ourSide: Side = { folder: HERE, commandRows, collectorUrl, holdsLog: false, lines: RECEIPTS[receipts] ?? [] };
	const otherSide: Side = { ...ourSide, folder: resolve(otherFolder), commandRows: false, collectorUrl: '', lines: [] };
	await withSide(ourSide, async (ours) => {
		await withSide({ ...otherSide, holdsLog: log }, async (other) => {
			const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
			const turns = await byTimedTurns(timing, ours, other);
			tell(turns.ours, turns.other, collector ? { spans: await spansOf(collector) } : {});
		});
	});
} finally {
	collector?.disconnect();
}

async function numberFrom(child: ChildProcess): Promise<number> {
	return Number((await once(child, 'message'))[0]);
}

/** How many the collector got, in all turns and while they were prepared. */
async function spansOf(child: ChildProcess): Promise<number> {
	child.send('spans');
	return await numberFrom(child);
}

/** Starts the side's server, with the market and the players of `bench http-bets`. */
async function withSide(
	{ folder, holdsLog, lines, ...options }: Side,
	work: (load: (forMs: number) => Promise<Turn>) => Promise<void>,
) {
	const { openBenchMarket, startServerChild }: typeof ServerChildModule = await import(
		join(folder, 'bench', 'support', 'server-child.ts')
	);
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir);
		const server = await startServerChild(dataDir, options);
		const held = holdsLog ? await heldLog(dataDir) : null;
		try {
			const load = loadOn(
				server.port,
				market,
				await demoTokens(server.port, PLAYERS),
				Number(values.connections),
				lines,
			);
			await work(async (forMs) => {
				const before = server.cpuSeconds();
				return { ...(await load(forMs)), cpuSeconds: server.cpuSeconds() - before };
			});
		} finally {
			await held?.end();
			await server.stop();
		}
	});
}

/** Locks the row that each append to the public log locks, until the connections end. */
async function heldLog(dataDir: string): Promise<pg.Pool> {
	// The server's own cluster is running; this only finds it.
	const cluster = await startEmbeddedPostgres({ dataDir });
	const db = connect(cluster.url('backlay'), { max: 1 });
	await db.query('begin');
	await db.query('select from public_log for update');
	return db;
}

/** @param more other figures of the run */
function tell(ours: readonly Turn[], other: readonly Turn[], more: Readonly<Record<string, number>>): void {
	const ratios = ours.map((load, turn) => betRate([load]) / betRate(other.slice(turn, turn + 1)));
	print({
		turns: ratios.length,
		ours: { ...loadFigures(ours), cpuMicrosecondsPerBet: round(cpuOf(ours), 1) },
		other: { ...loadFigures(other), cpuMicrosecondsPerBet: round(cpuOf(other), 1) },
		ratio: round(betRate(ours) / betRate(other), 3),
		ratioByTurn: [0.25, 0.5, 0.75].map((part) => round(percentile(ratios, part), 3)),
		cpuRatio: round(cpuOf(other) / cpuOf(ours), 3),
		...more,
		must: MUST,
	});
}

/** Microseconds of processor time for each bet. */
function cpuOf(turns: readonly Turn[]): number {
	const bets = turns.reduce((sum, { took }) => sum + took.length, 0);
	return (turns.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) * 1e6) / bets;
}
