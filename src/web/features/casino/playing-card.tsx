import type { ReactElement } from 'react';
import { type Card, cardName, isRed, RANKS, rankOf, SUITS, suitOf } from '#games/cards.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

/** A card, face up, or face down when it is null. */
function PlayingCard({ card, delay = 0 }: { card: Card | null; delay?: number }): ReactElement {
	if (card === null)
		return (
			<span className="card" data-down>
				<span className="unseen">{CASINO_TEXTS.cardDown}</span>
			</span>
		);
	return (
		<span className="card motion" data-red={isRed(card) || undefined} style={{ animationDelay: `${delay}ms` }}>
			<span className="unseen">{cardName(card)}</span>
			<svg viewBox="0 0 50 70" aria-hidden="true">
				<text x="4" y="22" fontSize="23" letterSpacing="-1.500">
					{RANKS[rankOf(card)]}
				</text>
				<text x="30" y="62" fontSize="38" textAnchor="middle">
					{SUITS[suitOf(card)]}
				</text>
			</svg>
		</span>
	);
}

/** A hand may hold the same card twice, so each is named by its place, too. */
const placed = (cards: readonly (Card | null)[]) =>
	cards.map((card, place) => ({ card, place, key: `${place} ${card}` }));

/** Places that are still empty show cards face down. */
const filled = (cards: readonly Card[], places: number): (Card | null)[] => [
	...cards,
	...Array.from({ length: Math.max(0, places - cards.length) }, () => null),
];

/** A hand with its owner's name; the winning one is marked by more than colour. */
export function Hand({
	label,
	cards,
	note = '',
	isWinner = false,
	empty = 0,
	step = 90,
	isLarge = false,
}: {
	label: string;
	cards: readonly Card[];
	note?: string;
	isWinner?: boolean;
	/** How many places have a card face down until one is dealt. */
	empty?: number;
	/** Milliseconds between two cards that are dealt at once. */
	step?: number;
	isLarge?: boolean;
}): ReactElement {
	return (
		<div className="hand" data-winner={isWinner || undefined} data-large={isLarge || undefined}>
			<span className="hand-label">
				{label}
				{isWinner && ' ✓'}
				{note && <small> {note}</small>}
			</span>
			<span className="hand-cards">
				{placed(filled(cards, empty)).map(({ card, place, key }) => (
					<PlayingCard key={key} card={card} delay={place * step} />
				))}
			</span>
		</div>
	);
}
