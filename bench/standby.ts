/**
 * `npm run bench -- standby`: the cost of a standby for the process that it follows. The bets of `bench http-bets` on
 * two servers that run at the same time and take turns of two seconds; both write command rows, and one is followed. If
 * there are fewer free cores than processes, the standby takes time from the others too, so the processor time of the
 * serving process for each bet is reported as well: that is the cost of a standby on a core of its own. Prints one JSON
 * line.
 */
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { type BetLoad, loadFigures, loadOn } from './support/bet-load.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { print, round } from './support/figures.ts';
import { followed } from './support/followed.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, type ServerChild, startServerChild, startStandbyChild } from './support/server-child.ts';

const PLAYERS = 500;
const SILENCE_MS = 5_000;
const WARM_UP_MS = 6_000;
const TURN_MS = 2_000;
const MUST = { ratio: 0.98 };

const { values } = parseArgs({ options: { turns: { type: 'string', default: '20' } } });

interface Turn extends BetLoad {
	/** Processor time of the serving process, and of the one that follows it. */
	cpuSeconds: number;
	standbyCpuSeconds: number;
}
type Side = (forMs: number) => Promise<Turn>;

await withSide(true, async (ours) => {
	await withSide(false, async (other) => {
		const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
		const turns = await byTimedTurns(timing, ours, other);
		const [one, two] = [figures(turns.ours), figures(turns.other)];
		print({
			turns: turns.ours.length,
			followed: one,
			alone: two,
			betsRatio: round(one.betsPerSecond / two.betsPerSecond, 3),
			cpuRatio: round(two.cpuMicrosecondsPerBet / one.cpuMicrosecondsPerBet, 3),
			must: MUST,
		});
	});
});

async function withSide(hasStandby: boolean, work: (side: Side) => Promise<void>): Promise<void> {
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir);
		const server = await startServerChild(dataDir, { commandRows: true });
		const cluster = await startEmbeddedPostgres({ dataDir, isGuest: true });
		const url = cluster.url('backlay');
		const standby: ServerChild | null = hasStandby ? await startStandbyChild(dataDir, url, SILENCE_MS) : null;
		try {
			if (standby) await followed(url);
			const load = loadOn(server.port, market, await demoTokens(server.port, PLAYERS));
			await work(async (forMs) => {
				const cpu = () => [server.cpuSeconds(), standby?.cpuSeconds() ?? 0] as const;
				const before = cpu();
				const turn = await load(forMs);
				const after = cpu();
				return { ...turn, cpuSeconds: after[0] - before[0], standbyCpuSeconds: after[1] - before[1] };
			});
		} finally {
			await standby?.kill();
			await server.stop();
		}
	});
}

function figures(turns: readonly Turn[]) {
	const bets = turns.reduce((sum, { took }) => sum + took.length, 0);
	const perBet = (of: (turn: Turn) => number) =>
		round((turns.reduce((sum, turn) => sum + of(turn), 0) * 1e6) / bets, 1);
	return {
		...loadFigures(turns),
		cpuMicrosecondsPerBet: perBet(({ cpuSeconds }) => cpuSeconds),
		standbyMicrosecondsPerBet: perBet(({ standbyCpuSeconds }) => standbyCpuSeconds),
	};
}
