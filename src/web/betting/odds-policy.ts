/** The handling of a selection whose market has moved since its price was picked. */

import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';

/** Ask about every new price; accept better prices; accept any price. */
export const ODDS_POLICIES = ['ASK', 'BETTER', 'ANY'] as const;
export type OddsPolicy = (typeof ODDS_POLICIES)[number];

/**
 * 'go': place at that price. 'rest': place, and the bet rests in the book. 'ask': the player has to accept the best
 * price or keep the old one. 'gone': no price is offered, and unmatched bets cannot rest in this market.
 */
export type Decision = { kind: 'go' | 'rest'; price: Price } | { kind: 'ask'; best: Price } | { kind: 'gone' };

interface Offer {
	side: Side;
	asked: Price;
	/** The best price of that side now; null for none. */
	best: Price | null;
	/** Unmatched bets may rest in this market. */
	rests: boolean;
	/** The player set or kept the price, knowing the one on offer. */
	own: boolean;
}

/** A backer wants high prices, a layer low ones. */
export const isBetter = (side: Side, price: number, than: number): boolean =>
	side === 'BACK' ? price > than : price < than;

export function decide(policy: OddsPolicy, { side, asked, best, rests, own }: Offer): Decision {
	if (best === null) return rests ? { kind: 'rest', price: asked } : { kind: 'gone' };
	if (best === asked) return { kind: 'go', price: asked };
	const better = isBetter(side, best, asked);
	// The bet is matched at the better price anyway, so asking for the old price costs nothing.
	if (better) return policy === 'ASK' && !own ? { kind: 'ask', best } : { kind: 'go', price: asked };
	if (own && rests) return { kind: 'rest', price: asked };
	return policy === 'ANY' ? { kind: 'go', price: best } : { kind: 'ask', best };
}
