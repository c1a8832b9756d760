import type { ReactElement } from 'react';
import { type Card, cardName, isRed, RANKS, rankOf, SUITS, suitOf } from '#games/cards.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

/** A card, face up, or face down when it is null. */
export function PlayingCard({ card, delay = 0 }: { card: Card | null; delay?: number }): ReactElement {
	if (card === null)
		return (
			<span className="card" data-down>
				<span className="unseen">{CASINO_TEXTS.table.hidden}</span>
			</span>
		);
	return (
		<span className="card motion" data-red={isRed(card) || undefined} style={{ animationDelay: `${delay}ms` }}>
			<span className="unseen">{cardName(card)}</span>
			<b aria-hidden="true">{RANKS[rankOf(card)]}</b>
			<i aria-hidden="true">{SUITS[suitOf(card)]}</i>
		</span>
	);
}

/** A hand may hold the same card twice, so each is named by its place, too. */
const placed = (cards: readonly (Card | null)[]) =>
	cards.map((card, place) => ({ card, place, key: `${place} ${card}` }));

/** A hand with its owner's name; the winning one is marked by more than colour. */
export function Hand({
	label,
	cards,
	note = '',
	isWinner = false,
	empty = 0,
	step = 90,
}: {
	label: string;
	cards: readonly Card[];
	note?: string;
	isWinner?: boolean;
	/** Cards face down while there are none. */
	empty?: number;
	/** Milliseconds between two cards. */
	step?: number;
}): ReactElement {
	return (
		<div className="hand" data-winner={isWinner || undefined}>
			<span className="hand-label">
				{label}
				{isWinner && ' ✓'}
				{note && <small> {note}</small>}
			</span>
			<span className="hand-cards">
				{placed(cards.length > 0 ? cards : Array.from({ length: empty }, () => null)).map(({ card, place, key }) => (
					<PlayingCard key={key} card={card} delay={place * step} />
				))}
			</span>
		</div>
	);
}
