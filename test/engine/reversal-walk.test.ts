/** The steps by which the settlement of a market is taken back, one by one: what each may do, and what it passes over. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BeginReversal, Command, ReversedWallet, VoidMatches } from '#engine/command.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const [WINNER, OTHER_WINNER, LOSER] = [11, 12, 13];
const FUNDS = 100_000;
/** Minor units. The loser lays all of them with one bet, so that it has three fills. */
const STAKES = [100, 200, 400];
const WON = ['WIN', 'LOSE', 'LOSE'] as const;

let scene: ExchangeScene;
let bets: RestoredBet[];
let matches: VoidMatches['matches'];
let nextStep: number;

beforeEach(() => {
	scene = new ExchangeScene();
	scene.openMarket({ reducible: true, commissionBp: 200 });
	scene.players(FUNDS, [WINNER, OTHER_WINNER, LOSER]);
	scene.lay(LOSER, 0, 3, 700);
	for (const [at, stake] of STAKES.entries()) scene.back(at === 2 ? OTHER_WINNER : WINNER, 0, 3, stake);
	bets = [...scene.effects.bets.values()].map((bet) => ({
		...bet,
		remaining: 0,
		fills: scene.engine.betDetail(bet.betId).fills,
	}));
	matches = scene.effects.fills.map(({ taker, maker, price, stake }, rowNumber) => ({
		batch: 1,
		rowNumber,
		takerBetId: taker,
		makerBetId: maker,
		price,
		stake,
		takerFill: 0,
		makerFill: rowNumber,
	}));
	scene.apply({ kind: 'settle-market', atMs: 5, marketId: MARKET, results: WON });
	nextStep = scene.engine.market(MARKET)?.nextStep ?? 0;
});

const begin = (more: Partial<BeginReversal> = {}) =>
	scene.apply({
		kind: 'begin-reversal',
		atMs: 6,
		marketId: MARKET,
		betCount: bets.length,
		paidSinceMs: 5,
		nextStep,
		next: null,
		...more,
	});
const PAYMENTS: Record<number, ReversedWallet['payment']> = {
	// 300 at 3.00, less 2 %; and 400.
	[WINNER]: { net: 600, commission: 12 },
	[OTHER_WINNER]: { net: 800, commission: 16 },
	[LOSER]: { net: -1_400, commission: 0 },
};
const wallet = (walletId: number, more: Partial<ReversedWallet> = {}): ReversedWallet => ({
	walletId,
	bets: bets.filter((bet) => bet.walletId === walletId),
	payment: PAYMENTS[walletId] ?? null,
	...more,
});
const reverse = (...wallets: ReversedWallet[]) =>
	scene.apply({ kind: 'reverse-wallets', atMs: 7, marketId: MARKET, wallets });
const money = () =>
	[WINNER, OTHER_WINNER, LOSER].map((walletId) => {
		const { cash, exposure } = scene.engine.wallet(walletId) ?? {};
		return [cash, exposure];
	});
const left = () => scene.engine.market(MARKET)?.reversing?.betsLeft ?? null;
const PAID = [
	[FUNDS + 588, 0],
	[FUNDS + 784, 0],
	[FUNDS - 1_400, 0],
];
const HELD = [
	[FUNDS - 300, 300],
	[FUNDS - 400, 400],
	[FUNDS - 1_400, 1_400],
];

it('brings back wallet after wallet, whole, and ends with the last bet', () => {
	expect(begin()).toEqual({ ok: true });
	expect([left(), money()]).toEqual([4, PAID]);
	reverse(wallet(WINNER));
	expect([left(), money()]).toEqual([2, [HELD[0], PAID[1], PAID[2]]]);
	expect(scene.engine.houseBalance('pot', 'PLAY', MARKET)).toBe(600);
	reverse(wallet(WINNER), wallet(OTHER_WINNER), wallet(OTHER_WINNER));
	reverse(wallet(LOSER));
	expect(money()).toEqual(HELD);
	expect(scene.engine.market(MARKET)).toMatchObject({ status: 'CLOSED', results: null, reversing: null });
	expect(scene.engine.houseBalance('pot', 'PLAY', MARKET)).toBe(0);
	expect(scene.engine.houseBalance('commission', 'PLAY', 0)).toBe(0);
});

it.each<[string, ReversedWallet['payment'], number]>([
	['that was paid another amount than its bets come to', { net: 601, commission: 12 }, 4],
	['whose loss the pot cannot give back yet', PAYMENTS[LOSER] ?? null, 4],
])('passes over a wallet %s', (_, payment, expected) => {
	begin();
	const walletId = payment === PAYMENTS[LOSER] ? LOSER : WINNER;
	expect(reverse(wallet(walletId, { payment }))).toEqual({ ok: true });
	expect([left(), money()]).toEqual([expected, PAID]);
	expect(scene.engine.market(MARKET)?.status).toBe('SETTLING');
});

it.each<[string, () => Partial<BeginReversal>, string]>([
	['that was settled again since it was read', () => ({ nextStep: nextStep - 1 }), 'WRONG_MARKET_STATE'],
	['by a result that is none', () => ({ next: { results: ['WIN', 'LOSE'] } }), 'INCOMPLETE_RESULT'],
	[
		'with a factor of a runner that takes part',
		() => ({ correction: { runner: 1, reductionBp: 5 } }),
		'INVALID_REDUCTION',
	],
])('does not begin for a market %s', (_, more, code) => {
	const before = scene.engine.hash();
	expect(begin(more())).toMatchObject({ code });
	expect(scene.engine.hash()).toBe(before);
});

it('voids matches from the last one on, so that a bet’s other fills keep their numbers', () => {
	begin({ next: { results: WON }, matches: matches.slice(0, 2) });
	const voidOne = () => scene.apply({ kind: 'void-reversed', atMs: 8, marketId: MARKET, count: 1 });
	reverse(wallet(WINNER), wallet(OTHER_WINNER));
	expect(voidOne()).toEqual({ ok: true });
	expect(scene.engine.market(MARKET)?.reversing?.matches).toHaveLength(2);
	reverse(wallet(LOSER));
	expect(money()).toEqual(HELD);
	voidOne();
	expect(scene.engine.market(MARKET)?.reversing?.matches).toEqual(matches.slice(0, 1));
	voidOne();
	expect(scene.engine.market(MARKET)).toMatchObject({ status: 'SETTLING', results: WON, reversing: null });
	expect(money()).toEqual([[FUNDS, 0], HELD[1], [FUNDS - 800, 800]]);
});

describe('while a settlement is taken back', () => {
	const about = { atMs: 7, marketId: MARKET };
	const settlement = { bets: [], payments: [], nextStep: 0 };
	it.each<[string, Command, string]>([
		['another result', { kind: 'settle-market', ...about, results: WON }, 'MARKET_SETTLING'],
		['a step of a settlement', { kind: 'settle-wallets', ...about, wallets: [LOSER] }, 'WRONG_MARKET_STATE'],
		['a reopening', { kind: 'reopen-market', ...about, ...settlement }, 'MARKET_SETTLING'],
		['a resettlement', { kind: 'resettle-market', ...about, ...settlement, results: WON }, 'MARKET_SETTLING'],
		['the voiding of a match', { kind: 'void-matches', ...about, matches: [] }, 'MARKET_SETTLING'],
		['a cancellation', { kind: 'cancel-bet', atMs: 7, betId: 2, walletId: WINNER }, 'MARKET_SETTLING'],
		['a factor', { kind: 'correct-reduction', ...about, runner: 1, reductionBp: 0 }, 'MARKET_SETTLING'],
	])('%s is refused', (_, command, code) => {
		begin();
		reverse(wallet(WINNER));
		const before = scene.engine.hash();
		expect(scene.engine.apply(command, scene.effects)).toMatchObject({ code });
		expect(scene.engine.hash()).toBe(before);
	});
});
