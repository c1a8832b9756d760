/**
 * `npm run bench -- bots-stream`: 500 market deltas a second on the bots' stream for 1,000 connections: every 50 ms one
 * change of each of 25 markets. There are two loads: each connection follows one market, as a bot in one market does,
 * or all of them. `ms` is the time from a change to its arrival at the clients, which are a process of their own on the
 * same machine. A bare server then writes lines of the same lengths at the same pace to as many sockets, and `ratio`
 * compares the p99 of both. Prints one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import type { BotCallers } from '#server/doors/bots-api/caller.ts';
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import { StreamServer } from '#server/doors/bots-api/stream-server.ts';
import type { Committed } from '#server/exchange/committed.ts';
import { percentile, print, round } from './support/figures.ts';

const CONNECTIONS = 1_000;
const MARKETS = 25;
const TICK_MS = 50;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 10_000;
/** The limit of connections per player. */
const OF_A_PLAYER = 20;
const LADDER_LEVELS = 3;
const MUST = { p99ms: 100 };
const AIM = { p99ms: 40 };
const CLIENTS = join(import.meta.dirname, 'support', 'bot-stream-clients.ts');

interface Load {
	/** Changes as published: a busy machine falls behind. */
	deltasPerSecond: number;
	messagesPerSecond: number;
	p50ms: number;
	p99ms: number;
	/** Share of one core used by the server's process. */
	cpuShare: number;
}

/** Publishes a change of every market. */
type Tick = () => void;

let version = 0;
/** A size that encodes its time of publishing, in tenths of a millisecond: the clients read it. */
let publishedAt = 0;

const marketIds = Array.from({ length: MARKETS }, (_, at) => 1_001 + at);
const levels = (from: number) =>
	Array.from({ length: LADDER_LEVELS }, (_, at) => ({
		price: from + 2 * at,
		size: at === 0 ? publishedAt : 10_000 + (version % 97) * 100,
	}));
const listingOf = (marketId: number) => ({
	id: marketId,
	fixtureId: 1,
	type: 'MATCH_ODDS',
	name: 'Match Odds',
	commissionBp: 200,
	numberOfWinners: 1,
	lineRange: null,
	runners: [
		{ id: 'IND', name: 'India' },
		{ id: 'NEP', name: 'Nepal' },
	],
});
const fixture = { id: 1, sportId: 3, title: 'India v Nepal', status: 'UPCOMING', startsAtMs: 0 };
/** Only the dependencies of subscriptions to markets. */
const parts = {
	exchange: {
		isOpen: () => true,
		market: (marketId: number) => ({
			marketId,
			pools: ['PLAY'],
			status: 'OPEN',
			removed: [],
			suspended: [],
			version: 1,
		}),
		book: () => ({
			totalMatched: version * 100,
			runners: [0, 1].map(() => ({
				back: levels(190),
				lay: levels(200),
				lastPriceTraded: 190,
				totalMatched: version * 100,
			})),
		}),
	},
	fixtures: {
		all: () => [fixture],
		fixture: () => fixture,
		markets: () => marketIds.map(listingOf),
		market: listingOf,
	},
	players: { apiSessions: { brandOf: () => 'localhost' }, apiKeys: { find: () => ({}) } },
	brands: { byHost: () => brand },
} as unknown as BotParts;
const brand = { host: 'localhost', pool: 'PLAY', setting: { cricket: true } };
const callers = {
	count: () => undefined,
	known: (appKey: string) => ({
		login: { playerId: Number(appKey), pool: 'PLAY' },
		key: { mayTrade: false },
		visitor: { brand },
		closedSports: new Set(),
	}),
} as unknown as BotCallers;

const committed = {
	books: marketIds.map((marketId) => ({ marketId, pool: 'PLAY' })),
	markets: [],
	bets: [],
} as unknown as Committed;

/** @param watched markets that each connection follows */
async function streamLoad(watched: number): Promise<Load & { bytes: number }> {
	const stream = { port: 0, host: '127.0.0.1', tls: null, authenticateMs: 15_000 };
	const server = new StreamServer({ stream, parts, callers, log: pino({ level: 'error' }) });
	await server.listen();
	try {
		return await measured(server.port ?? 0, watched, () => server.onCommitted(committed));
	} finally {
		server.stop();
	}
}

/** @param bytes of a line of the stream */
async function bareLoad(watched: number, bytes: number): Promise<Load> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		socket.setNoDelay(true);
		socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
		socket.on('data', () => undefined);
		sockets.add(socket);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	try {
		return await measured(port, watched, () => {
			const line = `"batb":[[0,1.9,${publishedAt / 100}]]`;
			const text = `${line}${' '.repeat(Math.max(0, bytes - line.length - 2))}\r\n`;
			for (const socket of sockets) socket.write(text);
		});
	} finally {
		for (const socket of sockets) socket.destroy();
		server.close();
	}
}

async function measured(port: number, watched: number, publish: Tick): Promise<Load & { bytes: number }> {
	const options = { port, connections: CONNECTIONS, ofAPlayer: OF_A_PLAYER, marketIds, watched };
	const clients: ChildProcess = fork(CLIENTS, [JSON.stringify(options)]);
	await once(clients, 'message');
	const timer = setInterval(() => {
		version += 1;
		publishedAt = tenths();
		publish();
	}, TICK_MS);
	await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
	clients.send('measure');
	const [cpu, first] = [process.cpuUsage(), version];
	await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
	const [{ user, system }, last] = [process.cpuUsage(cpu), version];
	clients.send('report');
	const [{ samples, messages, bytes }] = (await once(clients, 'message')) as [
		{ samples: number[]; messages: number; bytes: number },
	];
	clearInterval(timer);
	clients.disconnect();
	await once(clients, 'exit');
	return {
		deltasPerSecond: Math.round((((last - first) * MARKETS) / MEASURED_MS) * 1000),
		messagesPerSecond: Math.round((messages / MEASURED_MS) * 1000),
		p50ms: round(percentile(samples, 0.5), 1),
		p99ms: round(percentile(samples, 0.99), 1),
		cpuShare: round((user + system) / 1000 / MEASURED_MS, 2),
		bytes: Math.round(bytes / messages),
	};
}

/** The wall clock in tenths of a millisecond, without its higher digits, which a size would not hold. */
function tenths(): number {
	return Math.floor((performance.timeOrigin + performance.now()) * 10) % 1_000_000_000;
}

async function compared(watched: number) {
	const stream = await streamLoad(watched);
	const bare = await bareLoad(watched, stream.bytes);
	return { ...stream, bareP99ms: bare.p99ms, bareCpuShare: bare.cpuShare, ratio: round(stream.p99ms / bare.p99ms, 2) };
}

print({
	connections: CONNECTIONS,
	markets: MARKETS,
	ownMarket: await compared(1),
	everyMarket: await compared(MARKETS),
	must: MUST,
	aim: AIM,
});
process.exit(0);
