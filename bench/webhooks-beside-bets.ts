/**
 * `npm run bench:webhooks`: the latency of bets beside a flood of webhooks of the payment provider, half of them repeated,
 * half of them forged. Bets come at a steady pace, by turns alone, beside a flood that a bare server answers, and beside a
 * flood that this server answers, in one run. The figure is the ratio of the bets' 99th percentiles in the last two: the
 * flood, its sockets and its answers share the cores with the server and its database, which costs bets time whatever a
 * webhook costs. The ratio to the bets alone is printed beside it. Prints one JSON line.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { keptTokenKey } from '#server/config.ts';
import { demoTokens } from './support/bet-client.ts';
import { Bettor } from './support/bettor.ts';
import { percentile, print, round } from './support/figures.ts';
import { openCrowd } from './support/open-crowd.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 100;
const WARM_UP_MS = 3_000;
const BETS_PER_SECOND = 100;
/** Short turns, so that a pause of the machine meets each kind alike. */
const MEASURED_MS = 1_500;
const TURNS = 20;
const WEBHOOKS_PER_SECOND = 1_000;
const MUST = { webhooksPerSecond: 1_000, p99Ratio: 1.2 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	const bare = fork(new URL('./support/bare-webhook-server.ts', import.meta.url));
	try {
		const bettor = await Bettor.open(server.port, market, await demoTokens(server.port, PLAYERS));
		await bettor.trade(WARM_UP_MS);
		const [barePort] = (await once(bare, 'message')) as [number];
		const tokenKey = keptTokenKey(dataDir);
		const [toBare, toServer] = await Promise.all([
			openCrowd('webhook-crowd', barePort, tokenKey),
			openCrowd('webhook-crowd', server.port, tokenKey),
		]);
		const took = { alone: [] as number[], bare: [] as number[], beside: [] as number[] };
		const answers: Record<string, number> = {};
		for (let turn = 0; turn < TURNS; turn++) {
			took.alone.push(...(await bettor.took(BETS_PER_SECOND, MEASURED_MS)));
			for (const [crowd, under] of [[toBare, 'bare'] as const, [toServer, 'beside'] as const]) {
				const answered = once(crowd, 'message');
				crowd.send({ perSecond: WEBHOOKS_PER_SECOND, forMs: MEASURED_MS });
				took[under].push(...(await bettor.took(BETS_PER_SECOND, MEASURED_MS)));
				const [counted] = (await answered) as [Record<string, number>];
				if (crowd === toServer)
					for (const [status, count] of Object.entries(counted)) answers[status] = (answers[status] ?? 0) + count;
			}
		}
		toBare.disconnect();
		toServer.disconnect();
		const of = (share: number) => ({
			alone: round(percentile(took.alone, share), 2),
			bare: round(percentile(took.bare, share), 2),
			beside: round(percentile(took.beside, share), 2),
		});
		const p99ms = of(0.99);
		print({
			betsPerSecond: BETS_PER_SECOND,
			p50ms: of(0.5),
			p99ms,
			p99Ratio: round(p99ms.beside / p99ms.bare, 2),
			p99RatioToAlone: round(p99ms.beside / p99ms.alone, 2),
			webhooksPerSecond: Math.round(
				Object.values(answers).reduce((sum, count) => sum + count, 0) / ((TURNS * MEASURED_MS) / 1000),
			),
			answers,
			must: MUST,
		});
		bettor.close();
	} finally {
		bare.disconnect();
		await server.stop();
	}
});
