/**
 * `npm run bench -- funds-beside-bets`: bets through the whole server as `bench http-bets` places them, by turns alone and beside deposits,
 * withdrawals and bonuses of other players, in one run. The figures are the ratio of bets a second, and the bets' 99th
 * percentile beside. Prints one JSON line.
 */
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { heardFrom, openCrowd } from './support/open-crowd.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const CONNECTIONS = 64;
const WARM_UP_MS = 3_000;
/** Short turns, so that a pause of the machine meets both kinds alike. */
const MEASURED_MS = 2_000;
const TURNS = 8;
const ACTS_PER_SECOND = 50;
const MUST = { ratio: 0.9, p99ms: 50 };

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const bettor = await Bettor.open(server.port, market, await demoTokens(server.port, PLAYERS), {
			connections: CONNECTIONS,
		});
		const crowd = await openCrowd('funds-crowd', server.port, keptTokenKey(dataDir));
		await bettor.trade(WARM_UP_MS);
		const [alone, beside]: [number[], number[]] = [[], []];
		const answers: unknown[] = [];
		for (let turn = 0; turn < TURNS; turn++) {
			alone.push(...(await bettor.trade(MEASURED_MS)));
			const answered = heardFrom(crowd);
			crowd.send({ perSecond: ACTS_PER_SECOND, forMs: MEASURED_MS });
			beside.push(...(await bettor.trade(MEASURED_MS)));
			answers.push(await answered);
		}
		crowd.disconnect();
		const perSecond = (took: readonly number[]) => Math.round(took.length / ((TURNS * MEASURED_MS) / 1000));
		print({
			betsPerSecond: { alone: perSecond(alone), beside: perSecond(beside) },
			ratio: round(beside.length / alone.length, 2),
			p99ms: { alone: round(percentile(alone, 0.99), 2), beside: round(percentile(beside, 0.99), 2) },
			actsPerSecond: ACTS_PER_SECOND,
			answers,
			must: MUST,
		});
		bettor.close();
	} finally {
		await server.stop();
	}
});
