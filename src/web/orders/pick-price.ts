/**
 * The effect of a press on a price, wherever it is shown: it goes to the slip, a visitor is asked to log in, and with
 * one-click betting it is placed immediately.
 */

import { type Minor, majorFromMinor } from '#values/money.ts';
import { keyOf, type Picked, type SelectionKey } from '#web/betting/selection.ts';
import { isPausedNow } from '#web/live/market-now.ts';
import { openDialog, showSlipSheet } from '#web/store/dialogs.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { pressPrice, setStake, useSlip } from '#web/store/slip.ts';
import { withTexts } from '#web/texts/held.ts';

/** Decimal odds of the classic ladder unless said. */
export interface PickedPrice extends Omit<Picked, 'quoting' | 'ladder'>, Partial<Pick<Picked, 'quoting' | 'ladder'>> {
	/** False for a price behind the best of its side. */
	isBest?: boolean;
	/** The price is shown beside a ticket of its own, so the slip's sheet stays closed. */
	hasTicket?: boolean;
}

/** @returns whether the press bets at once, with the stake of one-click betting */
export function pickPrice(pressed: PickedPrice): boolean {
	const { quoting = 'ODDS', ladder = 'CLASSIC', isBest = true, hasTicket = false, ...picked } = pressed;
	const selected: Picked = { ...picked, quoting, ladder };
	if (!isLoggedIn()) {
		// The price is in the slip when the visitor has become a player.
		if (pressPrice(selected, isBest) !== 'removed') openDialog('login', `/markets/${picked.eventId}`);
		return false;
	}
	const stake = usePreferences.getState().oneClickStake;
	if (stake !== null) betAtOnce(selected, stake, hasTicket);
	else if (pressPrice(selected, isBest) !== 'removed' && !hasTicket) showSlipSheet(true);
	return stake !== null;
}

/** A second press within this time is the same finger. */
const DOUBLE_TAP_MS = 1000;
let lastBet = { key: '', at: Number.NEGATIVE_INFINITY };

function betAtOnce(selected: Picked, stake: Minor, hasTicket: boolean): void {
	const key = keyOf(selected);
	const at = performance.now();
	if (lastBet.key === key && at - lastBet.at < DOUBLE_TAP_MS) return;
	const held = useSlip.getState().selections.find((selection) => keyOf(selection) === key);
	if (isPausedNow(selected.marketId) || held?.phase.kind === 'pending' || held?.phase.kind === 'unknown') return;
	lastBet = { key, at };
	// The press would remove a selection that is in the slip at this very price.
	if (held?.phase.kind === 'editing' && held.price === selected.price) pressPrice(selected);
	pressPrice(selected);
	setStake(key, String(majorFromMinor(stake)));
	if (!hasTicket) showSlipSheet(true);
	void placed(key);
}

/** Without the file, which comes with the slip, the bet stays in the slip as it was picked. */
async function placed(key: SelectionKey): Promise<void> {
	const file = withTexts(() => import('#web/orders/place-selection.ts'));
	const { placeSelection } = await file.catch(() => ({ placeSelection: null }));
	await placeSelection?.(key, true);
}
