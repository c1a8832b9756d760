import { formatMoney } from '#web/format.ts';
import { useOneClickStake } from '#web/store/one-click.ts';
import { setBetting } from '#web/store/preferences.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

/** What a warning says while one-click betting is on, with its switch. */
interface OneClickLine {
	text: string;
	off: string;
	onOff: () => void;
}

/** One-click betting cannot be overlooked while it is on. @param said with the stake of each press @returns null while it is off */
export function useOneClickLine(said: (stake: string) => string): OneClickLine | null {
	const stake = useOneClickStake();
	if (stake === null) return null;
	return { text: said(formatMoney(stake)), off: SLIP_WORDS.turnOff, onOff: () => setBetting({ oneClickStake: null }) };
}
