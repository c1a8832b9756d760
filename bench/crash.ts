/**
 * `npm run bench -- crash --scale 1`: 5,000 clients at the hub hear Crash; 2,000 of their players bet within one
 * betting window and cash out within 100 ms of one another. Measured are the time from sending a request to its durable
 * answer, and the delay of ticks beyond their interval of 150 ms. Every bet and every cash-out must be answered once. A
 * smaller scale multiplies both numbers; `--sports-bets 2000` adds that many bets on a match a second while it flies.
 * Two rounds warm the server up, whose code is not compiled yet; `--rounds 3` are measured after them.
 *
 * The players share the machine's cores with the server. So ticks are timed and matches are bet on by separate
 * processes, clients that only listen read later, and the processor time of server and players is reported separately.
 * One JSON line.
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { BetConnection } from './support/bet-client.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { HubClient } from './support/hub-client.ts';
import { heardFrom, openCrowd } from './support/open-crowd.ts';
import { QuietListeners } from './support/quiet-listeners.ts';
import { withDataDir } from './support/scratch.ts';
import { type BenchMarket, openBenchMarket, type ServerChild, startServerChild } from './support/server-child.ts';
import type { Pace } from './support/sports-bettors.ts';

const { values } = parseArgs({
	options: {
		scale: { type: 'string', default: '1' },
		'sports-bets': { type: 'string', default: '0' },
		rounds: { type: 'string', default: '3' },
		profile: { type: 'string', default: '' },
	},
});
const scale = Number(values.scale);
const sportsBets = Number(values['sports-bets']);
const MEASURED = Number(values.rounds);
const CONNECTED = Math.round(5_000 * scale);
const BETTORS = Math.round(2_000 * scale);
/** The part of the window over which bets are spread; a window is five seconds. */
const BETS_WITHIN_MS = 4_000;
const CASH_OUTS_WITHIN_MS = 100;
/** A flight that lasts long enough for all cash-outs. */
const CASH_OUT_AFTER_MS = 1_500;
const CONNECTED_WITHIN_MS = 1_000;
/** Bets on the match begin before the cash-outs and end after them. */
const SPORTS_FOR_MS = 4_000;
const MUST = { p99ms: 150, tickLateP99ms: 50 };

interface Answer {
	success: boolean;
	result: { bet: { betId: string; state: string } } | null;
	error: { code: string } | null;
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir, { profile: values.profile });
	try {
		const tokens = await demoTokens(server.port, CONNECTED);
		const listeners = await QuietListeners.open(server.port, tokens, 'table:crash');
		const watch = await HubClient.open(server.port, '', ['table:crash']);
		const phases = phasesOf(watch);
		const ticks = await openCrowd('tick-listener', server.port, '');
		const sports = sportsBets > 0 ? await openCrowd('sports-bettors', server.port, '') : null;
		const bettors = tokens.slice(0, BETTORS);
		const connections: BetConnection[] = [];
		// The server closes a connection that was idle for seconds, so each is reopened shortly before it is used.
		const connect = async (index: number): Promise<void> => {
			connections[index]?.close();
			connections[index] = await BetConnection.open(server.port);
		};
		let took = nothingTaken();
		const post = async (index: number, path: string, body: object): Promise<[Answer, number]> => {
			const text = JSON.stringify(body);
			const sentAt = performance.now();
			const { body: answer } = await (connections[index] as BetConnection).send(
				`POST /Casino/${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${bettors[index]}\r\n` +
					`Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
			);
			return [JSON.parse(answer) as Answer, performance.now() - sentAt];
		};
		/** @returns the ids of the bets */
		const betAll = () =>
			Promise.all(
				bettors.map(async (_, index) => {
					await pause((index / BETTORS) * BETS_WITHIN_MS);
					await connect(index);
					const request = { slot: 1, stake: 10, autoCents: null, clientRequestId: randomUUID() };
					const [{ result, error }, ms] = await post(index, 'CrashBet', request);
					if (!result) throw new Error(error?.code);
					took.bets.push(ms);
					// A bet after the window is queued for the next round.
					if (result.bet.state !== 'OPEN') throw new Error('The machine is too slow: a bet missed the window.');
					return result.bet.betId;
				}),
			);
		const cashOutAll = (bets: readonly string[]) =>
			Promise.all(
				bets.map(async (betId, index) => {
					await pause((index / BETTORS) * CASH_OUTS_WITHIN_MS);
					const [answer, ms] = await post(index, 'CrashCashOut', { betId, clientRequestId: randomUUID() });
					took.cashOuts.push(ms);
					return answer;
				}),
			);
		/** @returns the figures of the next round that flies for long enough */
		const nextRound = async (): Promise<Round> => {
			for (;;) {
				took = nothingTaken();
				await phases.reached('BETTING');
				const bets = await betAll();
				await phases.reached('FLYING');
				await heard(ticks);
				const sportsTook = sports && betOnMatch(sports, market);
				await Promise.all([
					pause(CASH_OUT_AFTER_MS),
					...bettors.map(async (_, index) => {
						await pause((index / BETTORS) * CONNECTED_WITHIN_MS);
						await connect(index);
					}),
				]);
				// It may crash too early: then the bets of another round are measured.
				if (!phases.isFlying()) continue;
				const cost = costSince(server);
				const answers = await listeners.resting(() => cashOutAll(bets));
				const during = cost();
				const won = answers.filter(({ result }) => result?.bet.state === 'WON').length;
				const others = answers.flatMap(({ error }) => (error && error.code !== 'ROUND_CRASHED' ? [error.code] : []));
				if (others.length > 0)
					throw new Error(`${others.length} cash-outs were answered otherwise: ${[...new Set(others)]}`);
				if (won === 0) continue;
				await pause(CASH_OUT_AFTER_MS);
				return { ...took, ticks: await heard(ticks), won, during, sports: (await sportsTook) ?? [] };
			}
		};
		// A server that has just started compiles the code path of bets, and the backlog would be measured.
		if (sports) await betOnMatch(sports, market);
		for (let warmUp = 0; warmUp < 2; warmUp++) await nextRound();
		const rounds: Round[] = [];
		while (rounds.length < MEASURED) rounds.push(await nextRound());
		print(figuresOf(rounds));
		ticks.disconnect();
		sports?.disconnect();
		for (const connection of connections) connection.close();
		await watch.close();
		listeners.close();
	} finally {
		await server.stop();
	}
});

/** The figures of one round; milliseconds. */
interface Round {
	bets: number[];
	cashOuts: number[];
	/** The delay of each tick. */
	ticks: number[];
	/** Winning cash-outs. */
	won: number;
	during: ReturnType<ReturnType<typeof costSince>>;
	/** Bets on the match. */
	sports: number[];
}

function nothingTaken(): Pick<Round, 'bets' | 'cashOuts'> {
	return { bets: [], cashOuts: [] };
}

/** The figures of all rounds together, and the distinguishing ones of each. */
function figuresOf(rounds: readonly Round[]) {
	const all = (samplesOf: (one: Round) => number[]) => spread(rounds.flatMap(samplesOf));
	const cashOuts = all((one) => one.cashOuts);
	return {
		bench: 'crash',
		connected: CONNECTED,
		bets: all(({ bets }) => bets),
		cashOuts,
		tickLate: all(({ ticks }) => ticks),
		must: MUST,
		ratioToMust: round(MUST.p99ms / cashOuts.p99ms, 2),
		sports: sportsBets > 0 ? { betsPerSecond: sportsBets, ...all(({ sports }) => sports) } : null,
		rounds: rounds.map(({ won, during, cashOuts: own, ticks }) => ({
			won,
			p99ms: round(percentile(own, 0.99), 1),
			tickLateP99ms: round(percentile(ticks, 0.99), 1),
			during,
		})),
	};
}

function spread(samples: number[]) {
	return {
		count: samples.length,
		p50ms: round(percentile(samples, 0.5), 1),
		p99ms: round(percentile(samples, 0.99), 1),
		maxMs: round(percentile(samples, 1), 1),
	};
}

/** The ticks since the last request to the tick listeners. */
async function heard(ticks: ChildProcess): Promise<number[]> {
	const answered = heardFrom(ticks);
	ticks.send({});
	return (await answered) as number[];
}

/** @returns the duration of each bet, ms */
async function betOnMatch(sports: ChildProcess, market: BenchMarket): Promise<number[]> {
	const answered = heardFrom(sports);
	sports.send({ market, perSecond: sportsBets, forMs: SPORTS_FOR_MS } satisfies Pace);
	return (await answered) as number[];
}

/** Processor time of the server's process and of this one, and the longest stall of this one's loop. */
function costSince(server: ServerChild) {
	const [from, serverFrom, cpuFrom] = [performance.now(), server.cpuSeconds(), process.cpuUsage()];
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	return () => {
		const { user, system } = process.cpuUsage(cpuFrom);
		return {
			ms: round(performance.now() - from, 0),
			serverCpuMs: round((server.cpuSeconds() - serverFrom) * 1_000, 0),
			playersCpuMs: round((user + system) / 1_000, 0),
			playersLoopMaxMs: round(delay.max / 1e6, 0),
		};
	};
}

/** The phase of the round, as one client hears it. */
function phasesOf(client: HubClient) {
	let now = '';
	let waiting: { phase: string; resolve: () => void } | null = null;
	client.onState = (phase) => {
		now = phase;
		if (waiting?.phase === phase) waiting.resolve();
	};
	return {
		isFlying: () => now === 'FLYING',
		/** Resolves when a round reaches that phase. */
		reached: (phase: string): Promise<void> =>
			new Promise((resolve) => {
				waiting = { phase, resolve };
			}),
	};
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, ms);
	});
}
