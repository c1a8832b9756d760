/**
 * `npm run bench -- pools`: bets of real money at a steady pace, by turns alone and beside demo players who bet as fast as they are
 * answered. Each side has an engine and a PostgreSQL of its own; three gateways serve both. On two cores or more, the engine
 * of real money, its PostgreSQL, a gateway and its players have one, and all else has another, as on two machines: what they
 * share is the disk, and NATS, which brings all books to each gateway. Prints one JSON line: of both, the median of the turns' 99th
 * percentiles, because one turn in which the machine did something else is no figure, and their ratio.
 */
import { execFileSync, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { startNatsServer } from '../test/hub/nats-server.ts';
import { findNatsServer } from '../tools/nats-server.ts';
import { BetConnection } from './support/bet-client.ts';
import { Bettor } from './support/bettor.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { percentile, print, round } from './support/figures.ts';
import { heardFrom } from './support/open-crowd.ts';
import { nameOf, openRealPlayers, PASSWORD, REAL_HEAD } from './support/real-players.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, type ServerChild, startGatewayChild, startServerChild } from './support/server-child.ts';

const PLAYERS = 60;
const BETS_PER_SECOND = 200;
const WARM_UP_MS = 5_000;
const TURN_MS = 4_000;
const MUST = { ratio: 1.1 };
const AIM = { ratio: 1.05 };

const { values } = parseArgs({ options: { turns: { type: 'string', default: '10' } } });
const program = findNatsServer();
if (!program) throw new Error('Install nats-server, or name its program in NATS_SERVER_PATH.');
const isApart = availableParallelism() > 1;
/** Where each side runs; undefined leaves that to the system. */
const [CORE_OF_DEMO, CORE_OF_REAL] = isApart ? [0, 1] : [undefined, undefined];

const nats = await startNatsServer(program);
if (CORE_OF_DEMO !== undefined) keepOn(CORE_OF_DEMO, nats.pid);
try {
	await withDataDir((ofReal) => withDataDir((ofDemo) => measure(ofReal, ofDemo)));
} finally {
	await nats.stop();
}

async function measure(ofReal: string, ofDemo: string): Promise<void> {
	await using started = new AsyncDisposableStack();
	const real = await openBenchMarket(ofReal, (running) => openRealPlayers(running, ofReal, PLAYERS), {
		POOLS: 'REAL',
	});
	const demo = await openBenchMarket(ofDemo);
	const ENGINES = `REAL:${keptTokenKey(ofReal)};DEMO,PLAY:${keptTokenKey(ofDemo)}`;
	const sides = [
		{ dataDir: ofReal, pools: 'REAL', core: CORE_OF_REAL },
		{ dataDir: ofDemo, pools: 'DEMO,PLAY', core: CORE_OF_DEMO },
	];
	for (const { dataDir, pools, core } of sides) {
		const server = await startServerChild(dataDir, { natsUrl: nats.url, pools, core });
		started.defer(() => server.stop());
	}
	const gateways: ServerChild[] = [];
	for (const core of [CORE_OF_REAL, CORE_OF_DEMO, CORE_OF_DEMO]) {
		const gateway = await startGatewayChild(ofReal, nats.url, { ENGINES, TRUSTED_PROXIES: '127.0.0.1' }, core);
		started.defer(() => gateway.stop());
		gateways.push(gateway);
	}
	const [gateway] = gateways;
	const [ofPlayers = 0, ...ofFlood] = gateways.map(({ port }) => port);
	if (CORE_OF_REAL !== undefined) keepOn(CORE_OF_REAL, process.pid);
	const flood = fork(new URL('./support/demo-flood.ts', import.meta.url), [
		JSON.stringify(demo),
		...ofFlood.map(String),
	]);
	started.defer(() => flood.disconnect());
	if (CORE_OF_DEMO !== undefined) keepOn(CORE_OF_DEMO, flood.pid ?? 0);
	await heardFrom(flood);
	const bettor = await Bettor.open(ofPlayers, real, await logIns(ofPlayers), { head: REAL_HEAD });
	started.defer(() => bettor.close());
	const floods: unknown[] = [];
	const alone = async (forMs: number): Promise<Turn> => {
		const before = gateway?.cpuSeconds() ?? 0;
		const took = await bettor.took(BETS_PER_SECOND, forMs);
		return { took, gatewayCpu: ((gateway?.cpuSeconds() ?? 0) - before) / (forMs / 1000) };
	};
	const beside = async (forMs: number): Promise<Turn> => {
		const flooded = heardFrom(flood);
		flood.send(forMs);
		const turn = await alone(forMs);
		floods.push(await flooded);
		return turn;
	};
	const timing = { turns: Number(values.turns), warmUpMs: WARM_UP_MS, turnMs: TURN_MS };
	const { ours, other } = await byTimedTurns(timing, beside, alone);
	const [one, two] = [figuresOf(other), figuresOf(ours)];
	print({
		isApart,
		betsPerSecond: BETS_PER_SECOND,
		refused: bettor.sent - bettor.placed,
		alone: one,
		beside: two,
		ratio: round(two.p99ms / one.p99ms, 3),
		floods,
		must: MUST,
		aim: AIM,
	});
}

interface Turn {
	/** Milliseconds of each bet. */
	took: number[];
	/** Of the gateway of real money's players, cores. */
	gatewayCpu: number;
}

function figuresOf(turns: readonly Turn[]) {
	const of = (share: number) => turns.map(({ took }) => percentile(took, share));
	const p99s = of(0.99);
	return {
		p50ms: round(percentile(of(0.5), 0.5), 2),
		p99ms: round(percentile(p99s, 0.5), 2),
		p99msOfTurns: p99s.map((ms) => round(ms, 1)),
		gatewayCpu: round(
			percentile(
				turns.map(({ gatewayCpu }) => gatewayCpu),
				0.5,
			),
			3,
		),
	};
}

/** All threads of a process stay on one core, and so does what it starts. */
function keepOn(core: number, pid: number): void {
	execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });
}

async function logIns(port: number): Promise<string[]> {
	const connection = await BetConnection.open(port);
	const tokens: string[] = [];
	for (let player = 0; player < PLAYERS; player++) {
		const body = JSON.stringify({ userNameOrEmailAddress: nameOf(player), password: PASSWORD });
		const answer = await connection.send(
			`POST /Account/Authenticate HTTP/1.1\r\n${REAL_HEAD}\r\nContent-Type: application/json\r\n` +
				`Content-Length: ${body.length}\r\n\r\n${body}`,
		);
		if (answer.status !== 200) throw new Error(answer.body);
		tokens.push((JSON.parse(answer.body) as { result: { accessToken: string } }).result.accessToken);
	}
	connection.close();
	return tokens;
}
