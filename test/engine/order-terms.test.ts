/** Post-only bets, and bets that are good till a time. */
import { describe, expect, it } from 'vitest';
import type { PostOnly } from '#engine/bet-detail.ts';
import { Expiries } from '#engine/expiries.ts';
import type { Outcome } from '#engine/outcome.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);
const posting = (postOnly: PostOnly) => ({ terms: { postOnly, expiresAtMs: null, selfMatch: null } });
const until = (expiresAtMs: number, atMs = 0) => ({ atMs, terms: { postOnly: null, expiresAtMs, selfMatch: null } });
const queuesOf = (made: ExchangeScene) =>
	made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId, price, remaining }) => [betId, price / 100, remaining]);

/** Player 12 lays 10.00 @3.00 and backs 10.00 @3.10; bets 1 and 2. */
function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, betDelayMs: 2_000, ...terms });
	made.players(1_000_000, [11, 12, 13]);
	made.lay(12, 0, 3.0, 1000);
	made.back(12, 0, 3.1, 1000);
	return made;
}

const expire = (made: ExchangeScene, atMs: number): Outcome => made.apply({ kind: 'expire-bets', atMs });

describe('a post-only bet', () => {
	it('rests at its price where it meets nothing', () => {
		const made = scene();
		expect(made.back(11, 0, 3.05, 500, posting('REFUSE'))).toMatchObject({ ok: true, remaining: 500 });
		expect(queuesOf(made)).toContainEqual([3, 3.05, 500]);
	});

	it('is refused and leaves no trace where it would be matched', () => {
		const made = scene();
		const hash = made.engine.hash();
		expect(codeOf(made.back(11, 0, 3.0, 500, posting('REFUSE')))).toBe('WOULD_MATCH');
		expect(codeOf(made.lay(11, 0, 3.2, 500, posting('REFUSE')))).toBe('WOULD_MATCH');
		expect(made.engine.hash()).toBe(hash);
	});

	it('moves to the nearest price at which it rests, and is held for and told there', () => {
		const made = scene();
		// Backers take 3.00, so the next price of the ladder is 3.05; layers take 3.10, so it is 3.05, too.
		expect(made.back(11, 0, 2.0, 500, posting('REPRICE'))).toMatchObject({ ok: true, price: 305, matched: 0 });
		expect(made.lay(13, 0, 9.0, 500, posting('REPRICE'))).toMatchObject({ ok: true, price: 300, matched: 0 });
		expect(queuesOf(made)).toEqual([
			[3, 3.05, 500],
			[2, 3.1, 1000],
			[1, 3.0, 1000],
			[4, 3.0, 500],
		]);
		expect([made.exposure(11), made.exposure(13)]).toEqual([500, 1000]);
		expect(made.effects.bets.get(3)?.price).toBe(305);
	});

	it('is judged at the price to which it moves: limits of profit hold there', () => {
		const made = scene({ maxProfit: 1_000 });
		expect(codeOf(made.back(11, 0, 2.0, 500, posting('REPRICE')))).toBe('PROFIT_TOO_LARGE');
		expect(made.back(11, 0, 2.0, 480, posting('REPRICE'))).toMatchObject({ ok: true, price: 305 });
	});

	it('is refused where no price is left at which it rests', () => {
		const made = scene();
		made.lay(12, 1, 1000, 100);
		made.back(12, 2, 1.01, 100);
		expect(codeOf(made.back(11, 1, 2.0, 500, posting('REPRICE')))).toBe('WOULD_MATCH');
		expect(codeOf(made.lay(11, 2, 2.0, 500, posting('REPRICE')))).toBe('WOULD_MATCH');
	});

	it('lapses at the end of its delay where it would be matched by then', () => {
		const made = scene();
		made.back(13, 0, 3.05, 500, { persist: true });
		made.turnInPlay();
		const { betId } = made.lay(11, 0, 3.0, 500, posting('REPRICE')) as Outcome & { ok: true };
		// A back at 3.00 is admitted before it.
		const met = made.back(13, 0, 3.0, 700);
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: (met as { betId: number }).betId });
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: betId as number });
		expect(made.fills()).toEqual([]);
		expect(made.effects.lapses.at(-1)).toEqual({ betId, stake: 500, reason: 'WOULD_MATCH' });
	});

	it('stays post-only at another price, and stays as it is where that is refused', () => {
		const made = scene();
		made.back(11, 0, 3.05, 500, posting('REFUSE'));
		const replace = (newBetId: number, price: number) =>
			made.apply({ kind: 'replace-bet', atMs: 0, betId: 3, newBetId, walletId: 11, price });
		expect(codeOf(replace(4, 300))).toBe('WOULD_MATCH');
		expect(queuesOf(made)).toContainEqual([3, 3.05, 500]);
		expect(codeOf(replace(4, 320))).toBeNull();
		expect(queuesOf(made)).toContainEqual([4, 3.2, 500]);
	});

	it.each([
		['a fill-or-kill bet', {}, { fillOrKill: true }],
		['a market of virtual prices', { crossMatching: true, houses: [1] }, {}],
		['a market of the house', { model: 'BOOKMAKER' as const, houses: [12] }, {}],
	])('is refused in %s', (_, market, bet) => {
		const made = new ExchangeScene();
		made.players(1_000_000, [1, 11, 12]);
		made.openMarket(market);
		expect(codeOf(made.back(11, 0, 3.0, 500, { ...posting('REFUSE'), ...bet }))).toBe('TERMS_NOT_POSSIBLE');
	});
});

describe('a bet that is good till a time', () => {
	it('lapses at that time and not before, with what is held for it', () => {
		const made = scene();
		made.back(11, 0, 4.0, 500, until(10_000));
		expect(codeOf(expire(made, 9_999))).toBe('NOTHING_TO_UPDATE');
		expect(made.exposure(11)).toBe(500);
		expect(codeOf(expire(made, 10_000))).toBeNull();
		expect(made.exposure(11)).toBe(0);
		expect(made.effects.lapses).toEqual([{ betId: 3, stake: 500, reason: 'EXPIRED' }]);
	});

	it('keeps what is matched of it', () => {
		const made = scene();
		made.back(11, 0, 3.0, 1500, until(10_000));
		expire(made, 10_000);
		expect(made.effects.bets.get(3)).toMatchObject({ matched: 1000, lapsed: 500, remaining: 0 });
		expect(codeOf(expire(made, 20_000))).toBe('NOTHING_TO_UPDATE');
	});

	it('lapses within its delay, and while its market is suspended', () => {
		const made = scene();
		made.back(11, 0, 4.0, 500, { ...until(1_500), persist: true });
		made.turnInPlay();
		const { betId } = made.back(13, 0, 4.0, 500, until(1_000)) as Outcome & { ok: true };
		expire(made, 1_000);
		expect(codeOf(made.apply({ kind: 'admit-bet', atMs: 2_000, betId: betId as number }))).toBe('ORDER_NOT_ACTIVE');
		made.suspend();
		expire(made, 1_500);
		expect(made.effects.lapses.filter(({ reason }) => reason === 'EXPIRED').map((lapse) => lapse.betId)).toEqual([
			4, 3,
		]);
	});

	it('is refused when the time has come', () => {
		const made = scene();
		expect(codeOf(made.back(11, 0, 4.0, 500, until(5_000, 5_000)))).toBe('EXPIRY_PASSED');
		expect(codeOf(made.back(11, 0, 4.0, 500, until(Number.NaN)))).toBe('EXPIRY_PASSED');
		expect(codeOf(made.back(11, 0, 4.0, 500, until(5_001, 5_000)))).toBeNull();
	});

	it('ends at its time at another price, too, and a bet that a restart brings back ends as well', () => {
		const made = scene();
		made.back(11, 0, 4.0, 500, until(10_000));
		made.apply({ kind: 'replace-bet', atMs: 5_000, betId: 3, newBetId: 4, walletId: 11, price: 500 });
		expect(made.engine.nextExpiryMs()).toBe(10_000);
		const restored = made.effects.rebuild();
		expect(restored.hash()).toBe(made.engine.hash());
		expect(restored.nextExpiryMs()).toBe(10_000);
	});

	it('is part of the digest: another time is another state', () => {
		const hashes = [10_000, 10_001].map((atMs) => {
			const made = scene();
			made.back(11, 0, 4.0, 500, until(atMs));
			return made.engine.hash();
		});
		expect(hashes[0]).not.toBe(hashes[1]);
	});

	it('lapses with at most 499 others by one command, the earliest first', () => {
		const made = scene();
		for (let count = 0; count < 600; count++) made.back(11, 0, 4.0, 100, until(20_000 - count));
		expire(made, 30_000);
		expect(made.effects.lapses).toHaveLength(500);
		expect(made.effects.lapses[0]?.betId).toBe(602);
		expire(made, 30_000);
		expect(made.effects.lapses).toHaveLength(600);
		expect(made.engine.nextExpiryMs()).toBe(Number.POSITIVE_INFINITY);
	});
});

it('the next expiry is always the earliest of those that are left, as a sorted list says', () => {
	const numbers = new SeededNumbers(7);
	const expiries = new Expiries();
	let listed: [atMs: number, betId: number][] = [];
	for (let betId = 1; betId < 6_000; betId++) {
		const kind = numbers.below(10);
		if (kind < 6) {
			const atMs = numbers.below(500);
			expiries.add(betId, atMs);
			listed.push([atMs, betId]);
		} else if (kind < 9 && listed.length > 0) {
			const [[, gone] = [0, 0]] = listed.splice(numbers.below(listed.length), 1);
			expiries.forget(gone);
		} else {
			const untilMs = numbers.below(300);
			listed = listed.toSorted(([at, id], [otherAt, other]) => at - otherAt || id - other);
			const due = listed[0] && listed[0][0] <= untilMs ? listed.shift() : undefined;
			const taken = expiries.takeDue(untilMs);
			expect(taken).toBe(due?.[1] ?? null);
			if (taken !== null) expiries.forget(taken);
		}
		if (betId % 100 === 0) {
			const earliest = listed.reduce((least, [atMs]) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
			expect(expiries.nextAtMs()).toBe(earliest);
		}
	}
});
