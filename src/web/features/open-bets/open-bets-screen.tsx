import type { ReactElement } from 'react';
import { OpenBets } from '#web/features/open-bets/open-bets.tsx';
import { BET_WORDS } from '#web/texts/more.ts';

/** /open-bets */
export function OpenBetsScreen(): ReactElement {
	return (
		<div className="screen">
			<h1 className="screen-title">{BET_WORDS.title}</h1>
			<div className="-m-2">
				<OpenBets />
			</div>
		</div>
	);
}
