/** Icebergs: orders that show a part of their stake at a time. */
import { describe, expect, it } from 'vitest';
import { ASHA, BALA, batches, CARLA, codeOf, place, plansOf, restingOf, scene } from './plan-scene.ts';

const ICEBERG = { kind: 'ICEBERG', visible: 400 } as const;

describe('an iceberg', () => {
	it('shows a part of its stake, and holds for the whole', () => {
		const made = scene();
		expect(place(made, ICEBERG)).toMatchObject({ ok: true, remaining: 1_000 });
		expect(made.exposure(ASHA)).toBe(1_000);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 300, 400]]);
		expect(made.exposure(ASHA)).toBe(1_000);
		expect(plansOf(made)).toEqual([['WAITING', null, 600]]);
	});

	it('shows the next part at the end of the queue once the one before is matched, down to the last', () => {
		const made = scene();
		place(made, ICEBERG);
		batches(made);
		made.back(CARLA, 0, 3.0, 500);
		made.lay(BALA, 0, 3.0, 300);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 300, 100],
			[0, 300, 500],
		]);
		made.lay(BALA, 0, 3.0, 100);
		batches(made);
		expect(restingOf(made)).toEqual([
			[0, 300, 500],
			[0, 300, 400],
		]);
		made.lay(BALA, 0, 3.0, 900);
		batches(made);
		expect(restingOf(made)).toEqual([[0, 300, 200]]);
		expect(plansOf(made)).toEqual([['PLACED', null, 0]]);
		expect(made.exposure(ASHA)).toBe(1_000);
		made.lay(BALA, 0, 3.0, 200);
		batches(made);
		expect(made.effects.fills.filter(({ maker }) => made.effects.bets.get(maker)?.walletId === ASHA)).toHaveLength(4);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it('takes what it meets part by part, a batch each', () => {
		const made = scene();
		made.lay(BALA, 0, 3.5, 5_000);
		place(made, ICEBERG);
		batches(made);
		expect(made.fills()).toEqual([
			[3, 1, 3.5, 400],
			[4, 1, 3.5, 400],
			[5, 1, 3.5, 200],
		]);
	});

	it('ends with the bet that its player cancels, and with another price for it', () => {
		const made = scene();
		place(made, ICEBERG);
		batches(made);
		made.cancel(2, ASHA);
		batches(made);
		expect([restingOf(made), plansOf(made), made.exposure(ASHA)]).toEqual([[], [['CANCELLED', null, 600]], 0]);
		place(made, ICEBERG);
		batches(made);
		made.apply({ kind: 'replace-bet', atMs: 0, betId: 4, newBetId: 5, walletId: ASHA, price: 310 });
		batches(made);
		expect([restingOf(made), made.exposure(ASHA)]).toEqual([[[0, 310, 400]], 400]);
	});

	it('is cancelled with the part that it shows', () => {
		const made = scene();
		place(made, ICEBERG);
		batches(made);
		made.lay(BALA, 0, 3.0, 150);
		expect(codeOf(made.apply({ kind: 'cancel-trigger', atMs: 0, triggerId: 1, walletId: ASHA }))).toBeNull();
		batches(made);
		expect([restingOf(made), made.exposure(ASHA)]).toEqual([[], 150]);
		expect(made.effects.bets.get(2)).toMatchObject({ matched: 150, cancelled: 250 });
	});

	describe('cancelled by its id', () => {
		const cancel = (made: ReturnType<typeof scene>, size?: number) => {
			const asked = { kind: 'cancel-trigger', atMs: 0, triggerId: 1, walletId: ASHA } as const;
			const outcome = made.apply(size === undefined ? asked : { ...asked, size });
			batches(made);
			return outcome.ok ? outcome.cancelled : outcome.code;
		};
		const shown = () => {
			const made = scene();
			place(made, ICEBERG);
			batches(made);
			return made;
		};

		it('reports what was unmatched of it, shown or not', () => {
			const made = shown();
			made.lay(BALA, 0, 3.0, 150);
			expect(cancel(made)).toBe(850);
			expect([restingOf(made), made.exposure(ASHA)]).toEqual([[], 150]);
		});

		it('loses in part what it does not show yet, then what it shows, which keeps its place', () => {
			const made = shown();
			made.back(CARLA, 0, 3.0, 500);
			expect([cancel(made, 200), made.exposure(ASHA), plansOf(made)]).toEqual([200, 800, [['WAITING', null, 400]]]);
			expect([cancel(made, 500), made.exposure(ASHA), plansOf(made)]).toEqual([500, 300, [['PLACED', null, 0]]]);
			expect(restingOf(made)).toEqual([
				[0, 300, 300],
				[0, 300, 500],
			]);
			made.lay(BALA, 0, 3.0, 300);
			expect(made.exposure(ASHA)).toBe(300);
		});

		it('leaves no bet below the smallest stake', () => {
			const made = shown();
			expect([cancel(made, 950), restingOf(made), made.exposure(ASHA)]).toEqual([1_000, [], 0]);
			expect(plansOf(made)).toEqual([['CANCELLED', null, 600]]);
		});

		it.each([
			['nothing', 0],
			['more than is unmatched', 1_001],
			['no whole coin', 10.5],
			['all but too small a last part', 550],
		])('is refused with %s, and leaves no trace', (_, size) => {
			const made = shown();
			const hash = made.engine.hash();
			expect([cancel(made, size), made.engine.hash()]).toEqual(['INVALID_SIZE', hash]);
		});

		it('is refused with too small a last part in a suspended market, too', () => {
			const made = shown();
			made.suspend();
			expect([cancel(made, 550), cancel(made, 500), made.exposure(ASHA)]).toEqual(['INVALID_SIZE', 500, 500]);
		});

		it('is refused with a last part that is no possible stake of its currency, or of no fair profit', () => {
			const YEN = 'PLAY-JPY';
			const inYen = scene({ pools: ['PLAY', YEN] });
			inYen.player(21, 10_000_000, YEN);
			place(inYen, { kind: 'ICEBERG', visible: 20_000 }, { walletId: 21, stake: 60_000 });
			batches(inYen);
			const part = { kind: 'cancel-trigger', atMs: 0, triggerId: 1, walletId: 21 } as const;
			expect(codeOf(inYen.apply({ ...part, size: 5_000 }))).toBe('INVALID_SIZE');
			expect(inYen.apply({ ...part, size: 10_000 })).toMatchObject({ cancelled: 10_000 });
			const fair = scene({ profitRatioRule: true });
			place(fair, ICEBERG, { price: 101 });
			batches(fair);
			expect([cancel(fair, 451), cancel(fair, 400)]).toEqual(['INVALID_SIZE', 400]);
		});

		it('is whole of a plan of another kind', () => {
			const made = scene();
			place(made, { kind: 'PEG', follows: 'OWN', ticks: 0 });
			expect([cancel(made, 300), cancel(made, 1_000), made.exposure(ASHA)]).toEqual(['TERMS_NOT_POSSIBLE', 1_000, 0]);
		});
	});

	it.each([
		['cancel-all', { walletId: ASHA }],
		['lapse-all', { walletId: ASHA }],
		['turn-in-play', { marketId: 1 }],
		['close-market', { marketId: 1 }],
		['suspend-market', { marketId: 1, lapseUnmatched: true }],
		['void-market', { marketId: 1 }],
		['settle-market', { marketId: 1, results: ['WIN', 'LOSE', 'LOSE'] }],
	] as const)('ends with %s, and holds nothing', (kind, how) => {
		const made = scene();
		place(made, ICEBERG, { persist: false });
		batches(made);
		made.apply({ kind, atMs: 0, ...how } as never);
		batches(made);
		expect(made.exposure(ASHA)).toBe(0);
		expect(made.engine.triggersOf(ASHA)).toEqual([]);
	});

	it('waits in a suspended market with its next part, and each part waits out the delay in-play', () => {
		const made = scene({ betDelayMs: 2_000 });
		made.turnInPlay();
		place(made, ICEBERG);
		batches(made);
		expect(restingOf(made)).toEqual([]);
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: 2 });
		expect(restingOf(made)).toEqual([[0, 300, 400]]);
		made.lay(BALA, 0, 3.0, 400);
		made.apply({ kind: 'admit-bet', atMs: 4_000, betId: 3 });
		made.suspend();
		batches(made);
		expect(plansOf(made)).toEqual([['DUE', null, 600]]);
		made.resume();
		batches(made);
		made.apply({ kind: 'admit-bet', atMs: 9_000, betId: 4 });
		expect(restingOf(made)).toEqual([[0, 300, 400]]);
	});

	it('ends where its next part is refused, with the code', () => {
		const made = scene();
		place(made, ICEBERG);
		batches(made);
		made.lay(BALA, 0, 3.0, 400);
		made.lay(ASHA, 0, 3.0, 100);
		batches(made);
		expect(plansOf(made)).toEqual([['REFUSED', 'SELF_MATCH', 600]]);
		expect(made.engine.triggersOf(ASHA)).toEqual([]);
	});

	it.each([
		['more than its stake', {}, 1_000, 'INVALID_SIZE'],
		['no whole number', {}, 99.5, 'INVALID_SIZE'],
		['less than the smallest stake', {}, 99, 'STAKE_TOO_SMALL'],
		['a last part below it', {}, 310, 'STAKE_TOO_SMALL'],
		['a part whose profit is no fair one', { profitRatioRule: true, minStake: 1 }, 3, 'INVALID_PROFIT_RATIO'],
		['a market of the house', { model: 'BOOKMAKER' as const, houses: [BALA] }, 400, 'TERMS_NOT_POSSIBLE'],
		[
			'a market across whose runners bets are matched',
			{ crossMatching: true, houses: [BALA] },
			400,
			'TERMS_NOT_POSSIBLE',
		],
	])('is refused with %s, and leaves no trace', (_, market, visible, code) => {
		const made = scene(market);
		const hash = made.engine.hash();
		const price = code === 'INVALID_PROFIT_RATIO' ? { price: 101 } : {};
		expect(codeOf(place(made, { kind: 'ICEBERG', visible }, price))).toBe(code);
		expect(made.engine.hash()).toBe(hash);
	});

	it('is part of the digest: another part is another state', () => {
		const hashes = [400, 200].map((visible) => {
			const made = scene();
			place(made, { kind: 'ICEBERG', visible });
			return made.engine.hash();
		});
		expect(hashes[0]).not.toBe(hashes[1]);
	});
});
