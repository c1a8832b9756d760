/** How a market, a payment or a player stands, as a badge whose colour says whether bets are taken. */
import type { ReactElement } from 'react';
import { words } from '#console/parts/format.ts';

export const StateBadge = ({ state, inPlay = false }: { state: string; inPlay?: boolean }): ReactElement => (
	<span className="state" data-state={state}>
		{words(state)}
		{inPlay ? ', in-play' : ''}
	</span>
);
