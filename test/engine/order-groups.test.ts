/** Groups of bets that are cancelled together once much of them is matched at once. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#engine/outcome.ts';
import { type ExchangeScene, MARKET } from './exchange-scene.ts';
import { ASHA, BALA, CARLA, codeOf, restingOf, scene } from './plan-scene.ts';

const inGroup = (group: string) => ({
	persist: true,
	terms: { postOnly: null, expiresAtMs: null, selfMatch: null, group },
});
const open = (made: ExchangeScene, most = 500, name = 'quotes', walletId = ASHA): Outcome =>
	made.apply({ kind: 'set-order-group', atMs: 0, walletId, name, most });
const look = (made: ExchangeScene, atMs = 0): Outcome => {
	const outcome = made.apply({ kind: 'look-at-triggers', atMs, withoutBest: [] });
	expect(made.effects.rebuild().hash(), 'a rebuilt engine').toBe(made.engine.hash());
	return outcome;
};

describe('a group of bets', () => {
	it('is cancelled whole once more than its amount is matched, over all runners, and takes no more bets', () => {
		const made = scene();
		open(made);
		for (const runner of [0, 1, 2]) made.back(ASHA, runner, 4.0, 400, inGroup('quotes'));
		made.back(ASHA, 0, 5.0, 300, { persist: true });
		made.lay(BALA, 0, 4.0, 300);
		look(made);
		expect(restingOf(made, 1)).toHaveLength(1);
		made.lay(CARLA, 1, 4.0, 201);
		look(made, 10);
		expect([0, 1, 2].map((runner) => restingOf(made, runner))).toEqual([[[0, 500, 300]], [], []]);
		expect(made.engine.orderGroups(ASHA)).toMatchObject([{ name: 'quotes', closedAtMs: 10 }]);
		expect(codeOf(made.back(ASHA, 2, 4.0, 400, inGroup('quotes')))).toBe('ORDER_GROUP_CLOSED');
		expect(made.effects.bets.get(1)).toMatchObject({ matched: 300, cancelled: 100 });
		expect(made.exposure(ASHA)).toBe(300 + 201 + 300);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it('counts 15 seconds, and neither other bets nor what was matched before a reset', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 2_000, inGroup('quotes'));
		made.back(ASHA, 1, 4.0, 2_000);
		made.lay(BALA, 0, 4.0, 500);
		made.lay(BALA, 1, 4.0, 2_000);
		look(made, 1_000);
		made.lay(BALA, 0, 4.0, 400);
		look(made, 16_000);
		made.lay(BALA, 0, 4.0, 100);
		look(made, 16_500);
		expect(restingOf(made)).toEqual([[0, 400, 1_000]]);
		open(made);
		made.lay(BALA, 0, 4.0, 500);
		look(made, 17_000);
		expect(restingOf(made)).toEqual([[0, 400, 500]]);
		made.lay(BALA, 0, 4.0, 100);
		look(made, 17_001);
		expect(restingOf(made)).toEqual([]);
		open(made);
		expect(codeOf(made.back(ASHA, 0, 4.0, 400, inGroup('quotes')))).toBeNull();
	});

	it('counts nothing that was matched before a reset of the same batch', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 2_000, inGroup('quotes'));
		made.lay(BALA, 0, 4.0, 600);
		open(made);
		look(made);
		expect(restingOf(made)).toEqual([[0, 400, 1_400]]);
		made.lay(BALA, 0, 4.0, 501);
		look(made);
		expect(restingOf(made)).toEqual([]);
	});

	it('keeps a bet at another price, and counts what it takes as it arrives', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 2_000, inGroup('quotes'));
		made.apply({ kind: 'replace-bet', atMs: 0, betId: 1, newBetId: 2, walletId: ASHA, price: 500 });
		expect(made.effects.bets.get(2)?.terms?.group).toBe('quotes');
		made.lay(BALA, 1, 4.0, 600);
		made.back(ASHA, 1, 4.0, 600, inGroup('quotes'));
		look(made, 5);
		expect(restingOf(made)).toEqual([]);
		made.back(CARLA, 0, 4.0, 100, { persist: true });
		const newBetId = made.engine.counters().lastBetId + 1;
		expect(codeOf(made.apply({ kind: 'replace-bet', atMs: 0, betId: 2, newBetId, walletId: ASHA, price: 400 }))).toBe(
			'ORDER_NOT_ACTIVE',
		);
	});

	it('cancels bets in their delay and in suspended markets, too', () => {
		const made = scene({ betDelayMs: 2_000 });
		open(made);
		made.back(ASHA, 0, 4.0, 1_000, inGroup('quotes'));
		made.lay(BALA, 0, 4.0, 600);
		made.turnInPlay();
		made.back(ASHA, 1, 4.0, 400, inGroup('quotes'));
		made.suspend({ ballRunning: true });
		look(made);
		expect(made.engine.unmatchedBets(ASHA)).toEqual([]);
		expect(made.exposure(ASHA)).toBe(600);
	});

	it('counts what is matched after a match of it is void, with a look in between and without', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 1_000, inGroup('quotes'));
		made.lay(BALA, 0, 4.0, 300);
		look(made);
		// A standby takes no look that changes nothing.
		const standby = made.effects.rebuild();
		const follower = made.effects.copy(standby);
		const both = (command: Parameters<ExchangeScene['apply']>[0]) => {
			expect(codeOf(made.apply(command))).toBeNull();
			expect(codeOf(standby.apply(command, follower))).toBeNull();
		};
		const match = { batch: 1, rowNumber: 1, takerBetId: 2, makerBetId: 1, stake: 300, price: 400 };
		both({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches: [match] });
		expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
		const lay = { walletId: CARLA, marketId: MARKET, runner: 0, side: 1, price: 400, stake: 300 } as const;
		both({ kind: 'place-bet', atMs: 5, betId: 3, persist: false, ...lay });
		both({ kind: 'look-at-triggers', atMs: 5, withoutBest: [] });
		expect(made.engine.orderGroups(ASHA)).toMatchObject([{ closedAtMs: 5 }]);
		expect(standby.hash()).toBe(made.engine.hash());
	});

	it('watches nothing any more once its market has ended', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 1_000, inGroup('quotes'));
		made.lay(BALA, 0, 4.0, 300);
		look(made);
		expect(made.engine.watchesBooks()).toBe(true);
		made.settle(0);
		look(made);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it('watches nothing any more once its market is forgotten, without a look since its bet ended', () => {
		const made = scene();
		open(made);
		made.back(ASHA, 0, 4.0, 1_000, inGroup('quotes'));
		made.cancel(1, ASHA);
		made.settle(0);
		made.engine.forgetMarket(MARKET);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it.each([
		[
			'a group that was not opened',
			(made: ExchangeScene) => made.back(ASHA, 0, 4.0, 400, inGroup('others')),
			'UNKNOWN_ORDER_GROUP',
		],
		[
			'the group of another',
			(made: ExchangeScene) => made.back(BALA, 0, 4.0, 400, inGroup('quotes')),
			'UNKNOWN_ORDER_GROUP',
		],
		['no amount', (made: ExchangeScene) => open(made, 0), 'INVALID_SIZE'],
		['an unknown wallet', (made: ExchangeScene) => open(made, 1, 'quotes', 99), 'UNKNOWN_USER'],
	])('is refused with %s', (_, act, code) => {
		const made = scene();
		open(made);
		const hash = made.engine.hash();
		expect(codeOf(act(made))).toBe(code);
		expect(made.engine.hash()).toBe(hash);
	});

	it('is one of at most twenty', () => {
		const made = scene();
		for (let at = 0; at < 20; at++) expect(codeOf(open(made, 1, `group ${at}`))).toBeNull();
		expect(codeOf(open(made, 1, 'one more'))).toBe('TOO_MANY_ORDER_GROUPS');
		expect(codeOf(open(made, 2, 'group 3'))).toBeNull();
		expect(made.engine.market(MARKET)?.status).toBe('OPEN');
	});
});
