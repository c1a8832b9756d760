/** The stake of the next press on a ladder. Ladders side by side share it. */
import { useState } from 'react';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { keyOf } from '#web/betting/selection.ts';
import { useOneClickStake } from '#web/store/one-click.ts';
import { setBetting } from '#web/store/preferences.ts';
import { useSession } from '#web/store/session.ts';
import { setStake, useSlip } from '#web/store/slip.ts';

export interface LadderStake {
	/** As typed. */
	text: string;
	/** Also of what is picked in the market and not placed yet, and of one-click betting while it is on. */
	set: (text: string) => void;
}

const written = (stake: Minor): string => String(majorFromMinor(stake));

/**
 * The player's first preset, until another one is typed. While a press bets at once, the stake of one-click betting, which
 * the page announces: one stake, wherever it is changed.
 */
export function useLadderStake(marketId: string): LadderStake {
	const oneClick = useOneClickStake();
	const [announced, setAnnounced] = useState(oneClick);
	const [text, setText] = useState(() => {
		const first = oneClick ?? useSession.getState().stakes[0]?.value;
		return first === undefined ? '' : written(first);
	});
	if (oneClick !== announced) {
		setAnnounced(oneClick);
		if (oneClick !== null && oneClick !== stakeMinor(text)) setText(written(oneClick));
	}
	return {
		text,
		set(typed) {
			setText(typed);
			const stake = stakeMinor(typed);
			if (oneClick !== null && stake !== null) setBetting({ oneClickStake: stake });
			for (const selection of useSlip.getState().selections) {
				if (selection.marketId === marketId && selection.phase.kind === 'editing') setStake(keyOf(selection), typed);
			}
		},
	};
}
