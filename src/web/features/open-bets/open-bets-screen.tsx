import type { ReactElement } from 'react';
import { OpenBets } from '#web/features/open-bets/open-bets.tsx';
import { BET_WORDS } from '#web/texts/slip.ts';

/** /open-bets */
export function OpenBetsScreen(): ReactElement {
	return (
		<div className="p-2 lg:p-4">
			<h1 className="px-1 py-2 text-xl font-bold">{BET_WORDS.title}</h1>
			<OpenBets />
		</div>
	);
}
