import type { ReactElement, ReactNode } from 'react';
import './blackjack-felt.css';

/** What is printed on the cloth: the dealer's arcs, the player's box, and the suits between them; it carries no words. */
function Print(): ReactElement {
	return (
		<svg className="blackjack-print" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
			<path d="M-20 118Q200 196 420 118" />
			<path d="M-20 128Q200 206 420 128" />
			<g className="blackjack-suits">
				{['♠', '♥', '♦', '♣'].map((suit, at) => (
					<text key={suit} x={80 + at * 80} y={at === 0 || at === 3 ? 158 : 173} textAnchor="middle">
						{suit}
					</text>
				))}
			</g>
			<path d="M40 282Q200 312 360 282" />
			<circle cx="46" cy="244" r="17" />
			<circle cx="354" cy="244" r="17" />
		</svg>
	);
}

/** A table of blackjack: cloth with a print, and the padded rail around it. */
export function BlackjackFelt({ children }: { children: ReactNode }): ReactElement {
	return (
		<div className="blackjack-felt">
			<Print />
			{children}
		</div>
	);
}
