/**
 * kill -9 of the server and of its PostgreSQL in the middle of rounds of every game that one player plays: each answered
 * round is there, once, with its money; an unanswered one is found out by asking again, and one with turns goes on.
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { GAMES, gameOf } from '#games/all-games.ts';
import { nonceFaults } from '#games/pair-proof.ts';
import { resultOf } from '#games/round-result.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { byForm, isLongForm } from '../games/form.ts';
import { SeededNumbers } from '../reference/random-commands.ts';

type Round = ResultOf<Calls['playRound']>['round'];

const OPTIONS = ['--no-feeds', '--log-level', 'error'];
const PLAYERS = 8;
/** Of the server, and in the long form of its database by turns. */
const KILLS = byForm(1, 80);
/** The kill comes within a tenth of a second after N answers; more are on their way at that moment. */
const ANSWERS_UNTIL_KILL = byForm(120, 40);
const LONGEST_WAIT_MS = 100;

/** Each bet with which a round of one player may begin. */
const BEGINNINGS = GAMES.flatMap((game) => {
	if (game.kind === 'instant')
		return game.bets.flatMap(({ code }) => (game.betOf(code) ? [{ game: game.code, bet: code }] : []));
	return game.kind === 'turns' ? ['', '3'].filter(game.isChoice).map((bet) => ({ game: game.code, bet })) : [];
});
/** The games by turns, so that one with few bets is played as often as another. */
const PLAYED = [...new Set(BEGINNINGS.map(({ game }) => game))];

const numbers = new SeededNumbers(20_261_125);

/** Of the attempt that runs. */
let server: ServerProcess;

async function ask<T>(path: string, token: string, body?: object): Promise<T> {
	const response = await fetch(`${server.url}${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	const { result, error } = (await response.json()) as { result: T; error: { code: string } | null };
	if (error) throw new Error(error.code);
	return result;
}

/** Begins the announced pair with a client seed. */
async function beginSeeds(token: string): Promise<ResultOf<Calls['rotateSeeds']>> {
	const { next } = await ask<ResultOf<Calls['getSeeds']>>('/Casino/Seeds', token);
	return await ask('/Casino/RotateSeeds', token, {
		clientSeed: randomUUID().slice(0, 13),
		commitment: next.commitment,
	});
}

interface Request {
	path: string;
	body: object;
}

interface Gambler {
	token: string;
	/** As they were answered last. */
	rounds: Map<string, Round>;
	/** Asked last, and the connection broke before an answer. */
	unanswered: Request | null;
}

/** Any game, and any of the actions of a round with turns. */
function nextRequest({ rounds }: Gambler): Request {
	const open = [...rounds.values()].find(({ state }) => state === 'OPEN');
	const clientRequestId = randomUUID();
	if (open) {
		return { path: '/Casino/Act', body: { roundId: open.roundId, action: numbers.from(open.next), clientRequestId } };
	}
	const game = numbers.from(PLAYED);
	const { bet } = numbers.from(BEGINNINGS.filter((each) => each.game === game));
	return { path: '/Casino/Play', body: { game, bets: [{ bet, stake: 10 }], clientRequestId } };
}

async function take(gambler: Gambler, { path, body }: Request): Promise<void> {
	const { round } = await ask<{ round: Round }>(path, gambler.token, body);
	gambler.rounds.set(round.roundId, round);
	gambler.unanswered = null;
}

/** Until the connection breaks, or it is told to stop. */
async function gamble(gambler: Gambler, load: { stopped: boolean; answered: () => void }): Promise<void> {
	while (!load.stopped) {
		gambler.unanswered = nextRequest(gambler);
		try {
			await take(gambler, gambler.unanswered);
			load.answered();
		} catch {
			return;
		}
	}
}

/** All of a player's rounds, page by page. */
async function storedRounds(token: string): Promise<Round[]> {
	const rounds: Round[] = [];
	for (;;) {
		const path = `/Casino/Rounds?maxResultCount=200&skipCount=${rounds.length}`;
		const { items, totalCount } = await ask<{ items: Round[]; totalCount: number }>(path, token);
		rounds.push(...items);
		if (rounds.length >= totalCount) return rounds;
	}
}

async function settleAccounts(gambler: Gambler): Promise<void> {
	if (gambler.unanswered) await take(gambler, gambler.unanswered);
	const stored = await storedRounds(gambler.token);
	expect(new Map(stored.map((round) => [round.roundId, round]))).toEqual(gambler.rounds);
	const { balance } = await ask<{ balance: number }>('/Bet/GetUserOpenBets', gambler.token);
	expect(balance).toBeCloseTo(20_000 + stored.reduce((sum, { stake, payout }) => sum + payout - stake, 0), 6);
	expect(new Set(stored.map(({ pair, nonce }) => `${pair}.${nonce}`)).size).toBe(stored.length);
}

/** Every ended round follows from the seeds that are revealed now. */
async function verifyAll({ token, rounds }: Gambler): Promise<void> {
	for (;;) {
		const { rounds: open } = await ask<{ rounds: Round[] }>('/Casino/OpenRounds', token);
		if (open.length === 0) break;
		for (const { roundId, next } of open) {
			const action = next.at(-1) ?? '';
			const { round } = await ask<{ round: Round }>('/Casino/Act', token, {
				roundId,
				action,
				clientRequestId: randomUUID(),
			});
			rounds.set(roundId, round);
		}
	}
	const { revealed } = await beginSeeds(token);
	if (!revealed) throw expect.unreachable();
	const nonces = [...rounds.values()].map(({ nonce }) => nonce);
	expect(nonceFaults(nonces, revealed.rounds)).toEqual({ missing: [], repeated: [] });
	for (const { game: code, nonce, bets, actions, outcome, pair } of rounds.values()) {
		const game = gameOf(code);
		if (!game || game.kind === 'crash') throw expect.unreachable();
		expect(pair).toBe(revealed.pair);
		const seeds = { serverSeed: revealed.serverSeed ?? '', clientSeed: revealed.clientSeed, nonce };
		expect(resultOf(game, seeds, { choice: bets[0]?.bet ?? '', actions }).outcome).toEqual(outcome);
	}
}

it('loses no answered round and plays none twice, kills in a row of server and database', {
	timeout: byForm(240_000, 3_600_000),
}, async () => {
	server = await ServerProcess.create({ embedded: isLongForm });
	onTestFinished(() => server.dispose());
	await server.start(OPTIONS);
	const gamblers: Gambler[] = [];
	for (let index = 0; index < PLAYERS; index++) {
		const { accessToken } = await ask<{ accessToken: string }>('/Account/LoginAsDemoUser', '');
		await beginSeeds(accessToken);
		gamblers.push({ token: accessToken, rounds: new Map(), unanswered: null });
	}
	for (let kill = 0; kill < KILLS; kill++) {
		const reached = Promise.withResolvers<void>();
		let answers = 0;
		const load = {
			stopped: false,
			answered: () => {
				if (++answers === ANSWERS_UNTIL_KILL) reached.resolve();
			},
		};
		const streams = gamblers.map((gambler) => gamble(gambler, load));
		await reached.promise;
		await new Promise((resolve) => setTimeout(resolve, numbers.below(LONGEST_WAIT_MS)));
		if (kill % 2 === 0) await server.kill();
		else await server.killDatabase();
		load.stopped = kill % 2 === 1;
		await Promise.all(streams);
		if (kill % 2 === 0) await server.start(OPTIONS);
		for (const gambler of gamblers)
			await expect.poll(() => settleAccounts(gambler).then(() => true, String), { timeout: 30_000 }).toBe(true);
		if (isLongForm) expect(await server.failedAuditChecks()).toEqual([]);
	}
	for (const gambler of gamblers) await verifyAll(gambler);
	expect(await server.failedAuditChecks()).toEqual([]);
});
