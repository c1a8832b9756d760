/**
 * kill -9 of the server and of its PostgreSQL in every phase of Crash and amid rounds of the dealt tables, while players bet,
 * cancel, cash out and repeat requests at random: each bet is settled once, as the rules for restarts say, and by its
 * round's result.
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { InputOf, ResultOf } from '#contract/call.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { NONE } from '#games/fraction.ts';
import { payoutOf, type TableGame } from '#games/game.ts';
import { ServerProcess } from '../browser/server-process.ts';
import { provenOutcome, type TableProof } from '../support/tables.ts';
import { byForm, isLongForm } from './form.ts';

type Bet = ResultOf<Calls['placeCrashBet']>['bet'];
type Record = ResultOf<Calls['getRounds']>['items'][number];
type Proof = ResultOf<Calls['getCrashRound']>;
type TableRequest = InputOf<Calls['placeTableBet']>;
type TableBet = ResultOf<Calls['placeTableBet']>['bet'];

const TABLES = GAMES.filter((game) => game.kind === 'table');
const PLAYERS = 4;
/** Every third one is of the database. The short form has one alone, amid a flight: the other phases are in calls/crash.test.ts. */
const KILLS = byForm(1, 80);
const PHASES = ['FLYING', 'BETTING', 'CRASHED', 'FLYING'] as const;
const OPTIONS = ['--no-feeds', '--log-level', 'error'];
/** Rounds run ten times as fast. */
const ENVIRONMENT = { TABLE_SPEED: '10' };

class Unanswered extends Error {}

/**
 * @returns null when the server refuses
 * @throws Unanswered when no whole answer came, or one that says nothing of the outcome
 */
async function ask<Name extends CallName>(
	server: ServerProcess,
	name: Name,
	input: InputOf<Calls[Name]>,
	token: string | null = null,
): Promise<ResultOf<Calls[Name]> | null> {
	const answer = await server.answer(name, input, token).catch(() => null);
	if (!answer || answer.status >= 500) throw new Unanswered(name);
	return answer.body.result;
}

interface Gambler {
	server: ServerProcess;
	token: string;
	/** Bets that were answered, and cash-outs that were: both have to stand. */
	placed: Map<string, Bet>;
	/** Bets on dealt tables that were answered. */
	dealt: Map<string, TableBet>;
	/** The last request at a table, to be repeated. */
	last: TableRequest | null;
	cashedOut: Map<string, number>;
}

/** Bets on a table, asks the same once more, or cancels. */
async function actAtTable(gambler: Gambler, choose: (most: number) => number): Promise<void> {
	const { server, token, dealt, last } = gambler;
	const latest = [...dealt.values()].at(-1);
	const what = choose(5);
	if (what === 0 && latest) {
		await ask(server, 'cancelTableBet', { game: latest.game, betId: latest.betId }, token);
		return;
	}
	const game = TABLES[choose(TABLES.length - 1)] as TableGame;
	const bets = Array.from({ length: 1 + choose(2) }, () => ({
		bet: game.bets[choose(game.bets.length - 1)]?.code ?? '',
		stake: 10 + choose(40),
	}));
	const request = what === 1 && last ? last : { game: game.code, bets, clientRequestId: randomUUID() };
	gambler.last = request;
	const answer = await ask(server, 'placeTableBet', request, token);
	if (answer && answer.bet.state !== 'WAITING') dealt.set(answer.bet.betId, answer.bet);
}

/** A bet on a dealt table was paid what its definition pays by the hash that was revealed. */
function checkDealt({ game: code, tableRound = '', bets, state, stake, payout }: Record, proof: TableProof): void {
	const game = TABLES.find((table) => table.code === code);
	if (proof.hash === null) throw new Error(`round ${tableRound} of ${code} has settled bets and revealed no hash`);
	expect(previousHash(proof.hash)).toBe(proof.previousHash);
	if (state === 'VOID') return expect(payout).toBe(stake);
	const outcome = provenOutcome(proof);
	for (const { bet: name, stake: staked, payout: paid } of bets) {
		const bet = game?.betOf(name);
		const prize = bet?.prizeOf(outcome) ?? null;
		const expected = prize === null ? 0 : payoutOf(staked * 100, bet?.prizes[prize]?.pays ?? NONE);
		expect(paid).toBeCloseTo(expected / 100, 6);
	}
}

/** One random act of a player. */
async function act(gambler: Gambler, choose: (most: number) => number): Promise<void> {
	const { server, token, placed, cashedOut } = gambler;
	if (choose(2) === 0) return await actAtTable(gambler, choose);
	const open = [...placed.values()].slice(-2);
	const bet = open[choose(1)];
	const what = choose(9);
	if (what < 4 || !bet) {
		const autoCents = choose(1) === 0 ? null : 101 + choose(300);
		const slot = choose(1) === 0 ? 1 : 2;
		const request = { slot, stake: 10 + choose(90), autoCents, clientRequestId: randomUUID() } as const;
		const answer = await ask(server, 'placeCrashBet', request, token);
		if (answer && answer.bet.state !== 'WAITING') placed.set(answer.bet.betId, answer.bet);
	} else if (what === 4) await ask(server, 'cancelCrashBet', { betId: bet.betId }, token);
	else {
		const request = { betId: bet.betId, clientRequestId: randomUUID() };
		const answer = await ask(server, 'cashOutCrash', request, token);
		if (answer?.bet.cents) cashedOut.set(bet.betId, answer.bet.cents);
	}
}

async function gamble(gambler: Gambler, load: { stopped: boolean }, choose: (most: number) => number): Promise<void> {
	while (!load.stopped) {
		try {
			await act(gambler, choose);
		} catch (error) {
			if (!(error instanceof Unanswered)) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, 5 + choose(20)));
	}
}

async function reach(server: ServerProcess, phase: string): Promise<void> {
	const phaseNow = async () => (await ask(server, 'getCrash', {}).catch(() => null))?.state.phase;
	await expect.poll(phaseNow, { timeout: 60_000, interval: 10 }).toBe(phase);
}

/** All of the player's bets, page by page. */
async function recordsOf({ server, token }: Gambler): Promise<Map<string, Record>> {
	const records = new Map<string, Record>();
	for (;;) {
		const paging = { maxResultCount: '200', skipCount: String(records.size) };
		const page = await ask(server, 'getRounds', paging, token);
		const known = records.size;
		for (const record of page?.items ?? []) records.set(record.roundId, record);
		// A bet that waited for its round may come between two pages, and moves the others on.
		if (!page || records.size >= page.totalCount || records.size === known) return records;
	}
}

/** Every bet of the player in the ledger has ended, as its round allows, and the balance is what they come to. */
async function check(gambler: Gambler): Promise<void> {
	const { server, token, placed, dealt, cashedOut } = gambler;
	const records = await recordsOf(gambler);
	for (const betId of [...placed.keys(), ...dealt.keys()]) expect(records.has(betId)).toBe(true);
	const proofs = new Map<string, Proof>();
	const tableProofs = new Map<string, TableProof>();
	for (const record of records.values()) {
		const { roundId, game, tableRound = '', state, stake, payout, bets, outcome } = record;
		expect(state).not.toBe('OPEN');
		if (game !== 'crash') {
			const name = `${game} ${tableRound}`;
			const proof = tableProofs.get(name) ?? (await ask(server, 'getTableRound', { game, round: tableRound }));
			if (!proof) throw new Error(`no round ${name}`);
			tableProofs.set(name, proof);
			checkDealt(record, proof);
			continue;
		}
		const known = proofs.get(tableRound);
		const proof = known ?? (await ask(server, 'getCrashRound', { round: tableRound }));
		if (!proof) throw new Error(`no round ${tableRound}`);
		proofs.set(tableRound, proof);
		const { cents } = (outcome ?? { cents: null }) as { cents: number | null };
		if (state === 'VOID') expect(payout).toBe(stake);
		else if (cents === null) expect(payout).toBe(0);
		else expect(payout).toBe(Math.floor(stake * cents) / 100);
		if (state === 'VOID' || proof.crashCents === null) continue;
		expect(cents ?? 0).toBeLessThanOrEqual(proof.crashCents);
		const target = Number(/^target-(\d+)$/.exec(bets[0]?.bet ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
		// A target that the round reached is paid, at the target or where its player pressed before.
		if (target <= proof.crashCents) expect(cents ?? 0).toBeLessThanOrEqual(target);
		if (target <= proof.crashCents) expect(cents).not.toBeNull();
		const answered = cashedOut.get(roundId);
		if (answered !== undefined) expect(cents).toBe(answered);
	}
	for (const { hash, previousHash: before, bettorSeeds, chain, crashCents: shown, beacon } of proofs.values()) {
		if (hash === null) throw new Error('a round with settled bets has revealed no hash');
		expect(previousHash(hash)).toBe(before);
		const { salt, returnPercent } = chain;
		if (shown !== null) {
			const mixed = resultHash(hash, beacon?.signature ?? null);
			expect(crashCents({ hash: mixed, salt, bettorSeeds, returnPercent })).toBe(shown);
		}
	}
	const wallet = await ask(server, 'getUserOpenBets', {}, token);
	const net = [...records.values()].reduce((sum, { stake, payout }) => sum + payout - stake, 0);
	expect(wallet?.balance).toBeCloseTo(20_000 + net, 6);
}

it('settles every bet once and within its round, kills in a row of server and database in every phase', {
	timeout: byForm(300_000, 3_600_000),
}, async () => {
	// One seed for all choices: a failure is repeated with it.
	const random = fc.sample(fc.integer({ min: 0, max: 2 ** 30 }), { numRuns: 20_000, seed: 20_261_122 });
	let used = 0;
	const choose = (most: number) => (random[used++ % random.length] as number) % (most + 1);
	const server = await ServerProcess.create({ embedded: isLongForm, environment: ENVIRONMENT });
	const load = { stopped: false };
	let streams: Promise<void>[] = [];
	onTestFinished(async () => {
		load.stopped = true;
		await Promise.allSettled(streams);
		await server.dispose();
	});
	await server.start(OPTIONS);
	const gamblers: Gambler[] = [];
	for (let index = 0; index < PLAYERS; index++) {
		const { accessToken: token } = await server.call('loginAsDemoUser', {});
		gamblers.push({ server, token, placed: new Map(), dealt: new Map(), last: null, cashedOut: new Map() });
	}
	for (let kill = 0; kill < KILLS; kill++) {
		load.stopped = false;
		streams = gamblers.map((gambler) => gamble(gambler, load, choose));
		await reach(server, 'CRASHED');
		await reach(server, PHASES[kill % PHASES.length] as string);
		await new Promise((resolve) => setTimeout(resolve, choose(300)));
		const isServer = kill % 3 !== 2;
		if (isServer) await server.kill();
		else await server.killDatabase();
		load.stopped = true;
		await Promise.all(streams);
		if (isServer) await server.start(OPTIONS);
		for (const gambler of gamblers)
			await expect.poll(() => check(gambler).then(() => true, String), { timeout: 120_000, interval: 250 }).toBe(true);
		if (isLongForm) expect(await server.failedAuditChecks()).toEqual([]);
	}
	expect(await server.failedAuditChecks()).toEqual([]);
});
