/** Kinds of orders: fill-or-kill, market versions, in-play delay, another price, all at once, and limits. */

import { describe, expect, it } from 'vitest';
import type { PlayerLimits } from '#engine/wallets.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket(terms);
	made.players(1_000_000, [11, 12, 13, 14]);
	return made;
}

/** A recovery builds the present state. */
const survives = (made: ExchangeScene) => expect(made.effects.rebuild().hash()).toBe(made.engine.hash());

describe('fill-or-kill', () => {
	/** Lays of ₹2 @ 5.5, ₹6 @ 5.4 and ₹2 @ 5.3, as backers see them. */
	function book(): ExchangeScene {
		const made = scene();
		made.lay(11, 0, 5.5, 200);
		made.lay(12, 0, 5.4, 600);
		made.lay(13, 0, 5.3, 200);
		return made;
	}

	it('accepts a worse price as long as its average stays at its limit (example 3)', () => {
		const made = book();
		const outcome = made.back(14, 0, 5.4, 1000, { fillOrKill: true });
		// (2 × 5.5 + 6 × 5.4 + 2 × 5.3) / 10 = 5.40
		expect(outcome).toMatchObject({ ok: true, matched: 1000, matchedValue: 540_000, remaining: 0 });
		survives(made);
	});

	it('is killed as a whole when it cannot be matched completely, and holds nothing', () => {
		const made = book();
		const before = made.engine.hash();
		expect(made.back(14, 0, 5.4, 1001, { fillOrKill: true })).toMatchObject({ matched: 0, remaining: 0 });
		expect(made.effects.lapses).toEqual([{ betId: 4, stake: 1001, reason: 'NOT_FILLED' }]);
		expect([made.cash(14), made.exposure(14)]).toEqual([1_000_000, 0]);
		expect(made.engine.hash()).toBe(before);
	});

	it('takes what the book offers from its minimum on, and lapses the rest', () => {
		const made = book();
		expect(made.back(14, 0, 5.5, 1000, { fillOrKill: true, minFill: 200 })).toMatchObject({
			matched: 200,
			remaining: 0,
		});
		expect(made.exposure(14)).toBe(200);
		survives(made);
	});

	it('takes as much of a worse price as its average allows', () => {
		const made = scene();
		made.lay(11, 0, 2.1, 100);
		made.lay(12, 0, 1.9, 1000);
		// 100 @ 2.10 spare 100 × 0.10; each at 1.90 costs 0.10: another 100.
		expect(made.back(14, 0, 2, 1000, { fillOrKill: true, minFill: 1 })).toMatchObject({
			matched: 200,
			matchedValue: 40_000,
		});
	});

	it('of a lay bounds the average from above', () => {
		const made = scene();
		made.back(11, 0, 2, 100);
		made.back(12, 0, 2.2, 100);
		expect(made.lay(14, 0, 2.1, 200, { fillOrKill: true })).toMatchObject({ matched: 200, matchedValue: 42_000 });
		// Laid 100 @ 2.00 and 100 @ 2.20: 100 + 120 at risk.
		expect(made.exposure(14)).toBe(220);
	});

	it.each([0, 1001, 1.5])('is refused for a minimum of %s', (minFill) => {
		expect(scene().back(14, 0, 2, 1000, { fillOrKill: true, minFill })).toEqual({ ok: false, code: 'INVALID_SIZE' });
	});
});

describe('a market version', () => {
	it('lapses the bet when it is older than the market’s', () => {
		const made = scene();
		made.suspend();
		made.resume();
		expect(made.back(11, 0, 2, 100, { marketVersion: 1 })).toMatchObject({ ok: true, remaining: 0 });
		expect(made.effects.lapses).toEqual([{ betId: 1, stake: 100, reason: 'MARKET_VERSION' }]);
		expect(made.back(11, 0, 2, 100, { marketVersion: 2 })).toMatchObject({ ok: true, remaining: 100 });
		survives(made);
	});
});

describe('in-play', () => {
	const DELAY = 5000;
	const inPlay = (terms = {}) => {
		const made = scene({ betDelayMs: DELAY, ...terms });
		made.turnInPlay();
		return made;
	};
	const admit = (made: ExchangeScene, betId: number, atMs: number) => made.apply({ kind: 'admit-bet', atMs, betId });

	it('a bet holds its risk at once and reaches the book when its delay is over', () => {
		const made = inPlay();
		expect(made.lay(11, 0, 2, 100, { atMs: 1000 })).toMatchObject({ ok: true, remaining: 100, dueAtMs: 6000 });
		expect(made.exposure(11)).toBe(100);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
		expect(made.engine.pendingBets()).toEqual([{ betId: 1, dueAtMs: 6000 }]);
		survives(made);
		expect(admit(made, 1, 5999)).toEqual({ ok: false, code: 'MARKET_SUSPENDED' });
		expect(admit(made, 1, 6000)).toMatchObject({ ok: true, remaining: 100 });
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toHaveLength(1);
		expect(admit(made, 1, 6001)).toEqual({ ok: false, code: 'ORDER_NOT_ACTIVE' });
		survives(made);
	});

	it('is matched with the book of that moment, not of its placing', () => {
		const made = inPlay();
		made.lay(11, 0, 2.2, 100, { atMs: 0 });
		made.back(12, 0, 2, 100, { atMs: 10 });
		admit(made, 1, DELAY);
		expect(admit(made, 2, DELAY + 10)).toMatchObject({ matched: 100, matchedValue: 22_000 });
		survives(made);
	});

	it('lapses when the market is suspended meanwhile, and its risk is released', () => {
		const made = inPlay();
		made.lay(11, 0, 3, 100, { atMs: 0 });
		made.suspend();
		expect(made.effects.lapses).toEqual([{ betId: 1, stake: 100, reason: 'SUSPENDED' }]);
		expect(made.exposure(11)).toBe(0);
		survives(made);
	});

	it('stays delayed while a ball is in flight', () => {
		const made = inPlay();
		made.lay(11, 0, 3, 100, { atMs: 0 });
		made.suspend({ ballRunning: true });
		expect(admit(made, 1, DELAY)).toEqual({ ok: false, code: 'MARKET_SUSPENDED' });
		made.resume();
		expect(admit(made, 1, DELAY)).toMatchObject({ ok: true, remaining: 100 });
	});

	it('can be cancelled during its delay', () => {
		const made = inPlay();
		made.lay(11, 0, 3, 100, { atMs: 0 });
		expect(made.cancel(1, 11)).toMatchObject({ ok: true, cancelled: 100, remaining: 0 });
		expect(made.exposure(11)).toBe(0);
		expect(made.engine.pendingBets()).toEqual([]);
	});

	it('a bet that meets nothing skips the delay where the market says so, one that would match does not', () => {
		const made = inPlay({ passiveGoesIn: true });
		expect(made.lay(11, 0, 2, 100)).not.toHaveProperty('dueAtMs');
		expect(made.back(12, 0, 2, 100)).toHaveProperty('dueAtMs');
	});
});

describe('another price', () => {
	const replace = (made: ExchangeScene, betId: number, price: number, walletId = 11) =>
		made.apply({ kind: 'replace-bet', atMs: 0, betId, newBetId: 100 + betId, walletId, price });

	it('makes a new bet of the unmatched part, behind earlier bets at that price', () => {
		const made = scene();
		made.back(11, 0, 3, 100);
		made.lay(12, 0, 3, 40);
		made.back(13, 0, 2.5, 10);
		expect(replace(made, 1, 250)).toMatchObject({ ok: true, betId: 101, remaining: 60 });
		expect(made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId, remaining }) => [betId, remaining])).toEqual([
			[3, 10],
			[101, 60],
		]);
		expect(made.effects.bets.get(1)).toMatchObject({ matched: 40, cancelled: 60, remaining: 0 });
		expect(made.exposure(11)).toBe(100);
		survives(made);
	});

	it('is covered by the money held for the old price, even when it is the whole balance', () => {
		const made = scene();
		made.player(20, 100);
		made.back(20, 0, 3, 100);
		expect(replace(made, 1, 290, 20)).toMatchObject({ ok: true, remaining: 100 });
		expect([made.cash(20), made.exposure(20)]).toEqual([0, 100]);
	});

	it('leaves the old bet unchanged when the new one is refused', () => {
		const made = scene();
		made.player(20, 100);
		made.lay(20, 0, 2, 100);
		made.lay(11, 0, 2, 100);
		const before = made.engine.hash();
		expect(replace(made, 1, 300, 20)).toEqual({ ok: false, code: 'INSUFFICIENT_FUNDS' });
		expect(replace(made, 1, 301, 20)).toEqual({ ok: false, code: 'PRICE_NOT_ON_LADDER' });
		expect(replace(made, 1, 190, 12)).toEqual({ ok: false, code: 'NOT_OWNER' });
		expect(made.engine.hash()).toBe(before);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId }) => betId)).toEqual([1, 2]);
	});
});

describe('cancelling all', () => {
	it('cancels everything unmatched of the player, in one market or in all, and of no other player', () => {
		const made = scene();
		made.openMarket({ marketId: 2 });
		made.back(11, 0, 3, 100);
		made.back(11, 1, 4, 50);
		made.back(12, 0, 3, 70);
		made.lay(13, 0, 3, 30);
		made.back(11, 0, 5, 20, { marketId: 2 });
		const cancelAll = (marketId?: number) =>
			made.apply({ kind: 'cancel-all', atMs: 0, walletId: 11, ...(marketId === undefined ? {} : { marketId }) });
		// 30 of the first bet are matched: 70 and 50 come back.
		expect(cancelAll(MARKET)).toEqual({ ok: true, cancelled: 120 });
		expect(made.exposure(11)).toBe(30 + 20);
		expect(cancelAll()).toEqual({ ok: true, cancelled: 20 });
		expect(made.exposure(11)).toBe(30);
		expect(made.exposure(12)).toBe(70);
		expect(cancelAll(99)).toEqual({ ok: false, code: 'UNKNOWN_MARKET' });
		survives(made);
	});
});

describe('limits', () => {
	it('bound the profit of one bet', () => {
		const made = scene({ maxProfit: 1000 });
		expect(made.back(11, 0, 11, 100)).toMatchObject({ ok: true });
		expect(made.back(11, 0, 11.5, 100)).toEqual({ ok: false, code: 'PROFIT_TOO_LARGE' });
		expect(made.lay(11, 1, 1.5, 1001)).toEqual({ ok: false, code: 'PROFIT_TOO_LARGE' });
	});

	it('bound a player’s exposure in the market, and never refuse a bet that lowers it', () => {
		const made = scene({ maxExposure: 1000 });
		expect(made.back(11, 0, 2, 900)).toMatchObject({ ok: true });
		expect(made.back(11, 0, 2, 101)).toEqual({ ok: false, code: 'EXPOSURE_LIMIT' });
		made.lay(12, 0, 2, 900);
		expect(made.lay(11, 0, 3, 300)).toMatchObject({ ok: true });
	});
});

describe('a player’s own limits', () => {
	const limits = (made: ExchangeScene, change: Partial<PlayerLimits>) =>
		made.apply({
			kind: 'set-limits',
			atMs: 0,
			walletId: 11,
			limits: { maxStake: 0, maxProfit: 0, maxExposure: 0, ...change },
		});

	it('bound a bet’s stake and profit and the whole exposure, of that player alone', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.openMarket({ marketId: 2 });
		made.players(100_000, [11, 12]);
		limits(made, { maxStake: 500, maxProfit: 1000, maxExposure: 900 });
		expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
		expect(made.back(11, 0, 2, 501)).toMatchObject({ code: 'STAKE_TOO_LARGE' });
		expect(made.back(11, 0, 3.5, 500)).toMatchObject({ code: 'PROFIT_TOO_LARGE' });
		expect(made.back(11, 0, 3, 500).ok).toBe(true);
		expect(made.back(11, 0, 2, 401, { marketId: 2 })).toMatchObject({ code: 'EXPOSURE_LIMIT' });
		expect(made.back(11, 0, 2, 400, { marketId: 2 }).ok).toBe(true);
		expect(made.back(12, 0, 4, 5000).ok).toBe(true);
	});

	it('never refuse a bet that lowers the risk', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11, 12]);
		made.lay(12, 0, 2, 500);
		made.back(11, 0, 2, 500);
		limits(made, { maxExposure: 100 });
		made.back(12, 0, 2, 500);
		expect(made.lay(11, 0, 2, 500).ok).toBe(true);
		expect(made.exposure(11)).toBe(0);
	});

	it('are removed by zeros, and are never below zero', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.players(100_000, [11]);
		limits(made, { maxStake: 10 });
		expect(limits(made, { maxStake: -1 })).toMatchObject({ code: 'INVALID_SIZE' });
		limits(made, {});
		expect(made.back(11, 0, 2, 500).ok).toBe(true);
		expect(made.engine.wallet(11)?.limits).toBeNull();
	});
});

it('says what is matched before a bet at its price, and counts no queue that would keep bets waiting', () => {
	const scene = new ExchangeScene();
	scene.openMarket();
	scene.players(10_000_000, [1, 2, 3]);
	scene.back(1, 0, 2, 700);
	scene.back(1, 0, 2.02, 100);
	scene.back(2, 0, 2, 300);
	const own = scene.lastBet;
	expect(scene.engine.stakeAhead(own)).toBe(700);
	scene.lay(3, 0, 2, 400);
	expect(scene.engine.stakeAhead(own)).toBe(300);
	const place = {
		kind: 'place-bet',
		atMs: 0,
		marketId: MARKET,
		walletId: 1,
		runner: 1,
		side: 0,
		price: 200,
		stake: 1,
	} as const;
	for (let betId = scene.lastBet + 1, count = 0; count < 2_002; betId++, count++)
		scene.engine.apply({ ...place, betId, persist: false }, scene.effects);
	const { lastBetId } = scene.engine.counters();
	expect(scene.engine.stakeAhead(lastBetId - 1)).toBe(2_000);
	expect(scene.engine.stakeAhead(lastBetId)).toBeNull();
});
