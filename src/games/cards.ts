/** Playing cards as numbers from 0 to 51: 13 × suit + rank. */
import type { Draw } from '#games/fair-draw.ts';

export type Card = number;

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'] as const;
export const SUITS = ['♠', '♥', '♦', '♣'] as const;
const RANK_NAMES = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];
const SUIT_NAMES = ['spades', 'hearts', 'diamonds', 'clubs'];

export const PACK: readonly Card[] = Array.from({ length: 52 }, (_, card) => card);

/** 0 is the ace, 12 the king. */
export const rankOf = (card: Card): number => card % 13;
export const suitOf = (card: Card): number => Math.floor(card / 13);
/** Hearts and diamonds. */
export const isRed = (card: Card): boolean => suitOf(card) === 1 || suitOf(card) === 2;
/** The ace is 1, the king 13. */
export const isOdd = (card: Card): boolean => rankOf(card) % 2 === 0;

/** `K♠` */
export const cardText = (card: Card): string => `${RANKS[rankOf(card)]}${SUITS[suitOf(card)]}`;
/** For screen readers: `king of spades`. */
export const cardName = (card: Card): string => `${RANK_NAMES[rankOf(card)]} of ${SUIT_NAMES[suitOf(card)]}`;
export const cardsText = (cards: readonly Card[]): string => cards.map(cardText).join(' ');

/**
 * Deals cards of several packs without replacement. An empty shoe is refilled and shuffled.
 * @param cards one pack
 */
export function dealerOf(draw: Draw, cards: readonly Card[] = PACK, packs: number = 1): () => Card {
	let left: Card[] = [];
	return () => {
		if (left.length === 0) left = Array.from({ length: packs }, () => cards).flat();
		return left.splice(draw(left.length), 1)[0] as Card;
	};
}
