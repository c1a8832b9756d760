/** The stake of the next press on a ladder. Ladders side by side share it. */
import { type RefObject, useState } from 'react';
import { useRefusedFocus } from '#ui/refused-focus.ts';
import { type Minor, majorFromMinor } from '#values/money.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { keyOf, type Selection } from '#web/betting/selection.ts';
import { useOneClickStake } from '#web/store/one-click.ts';
import { setBetting } from '#web/store/preferences.ts';
import { presetsNow } from '#web/store/presets.ts';
import { setStake, useSlip } from '#web/store/slip.ts';

export interface LadderStake {
	/** As typed. */
	text: string;
	/** Also of what is picked in the market and not placed yet, and of one-click betting while it is on. */
	set: (text: string) => void;
	/** The part of the page that has its field, and what leads back there after a refusal of the amount. */
	box: RefObject<HTMLDivElement | null>;
	lead: () => void;
	/** The id of what says why the amount is wrong. */
	wrongBy: string | undefined;
}

/** The id of what a ticket says against its bet. */
export const whyId = (selection: Selection): string => `${keyOf(selection)}-ladder-why`;

/** It was refused, or cannot be read. */
function isAmountWrong({ phase, stake }: Selection): boolean {
	return phase.kind === 'editing' && (phase.about === 'amount' || (stake !== '' && stakeMinor(stake) === null));
}

const written = (stake: Minor): string => String(majorFromMinor(stake));

/**
 * The first preset, until another one is typed. While a press bets at once, the stake of one-click betting, which
 * the page announces: one stake, wherever it is changed.
 */
export function useLadderStake(marketId: string): LadderStake {
	const oneClick = useOneClickStake();
	const [announced, setAnnounced] = useState(oneClick);
	const [text, setText] = useState(() => {
		const first = oneClick ?? presetsNow()[0]?.value;
		return first === undefined ? '' : written(first);
	});
	if (oneClick !== announced) {
		setAnnounced(oneClick);
		if (oneClick !== null && oneClick !== stakeMinor(text)) setText(written(oneClick));
	}
	const [box, lead] = useRefusedFocus<HTMLDivElement>();
	const wrongBy = useSlip(({ selections }) => {
		const wrong = selections.find((selection) => selection.marketId === marketId && isAmountWrong(selection));
		return wrong && whyId(wrong);
	});
	return {
		text,
		box,
		lead,
		wrongBy,
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
