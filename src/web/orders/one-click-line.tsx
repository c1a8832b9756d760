import type { ReactElement } from 'react';
import { WarningLine } from '#ui/warning-line.tsx';
import { formatMoney } from '#web/format.ts';
import { useOneClickStake } from '#web/store/one-click.ts';
import { setBetting } from '#web/store/preferences.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** One-click betting cannot be overlooked while it is on. @param said with the stake of each press */
export function OneClickLine({ said }: { said: (stake: string) => string }): ReactElement | null {
	const stake = useOneClickStake();
	if (stake === null) return null;
	return (
		<WarningLine
			text={said(formatMoney(stake))}
			off={SLIP_WORDS.turnOff}
			onOff={() => setBetting({ oneClickStake: null })}
		/>
	);
}
