import type { ReactElement } from 'react';
import { ScreenState } from '#ui/screen-state.tsx';
import { keyOf } from '#web/betting/selection.ts';
import { SlipCard } from '#web/features/bet-slip/slip-card.tsx';
import { SlipSettings } from '#web/features/bet-slip/slip-settings.tsx';
import { useSession } from '#web/store/session.ts';
import { clearSlip, useSlip } from '#web/store/slip.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';
import './bet-slip.css';

/** Everything picked, each with its own stake and its own button; below, how bets are placed. */
export function BetSlip(): ReactElement {
	const selections = useSlip((slip) => slip.selections);
	const loggedIn = useSession((state) => state.user !== null);
	return (
		<div className="flex flex-col gap-2 p-2">
			{selections.length === 0 && (
				<ScreenState icon="ticket" title={SLIP_WORDS.empty}>
					{(['BACK', 'LAY'] as const).map((side) => (
						<span key={side} className="slip-legend" data-side={side}>
							{SLIP_WORDS.legend[side]}
						</span>
					))}
				</ScreenState>
			)}
			{selections.map((selection) => (
				<SlipCard key={keyOf(selection)} selection={selection} />
			))}
			{selections.length > 1 && (
				<button type="button" className="min-h-11 text-sm text-muted underline" onClick={clearSlip}>
					{SLIP_WORDS.clearAll}
				</button>
			)}
			{loggedIn && <SlipSettings />}
		</div>
	);
}
