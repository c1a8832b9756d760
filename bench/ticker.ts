/**
 * `npm run bench -- ticker`: what screens of the bet ticker cost beside 2,000 bets a second over HTTP: five screens that ask
 * each second, as the console does. The figure is the processor time of the server for a bet with them, as a ratio of that
 * without. Five answers a second are less than the noise of such turns, so a hundred are asked for, by turns with none, and
 * a twentieth of the difference counts: an answer costs the same however often it is asked for, because bets come between
 * any two. Each pair of turns has a ratio of its own and the median counts, because a drift of the machine changes both
 * turns of a pair alike. Prints one JSON line; `-- --turns 20` for a longer run.
 */
import { parseArgs } from 'node:util';
import { Bettor } from './support/bettor.ts';
import { byTimedTurns } from './support/by-turns.ts';
import { demoTokens } from './support/demo-logins.ts';
import { percentile, print, round } from './support/figures.ts';
import { type Ask, openDoors } from './support/operator-doors.ts';
import { withDataDir } from './support/scratch.ts';
import { openBenchMarket, startServerChild } from './support/server-child.ts';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '12' } } });
const TURNS = Number(values.turns);
const TIMES = { turns: TURNS, warmUpMs: 3_000, turnMs: 4_000 };
const PLAYERS = 500;
const BETS_PER_SECOND = 2_000;
const CONNECTIONS = 64;
const SCREENS = 5;
/** How many times as often as by the screens the answers are asked for. */
const TIMES_AS_OFTEN = 20;
const EVERY_MS = 1_000 / SCREENS / TIMES_AS_OFTEN;
const MUST = { cpuRatio: 1.02 };

interface Turn {
	cpuPerBetUs: number;
	took: number[];
	answers: number;
}

/** Screens that ask until they are stopped, one after the other, because they share a connection. @returns how often they were answered */
function openScreens(ask: Ask): () => Promise<number> {
	let answers = 0;
	let asked: Promise<void> = Promise.resolve();
	const askAgain = async () => {
		await ask('bets-taken', {});
		answers++;
	};
	const timer = setInterval(() => {
		asked = asked.then(askAgain);
	}, EVERY_MS);
	return async () => {
		clearInterval(timer);
		await asked;
		return answers;
	};
}

await withDataDir(async (dataDir) => {
	const market = await openBenchMarket(dataDir);
	const server = await startServerChild(dataDir);
	try {
		const doors = await openDoors(server.port, dataDir, 'trader');
		const tokens = await demoTokens(server.port, PLAYERS);
		const bettor = await Bettor.open(server.port, market, tokens, { connections: CONNECTIONS });
		const turn =
			(hasScreens: boolean) =>
			async (forMs: number): Promise<Turn> => {
				const [cpuFrom, placedFrom] = [server.cpuSeconds(), bettor.placed];
				const stop = hasScreens ? openScreens(doors.asMember) : async () => 0;
				const took = await bettor.took(BETS_PER_SECOND, forMs);
				const answers = await stop();
				const cpuPerBetUs = ((server.cpuSeconds() - cpuFrom) * 1e6) / (bettor.placed - placedFrom);
				return { cpuPerBetUs, took, answers };
			};
		const turns = await byTimedTurns(TIMES, turn(true), turn(false));
		bettor.close();
		doors.close();
		const medianOf = (all: readonly Turn[]) =>
			round(
				percentile(
					all.map(({ cpuPerBetUs }) => cpuPerBetUs),
					0.5,
				),
				1,
			);
		const p99Of = (all: readonly Turn[]) =>
			round(
				percentile(
					all.flatMap(({ took }) => took),
					0.99,
				),
				1,
			);
		const ratios = turns.ours.map(({ cpuPerBetUs }, at) => {
			const without = turns.other[at]?.cpuPerBetUs ?? cpuPerBetUs;
			return 1 + (cpuPerBetUs / without - 1) / TIMES_AS_OFTEN;
		});
		print({
			betsPerSecond: BETS_PER_SECOND,
			screens: SCREENS,
			timesAsOften: TIMES_AS_OFTEN,
			answers: turns.ours.reduce((sum, { answers }) => sum + answers, 0),
			cpuPerBetUs: { with: medianOf(turns.ours), without: medianOf(turns.other) },
			cpuRatio: round(percentile(ratios, 0.5), 3),
			ratios: ratios.map((ratio) => round(ratio, 3)),
			p99ms: { with: p99Of(turns.ours), without: p99Of(turns.other) },
			must: MUST,
		});
	} finally {
		await server.stop();
	}
});
