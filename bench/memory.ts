/**
 * `npm run bench -- memory`: how much memory an open bet takes, in the engine alone, in an exchange that placed it, and in
 * one that read it from the tables; how long the start of that one takes; and, while 2,000 bets a second go on, what a bet
 * costs the process and how long collections of garbage pause it. 100,000 bets of 4,000 players in 200 markets;
 * `-- --bets 1000000 --placed no` for a million that are written into the tables. Each part is a process of its own. What
 * wallets, markets and the process itself take is measured before the bets and taken away. Prints one JSON line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { Command } from '#engine/command.ts';
import { createEngine } from '#engine/create-engine.ts';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { percentile, print, round } from './support/figures.ts';
import { OpenBets } from './support/open-bets.ts';
import { withCluster, withLedger } from './support/scratch.ts';
import { AT_ONCE, submitAll } from './support/submit-all.ts';

const { values } = parseArgs({
	options: {
		bets: { type: 'string', default: '100000' },
		placed: { type: 'string', default: 'yes' },
		part: { type: 'string', default: '' },
		url: { type: 'string', default: '' },
		seconds: { type: 'string', default: '15' },
	},
});
const OPEN = new OpenBets(Number(values.bets));
const ARE_PLACED = values.placed === 'yes';
const BUSY_MS = Number(values.seconds) * 1_000;
const WARM_UP_MS = 3_000;
const BETS_PER_SECOND = 2_000;
/** Half, and a third, of what a bet took when it was two objects in memory: 816 and 1,436 bytes. */
const MUST = { exchangeBytes: 408, recoveredBytes: 718, longestPauseMs: 50 };
const AIM = { exchangeBytes: 272, recoveredBytes: 479 };

interface Used {
	heap: number;
	/** Outside the heap: typed arrays and the kernel. */
	outside: number;
	resident: number;
}

async function used(): Promise<Used> {
	for (let turn = 0; turn < 3; turn++) {
		globalThis.gc?.();
		await delay(50);
	}
	const { heapUsed, external, rss } = process.memoryUsage();
	return { heap: heapUsed, outside: external, resident: rss };
}

/** Bytes a bet. */
function perBet(before: Used, after: Used, bets = OPEN.count) {
	const each = (key: keyof Used) => Math.round((after[key] - before[key]) / bets);
	const [heap, outside] = [each('heap'), each('outside')];
	return { bytes: heap + outside, heap, outside, resident: each('resident') };
}

/** A listener that keeps nothing. */
const NOTHING = new Proxy({}, { get: () => () => undefined }) as Effects;

function apply(engine: Engine, command: Command): void {
	const outcome = engine.apply(command, NOTHING);
	if (!outcome.ok) throw new Error(`${command.kind} is refused: ${outcome.code}`);
}

async function ofEngine() {
	const engine = createEngine();
	for (const request of OPEN.tables()) apply(engine, { atMs: 0, ...request } as Command);
	engine.hash();
	const before = await used();
	let betId = 0;
	for (const bet of OPEN.bets()) {
		betId++;
		apply(engine, { atMs: 0, betId, ...bet });
		if (betId % AT_ONCE === 0) engine.hash();
	}
	engine.hash();
	return perBet(before, await used());
}

const open = (db: ReturnType<typeof connect>) =>
	openExchange({ db, log: pino({ level: 'silent' }), ledgerKey: 'a key for benchmarks', onCommitted: () => {} });

/** An exchange in which the bets are placed. */
async function ofPlaced() {
	const db = connect(values.url);
	const exchange = await open(db);
	await submitAll(exchange, OPEN.tables());
	const before = await used();
	await submitAll(exchange, OPEN.bets());
	return await ended(exchange, db, perBet(before, await used()));
}

/** One that finds them in the tables; wallets and markets are in the difference. */
async function ofRecovered() {
	const db = connect(values.url);
	const before = await used();
	const from = performance.now();
	const exchange = await open(db);
	const startSeconds = round((performance.now() - from) / 1_000, 2);
	return { startSeconds, ...(await ended(exchange, db, perBet(before, await used()))) };
}

/** What `perf_hooks` tells of a collection. */
type Collection = PerformanceEntry & { detail: { kind: number } };
const YOUNG = constants.NODE_PERFORMANCE_GC_MINOR;

async function ended(exchange: Exchange, db: ReturnType<typeof connect>, bet: ReturnType<typeof perBet>) {
	const first = placed;
	const before = await used();
	await bettingFor(exchange, WARM_UP_MS);
	const pauses: { ms: number; isMajor: boolean }[] = [];
	const observer = new PerformanceObserver((list) => {
		for (const { duration, detail } of list.getEntries() as Collection[])
			pauses.push({ ms: duration, isMajor: detail.kind !== YOUNG });
	});
	observer.observe({ entryTypes: ['gc'] });
	const cpu = process.cpuUsage();
	const took = await bettingFor(exchange, BUSY_MS);
	const { user, system } = process.cpuUsage(cpu);
	await delay(10);
	observer.disconnect();
	const withRequest = perBet(before, await used(), placed - first);
	await exchange.drain();
	await db.end();
	const longest = (of: typeof pauses) => round(Math.max(0, ...of.map(({ ms }) => ms)), 1);
	return {
		bet,
		withRequest,
		pauses: {
			longestMs: longest(pauses),
			longestOfYoungMs: longest(pauses.filter(({ isMajor }) => !isMajor)),
			count: pauses.length,
			share: round(pauses.reduce((sum, { ms }) => sum + ms, 0) / BUSY_MS, 3),
		},
		/** Processor time of the process with the exchange, its listener and the clients of this bench. */
		microsecondsABet: round((user + system) / took.length, 1),
		p50ms: round(percentile(took, 0.5), 1),
		p99ms: round(percentile(took, 0.99), 1),
		longestMs: Math.round(percentile(took, 1)),
	};
}

let placed = 0;

/** Bets at their rate; each is timed from when it was due. */
async function bettingFor(exchange: Exchange, forMs: number): Promise<number[]> {
	const took: number[] = [];
	const place = async (dueAtMs: number): Promise<void> => {
		const bet = OPEN.busyBet(placed++);
		const clientRequestId = `0193f2c4-0000-4000-8000-${String(placed).padStart(12, '0')}`;
		await exchange.submit(bet, { walletId: bet.walletId, clientRequestId, body: JSON.stringify(bet) });
		took.push(performance.now() - dueAtMs);
	};
	const from = performance.now();
	const begun: Promise<void>[] = [];
	while (performance.now() < from + forMs) {
		const due = Math.floor(((performance.now() - from) * BETS_PER_SECOND) / 1000) + 1;
		while (begun.length < due) begun.push(place(from + (begun.length * 1000) / BETS_PER_SECOND));
		await delay(1);
	}
	await Promise.all(begun);
	return took;
}

const PARTS = { engine: ofEngine, placed: ofPlaced, recovered: ofRecovered };

async function partOf(part: keyof typeof PARTS, url = ''): Promise<object> {
	const own = ['--bets', values.bets, '--seconds', values.seconds, '--part', part, '--url', url];
	const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, ...own], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [told] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	const lines = told.trimEnd().split('\n');
	// What flags of V8 trace comes before.
	const figures = lines.pop() ?? '';
	if (lines.length > 0) console.error(`${part}\n${lines.join('\n')}`);
	return JSON.parse(figures);
}

/** The bets, without an exchange that placed them. */
async function written(db: ReturnType<typeof connect>): Promise<null> {
	const exchange = await open(db);
	await submitAll(exchange, OPEN.tables());
	await exchange.drain();
	await OPEN.write(db);
	// As in a database that has stood for a while: its own upkeep would fall into the seconds that are measured.
	await db.query('vacuum analyze');
	await db.query('checkpoint');
	return null;
}

if (values.part) print(await PARTS[values.part as keyof typeof PARTS]());
else
	await withCluster(async (cluster) => {
		await withLedger(cluster, 'memory', async (db) => {
			const url = cluster.url('memory');
			const { count: bets, players, markets } = OPEN;
			const engine = await partOf('engine');
			const exchange = ARE_PLACED ? await partOf('placed', url) : await written(db);
			const recovered = await partOf('recovered', url);
			print({ bets, players, markets, engine, exchange, recovered, must: MUST, aim: AIM });
		});
	});
