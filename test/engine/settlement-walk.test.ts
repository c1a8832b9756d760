/**
 * A settlement by steps: what a market refuses meanwhile, what each step leaves, and what a step may not do. That a walk
 * comes to what one command comes to, in markets of every type, is in test/reference/walks.test.ts.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '#engine/command.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';
import { settleByWalk, unsettled } from './settle-by-walk.ts';

const [WINNER, LOSER, WAITING, MAKER] = [1, 2, 3, 4];
const FUNDS = 100_000;
const WIN = ['WIN', 'LOSE', 'LOSE'] as const;

let scene: ExchangeScene;
/** WINNER backs 100 at 3.00 of LOSER in three bets, and WAITING asks for a price that is not there. */
beforeEach(() => {
	scene = new ExchangeScene();
	scene.openMarket({ commissionBp: 200, betDelayMs: 0 });
	scene.players(FUNDS, [WINNER, LOSER, WAITING]);
	for (const stake of [2_000, 3_000, 5_000]) {
		scene.lay(LOSER, 0, 3, stake);
		scene.back(WINNER, 0, 3, stake);
	}
	scene.back(WAITING, 1, 8, 1_000);
});

const begin = (results: readonly ('WIN' | 'LOSE')[] | null = WIN) =>
	scene.apply({ kind: 'begin-settlement', atMs: 5, marketId: MARKET, results });
const settle = (...wallets: number[]) => scene.apply({ kind: 'settle-wallets', atMs: 6, marketId: MARKET, wallets });
const money = (...wallets: number[]) =>
	wallets.map((walletId) => {
		const { cash, exposure } = scene.engine.wallet(walletId) ?? {};
		return [cash, exposure];
	});
const pot = () => scene.engine.houseBalance('pot', 'PLAY', MARKET);

describe('a market that is being settled', () => {
	const about = { atMs: 6, marketId: MARKET };
	const result = { results: ['LOSE', 'WIN', 'LOSE'] as const };
	const settlement = { bets: [], payments: [], nextStep: 0 };
	const agreed = { certain: 0, lines: 0, cancelled: 0 };
	const terms: [string, Command, string][] = [
		[
			'a bet',
			{
				kind: 'place-bet',
				atMs: 6,
				betId: 50,
				walletId: WINNER,
				marketId: MARKET,
				runner: 0,
				side: 0,
				price: 300,
				stake: 100,
				persist: false,
			},
			'MARKET_CLOSED',
		],
		['a cancellation', { kind: 'cancel-bet', atMs: 6, betId: 7, walletId: WAITING }, 'MARKET_SETTLING'],
		['the cancellation of all bets in it', { kind: 'cancel-all', ...about, walletId: WAITING }, 'MARKET_SETTLING'],
		[
			'another price',
			{ kind: 'replace-bet', atMs: 6, betId: 7, newBetId: 50, walletId: WAITING, price: 700 },
			'MARKET_SETTLING',
		],
		[
			'a change of a bet',
			{ kind: 'update-bet', atMs: 6, betId: 7, walletId: WAITING, persist: true },
			'MARKET_SETTLING',
		],
		['the end of a delay', { kind: 'admit-bet', atMs: 6, betId: 7 }, 'MARKET_SETTLING'],
		['a cash-out', { kind: 'cash-out', ...about, betId: 50, walletId: WINNER, share: 1, agreed }, 'MARKET_CLOSED'],
		['a cash-out target', { kind: 'set-cash-out-target', ...about, walletId: WINNER, target: 1 }, 'MARKET_CLOSED'],
		['a suspension', { kind: 'suspend-market', ...about, lapseUnmatched: true }, 'MARKET_CLOSED'],
		['its close', { kind: 'close-market', ...about }, 'MARKET_CLOSED'],
		['a removal', { kind: 'remove-runner', ...about, runner: 1, reductionBp: 0 }, 'MARKET_CLOSED'],
		['other terms', { kind: 'change-terms', ...about, terms: { minStake: 5 } }, 'MARKET_CLOSED'],
		['a factor', { kind: 'correct-reduction', ...about, runner: 1, reductionBp: 0 }, 'MARKET_SETTLING'],
		['another result', { kind: 'settle-market', ...about, ...result }, 'MARKET_SETTLING'],
		['the same beginning', { kind: 'begin-settlement', ...about, results: WIN }, 'MARKET_SETTLING'],
		['its voiding', { kind: 'void-market', ...about }, 'MARKET_SETTLING'],
		['the voiding of a match', { kind: 'void-matches', ...about, matches: [] }, 'MARKET_SETTLING'],
		['a reopening', { kind: 'reopen-market', ...about, ...settlement }, 'MARKET_SETTLING'],
		['a resettlement', { kind: 'resettle-market', ...about, ...settlement, ...result }, 'MARKET_SETTLING'],
	];
	it.each(terms)('refuses %s', (_, command, code) => {
		begin();
		const before = scene.engine.hash();
		expect(scene.apply(command)).toMatchObject({ ok: false, code });
		expect(scene.engine.hash()).toBe(before);
	});

	it('is left out when a player cancels everything', () => {
		scene.openMarket({ marketId: 2 });
		scene.back(WAITING, 0, 5, 700, { marketId: 2 });
		begin();
		expect(scene.apply({ kind: 'cancel-all', atMs: 6, walletId: WAITING })).toMatchObject({ cancelled: 700 });
		expect(scene.engine.unmatchedBets(WAITING)).toEqual([]);
		settle(WAITING, LOSER, WINNER);
		expect(scene.effects.lapses).toEqual([expect.objectContaining({ stake: 1_000, reason: 'MARKET_SETTLED' })]);
	});

	it('has no cash-out targets any more', () => {
		scene.apply({ kind: 'set-cash-out-target', ...about, walletId: WINNER, target: 1 });
		begin();
		expect(scene.engine.cashOutTarget(WINNER, MARKET)).toBeNull();
	});
});

it('each step settles its wallets whole, and the last one ends the market', () => {
	begin();
	expect(scene.engine.market(MARKET)).toMatchObject({ status: 'SETTLING', results: WIN });
	expect(money(WINNER, LOSER, WAITING)).toEqual([
		[FUNDS - 10_000, 10_000],
		[FUNDS - 20_000, 20_000],
		[FUNDS - 1_000, 1_000],
	]);
	settle(WAITING);
	expect([money(WAITING), pot()]).toEqual([[[FUNDS, 0]], 0]);
	settle(LOSER);
	expect([money(LOSER), pot()]).toEqual([[[FUNDS - 20_000, 0]], 20_000]);
	expect(scene.engine.market(MARKET)?.status).toBe('SETTLING');
	settle(WINNER);
	// The commission is 2 % of 200.00.
	expect([money(WINNER), pot()]).toEqual([[[FUNDS + 20_000 - 400, 0]], 0]);
	expect(scene.engine.market(MARKET)).toMatchObject({ status: 'SETTLED', results: WIN });
	expect(scene.engine.betCount(MARKET)).toBe(0);
});

it('a repeated step does nothing', () => {
	begin();
	settle(LOSER);
	const [before, told] = [scene.engine.hash(), scene.effects.told];
	settle(LOSER, LOSER);
	expect([scene.engine.hash(), scene.effects.told]).toEqual([before, told]);
	settle(WINNER, WAITING);
	expect(settle(LOSER)).toMatchObject({ ok: false, code: 'WRONG_MARKET_STATE' });
});

it('a wallet with many bets moves its money with the last of them', () => {
	begin();
	const own = scene.engine.someBets(LOSER, MARKET, 2);
	const part = (bets: readonly number[]) =>
		scene.apply({ kind: 'settle-bets', atMs: 6, marketId: MARKET, walletId: LOSER, bets });
	part(own);
	expect(scene.effects.settledBets.map(({ betId }) => betId).toSorted()).toEqual(own.toSorted());
	expect([money(LOSER), pot()]).toEqual([[[FUNDS - 20_000, 20_000]], 0]);
	part(own);
	expect(unsettled(scene.engine, MARKET)).toContainEqual({ walletId: LOSER, bets: 1, wins: false });
	part(scene.engine.someBets(LOSER, MARKET, 9));
	expect([money(LOSER), pot()]).toEqual([[[FUNDS - 20_000, 0]], 20_000]);
});

it('a winner is not paid before the losers: his step leaves him as he is', () => {
	begin();
	const before = [money(WINNER), scene.effects.told];
	settle(WINNER);
	scene.apply({
		kind: 'settle-bets',
		atMs: 6,
		marketId: MARKET,
		walletId: WINNER,
		bets: scene.engine.someBets(WINNER, MARKET, 9),
	});
	expect([money(WINNER), scene.effects.told]).toEqual(before);
	settle(WAITING, LOSER, WINNER);
	expect(scene.engine.market(MARKET)?.status).toBe('SETTLED');
});

it.each([
	// Each layer loses 0.4 of a minor unit, which is nothing, and the backer wins 0.8, which is a minor unit.
	['lends what the pot lacks', 1.4, [1, 0, 0], -1],
	// Each loses 0.6, which is a minor unit, and the backer wins 1.2.
	['gets what the pot keeps', 1.6, [1, -1, -1], 1],
])('the rounding account %s', (_, price, nets, rounding) => {
	const own = { marketId: 2 };
	scene.openMarket(own);
	for (const layer of [LOSER, WAITING]) {
		scene.lay(layer, 0, price, 1, own);
		scene.back(WINNER, 0, price, 1, own);
	}
	scene.apply({ kind: 'begin-settlement', atMs: 5, marketId: 2, results: WIN });
	for (const walletId of [LOSER, WAITING, WINNER])
		scene.apply({ kind: 'settle-wallets', atMs: 6, marketId: 2, wallets: [walletId] });
	expect(scene.effects.settledPlayers.map(({ walletId, net }) => [walletId, net])).toEqual([
		[LOSER, nets[1]],
		[WAITING, nets[2]],
		[WINNER, nets[0]],
	]);
	expect(scene.engine.houseBalance('rounding', 'PLAY', 0)).toBe(rounding);
	expect(scene.engine.market(2)).toMatchObject({ status: 'SETTLED', roundingLeft: [] });
});

it('a market without bets ends at once', () => {
	scene.openMarket({ marketId: 2 });
	scene.apply({ kind: 'begin-settlement', atMs: 5, marketId: 2, results: WIN });
	expect(scene.engine.market(2)?.status).toBe('SETTLED');
});

it('the look at the wallets that are left ends with the market, whose memory another market may have by then', () => {
	begin(null);
	const look = scene.engine.unsettledWallets(MARKET);
	expect([look.next().value?.walletId, look.next().value?.walletId]).toEqual([WAITING, WINNER]);
	settle(WAITING, WINNER, LOSER);
	const next = { marketId: 2 };
	scene.openMarket(next);
	scene.players(FUNDS, [21, 22, 23]);
	for (const walletId of [21, 22, 23]) scene.back(walletId, 0, 3, 1_000, next);
	expect(look.next().done).toBe(true);
});

it('a walk without a result returns every stake', () => {
	const numbers = new SeededNumbers(1);
	settleByWalk(scene.engine, scene.effects, { kind: 'void-market', atMs: 5, marketId: MARKET }, numbers);
	expect(money(WINNER, LOSER, WAITING)).toEqual([1, 2, 3].map(() => [FUNDS, 0]));
	expect(scene.engine.market(MARKET)).toMatchObject({ status: 'VOIDED', results: null });
	expect(scene.effects.voids.map(({ reason }) => reason)).toEqual(Array(6).fill('MARKET_VOIDED'));
});

it('the quotes of a market maker may be withdrawn meanwhile', () => {
	scene.apply({ kind: 'open-wallet', atMs: 0, walletId: MAKER, pool: 'PLAY', quotes: true });
	scene.apply({ kind: 'grant-coins', atMs: 0, grantId: MAKER, walletId: MAKER, amount: FUNDS });
	scene.lay(MAKER, 2, 4, 5_000);
	scene.back(WAITING, 2, 4, 2_000);
	begin();
	scene.apply({ kind: 'cancel-all', atMs: 6, walletId: MAKER });
	expect(scene.engine.unmatchedBets(MAKER)).toEqual([]);
	settle(LOSER, WAITING);
	settle(WINNER, MAKER);
	// 20.00 of WAITING, on a runner that lost.
	expect(money(MAKER)).toEqual([[FUNDS + 2_000 - 40, 0]]);
});
