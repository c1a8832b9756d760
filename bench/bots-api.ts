/**
 * `npm run bench -- bots-api`: placeOrders with 20 instructions a call on 16 connections, as 16 bots, through the whole server,
 * which is a process of its own with its embedded PostgreSQL. The limit is the raw group commit of the same rows, 320 at a
 * time, in the same PostgreSQL. Then calls with one instruction take turns of two seconds with the bets of `bench http-bets`,
 * both on 64 connections of the same server, so that both meet the same machine. Prints one JSON line.
 */
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type BetLoad, betRate, loadFigures, loadOn, CONNECTIONS as SITE_CONNECTIONS } from './support/bet-load.ts';
import { botsOn, openBots } from './support/bot-load.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { rawCommitRates } from './support/raw-commit.ts';
import { withDataDir, withLedger } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const CONNECTIONS = 16;
const INSTRUCTIONS = 20;
const BOTS = 64;
const DEMO_PLAYERS = 500;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 8_000;
const TURN_MS = 2_000;
const TURNS = 10;
const MUST = { instructionsPerSecond: 15_000, ratio: 1.3, single: { ratio: 0.95 } };
const AIM = { instructionsPerSecond: 25_000, ratio: 1.5 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const bots = await openBots(dataDir, BOTS);
	const server = await startServerChild(dataDir);
	try {
		const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
		const size = CONNECTIONS * INSTRUCTIONS;
		const raw = await withLedger(cluster, 'raw', async (db) => (await rawCommitRates(db, [size])).get(size) ?? 0);
		const { port } = server;
		const many = { port, market, instructions: INSTRUCTIONS, connections: CONNECTIONS };
		const place = botsOn(many, bots.slice(0, CONNECTIONS));
		const { errors } = await place(WARM_UP_MS);
		if (errors.size > 0) throw new Error(`Calls are refused: ${[...errors.keys()].join(', ')}.`);
		const cpuSeconds = server.cpuSeconds();
		const load = await place(MEASURED_MS);
		const cpuShare = (server.cpuSeconds() - cpuSeconds) / load.seconds;
		const instructionsPerSecond = Math.round(betRate([load]) * INSTRUCTIONS);
		const db = connect(cluster.url('backlay'), { max: 1 });
		const { rows } = await db.query<{ bets: number }>('select count(*)::int as bets from bet');
		await db.end();
		const site = loadOn(port, market, await demoTokens(port, DEMO_PLAYERS));
		const single = await compared(botsOn({ ...many, instructions: 1, connections: SITE_CONNECTIONS }, bots), site);
		print({
			instructionsPerSecond,
			p50ms: round(percentile(load.took, 0.5), 1),
			p99ms: round(percentile(load.took, 0.99), 1),
			failures: Object.fromEntries(load.errors),
			serverCpuShare: round(cpuShare, 2),
			betsInLedger: rows[0]?.bets ?? 0,
			rawBetsPerSecond: Math.round(raw),
			ratio: round(instructionsPerSecond / raw, 2),
			single,
			must: MUST,
			aim: AIM,
		});
	} finally {
		await server.stop();
	}
});

async function compared(bots: (forMs: number) => Promise<BetLoad>, site: (forMs: number) => Promise<BetLoad>) {
	const timing = { turns: TURNS, warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
	const turns = await byTimedTurns(timing, bots, site);
	const ratios = turns.ours.map((load, turn) => betRate([load]) / betRate(turns.other.slice(turn, turn + 1)));
	return {
		callsPerSecond: Math.round(betRate(turns.ours)),
		siteBetsPerSecond: Math.round(betRate(turns.other)),
		failures: loadFigures(turns.ours).errors,
		ratio: round(betRate(turns.ours) / betRate(turns.other), 3),
		ratioByTurn: [0.25, 0.5, 0.75].map((part) => round(percentile(ratios, part), 3)),
	};
}
