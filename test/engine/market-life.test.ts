/** A market from opening to its end, and the pools that never meet in it. */
import { describe, expect, it } from 'vitest';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ pools: ['PLAY', 'DEMO'] });
	made.players(100_000, [11, 12, 13]);
	made.players(100_000, [21, 22], 'DEMO');
	return made;
}
const state = (made: ExchangeScene) => {
	const market = made.engine.market(MARKET);
	return [market?.status, market?.inPlay, market?.version];
};

describe('pools', () => {
	it('have books of their own in one market', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 1000);
		expect(made.back(21, 0, 2.0, 1000)).toMatchObject({ ok: true, matched: 0, remaining: 1000 });
		expect(made.engine.levels(MARKET, 'PLAY', 0, 1, 3)).toEqual([{ price: 200, size: 1000 }]);
		expect(made.engine.levels(MARKET, 'DEMO', 0, 0, 3)).toEqual([{ price: 200, size: 1000 }]);
		expect(made.engine.levels(MARKET, 'DEMO', 0, 1, 3)).toEqual([]);
	});

	it('without books in a market take no bet', () => {
		const made = scene();
		made.player(31, 0, 'REAL');
		expect(made.back(31, 0, 2.0, 1000)).toEqual({ ok: false, code: 'FORBIDDEN' });
	});

	it('are granted no more than their sums can hold', () => {
		const made = new ExchangeScene();
		made.players(0, [11, 12]);
		const grant = (walletId: number, grantId: number) =>
			made.apply({ kind: 'grant-coins', atMs: 0, grantId, walletId, amount: 10 ** 13 });
		// 450 × 10^13 is just below 2^52.
		for (let grantId = 1; grantId <= 450; grantId++) expect(grant(11, grantId)).toEqual({ ok: true });
		expect(grant(11, 451)).toEqual({ ok: false, code: 'INVALID_SIZE' });
		expect(grant(12, 451)).toEqual({ ok: false, code: 'INVALID_SIZE' });
	});

	it('have their own commission and rounding accounts', () => {
		const made = new ExchangeScene();
		made.openMarket({ pools: ['PLAY', 'DEMO'], commissionBp: 500 });
		made.players(100_000, [11, 12]);
		made.players(100_000, [21, 22], 'DEMO');
		made.lay(11, 0, 2.0, 1000);
		made.back(12, 0, 2.0, 1000);
		made.lay(21, 0, 2.0, 4000);
		made.back(22, 0, 2.0, 4000);
		made.settle(0);
		expect(made.engine.houseBalance('commission', 'PLAY', 0)).toBe(50);
		expect(made.engine.houseBalance('commission', 'DEMO', 0)).toBe(200);
	});

	it('of real money are granted no coins', () => {
		const made = scene();
		made.player(31, 0, 'REAL');
		expect(made.apply({ kind: 'grant-coins', atMs: 0, grantId: 1, walletId: 31, amount: 100 })).toEqual({
			ok: false,
			code: 'FORBIDDEN',
		});
	});
});

describe('a wallet', () => {
	it('opened twice stays as it is', () => {
		const made = scene();
		made.player(11, 0);
		expect(made.cash(11)).toBe(100_000);
	});
});

describe('turning in-play', () => {
	it('lapses LAPSE bets, keeps the others in their place and raises the version', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 500);
		made.lay(12, 0, 2.0, 500, { persist: true });
		expect(made.turnInPlay()).toEqual({ ok: true });
		made.lay(13, 0, 2.0, 500);
		expect(made.effects.lapses).toEqual([{ betId: 1, stake: 500, reason: 'TURNED_IN_PLAY' }]);
		expect(made.exposure(11)).toBe(0);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId }) => betId)).toEqual([2, 3]);
		expect(state(made)).toEqual(['OPEN', true, 2]);
		expect(made.turnInPlay()).toEqual({ ok: false, code: 'ALREADY_IN_PLAY' });
	});

	it('leaves a suspended market suspended', () => {
		const made = scene();
		made.suspend();
		made.turnInPlay();
		expect(state(made)).toEqual(['SUSPENDED', true, 3]);
	});
});

describe('suspension', () => {
	it('takes no bets, keeps resting bets, and raises the version once, though a feed repeats it', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 500);
		made.suspend({ byFeed: true });
		made.suspend({ byFeed: true });
		expect(state(made)).toEqual(['SUSPENDED', false, 2]);
		expect(made.back(12, 0, 2.0, 500)).toEqual({ ok: false, code: 'MARKET_SUSPENDED' });
		made.resume();
		expect(made.back(12, 0, 2.0, 500)).toMatchObject({ ok: true, matched: 500 });
	});

	it('by an operator raises the version each time, and a resumption that saw another version is refused', () => {
		const made = scene();
		made.suspend({ byFeed: true });
		made.suspend();
		made.suspend();
		expect(state(made)).toEqual(['SUSPENDED', false, 4]);
		expect(made.resume({ seenVersion: 3 })).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
		expect(made.resume({ seenVersion: 4 })).toMatchObject({ ok: true });
		expect(state(made)).toEqual(['OPEN', false, 4]);
	});

	it('after a material incident lapses every unmatched bet', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 500, { persist: true });
		made.suspend({ lapseUnmatched: true });
		expect(made.effects.lapses).toEqual([{ betId: 1, stake: 500, reason: 'SUSPENDED' }]);
		expect(made.exposure(11)).toBe(0);
	});

	it('while a ball is running lapses nothing and keeps the version', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 500);
		made.suspend({ ballRunning: true });
		expect(state(made)).toEqual(['BALL_RUNNING', false, 1]);
		expect(made.back(12, 0, 2.0, 500)).toEqual({ ok: false, code: 'MARKET_SUSPENDED' });
		expect(made.effects.lapses).toEqual([]);
		made.resume();
		expect(state(made)).toEqual(['OPEN', false, 1]);
	});

	it('outranks a running ball', () => {
		const made = scene();
		made.suspend({ ballRunning: true });
		made.suspend();
		made.suspend({ ballRunning: true });
		expect(state(made)).toEqual(['SUSPENDED', false, 2]);
	});
});

describe('closing', () => {
	it('lapses unmatched bets and takes no new ones', () => {
		const made = scene();
		made.lay(11, 0, 2.0, 500, { persist: true });
		made.close();
		expect(made.effects.lapses).toEqual([{ betId: 1, stake: 500, reason: 'MARKET_CLOSED' }]);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
		expect(made.back(12, 0, 2.0, 500)).toEqual({ ok: false, code: 'MARKET_CLOSED' });
		for (const act of [() => made.suspend(), () => made.resume(), () => made.turnInPlay(), () => made.close()]) {
			expect(act()).toEqual({ ok: false, code: 'MARKET_CLOSED' });
		}
	});
});

describe('opening', () => {
	it('can start suspended', () => {
		const made = new ExchangeScene();
		made.openMarket({ suspended: true });
		expect(state(made)).toEqual(['SUSPENDED', false, 1]);
	});

	it('is refused for an existing market', () => {
		expect(scene().openMarket()).toEqual({ ok: false, code: 'WRONG_MARKET_STATE' });
	});

	it.each([
		['pools', { pools: [] }],
		['pools', { pools: ['PLAY', 'PLAY'] as const }],
		['runners', { runners: 1 }],
		['numberOfWinners', { numberOfWinners: 4 }],
		['commissionBp', { commissionBp: 10_001 }],
		['minStake', { minStake: 0 }],
		['maxStake', { minStake: 100, maxStake: 99 }],
		['maxStake', { maxStake: 1_000_000_001 }],
	])('is refused for terms no market can have: %s', (field, terms) => {
		expect(new ExchangeScene().openMarket(terms)).toEqual({
			ok: false,
			code: 'VALIDATION_FAILED',
			details: { field },
		});
	});
});
