/**
 * `npm run bench -- log-ins`: log-ins a second while other players bet. The server is a process of its own; 8 connections
 * log in with passwords, 16 place bets at a steady pace. The limit is bare argon2id with the same parameters, one hash
 * after another on one core. Prints one JSON line.
 */
import { argon2Sync, randomBytes } from 'node:crypto';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { BetConnection, betRequest } from './support/bet-client.ts';
import { BetMix } from './support/bet-mix.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, openBenchMarket, startServerChild } from './support/server-child.ts';

const PASSWORD = 'kingfisher#7';
const PLAYERS = 40;
const LOGIN_CONNECTIONS = 8;
const BETTORS = 100;
const BET_CONNECTIONS = 16;
/** The pause of each connection between two bets: 160 bets a second in all. */
const BET_PAUSE_MS = 100;
const MEASURED_MS = 10_000;
const BARE_HASHES = 40;
const MUST = { betP99ms: 100 };
const AIM = { ratio: 0.9 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const bare = bareHashesPerSecond();
		await createPlayers(server.port, operatorKeyOf(keptTokenKey(dataDir)));
		const tokens = await demoTokens(server.port, BETTORS);
		const until = performance.now() + MEASURED_MS;
		const [logins, took] = await Promise.all([logIn(server.port, until), bet(server.port, market, tokens, until)]);
		const loginsPerSecond = round((logins * 1000) / MEASURED_MS, 1);
		print({
			loginsPerSecond,
			bareHashesPerSecond: round(bare, 1),
			ratio: round(loginsPerSecond / bare, 2),
			bets: took.length,
			betP50ms: round(percentile(took, 0.5), 2),
			betP99ms: round(percentile(took, 0.99), 2),
			must: MUST,
			aim: AIM,
		});
	} finally {
		await server.stop();
	}
});

/** Hashes with the server's parameters, without any other work. */
function bareHashesPerSecond(): number {
	const setting = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };
	const start = performance.now();
	for (let at = 0; at < BARE_HASHES; at++) {
		argon2Sync('argon2id', { ...setting, message: PASSWORD, nonce: randomBytes(16) });
	}
	return (BARE_HASHES * 1000) / (performance.now() - start);
}

function request(port: number, path: string, body: object, headers = ''): string {
	const text = JSON.stringify(body);
	return (
		`POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n${headers}` +
		`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
	);
}

async function createPlayers(port: number, key: string): Promise<void> {
	const connection = await BetConnection.open(port);
	for (let at = 0; at < PLAYERS; at++) {
		const asked = { userName: `bench${at}`, password: PASSWORD };
		const headers = `Authorization: Operator ${key}\r\n`;
		const { status, body } = await connection.send(request(port, '/operator/api/create-player', asked, headers));
		if (status !== 200) throw new Error(body);
	}
	connection.close();
}

/** The number of log-ins answered until then. */
async function logIn(port: number, until: number): Promise<number> {
	let answered = 0;
	const oneAfterAnother = async (first: number): Promise<void> => {
		const connection = await BetConnection.open(port);
		for (let at = first; performance.now() < until; at++) {
			const asked = { userNameOrEmailAddress: `bench${at % PLAYERS}`, password: PASSWORD };
			const { status, body } = await connection.send(request(port, '/Account/Authenticate', asked));
			if (status !== 200) throw new Error(body);
			answered += 1;
		}
		connection.close();
	};
	await Promise.all(Array.from({ length: LOGIN_CONNECTIONS }, (_, at) => oneAfterAnother(at)));
	return answered;
}

/** Milliseconds from each bet to its answer. */
async function bet(port: number, market: BenchMarket, tokens: readonly string[], until: number): Promise<number[]> {
	const mix = new BetMix(tokens.length);
	const took: number[] = [];
	const atAPace = async (): Promise<void> => {
		const connection = await BetConnection.open(port);
		while (performance.now() < until) {
			const next = mix.next();
			const from = performance.now();
			const { status } = await connection.send(betRequest(port, market, tokens[next.player] ?? '', next));
			if (status === 200) took.push(performance.now() - from);
			await new Promise((resolve) => setTimeout(resolve, BET_PAUSE_MS));
		}
		connection.close();
	};
	await Promise.all(Array.from({ length: BET_CONNECTIONS }, atAPace));
	return took;
}
