/**
 * `npm run bench:rounds`: instant rounds through the whole server, which is a process of its own with its embedded
 * PostgreSQL. 64 connections play one round of Dice after another as 500 demo players. Then one connection plays alone:
 * the time of one press. Prints one JSON line.
 */
import { randomUUID } from 'node:crypto';
import { BetConnection, demoTokens } from './support/bet-client.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const CONNECTIONS = 64;
const PLAYERS = 500;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 8_000;
const ALONE_ROUNDS = 300;
const MUST = { roundsPerSecond: 500, aloneP50ms: 60 };
const AIM = { roundsPerSecond: 1_000 };

function roundRequest(port: number, token: string): string {
	const body = JSON.stringify({
		game: 'dice',
		bets: [{ bet: 'under-5000', stake: 10 }],
		clientRequestId: randomUUID(),
	});
	return (
		`POST /Casino/Play HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
		`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
	);
}

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	try {
		const tokens = await demoTokens(server.port, PLAYERS);
		let player = 0;
		const nextToken = () => tokens[player++ % tokens.length] ?? '';
		/** Milliseconds from each request to its answer. */
		const playFor = async (connection: BetConnection, isDone: () => boolean): Promise<number[]> => {
			const took: number[] = [];
			while (!isDone()) {
				const from = performance.now();
				const { status, body } = await connection.send(roundRequest(server.port, nextToken()));
				if (status !== 200) throw new Error(body);
				took.push(performance.now() - from);
			}
			return took;
		};
		const crowd = async (forMs: number): Promise<number[]> => {
			const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => BetConnection.open(server.port)));
			const until = performance.now() + forMs;
			const took = await Promise.all(connections.map((one) => playFor(one, () => performance.now() > until)));
			for (const connection of connections) connection.close();
			return took.flat();
		};
		await crowd(WARM_UP_MS);
		const took = await crowd(MEASURED_MS);
		const alone = await BetConnection.open(server.port);
		let left = ALONE_ROUNDS;
		const aloneTook = await playFor(alone, () => left-- === 0);
		alone.close();
		const roundsPerSecond = took.length / (MEASURED_MS / 1_000);
		print({
			bench: 'rounds',
			roundsPerSecond: Math.round(roundsPerSecond),
			p50ms: round(percentile(took, 0.5), 1),
			p99ms: round(percentile(took, 0.99), 1),
			aloneP50ms: round(percentile(aloneTook, 0.5), 1),
			must: MUST,
			aim: AIM,
			ratioToAim: round(roundsPerSecond / AIM.roundsPerSecond, 2),
		});
	} finally {
		await server.stop();
	}
});
