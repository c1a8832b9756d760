/**
 * `npm run bench -- webhooks-beside-bets`: the latency of bets beside a flood of webhooks of the payment provider, half of them repeated,
 * half of them forged. Bets come at a steady pace, by turns alone, beside a flood that a bare server answers, and beside a
 * flood that this server answers, in one run. The figure is the ratio of the bets' 99th percentiles in the last two: the
 * flood, its sockets and its answers share the cores with the server and its database, which costs bets time whatever a
 * webhook costs. The ratio to the bets alone is printed beside it. Each turn has a 99th percentile of its own and the
 * median of the turns counts: a pause of the machine or its disk spoils the turn that it falls into and no other. Prints
 * one JSON line.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { Bettor } from './support/bettor.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { heardFrom, openCrowd } from './support/open-crowd.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const PLAYERS = 100;
const WARM_UP_MS = 3_000;
const BETS_PER_SECOND = 300;
const MEASURED_MS = 1_500;
const TURNS = 30;
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
		const turns = { alone: [] as number[][], bare: [] as number[][], beside: [] as number[][] };
		const answers: Record<string, number> = {};
		const beside = async (crowd: ChildProcess): Promise<[number[], Record<string, number>]> => {
			const answered = heardFrom(crowd);
			crowd.send({ perSecond: WEBHOOKS_PER_SECOND, forMs: MEASURED_MS });
			const took = await bettor.took(BETS_PER_SECOND, MEASURED_MS);
			return [took, (await answered) as Record<string, number>];
		};
		const kinds = [
			async () => turns.alone.push(await bettor.took(BETS_PER_SECOND, MEASURED_MS)),
			async () => turns.bare.push((await beside(toBare))[0]),
			async () => {
				const [took, counted] = await beside(toServer);
				turns.beside.push(took);
				for (const [status, count] of Object.entries(counted)) answers[status] = (answers[status] ?? 0) + count;
			},
		];
		for (let turn = 0; turn < TURNS; turn++) {
			for (let at = 0; at < kinds.length; at++) await kinds[(turn + at) % kinds.length]?.();
		}
		toBare.disconnect();
		toServer.disconnect();
		const medianOf = (all: number[][], share: number) =>
			round(
				percentile(
					all.map((took) => percentile(took, share)),
					0.5,
				),
				2,
			);
		const of = (share: number) => ({
			alone: medianOf(turns.alone, share),
			bare: medianOf(turns.bare, share),
			beside: medianOf(turns.beside, share),
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
