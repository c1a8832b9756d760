/**
 * `npm run bench -- domain-poll`: the poll that every open page sends each second, answered 304. 64 connections send one
 * request after another, each with a cache-busting key; the server is a process of its own. The limit is a bare
 * node:http server that answers 304 to the same requests. The two are measured in turns, and the figures are medians of
 * the turns; `ratio` is the server's polls a second to the bare server's. Prints one JSON line.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const CONNECTIONS = 64;
const WARM_UP_MS = 2_000;
const TURN_MS = 3_000;
const TURNS = 5;
const MUST = { pollsPerSecond: 10_000 };
const BARE_SERVER = join(import.meta.dirname, 'support', 'bare-poll-server.ts');
const HEAD_END = '\r\n\r\n';

interface Load {
	pollsPerSecond: number;
	p99ms: number;
}

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	const bare = fork(BARE_SERVER);
	const [barePort] = (await once(bare, 'message')) as [number];
	try {
		const [pollServer, pollBare] = [await pollsOf(server.port), await pollsOf(barePort)];
		await pollServer(WARM_UP_MS);
		await pollBare(WARM_UP_MS);
		const turns: { server: Load; bare: Load }[] = [];
		for (let turn = 0; turn < TURNS; turn++) {
			turns.push({ server: await pollServer(TURN_MS), bare: await pollBare(TURN_MS) });
		}
		const median = (figure: (turn: (typeof turns)[number]) => number) => percentile(turns.map(figure), 0.5);
		print({
			connections: CONNECTIONS,
			pollsPerSecond: Math.round(median((turn) => turn.server.pollsPerSecond)),
			p99ms: round(
				median((turn) => turn.server.p99ms),
				2,
			),
			barePollsPerSecond: Math.round(median((turn) => turn.bare.pollsPerSecond)),
			ratio: round(
				median((turn) => turn.server.pollsPerSecond / turn.bare.pollsPerSecond),
				2,
			),
			must: MUST,
		});
	} finally {
		bare.disconnect();
		await server.stop();
	}
});

/** The server's current tag. */
async function etagOf(port: number): Promise<string> {
	const response = await fetch(`http://127.0.0.1:${port}/domain-settings/127.0.0.1.json`);
	await response.text();
	const etag = response.headers.get('etag');
	if (!etag) throw new Error('The file has no tag.');
	return etag;
}

/** Polls a server for a time, on new connections. @throws Error for any answer but 304 */
async function pollsOf(port: number): Promise<(forMs: number) => Promise<Load>> {
	const etag = await etagOf(port);
	const request = (key: number) =>
		`GET /domain-settings/127.0.0.1.json?v=${key} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
		`Accept: application/json\r\nIf-None-Match: ${etag}${HEAD_END}`;
	return async (forMs) => {
		const took: number[] = [];
		const start = performance.now();
		const until = start + forMs;
		await Promise.all(Array.from({ length: CONNECTIONS }, () => pollOn(port, request, until, took)));
		const seconds = (performance.now() - start) / 1000;
		return { pollsPerSecond: took.length / seconds, p99ms: percentile(took, 0.99) };
	};
}

/** One connection that sends the next request as soon as the last is answered. */
function pollOn(port: number, request: (key: number) => string, until: number, took: number[]): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = connect(port, '127.0.0.1');
		let received = '';
		let key = 100;
		let from = 0;
		const ask = () => {
			key = key === 1000 ? 100 : key + 1;
			from = performance.now();
			socket.write(request(key), 'latin1');
		};
		socket.setNoDelay(true);
		socket.setEncoding('latin1');
		socket.on('connect', ask);
		socket.on('error', reject);
		socket.on('data', (text) => {
			received += String(text);
			// A 304 has no body: it ends with its head.
			if (!received.endsWith(HEAD_END)) return;
			if (!received.startsWith('HTTP/1.1 304')) {
				reject(new Error(`Not 304: ${received.slice(0, 100)}`));
				return;
			}
			received = '';
			const now = performance.now();
			took.push(now - from);
			if (now < until) {
				ask();
				return;
			}
			socket.destroy();
			resolve();
		});
	});
}
