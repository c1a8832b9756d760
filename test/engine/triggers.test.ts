/** Triggers: bets that the engine places when a price is reached. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#engine/outcome.ts';
import type { PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);
type Asked = Partial<PlaceTrigger> & Pick<PlaceTrigger, 'moves'>;

/** Player 11 has a trigger whose bet lays 10.00 of runner 0 at 4.00 at most, which may lose 30.00. */
function place(made: ExchangeScene, asked: Asked): Outcome {
	return made.apply({
		kind: 'place-trigger',
		atMs: 0,
		triggerId: made.engine.counters().lastBetId + 1,
		walletId: 11,
		marketId: MARKET,
		runner: 0,
		side: 1,
		price: 400,
		stake: 1000,
		persist: false,
		watches: 'LAST_TRADED',
		at: null,
		trail: null,
		marketVersion: null,
		...asked,
	});
}

/** As at the end of a batch, and at the beginning of the next. */
function nextBatch(made: ExchangeScene, atMs = 0): Outcome {
	made.apply({ kind: 'look-at-triggers', atMs, withoutBest: [] });
	return made.apply({ kind: 'fire-triggers', atMs, betId: made.engine.counters().lastBetId + 1 });
}

/** Players 12 and 13 match 1.00 at a price, so that it is the last one traded. */
function trade(made: ExchangeScene, price: number): void {
	made.lay(12, 0, price, 100);
	made.back(13, 0, price, 100);
}

function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, betDelayMs: 2_000, ...terms });
	made.players(1_000_000, [11, 12, 13]);
	return made;
}

/** How the triggers stand, or ended, by their order. */
const triggersOf = ({ effects }: ExchangeScene) =>
	[...effects.triggers.values()].map(({ status, reason, at }) => [status, reason, at]);

describe('a trigger', () => {
	it.each([
		['FALLS', 300, [3.5, 3.05], 3.0],
		['FALLS', 300, [3.5, 3.05], 2.5],
		['RISES', 300, [2.5, 2.98], 3.0],
	] as const)(
		'that waits for a price that %s to %i places its bet in the batch after, and not before',
		(moves, at, before, price) => {
			const made = scene();
			place(made, { moves, at });
			for (const each of before) {
				trade(made, each);
				expect(codeOf(nextBatch(made))).toBe('NOTHING_TO_UPDATE');
			}
			trade(made, price);
			expect(made.engine.hasTriggersToFire()).toBe(false);
			made.apply({ kind: 'look-at-triggers', atMs: 7, withoutBest: [] });
			expect(triggersOf(made)).toEqual([['DUE', null, at]]);
			expect(nextBatch(made)).toMatchObject({ ok: true, triggered: [{ dueAtMs: null }] });
			expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toMatchObject([{ side: 1, price: 400, remaining: 1000 }]);
			expect(triggersOf(made)).toEqual([['PLACED', null, at]]);
		},
	);

	it('counts what was traded after it was placed, and the last price of before', () => {
		const made = scene();
		trade(made, 2.0);
		trade(made, 3.5);
		place(made, { moves: 'FALLS', at: 300 });
		expect(codeOf(nextBatch(made))).toBe('NOTHING_TO_UPDATE');
		place(made, { moves: 'FALLS', at: 400 });
		expect(nextBatch(made)).toMatchObject({ ok: true });
	});

	it('is reached by a price that came and went within a batch', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		trade(made, 3.5);
		trade(made, 3.0);
		trade(made, 3.5);
		expect(nextBatch(made)).toMatchObject({ ok: true });
	});

	it('places its bet after one that is matched across runners, for which the house places bets, too', () => {
		const HOUSE = 1;
		const made = scene({ crossMatching: true, houses: [HOUSE], betDelayMs: 0 });
		made.player(HOUSE, 0);
		made.openMarket({ marketId: 2, minStake: 100 });
		// Lays of the others are a back of the first runner at 2.00.
		made.lay(12, 1, 3.0, 660, { persist: true });
		made.lay(13, 2, 6.0, 330, { persist: true });
		for (const marketId of [MARKET, 2]) place(made, { moves: 'FALLS', at: 300, marketId, price: 200, stake: 990 });
		for (const marketId of [MARKET, 2]) {
			made.lay(12, 0, 1.5, 100, { marketId });
			made.back(13, 0, 1.5, 100, { marketId });
		}
		const outcome = nextBatch(made);
		expect(triggersOf(made)).toEqual([
			['PLACED', null, 300],
			['PLACED', null, 300],
		]);
		expect(made.fills().at(-1)?.[3]).toBe(330);
		expect(made.engine.restingBets(2, 'PLAY', 0)).toMatchObject([{ side: 1, price: 200, remaining: 990 }]);
		const ids = outcome.ok ? (outcome.triggered ?? []).map(({ betId }) => betId) : [];
		expect(ids.map((betId) => made.effects.bets.get(betId)?.walletId)).toEqual([11, 11]);
	});

	it('watches the best price that its own bet could be matched at, as batches leave it', () => {
		const made = scene();
		made.back(12, 0, 3.5, 500);
		place(made, { moves: 'FALLS', at: 300, watches: 'BEST' });
		made.back(12, 0, 3.0, 100);
		made.apply({ kind: 'cancel-bet', atMs: 0, betId: made.lastBet, walletId: 12 });
		// It was there within the batch alone, and the side that others take does not count.
		made.lay(12, 0, 2.0, 100);
		expect(codeOf(nextBatch(made))).toBe('NOTHING_TO_UPDATE');
		made.back(12, 0, 3.0, 100);
		expect(nextBatch(made)).toMatchObject({ ok: true, triggered: [{ dueAtMs: null }] });
		expect(made.fills()).toEqual([
			[6, 5, 3, 100],
			[6, 1, 3.5, 500],
		]);
	});

	it('that trails follows the best price that it has seen, never back', () => {
		const made = scene();
		place(made, { moves: 'FALLS', trail: 2 });
		for (const [price, at] of [
			[3.5, 340],
			[3.45, 340],
			[4.0, 390],
			[3.95, 390],
		] as const) {
			trade(made, price);
			expect(codeOf(nextBatch(made))).toBe('NOTHING_TO_UPDATE');
			expect(triggersOf(made)).toEqual([['WAITING', null, at]]);
			expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
		}
		trade(made, 3.9);
		expect(nextBatch(made)).toMatchObject({ ok: true });
	});

	it('holds what its bet can lose, as one worst outcome with the player’s bets, and its bet holds it on', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		expect([made.exposure(11), made.cash(11)]).toEqual([3000, 997_000]);
		// Where runner 0 wins, both lose.
		made.back(11, 1, 4.0, 1000);
		expect(made.exposure(11)).toBe(4000);
		trade(made, 3.0);
		nextBatch(made);
		expect(made.exposure(11)).toBe(4000);
	});

	it('is refused without the money for its bet, and beyond the limits of any bet', () => {
		const made = scene({ maxProfit: 5_000 });
		made.player(14, 2_000);
		expect(codeOf(place(made, { walletId: 14, moves: 'FALLS', at: 300 }))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(place(made, { moves: 'FALLS', at: 300, side: 0, price: 700 }))).toBe('PROFIT_TOO_LARGE');
		expect(codeOf(place(made, { moves: 'FALLS', at: 303 }))).toBe('PRICE_NOT_ON_LADDER');
		expect(codeOf(place(made, { moves: 'FALLS', at: 300, trail: 2 }))).toBe('VALIDATION_FAILED');
		expect(codeOf(place(made, { moves: 'FALLS' }))).toBe('VALIDATION_FAILED');
	});

	it('is refused beyond a hundred of one player', () => {
		const made = scene();
		for (let count = 0; count < 100; count++) place(made, { moves: 'FALLS', at: 300, stake: 100 });
		expect(codeOf(place(made, { moves: 'FALLS', at: 300, stake: 100 }))).toBe('TOO_MANY_TRIGGERS');
		made.apply({ kind: 'cancel-trigger', atMs: 0, walletId: 11, triggerId: 1 });
		expect(codeOf(place(made, { moves: 'FALLS', at: 300, stake: 100 }))).toBe(null);
	});

	it('waits while its market or its runner is suspended, and places its bet then', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		trade(made, 3.0);
		made.suspend();
		expect(codeOf(nextBatch(made))).toBe('NOTHING_TO_UPDATE');
		made.apply({ kind: 'suspend-runner', atMs: 0, marketId: MARKET, runner: 0 });
		made.resume();
		expect(made.engine.hasTriggersToFire()).toBe(false);
		made.apply({ kind: 'resume-runner', atMs: 0, marketId: MARKET, runner: 0 });
		expect(made.engine.hasTriggersToFire()).toBe(true);
		expect(nextBatch(made)).toMatchObject({ ok: true });
	});

	it('places a bet that lapses where the market’s version is newer than the one that was named', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300, marketVersion: 1 });
		trade(made, 3.0);
		made.suspend();
		made.resume();
		nextBatch(made);
		expect(made.effects.lapses).toMatchObject([{ stake: 1000, reason: 'MARKET_VERSION' }]);
		expect(made.exposure(11)).toBe(0);
	});

	it('places a bet that is delayed in play, like any', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300, persist: true });
		made.turnInPlay();
		made.lay(12, 0, 3.0, 100);
		made.back(13, 0, 3.0, 100);
		for (const betId of [2, 3]) made.apply({ kind: 'admit-bet', atMs: 2_000, betId });
		expect(nextBatch(made, 2_000)).toMatchObject({ triggered: [{ betId: 4, dueAtMs: 4_000 }] });
		expect(made.apply({ kind: 'admit-bet', atMs: 4_000, betId: 4 })).toMatchObject({ ok: true, remaining: 1000 });
	});

	it('ends without a bet where the bet is refused, and what it held is free', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		made.back(11, 0, 3.8, 500);
		trade(made, 3.0);
		nextBatch(made);
		expect(triggersOf(made)).toEqual([['REFUSED', 'SELF_MATCH', 300]]);
		expect(made.exposure(11)).toBe(500);
	});

	it('is cancelled by its player alone, and releases exactly what it held', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		const cancel = (walletId: number) => made.apply({ kind: 'cancel-trigger', atMs: 0, walletId, triggerId: 1 });
		expect(codeOf(cancel(12))).toBe('NOT_OWNER');
		expect(codeOf(cancel(11))).toBe(null);
		expect(codeOf(cancel(11))).toBe('ORDER_NOT_ACTIVE');
		expect([made.exposure(11), made.cash(11)]).toEqual([0, 1_000_000]);
	});
});

describe('what ends a trigger', () => {
	const suspendAll = (made: ExchangeScene) => made.suspend({ lapseUnmatched: true });
	const remove = (made: ExchangeScene) =>
		made.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 2, reductionBp: 0 });
	it.each<[string, (made: ExchangeScene) => Outcome, string, string | null]>([
		['an incident', suspendAll, 'LAPSED', 'SUSPENDED'],
		['the turn in-play, if it does not persist', (made) => made.turnInPlay(), 'LAPSED', 'TURNED_IN_PLAY'],
		['a removed runner', remove, 'LAPSED', 'RUNNER_REMOVED'],
		['the close', (made) => made.close(), 'LAPSED', 'MARKET_CLOSED'],
		['the result', (made) => made.settle(0), 'LAPSED', 'MARKET_SETTLED'],
		['a void market', (made) => made.voidMarket(), 'LAPSED', 'MARKET_VOIDED'],
		[
			'a settlement by steps',
			(made) => made.apply({ kind: 'begin-settlement', atMs: 0, marketId: MARKET, results: ['WIN', 'LOSE', 'LOSE'] }),
			'LAPSED',
			'MARKET_SETTLED',
		],
		[
			'a player who cancels everything',
			(made) => made.apply({ kind: 'cancel-all', atMs: 0, walletId: 11 }),
			'CANCELLED',
			null,
		],
		[
			'a player who is shut out',
			(made) => made.apply({ kind: 'lapse-all', atMs: 0, walletId: 11 }),
			'LAPSED',
			'SITE_SUSPENDED',
		],
	])('%s', (_, end, status, reason) => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300 });
		expect(codeOf(end(made))).toBe(null);
		expect(triggersOf(made)).toEqual([[status, reason, 300]]);
		expect([made.exposure(11), made.cash(11)]).toEqual([0, 1_000_000]);
		expect(made.engine.watchesBooks()).toBe(false);
		expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
	});

	it('not a suspension, nor the turn in-play if it persists', () => {
		const made = scene();
		place(made, { moves: 'FALLS', at: 300, persist: true });
		made.suspend();
		made.resume();
		made.turnInPlay();
		expect(triggersOf(made)).toEqual([['WAITING', null, 300]]);
	});

	it('a cash-out in its market, which is quoted as if it were gone', () => {
		const made = scene();
		made.lay(12, 0, 5.0, 1000);
		made.back(11, 0, 5.0, 1000);
		made.back(12, 0, 4.0, 5000);
		place(made, { moves: 'FALLS', at: 300 });
		const agreed = { certain: 250, lines: 0, cancelled: 0 };
		const betId = made.engine.counters().lastBetId + 1;
		const outcome = made.apply({ kind: 'cash-out', atMs: 0, betId, walletId: 11, marketId: MARKET, share: 1, agreed });
		expect(codeOf(outcome)).toBe(null);
		expect(triggersOf(made)).toEqual([['CANCELLED', null, 300]]);
		expect(made.exposure(11)).toBe(0);
	});
});
