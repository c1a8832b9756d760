/**
 * `npm run bench -- simulated-month`: days of simulated sports one after another on the real server, with players who bet on
 * what is in play. `--days` of them (30) take `--seconds` (144) each; a start does not keep up with much faster play. Says
 * for each day what the server has in memory at its end, the latency of bets, and how late the event loop was. After the
 * second day and after the last one the server is stopped and started again, which is measured, too. Prints a JSON line a
 * day, and one with the ratios of the last day to the second. Memory is the least live heap of the day's last third, which
 * needs no forced collection.
 */
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DAY_MS } from '#values/time.ts';
import { BetConnection, betRequest } from './support/bet-client.ts';
import { BetMix } from './support/bet-mix.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, type ServerChild, startServerChild } from './support/server-child.ts';
import { steadily } from './support/steadily.ts';

const { values } = parseArgs({
	options: { days: { type: 'string', default: '30' }, seconds: { type: 'string', default: '144' } },
});
const [days, dayMs] = [Number(values.days), Number(values.seconds) * 1000];
const SPEED = DAY_MS / dayMs;
const PLAYERS = 20;
const BETS_PER_SECOND = 20;
const SAMPLE_EVERY_MS = 1_000;
/** Markets that are currently in play; looked up again at this interval. */
const MARKETS_FOR_MS = 5_000;

interface DayFigures {
	day: number;
	heapMb: number;
	rssMb: number;
	fixtures: number;
	markets: number;
	betsPlaced: number;
	p50ms: number;
	p99ms: number;
	loopP99ms: number;
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as { port: number };
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** One of the server's metrics; NaN while the server does not show it. */
async function metric(port: number, names: readonly string[]): Promise<number[]> {
	const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
	return names.map((name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN));
}

/** The main markets of matches, those in play first. */
async function someMarkets(port: number): Promise<BenchMarket[]> {
	const answer = await fetch(`http://127.0.0.1:${port}/Event/Closest?take=20`);
	const { result } = (await answer.json()) as {
		result: { mainMarket: { marketId: string; runners: { runnerId: string }[] } | null }[];
	};
	return result.flatMap(({ mainMarket }) => {
		const [one, other] = mainMarket?.runners ?? [];
		return mainMarket && one && other
			? [{ marketId: mainMarket.marketId, runnerIds: [one.runnerId, other.runnerId] as const }]
			: [];
	});
}

/** Bets at a steady pace for a day. @returns the milliseconds of each accepted bet */
async function bets(port: number): Promise<number[]> {
	const tokens = await demoTokens(port, PLAYERS);
	const mix = new BetMix(PLAYERS);
	const idle: BetConnection[] = [];
	const took: number[] = [];
	const until = performance.now() + dayMs;
	for (let turn = 0; performance.now() < until; turn++) {
		const markets = await someMarkets(port);
		await steadily(BETS_PER_SECOND, Math.min(MARKETS_FOR_MS, until - performance.now()), async () => {
			const market = markets[took.length % Math.max(1, markets.length)];
			if (!market) return;
			const connection = await BetConnection.from(idle, port);
			const bet = mix.next();
			const from = performance.now();
			const { status } = await connection.send(betRequest(port, market, tokens[bet.player] ?? '', bet));
			if (status === 200) took.push(performance.now() - from);
			idle.push(connection);
		});
	}
	for (const connection of idle) connection.close();
	return took;
}

async function liveDay(day: number, server: ServerChild, metricsPort: number): Promise<DayFigures> {
	const heaps: number[] = [];
	const lags: number[] = [];
	const sample = async (): Promise<void> => {
		const [heap, lag] = await metric(metricsPort, ['nodejs_heap_size_used_bytes', 'nodejs_eventloop_lag_p99_seconds']);
		heaps.push(heap ?? Number.NaN);
		lags.push(lag ?? Number.NaN);
	};
	const sampling = setInterval(() => void sample().catch(() => undefined), SAMPLE_EVERY_MS);
	const took = await bets(server.port).finally(() => clearInterval(sampling));
	const [rss = 0, fixtures = 0, markets = 0] = await metric(metricsPort, [
		'process_resident_memory_bytes',
		'backlay_fixtures',
		'backlay_markets',
	]);
	return {
		day,
		heapMb: round(Math.min(...heaps.slice(-Math.ceil(heaps.length / 3))) / 1e6, 1),
		rssMb: round(rss / 1e6, 1),
		fixtures,
		markets,
		betsPlaced: took.length,
		p50ms: round(percentile(took, 0.5), 2),
		p99ms: round(percentile(took, 0.99), 2),
		loopP99ms: round(percentile(lags, 0.5) * 1000, 2),
	};
}

await withDataDir(async (dataDir) => {
	const metricsPort = await freePort();
	Object.assign(process.env, { SIM_SPEED: String(SPEED), METRICS_PORT: String(metricsPort) });
	const figures: DayFigures[] = [];
	const starts: number[] = [];
	let server = await startServerChild(dataDir, { feeds: true });
	try {
		for (let day = 1; day <= days; day++) {
			const figure = await liveDay(day, server, metricsPort);
			figures.push(figure);
			print({ ...figure });
			if (day !== 2 && day !== days) continue;
			await server.stop();
			const from = performance.now();
			server = await startServerChild(dataDir, { feeds: true });
			starts.push(performance.now() - from);
			await delay(MARKETS_FOR_MS);
		}
	} finally {
		await server.stop();
	}
	const [second, last] = [figures[1], figures.at(-1)];
	const ratio = (of: (figure: DayFigures) => number): number =>
		second && last ? round(of(last) / of(second), 2) : Number.NaN;
	print({
		days,
		speed: SPEED,
		startMs: starts.map((ms) => round(ms, 0)),
		lastToSecond: {
			heap: ratio(({ heapMb }) => heapMb),
			rss: ratio(({ rssMb }) => rssMb),
			p99: ratio(({ p99ms }) => p99ms),
			start: round((starts.at(-1) ?? Number.NaN) / (starts[0] ?? Number.NaN), 2),
		},
	});
});
