/** The stake of the next press on a ladder. Ladders side by side share it. */
import { useState } from 'react';
import { majorFromMinor } from '#values/money.ts';
import { keyOf } from '#web/betting/selection.ts';
import { useSession } from '#web/store/session.ts';
import { setStake, useSlip } from '#web/store/slip.ts';

export interface LadderStake {
	/** As typed. */
	text: string;
	/** Also of what is picked in the market and not placed yet. */
	set: (text: string) => void;
}

/** The player's first preset, until another one is typed. */
export function useLadderStake(marketId: string): LadderStake {
	const [text, setText] = useState(() => {
		const [first] = useSession.getState().stakes;
		return first ? String(majorFromMinor(first.value)) : '';
	});
	return {
		text,
		set(typed) {
			setText(typed);
			for (const selection of useSlip.getState().selections) {
				if (selection.marketId === marketId && selection.phase.kind === 'editing') setStake(keyOf(selection), typed);
			}
		},
	};
}
