/** Settling a market: each player's share, the accounts it passes, and the remainder. */
import { describe, expect, it } from 'vitest';
import type { Posting } from '#engine/effect.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** Player 11 lays 10.00 @3.00 on runner 0 to player 12, who pays 5 % commission of his own; 13 has a resting bet. */
function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ commissionBp: 200 });
	made.player(11, 100_000);
	made.player(12, 100_000, 'PLAY', 500);
	made.player(13, 100_000);
	made.lay(11, 0, 3.0, 1000);
	made.back(12, 0, 3.0, 1000);
	made.lay(13, 0, 2.8, 700, { persist: true });
	return made;
}
const route = ({ debit, debitOwner, credit, creditOwner, amount }: Posting) =>
	`${debit} ${debitOwner} → ${credit} ${creditOwner}: ${amount}`;

describe('settlement', () => {
	it('fills the pot from the losers’ exposure, pays the winners from it and takes commission from their cash', () => {
		const made = scene();
		const before = made.effects.postings.length;
		expect(made.settle(0)).toEqual({ ok: true });
		expect(made.effects.postings.slice(before).map(route)).toEqual([
			'exposure 13 → cash 13: 1260',
			'exposure 11 → pot 1: 2000',
			'exposure 12 → cash 12: 1000',
			'pot 1 → cash 12: 2000',
			'cash 12 → commission 0: 100',
		]);
		expect([11, 12, 13].map((wallet) => [made.cash(wallet), made.exposure(wallet)])).toEqual([
			[98_000, 0],
			[101_900, 0],
			[100_000, 0],
		]);
		expect(made.engine.houseBalance('pot', 'PLAY', MARKET)).toBe(0);
	});

	it('takes the market’s rate where the player has no own rate', () => {
		const made = scene();
		made.settle(1);
		expect(made.effects.settledPlayers).toEqual([
			{ marketId: MARKET, walletId: 11, net: 1000, commission: 20, profit: 980 },
			{ marketId: MARKET, walletId: 12, net: -1000, commission: 0, profit: -1000 },
		]);
	});

	it('emits the result of every matched bet once and lapses the unmatched', () => {
		const made = scene();
		made.settle(0);
		expect(made.effects.settledBets).toEqual([
			{ betId: 1, result: 'LOST', profitExact: -2000 * 100, parts: 1 },
			{ betId: 2, result: 'WON', profitExact: 2000 * 100, parts: 1 },
		]);
		expect(made.effects.lapses).toEqual([{ betId: 3, stake: 700, reason: 'MARKET_SETTLED' }]);
	});

	it('settles a market that was closed before, and none twice', () => {
		const made = scene();
		made.close();
		expect(made.settle(0)).toEqual({ ok: true });
		const hash = made.engine.hash();
		expect(made.settle(1)).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
		expect(made.voidMarket()).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
		expect(made.engine.hash()).toBe(hash);
		expect(made.engine.market(MARKET)).toMatchObject({ status: 'SETTLED', results: ['WIN', 'LOSE', 'LOSE'] });
	});

	it.each([
		[['WIN', 'LOSE']],
		[['LOSE', 'LOSE', 'LOSE']],
		[['WIN', 'TIE', 'LOSE']],
		[['TIE', 'LOSE', 'LOSE']],
		[['WIN', 'LOSE', 'LOSE', 'LOSE']],
	] as ('WIN' | 'LOSE' | 'TIE')[][][])('is refused for the result %j', (results) => {
		const made = scene();
		expect(made.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results })).toEqual({
			ok: false,
			code: 'INCOMPLETE_RESULT',
		});
		expect(made.exposure(11)).toBe(2000);
	});

	it('gives an exact half to the house and books it as rounding', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11, 12]);
		made.lay(11, 0, 1.01, 50);
		made.back(12, 0, 1.01, 50);
		made.settle(0);
		expect([made.cash(11), made.cash(12)]).toEqual([99_999, 100_000]);
		expect(made.engine.houseBalance('rounding', 'PLAY', 0)).toBe(1);
	});

	it('lets the house pay when roundings add up against it', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11, 12, 13]);
		// 12 and 13 win 0.60 of a minor unit each, paid as 1; 11 loses 1.20, paid as 1.
		made.lay(11, 0, 1.01, 120);
		made.back(12, 0, 1.01, 60);
		made.back(13, 0, 1.01, 60);
		made.settle(0);
		expect([11, 12, 13].map((wallet) => made.cash(wallet))).toEqual([99_999, 100_001, 100_001]);
		expect(made.engine.houseBalance('rounding', 'PLAY', 0)).toBe(-1);
	});

	it('rounds a player’s net once, however many fills it came from', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11, 12]);
		// Three fills of 50 @1.01 win half a minor unit each: 1.50 together, paid as 1; each alone would be paid as 0.
		made.lay(11, 0, 1.01, 150);
		for (let count = 0; count < 3; count++) made.back(12, 0, 1.01, 50);
		made.settle(0);
		expect([made.cash(11), made.cash(12)]).toEqual([99_998, 100_001]);
		expect(made.engine.houseBalance('rounding', 'PLAY', 0)).toBe(1);
	});
});

describe('voiding a market', () => {
	it('returns every stake, without commission, and lapses the unmatched', () => {
		const made = scene();
		expect(made.voidMarket()).toEqual({ ok: true });
		expect([11, 12, 13].map((wallet) => [made.cash(wallet), made.exposure(wallet)])).toEqual([
			[100_000, 0],
			[100_000, 0],
			[100_000, 0],
		]);
		expect(made.effects.voids).toEqual([
			{ betId: 1, stake: 1000, reason: 'MARKET_VOIDED' },
			{ betId: 2, stake: 1000, reason: 'MARKET_VOIDED' },
		]);
		expect(made.effects.settledPlayers).toEqual([]);
		expect(made.engine.market(MARKET)?.status).toBe('VOIDED');
		expect(made.settle(0)).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
	});
});
