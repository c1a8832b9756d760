/**
 * `npm run bench -- reads-beside-bets`: the latency of bets beside heavy reads. Bets come at a steady pace into a market with some
 * history, first alone, then while 600 visitors each request its price history once a second. The figure is the bets'
 * 95th percentile in both. Prints one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { print } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const VISITORS = 600;
const TRADED_FOR_MS = 6_000;
const BETS_PER_SECOND = 50;
const MEASURED_MS = 8_000;
const MUST = { p95ms: 20 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const tokens = await demoTokens(server.port, PLAYERS);
		const bettor = await Bettor.open(server.port, market, tokens);
		await bettor.trade(TRADED_FOR_MS);
		const alone = await bettor.p95(BETS_PER_SECOND, MEASURED_MS);
		const visitors = await openVisitors(server.port, market);
		const beside = await bettor.p95(BETS_PER_SECOND, MEASURED_MS);
		visitors.send('answers');
		const [answers] = await once(visitors, 'message');
		visitors.disconnect();
		print({
			visitors: VISITORS,
			betsPerSecond: BETS_PER_SECOND,
			traded: bettor.placed,
			p95ms: { alone, beside },
			answers,
			must: MUST,
		});
		bettor.close();
	} finally {
		await server.stop();
	}
});

async function openVisitors(port: number, market: BenchMarket): Promise<ChildProcess> {
	const path = `/Odds/GetPriceHistory?marketId=${market.marketId}&runnerId=${market.runnerIds[0]}`;
	const visitors = fork(new URL('./support/visitors.ts', import.meta.url), [String(port), String(VISITORS), path]);
	await once(visitors, 'message');
	return visitors;
}
