/**
 * `npm run bench -- tails`: how late the latest bets are at half of what the server can take, for ten minutes
 * (`-- --minutes 2` for fewer). The capacity is that of `bench http-bets`, measured for ten seconds in the same run. Bets
 * are timed from when they were due, over as many connections as there are players; the cluster is one that has run for
 * a day. After each minute of bets, the same
 * cluster commits as many bytes of its log at the same pace for as long, with nothing else to do: `bare` is what
 * PostgreSQL and the disk allow, and `ratio` compares the 99.9th percentiles. Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { connect } from '#server/platform/postgres/connect.ts';
import { embeddedUrl } from '#server/platform/postgres/embedded-postgres.ts';
import { bareCommits } from './support/bare-commits.ts';
import { betRate, loadOn } from './support/bet-load.ts';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { recycleWal } from './support/recycled-wal.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const WARM_UP_MS = 4_000;
const CAPACITY_MS = 10_000;
/** The turns of the bench; each one's bets are counted, the longest wait of each is told. */
const TURN_MS = 60_000;
const MUST = { p999ms: 50 };
const AIM = { p999ms: 25 };

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const turns = Number(values.minutes);

/** Sorts the samples. */
const tail = (took: number[]) => ({
	p50ms: round(percentile(took, 0.5), 2),
	p99ms: round(percentile(took, 0.99), 2),
	p999ms: round(percentile(took, 0.999), 2),
	longestMs: Math.round(percentile(took, 1)),
});

/** Bytes of the log so far. */
async function logBytes(db: pg.Pool): Promise<number> {
	const { rows } = await db.query<{ bytes: number }>(
		"select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
	);
	return rows[0]?.bytes ?? Number.NaN;
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	const db = connect(embeddedUrl(dataDir), { max: 1 });
	try {
		await recycleWal(embeddedUrl(dataDir));
		const tokens = await demoTokens(server.port, PLAYERS);
		const load = loadOn(server.port, market, tokens);
		await load(WARM_UP_MS);
		const capacity = betRate([await load(CAPACITY_MS)]);
		const pace = { perSecond: capacity / 2, forMs: TURN_MS };
		const bettor = await Bettor.open(server.port, market, tokens, { connections: PLAYERS });
		await bettor.took(pace.perSecond, WARM_UP_MS);
		const [bets, bare]: [number[], number[]] = [[], []];
		let logged = 0;
		for (let turn = 0; turn < turns; turn++) {
			const before = await logBytes(db);
			const ofTurn = await bettor.took(pace.perSecond, pace.forMs);
			const bytes = (await logBytes(db)) - before;
			logged += bytes;
			const bareOfTurn = await bareCommits(db, Math.round(bytes / ofTurn.length), pace);
			for (const ms of ofTurn) bets.push(ms);
			for (const ms of bareOfTurn) bare.push(ms);
			console.error(`minute ${turn + 1}: ${JSON.stringify({ bets: tail(ofTurn), bare: tail(bareOfTurn) })}`);
		}
		bettor.close();
		const [ours, limit] = [tail(bets), tail(bare)];
		print({
			capacity: Math.round(capacity),
			betsPerSecond: Math.round(pace.perSecond),
			bets: bets.length,
			logBytesABet: Math.round(logged / bets.length),
			...ours,
			bare: limit,
			ratio: round(ours.p999ms / limit.p999ms, 2),
			must: MUST,
			aim: AIM,
		});
	} finally {
		await db.end();
		await server.stop();
	}
});
