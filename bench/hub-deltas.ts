/**
 * `npm run bench -- hub-deltas`: 500 market deltas a second for 2,000 connections, as the publisher sends them: every 50
 * ms one delta of each of 25 markets. There are two loads: each connection watches one market, as a page of a match
 * does, or all of them, so that every delta goes to every connection, a million messages a second. `ms` is the time
 * from publishing a delta to its arrival at the clients, which are a process of their own on the same machine. `ratio`
 * is the p99 of the first load divided by the limit, so below 1 is within it. Memory is the hub's process, with its
 * growth between the first and the last quarter of the run. Prints one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { plainServer } from '#server/doors/http/plain-server.ts';
import type { HubBackend } from '#server/doors/hub/hub.ts';
import { oneBus } from '#server/doors/hub/hub.ts';
import { openHub } from '#server/doors/hub/open-hub.ts';
import { LocalBus } from '#server/platform/bus/bus.ts';
import { percentile, print, round } from './support/figures.ts';

const CONNECTIONS = 2_000;
const MARKETS = 25;
const TICK_MS = 50;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 20_000;
const MUST = { p99ms: 150 };
const AIM = { p99ms: 60 };
const CLIENTS = join(import.meta.dirname, 'support', 'delta-clients.ts');

interface Load {
	/** Published rate as measured: a busy machine falls behind. */
	deltasPerSecond: number;
	messagesPerSecond: number;
	p50ms: number;
	p99ms: number;
	maxMs: number;
	/** Share of one core used by the hub's process. */
	cpuShare: number;
	rssMB: number;
	rssGrowthMB: number;
}

const runners = ['IND', 'NEP'].map((runnerId) => ({ runnerId, status: 'ACTIVE' as const }));

/** Two sides of a runner with three prices each and changing sizes. */
const levels = (from: number, version: number) =>
	[0, 1, 2].map((level) => ({ price: from + level / 50, size: 100 + (version % 97) * (level + 1) }));

const backend: HubBackend = {
	brandOf: async () => ({ host: '127.0.0.1', pool: 'PLAY' }),
	refusals: async () => [],
	findLogin: async () => null,
	balance: async () => null,
	notices: async () => [],
	images: async (channel) => [
		{
			code: 'MarketBook',
			key: `book.${channel.slice(7)}`,
			data: {
				kind: 'IMAGE',
				marketId: channel.slice(7),
				version: 0,
				clock: 0,
				status: 'OPEN',
				inPlay: true,
				totalMatched: 0,
				runners: runners.map((runner) => ({ ...runner, lastPriceTraded: null, totalMatched: 0, back: [], lay: [] })),
			},
		},
	],
};

/** @param watched markets each connection watches */
async function load(watched: number): Promise<Load> {
	const log = pino({ level: 'error' });
	const bus = new LocalBus();
	const http = plainServer({ trustedProxies: [], log, clientTimeoutMs: 30_000, isReady: async () => true });
	const hub = openHub({
		buses: oneBus(bus),
		log,
		backend,
		trustedProxies: [],
		hubLimits: { perAddress: CONNECTIONS, perPlayer: CONNECTIONS },
		rateLimitFactor: 1,
		nodeId: 'bench',
	});
	hub.attach(http.server);
	await http.listen({ port: 0, host: '127.0.0.1' });
	const { port } = http.server.address() as { port: number };
	const clients: ChildProcess = fork(CLIENTS, [String(port), String(CONNECTIONS), String(MARKETS), String(watched)]);
	await once(clients, 'message');

	let version = 0;
	const tick = (): void => {
		version += 1;
		for (let market = 1; market <= MARKETS; market++) {
			bus.publish(`market.${market}.PLAY`, {
				code: 'MarketBook',
				key: `book.${market}`,
				data: {
					kind: 'DELTA',
					marketId: String(market),
					from: version - 1,
					version,
					clock: performance.timeOrigin + performance.now(),
					totalMatched: version * 10,
					runners: [{ runnerId: 'IND', back: levels(1.9, version), lay: levels(2, version) }],
				},
			});
		}
	};
	const timer = setInterval(tick, TICK_MS);
	await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
	clients.send('measure');
	const cpu = process.cpuUsage();
	const firstVersion = version;
	const memory: number[] = [];
	const sampler = setInterval(() => memory.push(process.memoryUsage.rss() / 2 ** 20), 200);
	await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
	clearInterval(sampler);
	const { user, system } = process.cpuUsage(cpu);
	const lastVersion = version;
	clients.send('report');
	const [{ samples, messages }] = (await once(clients, 'message')) as [{ samples: number[]; messages: number }];
	clearInterval(timer);
	clients.disconnect();
	await once(clients, 'exit');
	await hub.close();
	await http.close();
	const quarter = Math.floor(memory.length / 4);
	const growth = percentile(memory.slice(-quarter), 0.5) - percentile(memory.slice(0, quarter), 0.5);
	return {
		deltasPerSecond: Math.round((((lastVersion - firstVersion) * MARKETS) / MEASURED_MS) * 1000),
		messagesPerSecond: Math.round((messages / MEASURED_MS) * 1000),
		p50ms: round(percentile(samples, 0.5), 1),
		p99ms: round(percentile(samples, 0.99), 1),
		maxMs: round(percentile(samples, 1), 1),
		cpuShare: round((user + system) / 1000 / MEASURED_MS, 2),
		rssMB: Math.round(Math.max(...memory)),
		rssGrowthMB: Math.round(growth),
	};
}

const ownMarket = await load(1);
const everyMarket = await load(MARKETS);
print({
	connections: CONNECTIONS,
	markets: MARKETS,
	ownMarket,
	everyMarket,
	ratio: round(ownMarket.p99ms / MUST.p99ms, 2),
	ratioEveryMarket: round(everyMarket.p99ms / MUST.p99ms, 2),
	must: MUST,
	aim: AIM,
});
process.exit(0);
