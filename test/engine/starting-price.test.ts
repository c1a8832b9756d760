/** Bets on close and bets that take the starting price: what they hold, and what the auction makes of them. */
import { describe, expect, it } from 'vitest';
import type { OpenMarket, PlaceBet } from '#engine/command.ts';
import type { Outcome } from '#engine/outcome.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const [ASHA, BELA, CARO] = [11, 12, 13];
const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);

function scene(terms: Partial<OpenMarket> = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ startingPrice: true, minStake: 100, ...terms });
	made.players(10_000_000, [ASHA, BELA, CARO]);
	return made;
}

/** A bet on close of runner 0. @param limit hundredths */
function onClose(
	made: ExchangeScene,
	walletId: number,
	side: 'BACK' | 'LAY',
	stake: number,
	limit: number | null = null,
) {
	const order: PlaceBet = {
		kind: 'place-bet',
		betId: made.engine.counters().lastBetId + 1,
		walletId,
		marketId: MARKET,
		runner: 0,
		side: side === 'BACK' ? 0 : 1,
		price: 200,
		stake,
		persist: false,
		onClose: { limit },
	};
	return made.apply({ ...order, atMs: 0 });
}

const betsOf = ({ effects }: ExchangeScene) =>
	[...effects.bets.values()].map(({ price, stake, matched, lapsed }) => ({ price, stake, matched, lapsed }));

describe('a bet on close', () => {
	it('holds the stake of a back and the liability of a lay, rests in no book, and gives it back when it is cancelled', () => {
		const made = scene();
		onClose(made, ASHA, 'BACK', 5_000);
		onClose(made, BELA, 'LAY', 7_000, 400);
		expect([made.exposure(ASHA), made.exposure(BELA)]).toEqual([5_000, 7_000]);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
		made.cancel(1, ASHA, 2_000);
		made.cancel(2, BELA);
		expect([made.exposure(ASHA), made.exposure(BELA)]).toEqual([3_000, 0]);
	});

	it.each([
		['a market without starting prices', { startingPrice: false }, 'BACK', 5_000, 'TERMS_NOT_POSSIBLE'],
		['a lay below ten smallest stakes', {}, 'LAY', 999, 'STAKE_TOO_SMALL'],
		['more than the player has', {}, 'LAY', 10_000_001, 'INSUFFICIENT_FUNDS'],
	] as const)('is refused: %s', (_, terms, side, stake, code) => {
		expect(codeOf(onClose(scene(terms), ASHA, side, stake))).toBe(code);
	});

	it('is refused once the market is in play, with a limit of no ladder, and against its own player', () => {
		const made = scene();
		expect(codeOf(onClose(made, ASHA, 'BACK', 5_000, 301))).toBe('PRICE_NOT_ON_LADDER');
		onClose(made, ASHA, 'BACK', 5_000);
		expect(codeOf(onClose(made, ASHA, 'LAY', 5_000))).toBe('SELF_MATCH');
		expect(codeOf(made.lay(ASHA, 0, 3, 100, { takesStart: true }))).toBe('SELF_MATCH');
		made.turnInPlay();
		expect(codeOf(onClose(made, BELA, 'BACK', 5_000))).toBe('TERMS_NOT_POSSIBLE');
	});

	it('takes part until as many as one command can sell are in', () => {
		const made = scene({ minStake: 1 });
		for (let count = 0; count < 5_000; count++) made.engine.apply({ ...request(made, ASHA), stake: 1 }, made.effects);
		expect(codeOf(onClose(made, BELA, 'BACK', 5_000))).toBe('AUCTION_FULL');
		made.cancel(1);
		expect(codeOf(onClose(made, BELA, 'BACK', 5_000))).toBeNull();
	});
});

const request = (made: ExchangeScene, walletId: number) => ({
	kind: 'place-bet' as const,
	atMs: 0,
	betId: made.engine.counters().lastBetId + 1,
	walletId,
	marketId: MARKET,
	runner: 0,
	side: 0 as const,
	price: 200,
	stake: 100,
	persist: false,
	onClose: { limit: null },
});

describe('the auction at the turn in-play', () => {
	it('matches backs and lays at one price, holds what they can lose at it, and pays by it', () => {
		const made = scene();
		onClose(made, ASHA, 'BACK', 10_000);
		onClose(made, BELA, 'LAY', 28_400);
		made.turnInPlay();
		// 100.00 of stake are backed by a liability of 284.00 at 3.84.
		expect(made.fills()).toEqual([[2, 1, 3.84, 10_000]]);
		expect(made.engine.market(MARKET)?.startingPrices).toEqual([
			{ pool: 'PLAY', runner: 0, price: 384, matched: 10_000 },
		]);
		expect([made.exposure(ASHA), made.exposure(BELA)]).toEqual([10_000, 28_400]);
		expect([made.engine.lastPriceTraded(MARKET, 'PLAY', 0), made.engine.totalMatched(MARKET, 'PLAY', 0)]).toEqual([
			null,
			10_000,
		]);
		made.settle(0);
		expect([made.cash(ASHA), made.cash(BELA)]).toEqual([10_028_400, 9_971_600]);
	});

	it('returns what finds no other side, and what its limit keeps out', () => {
		const made = scene();
		onClose(made, ASHA, 'BACK', 10_000);
		onClose(made, BELA, 'LAY', 3_000, 150);
		onClose(made, CARO, 'BACK', 500, 400);
		made.turnInPlay();
		// At 1.30 the lay takes 100.00; Caro asks 4.00.
		expect(betsOf(made)).toEqual([
			{ price: 130, stake: 10_000, matched: 10_000, lapsed: 0 },
			{ price: 130, stake: 10_000, matched: 10_000, lapsed: 0 },
			{ price: 200, stake: 500, matched: 0, lapsed: 500 },
		]);
		expect(made.effects.lapses).toEqual([{ betId: 3, stake: 500, reason: 'NOT_FILLED' }]);
		expect(made.exposure(CARO)).toBe(0);
	});

	it('takes what is unmatched of bets in the book that ask it, with what a lay could lose there, and no others', () => {
		const made = scene();
		made.lay(BELA, 0, 3, 4_000, { takesStart: true });
		made.back(ASHA, 0, 3, 1_000);
		made.lay(CARO, 0, 2, 5_000, { persist: true });
		onClose(made, ASHA, 'BACK', 2_000);
		made.turnInPlay();
		// Of the lay 30.00 is left, which could lose 60.00: against 20.00 of stake that is 4.00.
		expect(made.fills()).toEqual([
			[2, 1, 3, 1_000],
			[4, 1, 4, 2_000],
		]);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toMatchObject([{ betId: 3, remaining: 5_000 }]);
		expect(made.exposure(BELA)).toBe(8_000);
	});

	it('finds none where only one side asks, or where no price is between their limits', () => {
		const made = scene();
		onClose(made, ASHA, 'BACK', 5_000, 400);
		onClose(made, BELA, 'LAY', 5_000, 300);
		made.turnInPlay();
		expect(made.engine.market(MARKET)?.startingPrices).toEqual([]);
		expect([made.exposure(ASHA), made.exposure(BELA)]).toEqual([0, 0]);
	});

	it('leaves a suspended runner out, whose bets on close lapse like others', () => {
		const made = scene();
		onClose(made, ASHA, 'BACK', 5_000);
		onClose(made, BELA, 'LAY', 5_000);
		made.apply({ kind: 'suspend-runner', atMs: 0, marketId: MARKET, runner: 0 });
		made.turnInPlay();
		expect(made.effects.lapses.map(({ reason }) => reason)).toEqual(['TURNED_IN_PLAY', 'TURNED_IN_PLAY']);
	});

	it('is the same for an engine that is rebuilt before it, and the rebuilt one goes on alike after it', () => {
		const made = scene({ reducible: true });
		onClose(made, ASHA, 'BACK', 10_000, 150);
		onClose(made, BELA, 'LAY', 28_400, 400);
		made.lay(CARO, 0, 3, 400, { takesStart: true });
		made.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner: 2, reductionBp: 2_500 });
		// The limit of the lay fell by a quarter.
		expect(made.effects.bets.get(2)?.onClose?.limit).toBe(300);
		const before = made.effects.rebuild();
		expect(before.hash()).toBe(made.engine.hash());
		made.turnInPlay();
		before.apply({ kind: 'turn-in-play', atMs: 0, marketId: MARKET }, made.effects.copy(before));
		expect(before.hash()).toBe(made.engine.hash());
		expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
		expect(made.fills().length).toBe(2);
	});
});
