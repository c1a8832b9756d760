/** Hands of three cards, and the best five of six. */
import { type Card, rankOf, suitOf } from '#games/cards.ts';

/** From the lowest to the highest. */
const HANDS = ['high card', 'pair', 'colour', 'sequence', 'pure sequence', 'trail'] as const;
type Hand = (typeof HANDS)[number];

/** 2 is 1, the king 12, the ace 13. */
const heightOf = (card: Card): number => (rankOf(card) === 0 ? 13 : rankOf(card));
const ACE = 13;

/** How high a sequence is, or null when the heights, from the highest to the lowest, are none. */
function sequenceHeight([high, middle, low]: readonly [number, number, number]): number | null {
	// A-2-3 comes after A-K-Q and before K-Q-J.
	if (high === ACE && middle === 2 && low === 1) return ACE;
	if (high - middle !== 1 || middle - low !== 1) return null;
	return high === ACE ? ACE + 1 : high;
}

/** A larger score beats a smaller one; equal scores tie. Suits do not count. */
export function scoreOf(cards: readonly Card[]): number {
	const heights = cards.map(heightOf).sort((one, other) => other - one) as [number, number, number];
	const [high, middle, low] = heights;
	const isColour = cards.every((card) => suitOf(card) === suitOf(cards[0] as Card));
	const sequence = sequenceHeight(heights);
	if (high === low) return score('trail', high, 0, 0);
	if (sequence !== null) return score(isColour ? 'pure sequence' : 'sequence', sequence, 0, 0);
	if (isColour) return score('colour', high, middle, low);
	if (high === middle) return score('pair', high, low, 0);
	if (middle === low) return score('pair', middle, high, 0);
	return score('high card', high, middle, low);
}

const score = (hand: Hand, first: number, second: number, third: number): number =>
	((HANDS.indexOf(hand) * 16 + first) * 16 + second) * 16 + third;

export const handOf = (score: number): Hand => HANDS[Math.floor(score / 4_096)] as Hand;
/** Three aces. */
export const isTopTrail = (score: number): boolean => handOf(score) === 'trail' && Math.floor(score / 256) % 16 === ACE;

/** The hands that the six-card bonus pays, from the lowest to the highest. */
export const SIX_CARD_HANDS = [
	'three of a kind',
	'straight',
	'flush',
	'full house',
	'four of a kind',
	'straight flush',
	'royal flush',
] as const;
export type SixCardHand = (typeof SIX_CARD_HANDS)[number];

/** Five bits in a row; bit 0 is the ace below the 2 and bit 13 the ace above the king. */
function straightsIn(rankBits: number): number {
	const bits = rankBits | ((rankBits & 1) << 13);
	return bits & (bits >> 1) & (bits >> 2) & (bits >> 3) & (bits >> 4);
}
/** The straight that begins with the 10. */
const ROYAL = 1 << 9;

/** The best five-card poker hand of six cards; null below three of a kind. */
export function sixCardHandOf(cards: readonly Card[]): SixCardHand | null {
	const suitBits = [0, 0, 0, 0];
	const suitCounts = [0, 0, 0, 0];
	const rankCounts = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
	for (const card of cards) {
		const [rank, suit] = [rankOf(card), suitOf(card)];
		suitBits[suit] = (suitBits[suit] as number) | (1 << rank);
		suitCounts[suit] = (suitCounts[suit] as number) + 1;
		rankCounts[rank] = (rankCounts[rank] as number) + 1;
	}
	const flushSuit = suitCounts.findIndex((count) => count >= 5);
	const flushStraights = flushSuit < 0 ? 0 : straightsIn(suitBits[flushSuit] as number);
	if (flushStraights & ROYAL) return 'royal flush';
	if (flushStraights) return 'straight flush';
	const countsAbove = (least: number): number => rankCounts.filter((count) => count >= least).length;
	if (countsAbove(4) > 0) return 'four of a kind';
	const hasTrips = countsAbove(3) > 0;
	if (hasTrips && countsAbove(2) > 1) return 'full house';
	if (flushSuit >= 0) return 'flush';
	if (straightsIn(suitBits.reduce((bits, suit) => bits | suit, 0))) return 'straight';
	return hasTrips ? 'three of a kind' : null;
}
