/** What becomes of a bet whose market moved on, by the player's policy. */
import { describe, expect, it } from 'vitest';
import type { Price } from '#values/price-ladder.ts';
import { decide, isBetter, ODDS_POLICIES } from '#web/betting/odds-policy.ts';

const price = (hundredths: number) => hundredths as Price;
const back = { side: 'BACK', asked: price(200), best: price(200), rests: true, own: false } as const;
const lay = { ...back, side: 'LAY' } as const;

describe('the policy on moved odds', () => {
	it('places at once under every policy while nothing moved', () => {
		for (const policy of ODDS_POLICIES) {
			expect(decide(policy, back)).toEqual({ kind: 'go', price: 200 });
			expect(decide(policy, lay)).toEqual({ kind: 'go', price: 200 });
		}
	});

	it('knows that a backer wants high prices and a layer low ones', () => {
		expect(isBetter('BACK', 210, 200)).toBe(true);
		expect(isBetter('LAY', 210, 200)).toBe(false);
		expect(isBetter('LAY', 190, 200)).toBe(true);
		expect(isBetter('BACK', 200, 200)).toBe(false);
	});

	it('asks about a worse price unless the player accepts any, and then takes the offered one', () => {
		const worse = { ...back, best: price(190) };
		expect(decide('ASK', worse)).toEqual({ kind: 'ask', best: 190 });
		expect(decide('BETTER', worse)).toEqual({ kind: 'ask', best: 190 });
		expect(decide('ANY', worse)).toEqual({ kind: 'go', price: 190 });
		expect(decide('ANY', { ...lay, best: price(210) })).toEqual({ kind: 'go', price: 210 });
	});

	it('asks about a better price only when everything is to be asked, and keeps the old one as the limit', () => {
		const better = { ...back, best: price(210) };
		expect(decide('ASK', better)).toEqual({ kind: 'ask', best: 210 });
		expect(decide('BETTER', better)).toEqual({ kind: 'go', price: 200 });
		expect(decide('ANY', better)).toEqual({ kind: 'go', price: 200 });
	});

	it('lets a price that the player typed rest, under every policy', () => {
		for (const policy of ODDS_POLICIES) {
			expect(decide(policy, { ...back, best: price(190), own: true })).toEqual({ kind: 'rest', price: 200 });
			expect(decide(policy, { ...back, best: null })).toEqual({ kind: 'rest', price: 200 });
		}
	});

	it('lets nothing wait where the house is the other side', () => {
		for (const policy of ODDS_POLICIES) expect(decide(policy, { ...back, best: null, rests: false }).kind).toBe('gone');
		expect(decide('ASK', { ...back, best: price(190), own: true, rests: false }).kind).toBe('ask');
	});
});
