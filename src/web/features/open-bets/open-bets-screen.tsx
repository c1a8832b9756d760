import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { OpenBets } from '#web/features/open-bets/open-bets.tsx';
import { BET_WORDS } from '#web/texts/more.ts';
import { TEXTS } from '#web/texts.ts';

/** /open-bets */
export function OpenBetsScreen(): ReactElement {
	return (
		<div className="screen">
			<div className="screen-head">
				<h1 className="screen-title">{BET_WORDS.title}</h1>
				<Link to="/bet-history">{TEXTS.frame.history}</Link>
			</div>
			<div className="-m-2">
				<OpenBets />
			</div>
		</div>
	);
}
