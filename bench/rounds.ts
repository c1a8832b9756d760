/**
 * `npm run bench -- rounds`: instant rounds through the whole server, which is a process of its own with its embedded
 * PostgreSQL. 64 connections play one round of Dice after another as 500 demo players. Then one connection plays alone:
 * the time of one press. Then rounds and sports bets come beside each other, each at a steady pace: the times of the bets.
 * Prints one JSON line.
 */
import { randomUUID } from 'node:crypto';
import { embeddedUrl } from '#server/platform/postgres/embedded-postgres.ts';
import { BetConnection } from './support/bet-client.ts';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { recycleWal } from './support/recycled-wal.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';
import { steadily } from './support/steadily.ts';

const CONNECTIONS = 64;
const PLAYERS = 500;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 8_000;
const ALONE_ROUNDS = 300;
const PACED = { roundsPerSecond: 1_000, betsPerSecond: 500 };
const MUST = { roundsPerSecond: 500, aloneP50ms: 60, betsBesideP99ms: 50 };
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

async function beginSeeds(port: number, token: string): Promise<void> {
	const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
	const seeds = await fetch(`http://127.0.0.1:${port}/Casino/Seeds`, { headers });
	const { result } = (await seeds.json()) as { result: { next: { commitment: string } } };
	const body = JSON.stringify({ clientSeed: 'a-benchmark', commitment: result.next.commitment });
	const begun = await fetch(`http://127.0.0.1:${port}/Casino/RotateSeeds`, { method: 'POST', headers, body });
	if (!begun.ok) throw new Error(await begun.text());
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const tokens = await demoTokens(server.port, PLAYERS);
		for (const token of tokens) await beginSeeds(server.port, token);
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
		/** Bets beside rounds, both at a steady pace. */
		const betsBesideRounds = async (forMs: number): Promise<{ rounds: number; bets: number[] }> => {
			const bettor = await Bettor.open(server.port, market, tokens);
			const idle: BetConnection[] = [];
			let rounds = 0;
			const play = async (): Promise<void> => {
				const connection = await BetConnection.from(idle, server.port);
				const { status, body } = await connection.send(roundRequest(server.port, nextToken()));
				if (status !== 200) throw new Error(body);
				rounds += 1;
				idle.push(connection);
			};
			const [bets] = await Promise.all([
				bettor.took(PACED.betsPerSecond, forMs),
				steadily(PACED.roundsPerSecond, forMs, play),
			]);
			for (const connection of idle) connection.close();
			bettor.close();
			return { rounds, bets };
		};
		await crowd(WARM_UP_MS);
		const took = await crowd(MEASURED_MS);
		const alone = await BetConnection.open(server.port);
		let left = ALONE_ROUNDS;
		const aloneTook = await playFor(alone, () => left-- === 0);
		alone.close();
		await recycleWal(embeddedUrl(dataDir));
		// No bet has been placed yet: the server compiles the code path of bets.
		await betsBesideRounds(WARM_UP_MS);
		const beside = await betsBesideRounds(MEASURED_MS);
		const roundsPerSecond = took.length / (MEASURED_MS / 1_000);
		print({
			bench: 'rounds',
			roundsPerSecond: Math.round(roundsPerSecond),
			p50ms: round(percentile(took, 0.5), 1),
			p99ms: round(percentile(took, 0.99), 1),
			aloneP50ms: round(percentile(aloneTook, 0.5), 1),
			beside: {
				...PACED,
				roundsPlayed: Math.round(beside.rounds / (MEASURED_MS / 1_000)),
				betsP50ms: round(percentile(beside.bets, 0.5), 1),
				betsP99ms: round(percentile(beside.bets, 0.99), 1),
			},
			must: MUST,
			aim: AIM,
			ratioToAim: round(roundsPerSecond / AIM.roundsPerSecond, 2),
		});
	} finally {
		await server.stop();
	}
});
