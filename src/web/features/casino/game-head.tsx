import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { SessionButton } from '#web/features/casino/session-button.tsx';
import { CASINO_TEXTS } from '#web/texts/more.ts';

/** The head of every game: the way back, its name, the player's session, and the game's further links. */
export function GameHead({
	name,
	note,
	children,
}: {
	name: string;
	/** In one line below the name; its space is reserved. */
	note: ReactNode;
	children?: ReactNode;
}): ReactElement {
	return (
		<header className="game-head">
			<Link to="/casino" className="icon-button" aria-label={CASINO_TEXTS.frame.lobby}>
				<Icon solid transform="rotate-180">
					chevron-right
				</Icon>
			</Link>
			<h1>{name}</h1>
			<p className="game-visit">{note}</p>
			<SessionButton />
			{children}
		</header>
	);
}
