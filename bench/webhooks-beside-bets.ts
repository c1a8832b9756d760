/**
 * `npm run bench:webhooks`: the latency of bets beside a flood of webhooks of the payment provider, half of them repeated,
 * half of them forged. Bets come at a steady pace, by turns alone and beside the flood, in one run. The figure is the
 * ratio of the bets' 99th percentiles. Prints one JSON line.
 */
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
/** Short turns, so that a pause of the machine meets both kinds alike. */
const MEASURED_MS = 1_500;
const TURNS = 20;
const WEBHOOKS_PER_SECOND = 1_000;
const MUST = { webhooksPerSecond: 1_000, p99Ratio: 1.2 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const bettor = await Bettor.open(server.port, market, await demoTokens(server.port, PLAYERS));
		await bettor.trade(WARM_UP_MS);
		const crowd = await openCrowd('webhook-crowd', server.port, keptTokenKey(dataDir));
		const [alone, beside]: [number[], number[]] = [[], []];
		const answers: Record<string, number> = {};
		for (let turn = 0; turn < TURNS; turn++) {
			alone.push(...(await bettor.took(BETS_PER_SECOND, MEASURED_MS)));
			const answered = once(crowd, 'message');
			crowd.send({ perSecond: WEBHOOKS_PER_SECOND, forMs: MEASURED_MS });
			beside.push(...(await bettor.took(BETS_PER_SECOND, MEASURED_MS)));
			const [counted] = (await answered) as [Record<string, number>];
			for (const [status, count] of Object.entries(counted)) answers[status] = (answers[status] ?? 0) + count;
		}
		crowd.disconnect();
		const p99 = { alone: percentile(alone, 0.99), beside: percentile(beside, 0.99) };
		print({
			betsPerSecond: BETS_PER_SECOND,
			p50ms: { alone: round(percentile(alone, 0.5), 2), beside: round(percentile(beside, 0.5), 2) },
			p99ms: { alone: round(p99.alone, 2), beside: round(p99.beside, 2) },
			p99Ratio: round(p99.beside / p99.alone, 2),
			webhooksPerSecond: Math.round(
				Object.values(answers).reduce((sum, count) => sum + count, 0) / ((TURNS * MEASURED_MS) / 1000),
			),
			answers,
			must: MUST,
		});
		bettor.close();
	} finally {
		await server.stop();
	}
});
