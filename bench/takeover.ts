/**
 * `npm run bench -- takeover`: the server's process is killed under the bets of `bench http-bets`, and a standby takes
 * over. Reports the time from the kill to the first durable bet, over ten kills (`--kills 300` for more), and of what it
 * consists; before the kills, and between them, no standby may take over. Each kill comes after four seconds of bets and is
 * followed by as many (`--load 1500`, in milliseconds, for many kills). With `--bets 2000000` two million bets of the players
 * stand in the market from the beginning: a takeover may take no longer with them. With `--hold 3600` nothing is killed for that many
 * seconds of full load and settlements, and takeovers are counted: there must be none. Prints one JSON line.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { loadFigures, loadOn } from './support/bet-load.ts';
import { DemoLogins } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { followed } from './support/followed.ts';
import { loadMarketAfterMarket } from './support/market-after-market.ts';
import { withDataDir } from './support/scratch.ts';
import { NO_RATE_LIMIT, openBenchMarket, startServerChild, startStandbyChild } from './support/server-child.ts';
import { allowMostOpenBets, writeStandingBets } from './support/standing-bets.ts';
import { TakeoverCrowd } from './support/takeover-crowd.ts';

const PLAYERS = 500;
const MUST = { takeoverMs: 600, falseTakeovers: 0 };
const AIM = { takeoverMs: 350 };
/** What the standby's log says in a takeover, which ends its stages; the last one ends with the first bet. */
const MARKS = ['the standby takes over', 'the standby has the exchange', 'the standby answers calls'];
const STAGES = ['noticed', 'state', 'start', 'first bet'];
/** The killed process is gone; its memory is given back first. */
const ENDED = 'ended';

const { values } = parseArgs({
	options: {
		kills: { type: 'string', default: '10' },
		load: { type: 'string', default: '4000' },
		bets: { type: 'string', default: '0' },
		silence: { type: 'string', default: '300' },
		hold: { type: 'string', default: '0' },
	},
});
const silenceMs = Number(values.silence);
const holdMs = Number(values.hold) * 1_000;
const kills = holdMs > 0 ? 0 : Number(values.kills);
const loadMs = Number(values.load);
const standingBets = Number(values.bets);

await withDataDir(async (dataDir) => {
	let players = new DemoLogins([]);
	const market = await openBenchMarket(
		dataDir,
		async ({ url }) => {
			players = await DemoLogins.open(Number(new URL(url).port), PLAYERS);
		},
		{ RATE_LIMIT_FACTOR: NO_RATE_LIMIT },
	);
	// It outlives the servers.
	const cluster = await startEmbeddedPostgres({ dataDir });
	const url = cluster.url('backlay');
	await withConnection(url, async (db) => {
		await allowMostOpenBets(db);
		if (standingBets > 0) await writeStandingBets(db, Number(market.marketId), standingBets);
	});
	let serving = await startServerChild(dataDir, { commandRows: true });
	const said = new Map<string, number>();
	const endedMs: number[] = [];
	const start = () =>
		startStandbyChild(dataDir, url, silenceMs, (line) => {
			if (line.includes('stagesMs')) console.error(line);
			const mark = MARKS.find((words) => line.includes(words));
			if (mark !== undefined) said.set(mark, (JSON.parse(line) as { time: number }).time);
		});
	let following = await start();
	try {
		await followed(url);
		let epoch = await epochOf(url);
		const held =
			holdMs > 0 ? await loadMarketAfterMarket({ port: serving.port, dataDir, players: PLAYERS }, holdMs) : [];
		const loads = holdMs > 0 ? [...held] : [await loadOn(serving.port, market, players.access)(loadMs)];
		let falseTakeovers = Number((await epochOf(url)) !== epoch);
		const settledMs = held.flatMap((load) => load.settledMs ?? []);
		const took: number[] = [];
		const stages: number[][] = [];
		while (took.length < kills) {
			await players.renew(serving.port);
			const crowd = new TakeoverCrowd(market, players.access);
			const bets = crowd.betOn(serving.port);
			await delay(loadMs);
			falseTakeovers += Number((await epochOf(url)) !== epoch);
			said.clear();
			const [from, killedAtMs] = [performance.now(), Date.now()];
			void serving.kill().then(() => said.set(ENDED, Date.now()));
			took.push((await crowd.firstAfter(following.port)) - from);
			crowd.stop();
			await bets;
			const ends = [...MARKS.map((mark) => said.get(mark) ?? Number.NaN), killedAtMs + (took.at(-1) ?? 0)];
			stages.push(ends.map((atMs, at) => atMs - (at === 0 ? killedAtMs : (ends[at - 1] ?? 0))));
			endedMs.push((said.get(ENDED) ?? Number.NaN) - killedAtMs);
			const parts = STAGES.map((name, at) => `${name} ${Math.round(stages.at(-1)?.[at] ?? 0)}`).join(', ');
			console.error(
				`takeover ${took.length}: ${Math.round(took.at(-1) ?? 0)} ms: ${parts}; ended ${Math.round(endedMs.at(-1) ?? 0)}`,
			);
			epoch = await epochOf(url);
			serving = following;
			following = await start();
			await followed(url);
			loads.push(await loadOn(serving.port, market, players.access)(loadMs));
			falseTakeovers += Number((await epochOf(url)) !== epoch);
		}
		const medianOf = (stage: number) =>
			round(
				percentile(
					stages.map((each) => each[stage] ?? Number.NaN),
					0.5,
				),
				0,
			);
		print({
			...loadFigures(loads),
			silenceMs,
			loadSeconds: round(
				loads.reduce((sum, { seconds }) => sum + seconds, 0),
				0,
			),
			falseTakeovers,
			settlements: settledMs.length,
			mostBetsOfAMarket: Math.max(0, ...held.map(({ took: bets }) => bets.length)),
			longestSettlementMs: round(percentile(settledMs, 1), 0),
			takeovers: took.length,
			medianMs: round(percentile(took, 0.5), 0),
			p99Ms: round(percentile(took, 0.99), 0),
			longestMs: round(percentile(took, 1), 0),
			medianStagesMs: {
				ended: round(percentile(endedMs, 0.5), 0),
				...Object.fromEntries(STAGES.map((name, at) => [name, medianOf(at)])),
			},
			must: MUST,
			aim: AIM,
		});
	} finally {
		await Promise.all([serving, following].map((child) => child.kill()));
		await cluster.stop();
	}
});

async function epochOf(url: string): Promise<number> {
	const lease = 'select epoch from lease';
	return await withConnection(url, async (db) => (await db.query<{ epoch: number }>(lease)).rows[0]?.epoch ?? 0);
}

async function withConnection<Result>(url: string, work: (db: pg.Pool) => Promise<Result>): Promise<Result> {
	const db = connect(url, { max: 1 });
	try {
		return await work(db);
	} finally {
		await db.end();
	}
}
