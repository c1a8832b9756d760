/** What a player chose for a bet that would be matched with one of their own: for all bets, or for one. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#engine/outcome.ts';
import type { SelfMatchChoice } from '#engine/wallets.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);
const choose = (made: ExchangeScene, choice: SelfMatchChoice) =>
	made.apply({ kind: 'set-self-match', atMs: 0, walletId: 11, choice });
const only = (selfMatch: SelfMatchChoice) => ({ terms: { postOnly: null, expiresAtMs: null, selfMatch } });
const lapsesOf = ({ effects }: ExchangeScene) =>
	effects.lapses.map(({ betId, stake, reason }) => [betId, stake, reason]);

/** Player 12 lays 4.00 @3.00, then player 11 lays 6.00 @3.00 and 2.00 @2.98, bets 1 to 3; 11 holds 15.96 for them. */
function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, ...terms });
	made.players(1_000_000, [11, 12]);
	made.lay(12, 0, 3.0, 400);
	made.lay(11, 0, 3.0, 600);
	made.lay(11, 0, 2.98, 200);
	return made;
}

describe('a bet that would be matched with its own player', () => {
	it('is refused by default, and leaves no trace', () => {
		const made = scene();
		const hash = made.engine.hash();
		expect(codeOf(made.back(11, 0, 3.0, 1000))).toBe('SELF_MATCH');
		expect(made.engine.hash()).toBe(hash);
	});

	it('is placed where no own bet is met before it is filled', () => {
		const made = scene();
		expect(made.back(11, 0, 3.0, 400)).toMatchObject({ ok: true, matched: 400 });
	});

	it('lapses the own resting bets that it meets, and no other, and releases exactly what they held', () => {
		const made = scene();
		choose(made, 'LAPSE_RESTING');
		expect(made.exposure(11)).toBe(1596);
		expect(made.back(11, 0, 3.0, 1000)).toMatchObject({ ok: true, matched: 400, remaining: 600 });
		expect(lapsesOf(made)).toEqual([[2, 600, 'SELF_MATCH']]);
		// 10.00 of backs, of which 4.00 are matched at 3.00: 10.00 if the runner loses. The lay at 2.98 risks 3.96 if it wins.
		expect(made.exposure(11)).toBe(1000);
		made.apply({ kind: 'cancel-all', atMs: 0, walletId: 11 });
		expect(made.exposure(11)).toBe(400);
	});

	it('is matched up to the first own bet, and its rest lapses', () => {
		const made = scene();
		choose(made, 'LAPSE_TAKING');
		expect(made.back(11, 0, 3.0, 1000)).toMatchObject({ ok: true, matched: 400, remaining: 0 });
		expect(lapsesOf(made)).toEqual([[4, 600, 'SELF_MATCH']]);
		// The lays stand: 12.00 and 3.96, less the 8.00 that the matched back wins.
		expect(made.exposure(11)).toBe(796);
		expect(made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId }) => betId)).toEqual([2, 3]);
	});

	it('is refused where nothing stands before the own bet: nothing of it would be left', () => {
		const made = scene();
		choose(made, 'LAPSE_TAKING');
		made.back(12, 1, 3.0, 100);
		made.apply({ kind: 'cancel-bet', atMs: 0, walletId: 12, betId: 1 });
		expect(codeOf(made.back(11, 0, 3.0, 1000))).toBe('SELF_MATCH');
	});

	it('obeys the choice for this bet before that for all', () => {
		const resting = scene();
		choose(resting, 'LAPSE_TAKING');
		resting.back(11, 0, 3.0, 1000, only('LAPSE_RESTING'));
		expect(lapsesOf(resting)).toEqual([[2, 600, 'SELF_MATCH']]);
		const refused = scene();
		choose(refused, 'LAPSE_RESTING');
		expect(codeOf(refused.back(11, 0, 3.0, 1000, only('REFUSE')))).toBe('SELF_MATCH');
	});

	it('keeps the choice of the bet at another price', () => {
		const made = scene();
		made.back(11, 0, 4.0, 1000, only('LAPSE_RESTING'));
		made.apply({ kind: 'replace-bet', atMs: 0, betId: 4, newBetId: 5, walletId: 11, price: 300 });
		expect(lapsesOf(made)).toEqual([[2, 600, 'SELF_MATCH']]);
	});

	it('is filled or killed with what stands before its own bets', () => {
		const made = scene();
		choose(made, 'LAPSE_TAKING');
		const terms = { fillOrKill: true, minFill: 300 };
		expect(made.back(11, 0, 3.0, 1000, terms)).toMatchObject({ ok: true, matched: 400, remaining: 0 });
		expect(codeOf(made.back(11, 0, 3.0, 1000, terms))).toBe('SELF_MATCH');
	});

	it.each([
		['LAPSE_RESTING', [[2, 600, 'SELF_MATCH']], [4, 3.0, 600]],
		['LAPSE_TAKING', [[4, 600, 'SELF_MATCH']], [2, 3.0, 600]],
	] as const)('meets its own at the end of a delay: %s', (choice, lapses, resting) => {
		const made = scene({ betDelayMs: 2_000 });
		for (const [betId, walletId] of [
			[1, 12],
			[2, 11],
			[3, 11],
		] as const)
			made.apply({ kind: 'update-bet', atMs: 0, betId, walletId, persist: true });
		made.turnInPlay();
		made.back(11, 0, 3.0, 1000, only(choice));
		const restored = made.effects.rebuild();
		expect(restored.hash()).toBe(made.engine.hash());
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: 4 });
		expect(lapsesOf(made)).toEqual(lapses);
		expect(
			made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId, price, remaining }) => [betId, price / 100, remaining]),
		).toContainEqual(resting);
	});

	it('has no choice in a market with virtual prices', () => {
		const made = scene({ crossMatching: true, houses: [90] });
		choose(made, 'LAPSE_RESTING');
		expect(codeOf(made.back(11, 0, 3.0, 1000))).toBe('SELF_MATCH');
		expect(codeOf(made.back(11, 0, 3.0, 1000, only('LAPSE_TAKING')))).toBe('TERMS_NOT_POSSIBLE');
	});

	it('has a choice that is part of the digest, and survives a recovery', () => {
		const hashes = (['REFUSE', 'LAPSE_RESTING', 'LAPSE_TAKING'] as const).map((choice) => {
			const made = scene();
			choose(made, choice);
			const restored = made.effects.rebuild();
			expect(restored.hash()).toBe(made.engine.hash());
			expect(restored.wallet(11)?.selfMatch).toBe(choice);
			return made.engine.hash();
		});
		expect(new Set(hashes).size).toBe(3);
	});

	it('has a choice for known wallets alone', () => {
		expect(codeOf(scene().apply({ kind: 'set-self-match', atMs: 0, walletId: 99, choice: 'REFUSE' }))).toBe(
			'UNKNOWN_USER',
		);
	});
});
