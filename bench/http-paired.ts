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
 * `npm run bench -- http-paired --receipts yes|later`: what receipts cost. Both are one server, because two processes of the same
 * code differ by up to a tenth; each bet of `ours` asks for a receipt in its answer, or for the reference of one. A receipt in the answer waits for the next batch, which has its root:
 * `--connections` says how many bets are under way at once, of which 64 wait for the disk and 256 for the processor.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type BetLoad, betRate, CONNECTIONS, loadFigures, loadOn } from './support/bet-load.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { clusterCpuSeconds } from './support/processor-time.ts';
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
	/** Processor time of its database. */
	databaseSeconds: number;
	batches: number;
}

interface Side {
	/** The checkout. */
	folder: string;
	commandRows: boolean;
	/** Where it sends traces; empty for nowhere. */
	collectorUrl: string;
	/** Whether its log stands still. */
	holdsLog: boolean;
}

type Run = (forMs: number) => Promise<Turn>;

const collector = traces ? fork(new URL('./support/bare-collector.ts', import.meta.url)) : null;
try {
	const collectorUrl = collector ? `http://127.0.0.1:${await numberFrom(collector)}` : '';
	const ourSide: Side = { folder: HERE, commandRows, collectorUrl, holdsLog: false };
	const otherSide: Side = {
		...ourSide,
		folder: resolve(otherFolder),
		commandRows: false,
		collectorUrl: '',
		holdsLog: log,
	};
	await withSide(ourSide, async (ours) => {
		const compare = async (other: Run) => {
			const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
			const turns = await byTimedTurns(timing, ours(RECEIPTS[receipts]), other);
			tell(turns.ours, turns.other, collector ? { spans: await spansOf(collector) } : {});
		};
		if (receipts === 'no') await withSide(otherSide, async (other) => await compare(other()));
		else await compare(ours());
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

/**
 * Starts the side's server, with the market and the players of `bench http-bets`.
 * @param work gets what makes a load, whose bets have these lines in their heads
 */
async function withSide(
	{ folder, holdsLog, ...options }: Side,
	work: (loadWith: (lines?: readonly string[]) => Run) => Promise<void>,
) {
	const { openBenchMarket, startServerChild }: typeof ServerChildModule = await import(
		join(folder, 'bench', 'support', 'server-child.ts')
	);
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir);
		const server = await startServerChild(dataDir, options);
		const held = holdsLog ? await heldLog(dataDir) : null;
		const db = await onCluster(dataDir);
		try {
			const tokens = await demoTokens(server.port, PLAYERS);
			const soFar = async () => ({
				cpuSeconds: server.cpuSeconds(),
				databaseSeconds: clusterCpuSeconds(dataDir),
				batches: await batchesOf(db),
			});
			await work((lines) => {
				const load = loadOn(server.port, market, tokens, Number(values.connections), lines);
				return async (forMs) => {
					const before = await soFar();
					const bets = await load(forMs);
					const after = await soFar();
					return {
						...bets,
						cpuSeconds: after.cpuSeconds - before.cpuSeconds,
						databaseSeconds: after.databaseSeconds - before.databaseSeconds,
						batches: after.batches - before.batches,
					};
				};
			});
		} finally {
			await db.end();
			await held?.end();
			await server.stop();
		}
	});
}

/** Locks the row that each append to the public log locks, until the connections end. */
async function heldLog(dataDir: string): Promise<pg.Pool> {
	const db = await onCluster(dataDir);
	await db.query('begin');
	await db.query('select from public_log for update');
	return db;
}

/** A connection to the cluster of the server, which is running; this only finds it. */
async function onCluster(dataDir: string): Promise<pg.Pool> {
	const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
	return connect(cluster.url('backlay'), { max: 1 });
}

async function batchesOf(db: pg.Pool): Promise<number> {
	const { rows } = await db.query<{ batch: number }>('select batch from lease where id = 1');
	return Number(rows[0]?.batch);
}

/** @param more other figures of the run */
function tell(ours: readonly Turn[], other: readonly Turn[], more: Readonly<Record<string, number>>): void {
	const ratios = ours.map((load, turn) => betRate([load]) / betRate(other.slice(turn, turn + 1)));
	print({
		turns: ratios.length,
		ours: { ...loadFigures(ours), ...costs(ours) },
		other: { ...loadFigures(other), ...costs(other) },
		ratio: round(betRate(ours) / betRate(other), 3),
		ratioByTurn: [0.25, 0.5, 0.75].map((part) => round(percentile(ratios, part), 3)),
		cpuRatio: round(cpuOf(other) / cpuOf(ours), 3),
		...more,
		must: MUST,
	});
}

/** Microseconds of processor time for each bet. */
function cpuOf(turns: readonly Turn[]): number {
	return (sumOf(turns, ({ cpuSeconds }) => cpuSeconds) * 1e6) / sumOf(turns, ({ took }) => took.length);
}

function costs(turns: readonly Turn[]) {
	const bets = sumOf(turns, ({ took }) => took.length);
	return {
		cpuMicrosecondsPerBet: round(cpuOf(turns), 1),
		databaseMicrosecondsPerBet: round((sumOf(turns, ({ databaseSeconds }) => databaseSeconds) * 1e6) / bets, 1),
		betsPerBatch: round(bets / sumOf(turns, ({ batches }) => batches), 1),
	};
}

function sumOf(turns: readonly Turn[], figureOf: (turn: Turn) => number): number {
	return turns.reduce((sum, turn) => sum + figureOf(turn), 0);
}
