/**
 * `npm run bench:bots`: placeOrders with 20 instructions a call on 16 connections, as 16 bots, through the whole server,
 * which is a process of its own with its embedded PostgreSQL. The limit is the raw group commit of the same rows, 320 at a
 * time, in the same PostgreSQL. Prints one JSON line.
 */

import { readConfig } from '#server/config.ts';
import { connect } from '#server/db/connect.ts';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { startServer } from '#server/start.ts';
import { percentile, print, round } from './support/figures.ts';
import { rawCommitRates } from './support/raw-commit.ts';
import { withDataDir, withLedger } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const CONNECTIONS = 16;
const INSTRUCTIONS = 20;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 8_000;
const PASSWORD = 'a long enough Passw0rd!';
const HOST = 'localhost';
const PAISE = 900_000_000;
const MUST = { instructionsPerSecond: 15_000, ratio: 0.6 };
const AIM = { instructionsPerSecond: 25_000 };

/** Headers of the bots, made with a server in this process that is then stopped: keys and sessions outlive it. */
async function openBots(dataDir: string): Promise<Record<string, string>[]> {
	const config = readConfig(['--no-feeds', '--port', '0', '--log-level', 'error', '--data-dir', dataDir], {}, dataDir);
	const running = await startServer({ ...config, rateLimitFactor: 100_000 }, (error) => {
		throw error;
	});
	try {
		const { players, brands, exchange } = running;
		const brand = await brands.change(HOST, 'maxOpenBets', '20000');
		const cookies = { names: () => [], find: () => null, keep: () => {}, drop: () => {} };
		const visitor = { brand, address: '127.0.0.1', cookies };
		const bots: Record<string, string>[] = [];
		for (let at = 0; at < CONNECTIONS; at++) {
			const userName = `bot-${at}`;
			const { playerId } = await players.createPlayer({ userName, password: PASSWORD, brand });
			await exchange.submit({ kind: 'grant-coins', grantId: 1_000_000_000 + at, walletId: playerId, amount: PAISE });
			const asked = { name: 'bench', mayTrade: true, addresses: [], callsPerSecond: 100 };
			const { appKey } = await players.apiKeys.create(playerId, asked, '127.0.0.1');
			const token = await players.authenticateBot({ userName, password: PASSWORD, appKey }, visitor);
			bots.push({ 'X-Application': appKey, 'X-Authentication': token, 'Content-Type': 'application/json' });
		}
		return bots;
	} finally {
		await running.stop();
	}
}

/** A call of one bot: every other bot backs what the others lay. */
function callOf(marketId: string, bot: number): string {
	const instruction = {
		orderType: 'LIMIT',
		selectionId: 1,
		handicap: 0,
		side: bot % 2 === 0 ? 'BACK' : 'LAY',
		limitOrder: { size: 10, price: 2, persistenceType: 'LAPSE' },
	};
	const params = { marketId: `1.${marketId}`, instructions: Array.from({ length: INSTRUCTIONS }, () => instruction) };
	return JSON.stringify({ jsonrpc: '2.0', method: 'SportsAPING/v1.0/placeOrders', params, id: 1 });
}

async function load(port: number, marketId: string, bots: readonly Record<string, string>[], forMs: number) {
	const took: number[] = [];
	const failures = new Map<string, number>();
	const start = performance.now();
	await Promise.all(
		bots.map(async (headers, at) => {
			const body = callOf(marketId, at);
			while (performance.now() < start + forMs) {
				const from = performance.now();
				const url = `http://${HOST}:${port}/exchange/betting/json-rpc/v1`;
				const answer = await (await fetch(url, { method: 'POST', headers, body })).text();
				if (answer.startsWith('{"jsonrpc":"2.0","result":{"marketId"') && answer.includes('"status":"SUCCESS"')) {
					took.push(performance.now() - from);
				} else failures.set(answer.slice(0, 300), (failures.get(answer.slice(0, 300)) ?? 0) + 1);
			}
		}),
	);
	return { took, failures, seconds: (performance.now() - start) / 1000 };
}

await withDataDir(async (dataDir) => {
	const { marketId } = await openBenchMarket(dataDir);
	const bots = await openBots(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const cluster = await startEmbeddedPostgres({ dataDir });
		const size = CONNECTIONS * INSTRUCTIONS;
		const raw = await withLedger(cluster, 'raw', async (db) => (await rawCommitRates(db, [size])).get(size) ?? 0);
		await load(server.port, marketId, bots, WARM_UP_MS);
		const { took, failures, seconds } = await load(server.port, marketId, bots, MEASURED_MS);
		const db = connect(cluster.url('backlay'), { max: 1 });
		const { rows } = await db.query<{ bets: number }>('select count(*)::int as bets from bet');
		await db.end();
		const instructionsPerSecond = Math.round((took.length * INSTRUCTIONS) / seconds);
		print({
			instructionsPerSecond,
			p50ms: round(percentile(took, 0.5), 1),
			p99ms: round(percentile(took, 0.99), 1),
			failures: Object.fromEntries(failures),
			betsInLedger: rows[0]?.bets ?? 0,
			rawBetsPerSecond: Math.round(raw),
			ratio: round(instructionsPerSecond / raw, 2),
			must: MUST,
			aim: AIM,
		});
	} finally {
		await server.stop();
	}
});
