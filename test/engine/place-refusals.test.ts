/** The refusals of a bet in their fixed order; a refusal leaves no trace. */
import { describe, expect, it } from 'vitest';
import type { PlaceBet } from '#engine/command.ts';
import type { Outcome } from '#engine/outcome.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const codeOf = (outcome: Outcome) => (outcome.ok ? 'accepted' : outcome.code);

/** Player 11 has 100.00 and a resting lay of 10.00 @2.00 on runner 0; he holds 10.00. */
function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, maxStake: 100_000, profitRatioRule: true });
	made.players(10_000, [11, 12]);
	made.lay(11, 0, 2.0, 1000);
	return made;
}

/** Each line is wrong in its own way and in all that follow; so the codes come in the order of the lines. */
const WRONGS: readonly { code: string; wrong: Partial<PlaceBet>; before?: (made: ExchangeScene) => void }[] = [
	{ code: 'MARKET_CLOSED', wrong: {}, before: (made) => made.close() },
	{ code: 'MARKET_SUSPENDED', wrong: {}, before: (made) => made.suspend() },
	{ code: 'UNKNOWN_RUNNER', wrong: { runner: 3 } },
	{ code: 'INVALID_SIDE', wrong: { side: 2 as 0 } },
	{ code: 'PRICE_NOT_ON_LADDER', wrong: { price: 201 } },
	{ code: 'STAKE_TOO_SMALL', wrong: { stake: 99 } },
	{ code: 'UNKNOWN_USER', wrong: { walletId: 77 } },
	{ code: 'DUPLICATE_ORDER', wrong: { betId: 1 } },
	{ code: 'INSUFFICIENT_FUNDS', wrong: { stake: 10_001 } },
	{ code: 'SELF_MATCH', wrong: {} },
];
/** A back at 2.00 that would meet the player's own lay and is right otherwise. */
const MEETS_ITSELF: PlaceBet = {
	kind: 'place-bet',
	betId: 2,
	walletId: 11,
	marketId: MARKET,
	runner: 0,
	side: 0,
	price: 200,
	stake: 500,
	persist: false,
};

describe('a bet is refused', () => {
	it.each(WRONGS.map(({ code }, line) => [code, line] as const))('for %s before all that comes later', (code, line) => {
		const made = scene();
		WRONGS[line]?.before?.(made);
		const wrong: Partial<PlaceBet> = {};
		for (const later of WRONGS.slice(line).reverse()) Object.assign(wrong, later.wrong);
		const [told, hash] = [made.effects.told, made.engine.hash()];
		expect(made.apply({ atMs: 0, ...MEETS_ITSELF, ...wrong })).toEqual({ ok: false, code });
		expect(made.effects.told).toBe(told);
		expect(made.engine.hash()).toBe(hash);
		expect(made.engine.counters()).toMatchObject({ lastBetId: 1 });
	});

	it('in a market nobody opened', () => {
		expect(codeOf(scene().back(11, 0, 2.0, 500, { marketId: 5 }))).toBe('UNKNOWN_MARKET');
	});

	it.each([
		[0, 'INVALID_STAKE'],
		[-100, 'INVALID_STAKE'],
		[100.5, 'INVALID_STAKE'],
		[Number.NaN, 'INVALID_STAKE'],
		[Number.POSITIVE_INFINITY, 'INVALID_STAKE'],
		[2 ** 53, 'INVALID_STAKE'],
		[99, 'STAKE_TOO_SMALL'],
		[100, 'accepted'],
		[100_001, 'STAKE_TOO_LARGE'],
		[2 ** 53 - 1, 'STAKE_TOO_LARGE'],
	])('for a stake of %d: %s', (stake, code) => {
		expect(codeOf(scene().back(12, 1, 2.0, stake))).toBe(code);
	});

	it.each([
		[1.0, 'PRICE_NOT_ON_LADDER'],
		[1.01, 'accepted'],
		[2.01, 'PRICE_NOT_ON_LADDER'],
		[3.02, 'PRICE_NOT_ON_LADDER'],
		[1000, 'accepted'],
		[1010, 'PRICE_NOT_ON_LADDER'],
		[-2, 'PRICE_NOT_ON_LADDER'],
		[Number.NaN, 'PRICE_NOT_ON_LADDER'],
	])('for a price of %d: %s', (price, code) => {
		expect(codeOf(scene().back(12, 1, price, 1000))).toBe(code);
	});
});

describe('funds', () => {
	it('cover a bet to the last minor unit and not one further', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.player(11, 1000);
		expect(codeOf(made.back(11, 0, 3.0, 1001))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(made.back(11, 0, 3.0, 1000))).toBe('accepted');
		expect(made.cash(11)).toBe(0);
		expect(codeOf(made.lay(11, 1, 3.0, 1))).toBe('INSUFFICIENT_FUNDS');
	});

	it('are not asked for a bet that does not raise the exposure', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.player(11, 1000);
		made.player(12, 100_000);
		made.lay(12, 0, 3.0, 1000);
		made.back(11, 0, 3.0, 1000);
		expect(made.cash(11)).toBe(0);
		// The matched back loses 10.00 unless runner 0 wins +20.00; a lay of it costs at most what it could win.
		expect(codeOf(made.lay(11, 0, 3.0, 1000))).toBe('accepted');
		expect(codeOf(made.lay(11, 0, 3.0, 600))).toBe('INSUFFICIENT_FUNDS');
	});

	it('of two markets are not shared', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.openMarket({ marketId: 2 });
		made.player(11, 1000);
		expect(codeOf(made.back(11, 0, 2.0, 600))).toBe('accepted');
		expect(codeOf(made.lay(11, 0, 2.0, 600, { marketId: 2 }))).toBe('INSUFFICIENT_FUNDS');
		expect(codeOf(made.lay(11, 0, 2.0, 400, { marketId: 2 }))).toBe('accepted');
		expect(made.exposure(11)).toBe(1000);
		expect(made.engine.marketExposure(11, 2)).toBe(400);
	});
});

describe('a bet that would meet its own player’s', () => {
	it('is refused whole even when others wait before his', () => {
		const made = scene();
		made.lay(12, 0, 2.02, 200);
		expect(codeOf(made.back(11, 0, 2.0, 300))).toBe('SELF_MATCH');
		expect(made.fills()).toEqual([]);
	});

	it('passes when it ends before reaching it', () => {
		const made = scene();
		made.lay(12, 0, 2.02, 200);
		expect(made.back(11, 0, 2.0, 200)).toMatchObject({ ok: true, matched: 200 });
	});

	it('passes at a price that does not reach it', () => {
		expect(codeOf(scene().back(11, 0, 2.02, 500))).toBe('accepted');
	});

	it('is matched where the market allows it, and costs nothing then', () => {
		const made = new ExchangeScene();
		made.openMarket({ selfMatch: 'ALLOW' });
		made.player(11, 1000);
		made.lay(11, 0, 2.0, 1000);
		expect(made.back(11, 0, 2.0, 1000)).toMatchObject({ ok: true, matched: 1000 });
		expect(made.exposure(11)).toBe(0);
	});
});

describe('figures near the end of the safe integers', () => {
	it('refuse further bets long before a product is inexact', () => {
		const made = new ExchangeScene();
		made.openMarket();
		made.player(11, 10_000_000_000_000);
		// 10^9 minor units @1000: each adds 10^14 to what may be matched; 45 of them pass 2^52.
		const codes = Array.from({ length: 60 }, () => codeOf(made.back(11, 0, 1000, 1_000_000_000)));
		expect(codes.indexOf('EXPOSURE_LIMIT')).toBe(45);
		expect(made.exposure(11)).toBe(45 * 1_000_000_000);
	});
});
