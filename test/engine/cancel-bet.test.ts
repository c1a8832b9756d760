import { describe, expect, it } from 'vitest';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket(terms);
	made.players(100_000, [11, 12, 13]);
	made.lay(11, 0, 3.0, 1000);
	made.lay(12, 0, 3.0, 1000);
	return made;
}
const queue = (made: ExchangeScene) =>
	made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId, remaining }) => [betId, remaining]);

describe('cancelling', () => {
	it('removes the unmatched part from the book and releases the money held for it', () => {
		const made = scene();
		expect(made.exposure(11)).toBe(2000);
		expect(made.cancel(1, 11)).toMatchObject({ ok: true, cancelled: 1000, remaining: 0, matched: 0 });
		expect([made.exposure(11), made.cash(11)]).toEqual([0, 100_000]);
		expect(queue(made)).toEqual([[2, 1000]]);
	});

	it('of a part keeps the place in the queue', () => {
		const made = scene();
		expect(made.cancel(1, 11, 400)).toMatchObject({ ok: true, cancelled: 400, remaining: 600 });
		made.back(13, 0, 3.0, 700);
		expect(made.fills()).toEqual([
			[3, 1, 3, 600],
			[3, 2, 3, 100],
		]);
	});

	// A bet of the player's own goes through the kernel; an operator's cancel goes the general way.
	it.each([
		['by the player', 11],
		['by an operator', undefined],
	])('%s never leaves less than the smallest stake waiting: a part that would takes all of it', (_, walletId) => {
		const made = scene({ minStake: 100 });
		expect(made.cancel(1, walletId, 900)).toMatchObject({ ok: true, cancelled: 900, remaining: 100 });
		expect(made.cancel(1, walletId, 1)).toMatchObject({ ok: true, cancelled: 100, remaining: 0 });
		expect(queue(made)).toEqual([[2, 1000]]);
		expect(made.exposure(11)).toBe(0);
	});

	it('of a part cancels a remainder below the smallest stake, and keeps the matched part', () => {
		const made = scene({ minStake: 100 });
		made.back(13, 0, 3.0, 950);
		expect(made.cancel(1, 11, 10)).toMatchObject({ ok: true, cancelled: 50, matched: 950, remaining: 0 });
		expect(made.exposure(11)).toBe(1900);
	});

	it('leaves the matched part', () => {
		const made = scene();
		made.back(13, 0, 3.0, 300);
		expect(made.cancel(1, 11)).toMatchObject({ ok: true, cancelled: 700, matched: 300, remaining: 0 });
		expect(made.exposure(11)).toBe(600);
		expect(made.cancel(1, 11)).toEqual({ ok: false, code: 'ORDER_NOT_ACTIVE' });
	});

	it('is allowed while the market is suspended or a ball is running', () => {
		const made = scene();
		made.suspend();
		expect(made.cancel(1, 11)).toMatchObject({ ok: true });
		made.resume();
		made.suspend({ ballRunning: true });
		expect(made.cancel(2, 12)).toMatchObject({ ok: true });
	});

	it('by an operator needs no owner', () => {
		expect(scene().cancel(2)).toMatchObject({ ok: true, cancelled: 1000 });
	});

	it('is refused for UNKNOWN_ORDER, NOT_OWNER, ORDER_NOT_ACTIVE and INVALID_SIZE in that order', () => {
		const made = scene();
		made.back(13, 0, 3.0, 1000);
		const hash = made.engine.hash();
		expect(made.cancel(9, 12, 0)).toEqual({ ok: false, code: 'UNKNOWN_ORDER' });
		expect(made.cancel(1, 12, 0)).toEqual({ ok: false, code: 'NOT_OWNER' });
		expect(made.cancel(1, 11, 0)).toEqual({ ok: false, code: 'ORDER_NOT_ACTIVE' });
		for (const size of [0, -1, 1.5, 1001, Number.NaN]) {
			expect(made.cancel(2, 12, size)).toEqual({ ok: false, code: 'INVALID_SIZE' });
		}
		expect(made.engine.hash()).toBe(hash);
	});

	it('finds nothing active in a bet that ended unmatched', () => {
		const made = scene();
		made.cancel(1, 11);
		expect(made.cancel(1, 11)).toEqual({ ok: false, code: 'ORDER_NOT_ACTIVE' });
	});
});
