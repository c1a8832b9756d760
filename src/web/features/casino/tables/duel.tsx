/** Hands that play against each other: the winning one is lit, the others fade. */
import type { ReactElement, ReactNode } from 'react';
import type { Card } from '#games/cards.ts';
import { Hand } from '#web/features/casino/playing-card.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

interface SideHandProps {
	/** Gives the hand its colour. */
	side: string;
	label: string;
	cards: readonly Card[];
	note?: string;
	/** The number of face-down cards before the first is dealt. */
	empty: number;
	isWinner: boolean;
	isLost: boolean;
	/** What stands above the cards. */
	above?: ReactNode;
	/** What stands below the cards. */
	below?: ReactNode;
}

export function SideHand({ side, isLost, above, below, ...hand }: SideHandProps): ReactElement {
	return (
		<div className="side-hand" data-side={side} data-lost={isLost || undefined}>
			{above}
			<Hand {...hand} step={0} />
			{below}
		</div>
	);
}

export type DuelSide = Omit<SideHandProps, 'isWinner' | 'isLost'>;

/** @param lead positive if the first side wins, negative if the second does; null until it is decided */
export function Duel({
	sides: [one, other],
	lead,
}: {
	sides: readonly [DuelSide, DuelSide];
	lead: number | null;
}): ReactElement {
	const winner = lead === null || lead === 0 ? null : lead > 0 ? one : other;
	const hand = (side: DuelSide) => (
		<SideHand {...side} isWinner={winner === side} isLost={winner !== null && winner !== side} />
	);
	return (
		<div className="scene-beside">
			{hand(one)}
			<span className="scene-versus" aria-hidden="true">
				{lead === 0 ? '=' : CASINO_TEXTS.tables.versus}
			</span>
			{hand(other)}
		</div>
	);
}
