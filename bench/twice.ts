/**
 * `npm run bench -- twice`: the bets of `bench http-bets` on two servers that take turns of two seconds. One has twice the other's
 * markets, players and open bets; the same number of bets comes to both. Prints one JSON line with the ratio of the
 * latencies.
 */
import { parseArgs } from 'node:util';
import { Bettor } from './support/bettor.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { loadMarkets } from './support/loaded-markets.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const OPEN_BETS = 10_000;
const WARM_UP_MS = 4_000;
const TURN_MS = 2_000;
const MUST = { p99Ratio: 1.2 };

const { values } = parseArgs({
	options: { turns: { type: 'string', default: '30' }, pace: { type: 'string', default: '1000' } },
});
const pace = Number(values.pace);

type Side = (forMs: number) => Promise<number[]>;

await withSide(2, async (ours) => {
	await withSide(1, async (other) => {
		const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
		const turns = await byTimedTurns(timing, ours, other);
		const [twice, once] = [figures(turns.ours), figures(turns.other)];
		print({
			turns: turns.ours.length,
			betsPerSecond: pace,
			openBets: [2 * OPEN_BETS, OPEN_BETS],
			twice,
			once,
			p50Ratio: round(twice.p50ms / once.p50ms, 2),
			p99Ratio: round(twice.p99ms / once.p99ms, 2),
			must: MUST,
		});
	});
});

async function withSide(times: number, work: (side: Side) => Promise<void>): Promise<void> {
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir, ({ exchange }) => loadMarkets(exchange, times));
		const server = await startServerChild(dataDir);
		try {
			const bettor = await Bettor.open(server.port, market, await demoTokens(server.port, PLAYERS * times));
			await work((forMs) => bettor.took(pace, forMs));
			bettor.close();
		} finally {
			await server.stop();
		}
	});
}

/** The median over the turns of each turn's percentiles, so that a pause of the machine affects one turn only. */
function figures(turns: number[][]) {
	const median = (share: number) =>
		round(
			percentile(
				turns.map((took) => percentile(took, share)),
				0.5,
			),
			2,
		);
	return { p50ms: median(0.5), p99ms: median(0.99) };
}
