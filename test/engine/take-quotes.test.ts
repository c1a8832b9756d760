/** Orders of the crowd: to the book like any bet, and among the house's own wallets nothing to the ledger. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BACK, LAY, type SideCode } from '#values/sides.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const MAKER = 11;
const CROWD = 12;
const PLAYER = 1001;

function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket();
	for (const walletId of [MAKER, CROWD]) {
		made.apply({ kind: 'open-wallet', atMs: 0, walletId, pool: 'PLAY', quotes: true });
		made.apply({ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount: 10_000_000 });
	}
	made.players(10_000_000, [PLAYER]);
	return made;
}

/** @param price decimal */
function take(
	made: ExchangeScene,
	side: SideCode,
	price: number,
	stake: number,
	{ walletId = CROWD, runner = 0 }: { walletId?: number; runner?: number } = {},
) {
	const betId = made.engine.counters().lastBetId + 1;
	const order = { marketId: MARKET, walletId, runner, side, price: Math.round(price * 100), stake };
	return made.apply({ kind: 'take-quotes', atMs: 0, betId, ...order });
}

const money = (made: ExchangeScene) =>
	[MAKER, CROWD, PLAYER].map((walletId) => [made.cash(walletId), made.exposure(walletId)]);

describe('an order of the crowd', () => {
	it('takes quotes by price, then time, and leaves money, positions and digest as they are', () => {
		const made = scene();
		made.lay(MAKER, 0, 3, 1000);
		made.lay(MAKER, 0, 3.05, 400);
		const [before, digest] = [money(made), made.engine.hash()];
		expect(take(made, BACK, 3, 900)).toMatchObject({ ok: true, stake: 900, matched: 900 });
		expect(made.effects.taken.map(({ price, stake }) => [price, stake])).toEqual([
			[305, 400],
			[300, 500],
		]);
		expect(made.engine.levels(MARKET, 'PLAY', 0, 1, 3)).toEqual([{ price: 300, size: 500 }]);
		expect([made.engine.lastPriceTraded(MARKET, 'PLAY', 0), made.engine.totalMatched(MARKET, 'PLAY', 0)]).toEqual([
			300, 900,
		]);
		expect([money(made), made.engine.hash()]).toEqual([before, digest]);
		expect(made.engine.profitLoss(MAKER, MARKET)).toBeNull();
	});

	it('lapses as far as it meets nothing at its price', () => {
		const made = scene();
		made.lay(MAKER, 0, 3, 1000);
		expect(take(made, BACK, 3.05, 500)).toMatchObject({ ok: true, matched: 0, remaining: 0 });
		expect(take(made, BACK, 3, 1500)).toMatchObject({ ok: true, matched: 1000, remaining: 0 });
		expect(made.engine.restingBets(MARKET, 'PLAY', 0)).toEqual([]);
	});

	it('meets a player’s bet that stands first by a bet of its own, no larger than the player’s', () => {
		const made = scene();
		made.lay(PLAYER, 0, 3, 300);
		made.lay(MAKER, 0, 3, 1000);
		expect(take(made, BACK, 3, 900)).toMatchObject({ ok: true, stake: 300, matched: 300 });
		expect([made.exposure(PLAYER), made.exposure(CROWD), made.exposure(MAKER)]).toEqual([600, 300, 0]);
		expect(made.effects.fills).toMatchObject([{ price: 300, stake: 300, takerSide: BACK }]);
		expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
	});

	it('stops at a player’s bet behind the quotes', () => {
		const made = scene();
		made.lay(MAKER, 0, 3.05, 400);
		made.lay(PLAYER, 0, 3, 300);
		expect(take(made, BACK, 3, 900)).toMatchObject({ ok: true, matched: 400 });
		expect(made.exposure(PLAYER)).toBe(600);
		expect(made.effects.fills).toEqual([]);
	});

	it('is refused from a player’s wallet, and while the market takes no bets', () => {
		const made = scene();
		made.lay(MAKER, 0, 3, 1000);
		expect(take(made, BACK, 3, 900, { walletId: PLAYER })).toMatchObject({ code: 'FORBIDDEN' });
		made.apply({ kind: 'suspend-market', atMs: 0, marketId: MARKET, lapseUnmatched: false });
		expect(take(made, BACK, 3, 900)).toMatchObject({ code: 'MARKET_SUSPENDED' });
		expect(made.engine.totalMatched(MARKET, 'PLAY', 0)).toBe(0);
	});
});

const step = fc.record({
	who: fc.constantFrom(MAKER, PLAYER, CROWD, CROWD),
	side: fc.constantFrom(BACK, LAY),
	runner: fc.integer({ min: 0, max: 2 }),
	price: fc.constantFrom(1.5, 2, 2.02, 3, 4),
	stake: fc.integer({ min: 1, max: 30 }).map((rupees) => rupees * 100),
});

it('among random bets of players and quotes, the crowd takes its orders, and money moves only where a player traded', {
	tags: 'thorough',
}, () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 2 }), (steps, winner) => {
			const made = scene();
			for (const { who, side, runner, price, stake } of steps) {
				if (who !== CROWD) {
					(side === BACK ? made.back : made.lay).call(made, who, runner, price, stake);
					continue;
				}
				const { postings, fills } = made.effects;
				const [posted, filled] = [postings.length, fills.length];
				take(made, side, price, stake, { runner });
				if (fills.length === filled) expect(postings).toHaveLength(posted);
				else for (const { maker } of fills.slice(filled)) expect(made.effects.bets.get(maker)?.walletId).toBe(PLAYER);
			}
			for (const runner of [0, 1, 2]) {
				const ofTaken = made.effects.taken.filter(({ betId }) => made.effects.bets.get(betId)?.runner === runner);
				const ofFills = made.effects.fills.filter((fill) => fill.runner === runner);
				const traded = [...ofTaken, ...ofFills].reduce((sum, { stake }) => sum + stake, 0);
				expect(made.engine.totalMatched(MARKET, 'PLAY', runner)).toBe(traded);
			}
			expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
			made.settle(winner);
			expect([MAKER, CROWD, PLAYER].reduce((sum, walletId) => sum + (made.cash(walletId) ?? 0), 0)).toBe(30_000_000);
		}),
	);
});
