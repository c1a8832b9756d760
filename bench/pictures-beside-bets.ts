/**
 * `npm run bench -- pictures-beside-bets`: the latency of bets and log-ins beside players who send hostile pictures.
 * Both come at a steady pace, by turns alone and beside the pictures, in one run; each turn has a 99th percentile of its own
 * and the median of the turns counts. The figures are the ratios of the two. Prints one JSON line.
 */

import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { hostilePictures } from '../test/support/hostile-pictures.ts';
import { BetConnection } from './support/bet-client.ts';
import { Bettor } from './support/bettor.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';
import { steadily } from './support/steadily.ts';

const PASSWORD = 'kingfisher#7';
const PLAYERS = 100;
/** Limit per player of twenty pictures that belong to nothing. */
const SENDERS = 20;
const PICTURES_PER_SECOND = 4;
const BETS_PER_SECOND = 150;
const LOG_INS_PER_SECOND = 5;
const TURNS = { turns: 15, warmUpMs: 2_000, turnMs: 2_000 };
const MUST = { betP99Ratio: 1.2, logInP99Ratio: 1.2 };
const AIM = { betP99Ratio: 1.1, logInP99Ratio: 1.1 };

interface Turn {
	bets: number[];
	logIns: number[];
}

/** Sends hostile pictures at a steady pace, each from the next player. */
class Senders {
	/** By the answers' codes. */
	readonly answers: Record<string, number> = {};
	readonly #port: number;
	readonly #requests: readonly ((token: string) => string)[];
	readonly #tokens: readonly string[];
	#sent = 0;

	/** @param requests built once: they share a core with the server */
	constructor(port: number, requests: readonly ((token: string) => string)[], tokens: readonly string[]) {
		this.#port = port;
		this.#requests = requests;
		this.#tokens = tokens;
	}

	async send(forMs: number): Promise<void> {
		await steadily(PICTURES_PER_SECOND, forMs, async () => {
			const at = this.#sent++;
			const text = this.#requests[at % this.#requests.length]?.(this.#tokens[at % this.#tokens.length] ?? '') ?? '';
			const connection = await BetConnection.open(this.#port);
			const { body } = await connection.send(text);
			const code = (JSON.parse(body) as { error: { code: string } | null }).error?.code ?? 'taken';
			this.answers[code] = (this.answers[code] ?? 0) + 1;
			connection.close();
		});
	}
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const { port } = server;
		const bettor = await Bettor.open(port, market, await demoTokens(port, PLAYERS));
		const tokens: string[] = [];
		for (let at = 0; at < SENDERS; at++) {
			await createPlayer(port, `sender${at}`, operatorKeyOf(keptTokenKey(dataDir)));
			tokens.push((await logIn(port, `sender${at}`)).token);
		}
		const senders = new Senders(port, await texts(port), tokens);
		const took = async (forMs: number): Promise<Turn> => {
			const logIns: number[] = [];
			const [bets] = await Promise.all([
				bettor.took(BETS_PER_SECOND, forMs),
				steadily(LOG_INS_PER_SECOND, forMs, async () => void logIns.push((await logIn(port, 'sender0')).ms)),
			]);
			return { bets, logIns };
		};
		const beside = async (forMs: number): Promise<Turn> => (await Promise.all([took(forMs), senders.send(forMs)]))[0];
		const { ours, other } = await byTimedTurns(TURNS, beside, took);
		const p99 = (turns: readonly Turn[], of: keyof Turn) =>
			percentile(
				turns.map((turn) => percentile(turn[of], 0.99)),
				0.5,
			);
		const figures = (of: keyof Turn) => ({ alone: round(p99(other, of), 2), beside: round(p99(ours, of), 2) });
		print({
			betsPerSecond: BETS_PER_SECOND,
			logInsPerSecond: LOG_INS_PER_SECOND,
			pictures: senders.answers,
			betP99ms: figures('bets'),
			logInP99ms: figures('logIns'),
			betP99Ratio: round(p99(ours, 'bets') / p99(other, 'bets'), 2),
			logInP99Ratio: round(p99(ours, 'logIns') / p99(other, 'logIns'), 2),
			must: MUST,
			aim: AIM,
		});
		bettor.close();
	} finally {
		await server.stop();
	}
});

function request(port: number, path: string, body: object, headers = ''): string {
	const text = JSON.stringify(body);
	return (
		`POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n${headers}` +
		`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
	);
}

async function createPlayer(port: number, userName: string, key: string): Promise<void> {
	const connection = await BetConnection.open(port);
	const asked = { userName, password: PASSWORD };
	const headers = `Authorization: Operator ${key}\r\n`;
	const { status, body } = await connection.send(request(port, '/operator/api/create-player', asked, headers));
	if (status !== 200) throw new Error(body);
	connection.close();
}

async function logIn(port: number, userName: string): Promise<{ ms: number; token: string }> {
	const connection = await BetConnection.open(port);
	const from = performance.now();
	const asked = { userNameOrEmailAddress: userName, password: PASSWORD };
	const { status, body } = await connection.send(request(port, '/Account/Authenticate', asked));
	if (status !== 200) throw new Error(body);
	const ms = performance.now() - from;
	connection.close();
	return { ms, token: (JSON.parse(body) as { result: { accessToken: string } }).result.accessToken };
}

/** The requests, each with its sender's token. */
async function texts(port: number): Promise<((token: string) => string)[]> {
	return (await hostilePictures()).map(({ bytes }) => {
		const image = { image: bytes.toString('base64') };
		return (token: string) => request(port, '/Setting/StoreImage', image, `Authorization: Bearer ${token}\r\n`);
	});
}
