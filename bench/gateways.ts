/**
 * `npm run bench -- gateways`: the bets of `bench http-bets`, on 256 connections, on two servers that run at the same time and
 * take turns of two seconds: one that serves its players itself, and one behind three gateways and NATS. Prints one JSON
 * line: bets a second of both, and the processor time of the process with the engine for each bet. `--cpu-profile DIR`
 * has those two processes write profiles there. `--before DIR` serves players directly from another checkout, as of
 * before gateways served calls.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startNatsServer } from '../test/hub/nats-server.ts';
import { findNatsServer } from '../tools/nats-server.ts';
import { type BetLoad, loadFigures, loadOn } from './support/bet-load.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, type ServerChild, startGatewayChild, startServerChild } from './support/server-child.ts';

const PLAYERS = 500;
/** Three gateways have more players in front of them than one process, and the engine's batches are larger. */
const CONNECTIONS = 256;
const GATEWAYS = 3;
/** A gateway has a third of the calls: what of it is compiled is compiled after twelve seconds of them. */
const WARM_UP_MS = 20_000;
const TURN_MS = 2_000;
const MUST = { betsRatio: 1, cpuRatio: 0.6 };
const AIM = { betsRatio: 1.2 };

const { values } = parseArgs({
	options: {
		turns: { type: 'string', default: '10' },
		'cpu-profile': { type: 'string', default: '' },
		before: { type: 'string', default: '' },
	},
});
const program = findNatsServer();
if (!program) throw new Error('Install nats-server, or name its program in NATS_SERVER_PATH.');

interface Turn extends BetLoad {
	/** Processor time of the process with the engine. */
	cpuSeconds: number;
	/** Of the gateways together. */
	gatewaySeconds: number;
}

/** How a checkout starts its server. */
type ServerChildren = Pick<typeof import('./support/server-child.ts'), 'openBenchMarket' | 'startServerChild'>;
const SERVER_CHILD = 'bench/support/server-child.ts';

type Side = (forMs: number) => Promise<Turn>;

const nats = await startNatsServer(program);
try {
	await withSide('', async (direct) => {
		await withSide(nats.url, async (gateways) => {
			const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
			const { ours, other } = await byTimedTurns(timing, gateways, direct);
			report(other, ours);
		});
	});
} finally {
	await nats.stop();
}

/** @param natsUrl empty for the server without gateways */
async function withSide(natsUrl: string, work: (side: Side) => Promise<void>): Promise<void> {
	await withDataDir(async (dataDir) => {
		const checkout = natsUrl === '' ? values.before : '';
		const servers: ServerChildren = checkout
			? await import(resolve(checkout, SERVER_CHILD))
			: { openBenchMarket, startServerChild };
		const market = await servers.openBenchMarket(dataDir);
		const profile = values['cpu-profile'];
		const server = await servers.startServerChild(dataDir, { natsUrl, ...(profile ? { profile } : {}) });
		const gateways: ServerChild[] = [];
		try {
			const wanted = natsUrl === '' ? 0 : GATEWAYS;
			while (gateways.length < wanted) gateways.push(await startGatewayChild(dataDir, natsUrl));
			const ports = gateways.length > 0 ? gateways.map(({ port }) => port) : [server.port];
			const load = loadOn(ports, market, await demoTokens(ports[0] ?? 0, PLAYERS), CONNECTIONS);
			await work(async (forMs) => {
				const ofGateways = () => gateways.reduce((sum, gateway) => sum + gateway.cpuSeconds(), 0);
				const [before, gatewaysBefore] = [server.cpuSeconds(), ofGateways()];
				const turn = await load(forMs);
				return {
					...turn,
					cpuSeconds: server.cpuSeconds() - before,
					gatewaySeconds: ofGateways() - gatewaysBefore,
				};
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
		aim: AIM,
	});
}

function figures(turns: readonly Turn[]) {
	const bets = turns.reduce((sum, { took }) => sum + took.length, 0);
	const perBet = (secondsOf: (turn: Turn) => number) =>
		(turns.reduce((sum, turn) => sum + secondsOf(turn), 0) * 1e6) / bets;
	const cpuMicrosecondsPerBet = perBet(({ cpuSeconds }) => cpuSeconds);
	return {
		...loadFigures(turns),
		cpuMicrosecondsPerBet: round(cpuMicrosecondsPerBet, 1),
		betsPerCpuSecond: Math.round(1e6 / cpuMicrosecondsPerBet),
		gatewayMicrosecondsPerBet: round(
			perBet(({ gatewaySeconds }) => gatewaySeconds),
			1,
		),
	};
}
