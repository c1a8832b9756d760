/**
 * `npm run bench -- tails`: how late the latest bets are at half of what the server can take, for ten minutes
 * (`-- --minutes 2` for fewer). The capacity is that of `bench http-bets`, measured for ten seconds in the same run. Bets
 * are timed from when they were due; the cluster is one that has run for a day.
 * Prints one JSON line.
 */
import { parseArgs } from 'node:util';
import { embeddedUrl } from '#server/platform/postgres/embedded-postgres.ts';
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

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		await recycleWal(embeddedUrl(dataDir));
		const tokens = await demoTokens(server.port, PLAYERS);
		const load = loadOn(server.port, market, tokens);
		await load(WARM_UP_MS);
		const capacity = betRate([await load(CAPACITY_MS)]);
		const bettor = await Bettor.open(server.port, market, tokens);
		await bettor.took(capacity / 2, WARM_UP_MS);
		const took: number[] = [];
		const byMinute: object[] = [];
		for (let turn = 0; turn < turns; turn++) {
			const ofTurn = await bettor.took(capacity / 2, TURN_MS);
			for (const ms of ofTurn) took.push(ms);
			byMinute.push({ p999ms: round(percentile(ofTurn, 0.999), 1), longestMs: Math.round(percentile(ofTurn, 1)) });
			console.error(`minute ${turn + 1}: ${JSON.stringify(byMinute.at(-1))}`);
		}
		bettor.close();
		print({
			capacity: Math.round(capacity),
			betsPerSecond: Math.round(capacity / 2),
			bets: took.length,
			p50ms: round(percentile(took, 0.5), 2),
			p99ms: round(percentile(took, 0.99), 2),
			p999ms: round(percentile(took, 0.999), 2),
			longestMs: Math.round(percentile(took, 1)),
			byMinute,
			must: MUST,
			aim: AIM,
		});
	} finally {
		await server.stop();
	}
});
