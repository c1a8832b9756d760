/**
 * `npm run bench:crash -- --scale 1`: 5,000 clients at the hub hear Crash; 2,000 of their players bet within one betting
 * window and cash out within 100 ms of one another. Measured from the sending of a request to its durable answer, and how
 * late ticks come after the 150 ms that they are apart. Every bet and every cash-out must be answered once. A smaller
 * scale takes so much of both numbers. One JSON line.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BetConnection, demoTokens } from './support/bet-client.ts';
import { percentile, print, round } from './support/figures.ts';
import { HubClient } from './support/hub-client.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const scale = Number(values.scale);
const CONNECTED = Math.round(5_000 * scale);
const BETTORS = Math.round(2_000 * scale);
/** Bets are spread over so much of the window; a window is five seconds. */
const BETS_WITHIN_MS = 4_000;
const CASH_OUTS_WITHIN_MS = 100;
/** A flight that lasts long enough for all cash-outs. */
const CASH_OUT_AFTER_MS = 1_500;
const CONNECTED_WITHIN_MS = 1_000;
const TICK_MS = 150;
const OPENED_AT_ONCE = 50;
/** Clients whose ticks are timed. */
const TIMED = 20;
const MUST = { p99ms: 150, tickLateP99ms: 50 };

interface Answer {
	success: boolean;
	result: { bet: { betId: string; state: string } } | null;
	error: { code: string } | null;
}

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	try {
		const tokens = await demoTokens(server.port, CONNECTED);
		const clients: HubClient[] = [];
		for (let from = 0; from < tokens.length; from += OPENED_AT_ONCE)
			clients.push(
				...(await Promise.all(
					tokens.slice(from, from + OPENED_AT_ONCE).map((token) => HubClient.open(server.port, token, ['table:crash'])),
				)),
			);
		const phases = phasesOf(clients[0] as HubClient);
		const late = timedTicks(clients.slice(0, TIMED));
		const bettors = tokens.slice(0, BETTORS);
		const connections: BetConnection[] = [];
		// The server closes a connection that was idle for seconds, so each is opened anew shortly before it is used.
		const connect = async (index: number): Promise<void> => {
			connections[index]?.close();
			connections[index] = await BetConnection.open(server.port);
		};
		const took = { bets: [] as number[], cashOuts: [] as number[] };
		const post = async (index: number, path: string, body: object): Promise<[Answer, number]> => {
			const text = JSON.stringify(body);
			const sentAt = performance.now();
			const { body: answer } = await (connections[index] as BetConnection).send(
				`POST /Casino/${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${bettors[index]}\r\n` +
					`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
			);
			return [JSON.parse(answer) as Answer, performance.now() - sentAt];
		};
		/** @returns the ids of the bets */
		const betAll = () =>
			Promise.all(
				bettors.map(async (_, index) => {
					await pause((index / BETTORS) * BETS_WITHIN_MS);
					await connect(index);
					const request = { slot: 1, stake: 10, autoCents: null, clientRequestId: randomUUID() };
					const [{ result, error }, ms] = await post(index, 'CrashBet', request);
					if (!result) throw new Error(error?.code);
					took.bets.push(ms);
					return result.bet.betId;
				}),
			);
		for (;;) {
			await phases.reached('BETTING');
			const bets = await betAll();
			await phases.reached('FLYING');
			await Promise.all([
				pause(CASH_OUT_AFTER_MS),
				...bettors.map(async (_, index) => {
					await pause((index / BETTORS) * CONNECTED_WITHIN_MS);
					await connect(index);
				}),
			]);
			if (!phases.isFlying()) {
				// It crashed too early: bets of the next round are measured.
				took.bets.length = 0;
				continue;
			}
			const answers = await Promise.all(
				bets.map(async (betId, index) => {
					await pause((index / BETTORS) * CASH_OUTS_WITHIN_MS);
					const [answer, ms] = await post(index, 'CrashCashOut', { betId, clientRequestId: randomUUID() });
					took.cashOuts.push(ms);
					return answer;
				}),
			);
			const won = answers.filter(({ result }) => result?.bet.state === 'WON').length;
			const crashed = answers.filter(({ error }) => error?.code === 'ROUND_CRASHED').length;
			if (won + crashed < BETTORS) throw new Error(`${BETTORS - won - crashed} cash-outs were answered otherwise`);
			if (won > 0) {
				print(figuresOf(took, late, won));
				break;
			}
		}
		for (const connection of connections) connection.close();
		await Promise.all(clients.map((client) => client.close()));
	} finally {
		await server.stop();
	}
});

function figuresOf(took: { bets: number[]; cashOuts: number[] }, late: number[], won: number) {
	const spread = (samples: number[]) => ({
		p50ms: round(percentile(samples, 0.5), 1),
		p99ms: round(percentile(samples, 0.99), 1),
		maxMs: round(percentile(samples, 1), 1),
	});
	const cashOuts = spread(took.cashOuts);
	const ticks = spread(late);
	return {
		bench: 'crash',
		connected: CONNECTED,
		bets: { count: took.bets.length, ...spread(took.bets) },
		cashOuts: { count: took.cashOuts.length, won, ...cashOuts },
		tickLate: ticks,
		must: MUST,
		ratioToMust: round(MUST.p99ms / cashOuts.p99ms, 2),
	};
}

/** Milliseconds by which ticks of one flight came later than they are apart. */
function timedTicks(clients: readonly HubClient[]): number[] {
	const late: number[] = [];
	for (const client of clients) {
		let before: { round: string; atMs: number } | null = null;
		client.onFrame = (frame) => {
			const number = /CrashTick.*?round\\+":\\+"(\d+)/.exec(frame)?.[1];
			if (number === undefined) return;
			const atMs = performance.now();
			if (before?.round === number) late.push(Math.max(0, atMs - before.atMs - TICK_MS));
			before = { round: number, atMs };
		};
	}
	return late;
}

/** The phase of the round, as one client hears it. */
function phasesOf(client: HubClient) {
	let now = '';
	let waiting: { phase: string; resolve: () => void } | null = null;
	client.onState = (phase) => {
		now = phase;
		if (waiting?.phase === phase) waiting.resolve();
	};
	return {
		isFlying: () => now === 'FLYING',
		/** Resolves when a round comes to that phase. */
		reached: (phase: string): Promise<void> =>
			new Promise((resolve) => {
				waiting = { phase, resolve };
			}),
	};
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, ms);
	});
}
