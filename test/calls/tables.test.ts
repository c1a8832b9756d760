import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { GAMES } from '#games/all-games.ts';
import { previousHash } from '#games/crash/crash-result.ts';
import { NONE } from '#games/fraction.ts';
import { payoutOf, type TableGame } from '#games/game.ts';
import { isPublished } from '#games/round-result.ts';
import { expectSound } from '../support/audit.ts';
import { refusedBets } from '../support/refused-stakes.ts';
import { type Player, TestServer } from '../support/server.ts';
import { provenOutcome, Table, type TableView, tableGame } from '../support/tables.ts';

type Bet = ResultOf<Calls['placeTableBet']>['bet'];
type Chip = { bet: string; stake: number };

/** Bets are taken for some seconds; tests of different tables wait for them together. */
const SPEED = 6;
const CODES = GAMES.filter(({ kind }) => kind === 'table').map(({ code }) => code);

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { tableSpeed: SPEED });
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

const table = (game: string) => new Table(server, game);
const ask = (player: Player, game: string, bets: Chip[], clientRequestId: string = randomUUID()) =>
	server.raw('placeTableBet', { game, bets, clientRequestId }, player.token);
async function placed(player: Player, game: string, bets: Chip[], clientRequestId?: string): Promise<Bet> {
	const { body } = await ask(player, game, bets, clientRequestId);
	if (!body.result) throw new Error(JSON.stringify(body.error));
	return body.result.bet;
}
const cancel = (player: Player, game: string, betId: string) =>
	server.call('cancelTableBet', { game, betId }, player.token);
const record = async (player: Player, roundId: string) =>
	(await server.result('getRound', { roundId }, player.token)).round;
/** The bets as they were settled, when that is durable. */
async function ended(player: Player, { betId, game, round }: Pick<Bet, 'betId' | 'game' | 'round'>) {
	await table(game).reached('DECIDED', Number(round) - 1);
	while ((await record(player, betId)).state === 'OPEN') await new Promise((resolve) => setTimeout(resolve, 20));
	return record(player, betId);
}

const suspend = (isSuspended: boolean) =>
	server.operator('brand-set', { host: 'localhost', field: 'siteSuspended', value: String(isSuspended) });

/** What a verifier computes from what was revealed, and what the definition pays by it. */
async function verified(code: string, round: string) {
	const game = tableGame(code);
	const prove = () => server.result('getTableRound', { game: code, round });
	let proof = await prove();
	// The table says at once what its row says a moment later.
	while (proof.hash === null) proof = await prove();
	expect(previousHash(proof.hash)).toBe(proof.previousHash);
	const outcome = provenOutcome(proof);
	if (!proof.isVoid) expect(isPublished(outcome, proof.outcome)).toBe(true);
	if (!proof.isVoid) expect(proof).toMatchObject({ outcome, result: game.describe(outcome) });
	return { outcome, proof };
}

function paidBy(game: TableGame, { bet: code, stake }: Chip, outcome: unknown): number {
	const bet = game.betOf(code);
	const prize = bet?.prizeOf(outcome) ?? null;
	return prize === null ? 0 : payoutOf(stake * 100, bet?.prizes[prize]?.pays ?? NONE) / 100;
}

describe('getTable', () => {
	it('getTable: success, for visitors too, and the visit opens a table that rested', async () => {
		const opening = table('dragon-tiger');
		expect(['CLOSED', 'RESTING']).toContain((await opening.view()).state.phase);
		const state = await opening.reached('BETTING');
		expect(state).toMatchObject({ round: '1', shown: null, hash: null, mark: null });
		const view = await opening.view();
		expect(view).toMatchObject({ minStake: 10, maxStake: 100_000, mine: [], recent: [] });
		expect(view.chain).toMatchObject({ number: 1, isDevelopment: true });
		expect(view.chain?.commitment).toBe(state.commitment);
	});

	it('getTable: refusal of a game without a table, and on a suspended site', async () => {
		expect((await server.call('getTable', { game: 'dice' })).code).toBe('UNKNOWN_GAME');
		expect((await server.call('getTable', { game: 'crash' })).code).toBe('UNKNOWN_GAME');
		await suspend(true);
		expect((await server.call('getTable', { game: 'roulette' })).code).toBe('SITE_SUSPENDED');
		await suspend(false);
	});

	it('shows the cards step by step, and hash and result only when the bets are decided', {
		tags: 'thorough',
	}, async () => {
		const baccarat = table('baccarat');
		const { round } = await baccarat.opening();
		const seen = new Map<string, unknown>();
		for (;;) {
			// Asked for before, it must say no more than what is on the table after it.
			const proof = await server.result('getTableRound', { game: 'baccarat', round });
			const { state } = await baccarat.view();
			if (state.round !== round) break;
			if (state.phase === 'DEALING') {
				expect(state).toMatchObject({ hash: null, result: '', mark: null });
				if (state.shown !== null) seen.set(JSON.stringify(state.shown), state.shown);
				expect(proof).toMatchObject({ outcome: null, hash: null });
			}
		}
		const { outcome } = await verified('baccarat', round);
		const reveals = baccarat.game.revealsOf(outcome).map(({ shown }) => shown);
		const orders = [...seen.values()].map((shown) =>
			reveals.findIndex((step) => JSON.stringify(step) === JSON.stringify(shown)),
		);
		expect(orders.length).toBeGreaterThan(1);
		expect(orders).not.toContain(-1);
		expect(orders).toEqual([...orders].sort((one, other) => one - other));
		expect((await baccarat.view()).recent.find((mark) => mark.round === round)).toEqual({
			round,
			...baccarat.game.markOf(outcome),
		});
	});
});

describe('placeTableBet', () => {
	async function playedAndVerified(code: string): Promise<void> {
		const player = await server.demoPlayer();
		const game = tableGame(code);
		const chips = game.bets.slice(0, 40).map(({ code: bet }) => ({ bet, stake: 10 }));
		const { round } = await table(code).opening();
		const bet = await placed(player, code, chips);
		expect(bet).toMatchObject({ game: code, round, state: 'OPEN', payout: 0, stake: chips.length * 10 });
		expect(server.money(player)).toEqual([20_000 - bet.stake, 0]);
		const settled = await ended(player, bet);
		const { outcome, proof } = await verified(code, round);
		const payouts = chips.map((chip) => ({ ...chip, payout: paidBy(game, chip, outcome) }));
		const payout = payouts.reduce((sum, paid) => sum + paid.payout * 100, 0) / 100;
		expect(settled).toMatchObject({ state: 'SETTLED', bets: payouts, payout, tableRound: round, result: proof.result });
		expect(server.money(player)).toEqual([20_000 - bet.stake + payout, 0]);
		expect((await server.result('getRounds', { game: code }, player.token)).items).toEqual([settled]);
	}

	it.concurrent('placeTableBet: success at each table, and a verifier finds what was paid', async () => {
		await Promise.all(CODES.map(playedAndVerified));
	});

	it.concurrent('shows everybody’s chips, by player and by bet, and one’s own apart', {
		tags: 'thorough',
	}, async () => {
		const { own, view, others } = await table('roulette').whileBetting(async () => {
			const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
			const first = await placed(one, 'roulette', [{ bet: 'column-2', stake: 1_000 }]);
			await placed(one, 'roulette', [{ bet: 'straight-7', stake: 10 }]);
			await placed(other, 'roulette', [{ bet: 'column-2', stake: 500 }]);
			const shown = await table('roulette').shows(({ stake }) => stake === 1_510, one.token);
			return { own: first, view: shown, others: await table('roulette').view(other.token) };
		});
		expect(view.rows.map(({ stake }) => stake)).toEqual([1_010, 500]);
		expect(view.spots).toContainEqual({ bet: 'column-2', players: 2, stake: 1_500 });
		expect(view.mine.map(({ betId }) => betId)).toContain(own.betId);
		expect(others.mine).toHaveLength(1);
	});

	it.concurrent.each(
		refusedBets('roulette', 'red', [
			['an unknown game', 'poker', 'x', 100, 'UNKNOWN_GAME'],
			['a game for one player', 'dice', 'under-5000', 100, 'UNKNOWN_GAME'],
			['an unknown bet', 'roulette', 'split-1-36', 100, 'UNKNOWN_GAME_BET'],
			['a win above what the house pays', 'roulette', 'straight-7', 30_000, 'WIN_TOO_LARGE'],
		]),
	)('placeTableBet: refusal of %s, and nothing moves', async (_, game, bet, stake, code) => {
		const player = await server.demoPlayer();
		expect(
			(
				await ask(player, game, [
					{ bet: 'red', stake: 10 },
					{ bet, stake },
				])
			).code,
		).toBe(code);
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it.concurrent('placeTableBet: not logged in', async () => {
		const request = { game: 'roulette', bets: [{ bet: 'red', stake: 10 }], clientRequestId: randomUUID() };
		expect((await server.call('placeTableBet', request)).status).toBe(401);
	});

	it.concurrent('counts chips that are added later with the first ones for the largest win', {
		tags: 'thorough',
	}, async () => {
		const player = await server.demoPlayer();
		await table('teen-patti-20-20').opening();
		await placed(player, 'teen-patti-20-20', [{ bet: 'tie', stake: 1_000 }]);
		expect((await ask(player, 'teen-patti-20-20', [{ bet: 'tie', stake: 1_000 }])).code).toBe('WIN_TOO_LARGE');
		expect(server.money(player)).toEqual([19_000, 0]);
	});

	it.concurrent('refuses what the house could not pay in the round, and takes what evens it out', async () => {
		const players = await Promise.all(Array.from({ length: 3 }, () => server.demoPlayer()));
		await table('dragon-tiger').opening();
		// ₹9,50,000 each for the house to lose, of ₹25,00,000 in a round.
		const chips = [{ bet: 'suited-tie', stake: 19_000 }];
		const answers = await Promise.all(players.map((player) => ask(player, 'dragon-tiger', chips)));
		expect(answers.map(({ code }) => code).sort()).toEqual(['HOUSE_LIMIT', null, null]);
		const refused = players[answers.findIndex(({ code }) => code !== null)] as Player;
		expect(server.money(refused)).toEqual([20_000, 0]);
		expect((await ask(refused, 'dragon-tiger', [{ bet: 'dragon', stake: 19_000 }])).code).toBeNull();
	});

	it.concurrent('answers a repeated request with the first bets, also after the round, and another body under its id not at all', {
		tags: 'thorough',
	}, async () => {
		const player = await server.demoPlayer();
		await table('lucky-7').opening();
		const id = randomUUID();
		const chips = [{ bet: 'low', stake: 100 }];
		const answers = await Promise.all(Array.from({ length: 10 }, () => placed(player, 'lucky-7', chips, id)));
		expect(new Set(answers.map(({ betId }) => betId)).size).toBe(1);
		expect(server.money(player)).toEqual([19_900, 0]);
		expect((await ask(player, 'lucky-7', [{ bet: 'high', stake: 100 }], id)).code).toBe('REQUEST_ID_REUSED');
		const { payout } = await ended(player, answers[0] as Bet);
		expect(await placed(player, 'lucky-7', chips, id)).toMatchObject({ betId: answers[0]?.betId, payout });
		expect(server.money(player)).toEqual([19_900 + payout, 0]);
	});

	it.concurrent('keeps bets that come while cards are dealt for the next round, and places them once', {
		tags: 'thorough',
	}, async () => {
		const player = await server.demoPlayer();
		const { round } = await table('baccarat').reached('DEALING');
		const waiting = await placed(player, 'baccarat', [{ bet: 'player', stake: 100 }]);
		expect(waiting).toMatchObject({ state: 'WAITING', round: '' });
		expect(server.money(player)).toEqual([20_000, 0]);
		await table('baccarat').reached('DECIDED', Number(round));
		const { items } = await server.result('getRounds', {}, player.token);
		expect(items.map(({ tableRound }) => Number(tableRound))).toEqual([Number(round) + 1]);
	});

	it.concurrent('refuses a player who takes a break, and stops at the loss limit with parallel bets', {
		tags: 'thorough',
	}, async () => {
		const player = await server.demoPlayer();
		const { protection } = server.running.funds;
		await protection.limits.set(player.userId, { lossDay: 15_000 }, { actor: 'test', address: null });
		await table('andar-bahar').opening();
		const chips = [{ bet: 'andar', stake: 100 }];
		const answers = await Promise.all([ask(player, 'andar-bahar', chips), ask(player, 'andar-bahar', chips)]);
		expect(answers.map(({ code }) => code).sort()).toEqual(['LOSS_LIMIT', null]);
		await protection.timeOut(player.userId, 24, { actor: 'test', address: null });
		expect((await ask(player, 'andar-bahar', chips)).code).toBe('TIMED_OUT');
	});
});

describe('cancelTableBet', () => {
	it.concurrent('cancelTableBet: success while bets are taken, once, and the chips are off the table', async () => {
		const isOff = ({ spots }: TableView) => spots.every(({ bet }) => bet !== 'column-3');
		const { cancelled, view } = await table('roulette').whileBetting(async () => {
			const player = await server.demoPlayer();
			const { betId } = await placed(player, 'roulette', [{ bet: 'column-3', stake: 100 }]);
			const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(player, 'roulette', betId)));
			return { cancelled: answers, view: await table('roulette').shows(isOff) };
		});
		for (const { body } of cancelled) expect(body.result).toEqual({ balance: 20_000, exposure: 0 });
		expect(isOff(view)).toBe(true);
	});

	it.concurrent('cancelTableBet: refusal while cards are dealt, of bets of others, and at another table', async () => {
		const [player, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const { round } = await table('dragon-tiger').opening();
		const { betId } = await placed(player, 'dragon-tiger', [{ bet: 'tiger', stake: 100 }]);
		expect((await cancel(other, 'dragon-tiger', betId)).code).toBe('UNKNOWN_ORDER');
		expect((await cancel(player, 'baccarat', betId)).code).toBe('UNKNOWN_ORDER');
		await table('dragon-tiger').reached('DEALING', Number(round) - 1);
		expect((await cancel(player, 'dragon-tiger', betId)).code).toBe('BETTING_CLOSED');
	});

	it.concurrent('cancelTableBet: not logged in', async () => {
		expect((await server.call('cancelTableBet', { game: 'roulette', betId: '1' })).status).toBe(401);
	});
});

describe('getTableRound', () => {
	it('getTableRound: success, with the hash of the round before', async () => {
		const { round } = await table('32-cards').reached('DECIDED');
		const { proof } = await verified('32-cards', round);
		expect(proof).toMatchObject({ round, isVoid: false, isInterrupted: false, position: Number(round) });
	});

	it('getTableRound: refusal of a round that was not', async () => {
		expect((await server.call('getTableRound', { game: '32-cards', round: '999999' })).code).toBe('UNKNOWN_ROUND');
		expect((await server.call('getTableRound', { game: 'mines', round: '1' })).code).toBe('UNKNOWN_GAME');
	});
});

it('settles each bet once by its round, in spite of repeats, cancellations and restarts at random', {
	tags: 'thorough',
	timeout: 120_000,
}, async () => {
	const random = fc.sample(fc.integer({ min: 0, max: 2 ** 30 }), { numRuns: 4_000, seed: 20_261_122 });
	let used = 0;
	const choose = (most: number) => (random[used++ % random.length] as number) % (most + 1);
	const players = await Promise.all(Array.from({ length: 4 }, () => server.demoPlayer()));
	const asked: { player: Player; game: string; chips: Chip[]; id: string; betId: string | null }[] = [];
	const repeated: { betId: string; answered: string | undefined }[] = [];
	for (let step = 0; step < 120; step++) {
		const player = players[choose(3)] as Player;
		const earlier = asked[choose(Math.max(0, asked.length - 1))];
		const what = choose(9);
		if (step % 40 === 39) {
			await server.stop();
			server = await TestServer.start(server.database, { tableSpeed: SPEED });
		} else if (what < 6 || !earlier) {
			const game = CODES[choose(CODES.length - 1)] as string;
			const { bets } = tableGame(game);
			const chips = Array.from({ length: 1 + choose(3) }, () => ({
				bet: bets[choose(bets.length - 1)]?.code ?? '',
				stake: 10 + choose(40),
			}));
			const id = randomUUID();
			const { body } = await ask(player, game, chips, id);
			// A bet that waited has another id once it is placed.
			const bet = body.result?.bet;
			asked.push({ player, game, chips, id, betId: bet?.state === 'OPEN' ? bet.betId : null });
		} else if (what < 8) {
			const { body } = await ask(earlier.player, earlier.game, earlier.chips, earlier.id);
			if (earlier.betId !== null) repeated.push({ betId: earlier.betId, answered: body.result?.bet.betId });
		} else if (earlier.betId !== null) await cancel(earlier.player, earlier.game, earlier.betId);
	}
	expect(repeated).not.toEqual([]);
	expect(repeated.map(({ answered }) => answered)).toEqual(repeated.map(({ betId }) => betId));
	for (const player of players) {
		const all = async () => (await server.result('getRounds', { maxResultCount: '200' }, player.token)).items;
		const waiting = async () =>
			(await Promise.all(CODES.map(async (code) => (await table(code).view(player.token)).mine))).flat();
		await expect
			.poll(
				async () =>
					[...(await all()), ...(await waiting())].filter(({ state }) => state === 'OPEN' || state === 'WAITING'),
				{
					timeout: 30_000,
				},
			)
			.toEqual([]);
		let expected = 20_000;
		const records = await all();
		for (const { game, state, bets, stake, payout, tableRound = '' } of records) {
			expected += payout - stake;
			if (state === 'VOID') expect(payout).toBe(stake);
			if (state === 'VOID') continue;
			const { outcome } = await verified(game, tableRound);
			for (const paid of bets) expect(paid.payout).toBe(paidBy(tableGame(game), paid, outcome));
		}
		expect(server.money(player)[0]).toBeCloseTo(expected, 6);
		const known = new Set(records.map(({ roundId }) => roundId));
		const accepted = asked.flatMap(({ betId, player: own }) => (betId !== null && own === player ? [betId] : []));
		expect(accepted.filter((betId) => !known.has(betId))).toEqual([]);
	}
});
