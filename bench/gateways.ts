/**
 * `npm run bench:gateways`: the bets of `bench:http` on two servers that run at the same time and take turns of two seconds:
 * one that serves its players itself, and one behind three gateways and NATS. Prints one JSON line: bets a second of
 * both, and the processor time of the process with the engine for each bet. `--cpu-profile DIR` has those two processes
 * write profiles there.
 */
import { parseArgs } from 'node:util';
import { startNatsServer } from '../test/hub/nats-server.ts';
import { findNatsServer } from '../tools/nats-server.ts';
import { demoTokens } from './support/bet-client.ts';
import { type BetLoad, loadFigures, loadOn } from './support/bet-load.ts';
import { byTurns } from './support/by-turns.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, type ServerChild, startGatewayChild, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
const GATEWAYS = 3;
const WARM_UP_MS = 6_000;
const TURN_MS = 2_000;
const MUST = { betsRatio: 0.9, cpuRatio: 0.6 };

const { values } = parseArgs({
	options: { turns: { type: 'string', default: '10' }, 'cpu-profile': { type: 'string', default: '' } },
});
const program = findNatsServer();
if (!program) throw new Error('Install nats-server, or name its program in NATS_SERVER_PATH.');

interface Turn extends BetLoad {
	/** Processor time of the process with the engine. */
	cpuSeconds: number;
}

type Side = (forMs: number) => Promise<Turn>;

const nats = await startNatsServer(program);
try {
	await withSide('', async (direct) => {
		await withSide(nats.url, async (gateways) => {
			await direct(WARM_UP_MS);
			await gateways(WARM_UP_MS);
			const { ours, other } = await byTurns(
				Number(values.turns),
				() => gateways(TURN_MS),
				() => direct(TURN_MS),
			);
			report(other, ours);
		});
	});
} finally {
	await nats.stop();
}

/** @param natsUrl empty for the server without gateways */
async function withSide(natsUrl: string, work: (side: Side) => Promise<void>): Promise<void> {
	await withDataDir(async (dataDir) => {
		const market = await openBenchMarket(dataDir);
		const profile = values['cpu-profile'];
		const server = await startServerChild(dataDir, { natsUrl, ...(profile ? { profile } : {}) });
		const gateways: ServerChild[] = [];
		try {
			const wanted = natsUrl === '' ? 0 : GATEWAYS;
			while (gateways.length < wanted) gateways.push(await startGatewayChild(dataDir, natsUrl));
			const ports = gateways.length > 0 ? gateways.map(({ port }) => port) : [server.port];
			const load = loadOn(ports, market, await demoTokens(ports[0] ?? 0, PLAYERS));
			await work(async (forMs) => {
				const before = server.cpuSeconds();
				const turn = await load(forMs);
				return { ...turn, cpuSeconds: server.cpuSeconds() - before };
			});
		} finally {
			await Promise.all(gateways.map((gateway) => gateway.stop()));
			await server.stop();
		}
	});
}

function report(direct: readonly Turn[], gateways: readonly Turn[]): void {
	const [one, other] = [figures(direct), figures(gateways)];
	print({
		turns: direct.length,
		direct: one,
		gateways: other,
		betsRatio: round(other.betsPerSecond / one.betsPerSecond, 3),
		cpuRatio: round(other.cpuMicrosecondsPerBet / one.cpuMicrosecondsPerBet, 3),
		must: MUST,
	});
}

function figures(turns: readonly Turn[]) {
	const cpuSeconds = turns.reduce((sum, turn) => sum + turn.cpuSeconds, 0);
	const cpuMicrosecondsPerBet = (cpuSeconds * 1e6) / turns.reduce((bets, { took }) => bets + took.length, 0);
	return {
		...loadFigures(turns),
		cpuMicrosecondsPerBet: round(cpuMicrosecondsPerBet, 1),
		betsPerCpuSecond: Math.round(1e6 / cpuMicrosecondsPerBet),
	};
}
