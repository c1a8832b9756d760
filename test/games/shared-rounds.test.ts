/**
 * What holds for every round that everybody plays, whatever the game: Crash and a dealt table go through one list of
 * properties, while players bet, repeat, cancel and cash out at random, several requests at once, with restarts in between.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { NONE } from '#games/fraction.ts';
import { payoutOf } from '#games/game.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { POLL_MS, phaseLasts } from '../support/crash.ts';
import { type Player, TestServer } from '../support/server.ts';
import { provenOutcome, tableGame } from '../support/tables.ts';

/** Windows of half a second to two: long enough for some steps in each phase. */
const SPEED = 8;
const STEPS = 60;
/** A restart each. */
const RESTART_EVERY = 30;
const PLAYERS = 3;

type Record = ResultOf<Calls['getRounds']>['items'][number];

interface Bet {
	betId: string;
	round: string;
	state: string;
}
interface Answered {
	code: string | null;
	status: number;
	bet: Bet | null;
}
interface Proof {
	hash: string | null;
	previousHash: string;
	isVoid: boolean;
	isInterrupted: boolean;
}

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: SPEED });
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

/** A game as the properties see it. */
interface Side {
	code: string;
	state(): Promise<{ round: string; phase: string; leftMs: number | null }>;
	/** The body of a request for a bet. */
	newBet(numbers: SeededNumbers): { clientRequestId: string };
	place(player: Player, body: { clientRequestId: string }): Promise<Answered>;
	cancel(player: Player, betId: string): Promise<Answered>;
	/** Null where the game has nothing of the kind. */
	cashOut: ((player: Player, betId: string, clientRequestId: string) => Promise<Answered>) | null;
	waiting(player: Player): Promise<Bet[]>;
	proof(round: string): Promise<Proof>;
	/** Whether a restart gave stakes back. */
	mayRefund(proof: Proof): boolean;
	/** What a settled bet has to be paid by its round, major units; also checks what the record says of it. */
	dueOf(record: Record): Promise<number>;
}

const answered = (answer: { code: string | null; status: number; body: { result: unknown } }): Answered => {
	const { bet = null } = (answer.body.result ?? {}) as { bet?: Bet };
	return { code: answer.code, status: answer.status, bet };
};

const crash: Side = {
	code: 'crash',
	state: async () => {
		for (;;) {
			const { body } = await server.call('getCrash', {});
			if (body.result) return body.result.state;
			await delay(POLL_MS);
		}
	},
	newBet: (numbers) => ({
		slot: 1 + numbers.below(2),
		stake: 10 + numbers.below(90),
		autoCents: numbers.chance(50) ? 101 + numbers.below(200) : null,
		clientRequestId: randomUUID(),
	}),
	place: async (player, body) => answered(await server.raw('placeCrashBet', body, player.token)),
	cancel: async (player, betId) => answered(await server.call('cancelCrashBet', { betId }, player.token)),
	cashOut: async (player, betId, clientRequestId) =>
		answered(await server.call('cashOutCrash', { betId, clientRequestId }, player.token)),
	waiting: async ({ token }) => (await server.result('getCrash', {}, token)).mine,
	proof: (round) => server.result('getCrashRound', { round }),
	// A flight that had just begun is worth no more than the stakes.
	mayRefund: ({ isInterrupted }) => isInterrupted,
	dueOf: async ({ tableRound = '', stake, bets, outcome }) => {
		const proof = await server.result('getCrashRound', { round: tableRound });
		const { hash, bettorSeeds, chain, beacon } = proof;
		const crashed = crashCents({ ...chain, hash: resultHash(hash ?? '', beacon?.signature ?? null), bettorSeeds });
		expect(proof.crashCents).toBe(crashed);
		const { cents } = outcome as { cents: number | null };
		expect(cents ?? 0).toBeLessThanOrEqual(crashed);
		const target = Number(/^target-(\d+)$/.exec(bets[0]?.bet ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
		// A target that the round reached is paid, there or where its player pressed before.
		if (target <= crashed) expect(cents ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(target);
		return cents === null ? 0 : Math.floor(stake * cents) / 100;
	},
};

const dealt = (code: string): Side => ({
	code,
	state: async () => (await server.result('getTable', { game: code })).state,
	newBet: (numbers) => {
		const { bets } = tableGame(code);
		const chips = Array.from({ length: 1 + numbers.below(3) }, () => ({
			bet: numbers.from(bets).code,
			stake: 10 + numbers.below(40),
		}));
		return { game: code, bets: chips, clientRequestId: randomUUID() };
	},
	place: async (player, body) => answered(await server.raw('placeTableBet', body, player.token)),
	cancel: async (player, betId) => answered(await server.call('cancelTableBet', { game: code, betId }, player.token)),
	cashOut: null,
	waiting: async ({ token }) => (await server.result('getTable', { game: code }, token)).mine,
	proof: (round) => server.result('getTableRound', { game: code, round }),
	mayRefund: ({ isVoid }) => isVoid,
	dueOf: async ({ tableRound = '', bets }) => {
		const game = tableGame(code);
		const proof = await server.result('getTableRound', { game: code, round: tableRound });
		const outcome = provenOutcome(proof);
		expect(proof.outcome).toEqual(outcome);
		const due = bets.map(({ bet: name, stake, payout }) => {
			const bet = game.betOf(name);
			const prize = bet?.prizeOf(outcome) ?? null;
			const paid = prize === null ? 0 : payoutOf(stake * 100, bet?.prizes[prize]?.pays ?? NONE);
			expect(payout).toBe(paid / 100);
			return paid;
		});
		return due.reduce((sum, paid) => sum + paid, 0) / 100;
	},
});

/** A request for a bet, and what its player was told. */
interface Asked {
	player: Player;
	body: { clientRequestId: string };
	/** Null before the bet was placed, as far as its player knows. */
	bet: Bet | null;
	isCancelled: boolean;
	/** The request that cashed it out. */
	cashedOutBy: string | null;
}

class Play {
	readonly side: Side;
	readonly numbers: SeededNumbers;
	readonly players: readonly Player[];
	readonly asked: Asked[] = [];

	constructor(side: Side, seed: number, players: readonly Player[]) {
		this.side = side;
		this.numbers = new SeededNumbers(seed);
		this.players = players;
	}

	async step(): Promise<void> {
		const { numbers, asked } = this;
		const earlier = asked.length > 0 ? numbers.from(asked.slice(-6)) : null;
		const what = numbers.below(10);
		if (what < 4 || !earlier) await this.#bet();
		else if (what < 5) await this.#ask(numbers.from(asked));
		else if (what < 6) await this.#cancel(earlier);
		else if (what < 8) await this.#cashOut(earlier);
		else await this.#reached(numbers.from(['betting', 'played']));
	}

	/** Of requests at once each is carried out once; one that comes after the lock is on no round that was locked. */
	async #bet(): Promise<void> {
		const { round, phase } = await this.side.state();
		const one: Asked = {
			player: this.numbers.from(this.players),
			body: this.side.newBet(this.numbers),
			bet: null,
			isCancelled: false,
			cashedOutBy: null,
		};
		this.asked.push(one);
		await this.#ask(one);
		if (phase !== 'BETTING' && one.bet) expect(Number(one.bet.round)).toBeGreaterThan(Number(round));
	}

	/** The same once or several times at once. */
	async #ask(one: Asked): Promise<void> {
		const times = 1 + this.numbers.below(3);
		const { player, body } = one;
		const answers = await Promise.all(Array.from({ length: times }, () => this.side.place(player, body)));
		for (const { bet } of answers) {
			if (!bet || bet.state === 'WAITING') continue;
			one.bet ??= bet;
			expect(bet.betId).toBe(one.bet.betId);
		}
	}

	async #cancel(one: Asked): Promise<void> {
		const { player, bet, isCancelled } = one;
		if (!bet) return;
		const { round, phase } = await this.side.state();
		const isLocked = Number(bet.round) < Number(round) || (bet.round === round && phase !== 'BETTING');
		const answers = await Promise.all([this.side.cancel(player, bet.betId), this.side.cancel(player, bet.betId)]);
		if (answers.some(({ status }) => status === 200)) one.isCancelled = true;
		if (isLocked && !isCancelled) expect(answers.map(({ status }) => status)).not.toContain(200);
	}

	/** Of several at once one is carried out, and its repetition is answered as it was. */
	async #cashOut(one: Asked): Promise<void> {
		const { cashOut } = this.side;
		const { player, bet, cashedOutBy } = one;
		if (!cashOut || !bet) return;
		const ids = [randomUUID(), randomUUID(), ...(cashedOutBy === null ? [] : [cashedOutBy])];
		const answers = await Promise.all(
			[...ids, ...ids].map(async (id) => ({ id, ...(await cashOut(player, bet.betId, id)) })),
		);
		const paid = new Set(answers.filter(({ status }) => status === 200).map(({ id }) => id));
		if (cashedOutBy !== null) expect([...paid]).toEqual([cashedOutBy]);
		expect(paid.size).toBeLessThanOrEqual(1);
		one.cashedOutBy ??= [...paid][0] ?? null;
	}

	async #reached(what: 'betting' | 'played'): Promise<void> {
		for (;;) {
			const state = await this.side.state();
			if ((state.phase === 'BETTING') === (what === 'betting')) return;
			await phaseLasts(state);
		}
	}

	async records({ token }: Player): Promise<Record[]> {
		const query = { game: this.side.code, maxResultCount: '200' };
		return (await server.result('getRounds', query, token)).items;
	}

	/** Every bet has ended, as its round says, and is paid once. */
	async check(player: Player): Promise<void> {
		const states = async () =>
			[...(await this.records(player)), ...(await this.side.waiting(player))].map(({ state }) => state);
		await expect
			.poll(async () => (await states()).filter((state) => state === 'OPEN' || state === 'WAITING'), {
				timeout: 30_000,
			})
			.toEqual([]);
		const records = await this.records(player);
		let expected = 20_000;
		for (const record of records) {
			await this.#checkRecord(record);
			expected += record.payout - record.stake;
		}
		expect(server.money(player)[0]).toBeCloseTo(expected, 6);
		const own = this.asked.filter((one) => one.player === player);
		const ids = own.flatMap(({ bet }) => (bet ? [bet.betId] : []));
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(records.some(({ roundId }) => roundId === id)).toBe(true);
		expect(records.length).toBeLessThanOrEqual(own.length);
	}

	async #checkRecord(record: Record): Promise<void> {
		const { roundId, tableRound = '', state, stake, payout } = record;
		const proof = await this.side.proof(tableRound);
		expect(previousHash(proof.hash ?? '')).toBe(proof.previousHash);
		const one = this.asked.find(({ bet }) => bet?.betId === roundId);
		if (one?.isCancelled) expect(state).toBe('VOID');
		if (proof.isVoid) expect(proof.isInterrupted).toBe(true);
		if (state === 'VOID') {
			expect(payout).toBe(stake);
			expect(one?.isCancelled || this.side.mayRefund(proof)).toBe(true);
			return;
		}
		expect(proof.isVoid).toBe(false);
		expect(payout).toBeCloseTo(await this.side.dueOf(record), 6);
		if (one?.cashedOutBy) expect(payout).toBeGreaterThan(0);
	}
}

describe.each([crash, dealt('dragon-tiger')])('$code', (side) => {
	it('takes no bet after the lock, pays each once by its round, and a restart refunds or settles it', {
		timeout: 120_000,
		// test/calls/crash.test.ts has a round of Crash whose process died.
		tags: side === crash ? ['thorough'] : [],
	}, async () => {
		const players = await Promise.all(Array.from({ length: PLAYERS }, () => server.demoPlayer()));
		const play = new Play(side, 20_261_126, players);
		for (let step = 1; step <= STEPS; step++) {
			await play.step();
			if (step % RESTART_EVERY !== 0) continue;
			await server.stop();
			server = await TestServer.start(server.database, { tableSpeed: SPEED });
		}
		for (const player of players) await play.check(player);
		expect(play.asked.filter(({ bet }) => bet !== null).length).toBeGreaterThan(STEPS / 10);
	});
});
