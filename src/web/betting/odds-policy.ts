/** What becomes of a selection whose market moved on since its price was picked. */

import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';

/** Ask me; take better ones without asking; take whatever is offered. */
export const ODDS_POLICIES = ['ASK', 'BETTER', 'ANY'] as const;
export type OddsPolicy = (typeof ODDS_POLICIES)[number];

/**
 * 'go': place at that price. 'wait': place, and it rests in the book. 'ask': the player has to say whether the best
 * price will do. 'gone': nothing is offered, and this market lets nobody wait.
 */
export type Decision = { kind: 'go' | 'wait'; price: Price } | { kind: 'ask'; best: Price } | { kind: 'gone' };

export interface Offer {
	side: Side;
	asked: Price;
	/** The best price of that side now; null when there is none. */
	best: Price | null;
	/** Bets may wait in this market. */
	rests: boolean;
	/** The player set or kept the price himself, knowing the one on offer. */
	own: boolean;
}

/** A backer wants high prices, a layer low ones. */
export const isBetter = (side: Side, price: number, than: number): boolean =>
	side === 'BACK' ? price > than : price < than;

export function decide(policy: OddsPolicy, { side, asked, best, rests, own }: Offer): Decision {
	if (best === null) return rests ? { kind: 'wait', price: asked } : { kind: 'gone' };
	if (best === asked) return { kind: 'go', price: asked };
	const better = isBetter(side, best, asked);
	// A better price is what the bet is matched at in any case: asking for the old one costs nothing.
	if (better) return policy === 'ASK' && !own ? { kind: 'ask', best } : { kind: 'go', price: asked };
	if (own && rests) return { kind: 'wait', price: asked };
	return policy === 'ANY' ? { kind: 'go', price: best } : { kind: 'ask', best };
}
