/**
 * `npm run bench -- hub`: 500 players at the hub, each watching the market, and bets of random players at a steady pace.
 * `commitToMessage` is the time from the HTTP answer, the first sign of the commit for a browser, to the balance over
 * the hub; a balance that arrives before its answer counts as 0, and `balanceFirst` is the share of those.
 * `sendToMessage` is the time from sending the call to the balance, an upper bound that contains the commit; the limit
 * applies to it. Players only back, so that a balance belongs to the player's own bet. `ratio` compares with a message
 * through a bare `ws` server with as many connections, the same pace and broadcasts. Prints one JSON line.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BetConnection, betRequest, restingBet } from './support/bet-client.ts';
import { BetMix } from './support/bet-mix.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { HubClient, openSocket } from './support/hub-client.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, openBenchMarket, startServerChild } from './support/server-child.ts';
import { steadily } from './support/steadily.ts';

const CONNECTIONS = 500;
const BETS_PER_SECOND = 200;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 10_000;
/** A later message counts as lost. */
const LOST_MS = 10_000;
const MUST = { sendToMessageP99ms: 100 };
const BARE_SERVER = join(import.meta.dirname, 'support', 'bare-socket-server.ts');

interface HubTimes {
	sendToMessage: number[];
	commitToMessage: number[];
	messagesPerSecond: number;
}

const bare = await bareEcho();
const hub = await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		return await hubTimes(server.port, market);
	} finally {
		await server.stop();
	}
});
const commitToMessage = spread(hub.commitToMessage);
const sendToMessage = spread(hub.sendToMessage);
const bareEchoSpread = spread(bare);
print({
	connections: CONNECTIONS,
	bets: hub.sendToMessage.length,
	balanceFirst: round(hub.commitToMessage.filter((took) => took === 0).length / hub.commitToMessage.length, 3),
	betsPerSecond: BETS_PER_SECOND,
	messagesPerSecond: hub.messagesPerSecond,
	commitToMessage,
	sendToMessage,
	bareEcho: bareEchoSpread,
	ratio: round(sendToMessage.p99ms / bareEchoSpread.p99ms, 2),
	must: MUST,
});

function spread(samples: number[]): { p50ms: number; p99ms: number; maxMs: number } {
	const at = (share: number): number => round(percentile(samples, share), 2);
	return { p50ms: at(0.5), p99ms: at(0.99), maxMs: at(1) };
}

/** Milliseconds of echoes through the bare server. */
async function bareEcho(): Promise<number[]> {
	const child = fork(BARE_SERVER);
	try {
		const [port] = (await once(child, 'message')) as [number];
		const url = `ws://127.0.0.1:${port}`;
		const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(url)));
		const echoed = sockets.map(() => () => {});
		sockets.forEach((socket, at) => {
			socket.on('message', (data) => {
				if (String(data).startsWith('{')) echoed[at]?.();
			});
		});
		const free = sockets.map((_, at) => at);
		const took: number[] = [];
		const echo = async (): Promise<void> => {
			const at = free.shift();
			if (at === undefined) return;
			const from = performance.now();
			await new Promise<void>((resolve) => {
				echoed[at] = resolve;
				sockets[at]?.send('{"Code":"UserBalance","Data":"{}"}');
			});
			took.push(performance.now() - from);
			free.push(at);
		};
		await steadily(BETS_PER_SECOND, WARM_UP_MS, echo);
		took.length = 0;
		await steadily(BETS_PER_SECOND, MEASURED_MS, echo);
		for (const socket of sockets) socket.terminate();
		return took;
	} finally {
		child.disconnect();
		await once(child, 'exit');
	}
}

/** When the client's next balance arrives. */
async function nextBalance(client: HubClient): Promise<number> {
	return await new Promise((resolve, reject) => {
		const lost = setTimeout(() => reject(new Error('A balance never arrived.')), LOST_MS);
		client.onBalance = () => {
			clearTimeout(lost);
			resolve(performance.now());
		};
	});
}

async function hubTimes(port: number, market: BenchMarket): Promise<HubTimes> {
	const tokens = await demoTokens(port, CONNECTIONS);
	const clients = await Promise.all(tokens.map((token) => HubClient.open(port, token, [`market:${market.marketId}`])));
	const mix = new BetMix(CONNECTIONS);
	const busy = new Set<number>();
	const idle: BetConnection[] = [];
	let times: HubTimes = { sendToMessage: [], commitToMessage: [], messagesPerSecond: 0 };

	const place = async (): Promise<void> => {
		let bet = restingBet(mix.next());
		while (busy.has(bet.player)) bet = restingBet(mix.next());
		const client = clients[bet.player];
		if (!client) throw new Error('There are fewer clients than players.');
		busy.add(bet.player);
		const connection = await BetConnection.from(idle, port);
		const message = nextBalance(client);
		const request = betRequest(port, market, tokens[bet.player] ?? '', bet);
		const sentAt = performance.now();
		const { status, body } = await connection.send(request);
		const answeredAt = performance.now();
		if (status !== 200) throw new Error(`A bet was refused: ${body}`);
		const arrivedAt = await message;
		times.sendToMessage.push(arrivedAt - sentAt);
		times.commitToMessage.push(Math.max(0, arrivedAt - answeredAt));
		idle.push(connection);
		busy.delete(bet.player);
	};

	await steadily(BETS_PER_SECOND, WARM_UP_MS, place);
	times = { sendToMessage: [], commitToMessage: [], messagesPerSecond: 0 };
	const heard = (): number => clients.reduce((sum, { messages }) => sum + messages, 0);
	const before = heard();
	await steadily(BETS_PER_SECOND, MEASURED_MS, place);
	times.messagesPerSecond = Math.round(((heard() - before) / MEASURED_MS) * 1000);
	for (const connection of idle) connection.close();
	await Promise.all(clients.map((client) => client.close()));
	return times;
}
