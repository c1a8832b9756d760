import type { ReactElement } from 'react';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { formatMoney } from '#web/format.ts';
import { setBetting, usePreferences } from '#web/store/preferences.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** One-click betting cannot be overlooked while it is on. @param say the sentence for its stake */
export function OneClickBanner({
	say = SLIP_WORDS.oneClickOn,
}: {
	say?: (stake: string) => string;
}): ReactElement | null {
	const stake = usePreferences(({ oneClickStake }) => oneClickStake);
	if (stake === null) return null;
	return (
		<output className="one-click-banner">
			<Icon solid>triangle-exclamation</Icon>
			<b className="min-w-0 flex-1">{say(formatMoney(stake))}</b>
			<Button size="small" onClick={() => setBetting({ oneClickStake: null })}>
				{SLIP_WORDS.turnOff}
			</Button>
		</output>
	);
}
