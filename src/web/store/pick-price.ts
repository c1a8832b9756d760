/**
 * What a press on a price does, wherever it is shown: a visitor is asked to log in, a player gets it in his slip, and
 * with one-click betting it is placed at once.
 */

import { type LadderTerms, type Price, priceFromDecimal } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import { openLoginDialog, showSlipSheet } from '#web/store/dialogs.ts';
import { useLine } from '#web/store/line.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { livePrices } from '#web/store/prices/live-prices.ts';
import type { Quoting } from '#web/store/quoting.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { keyOf, type Picked, placeSelection, pressPrice, setStake, useSlip } from '#web/store/slip.ts';

export interface PickedPrice {
	eventId: string;
	eventTitle: string;
	marketId: string;
	marketName: string;
	runnerId: string;
	runnerName: string;
	side: Side;
	/** Decimal, as the wire has it. */
	price: number;
	/** Decimal odds of the classic ladder unless said. */
	quoting?: Quoting;
	ladder?: LadderTerms;
}

export function pickPrice({ price, quoting = 'ODDS', ladder = 'CLASSIC', ...picked }: PickedPrice): void {
	if (!isLoggedIn()) {
		openLoginDialog(`/markets/${picked.eventId}`);
		return;
	}
	const rungPrice: Price | null = priceFromDecimal(price);
	if (rungPrice === null) return;
	const selected: Picked = { ...picked, quoting, ladder, price: rungPrice };
	const stake = usePreferences.getState().oneClickStake;
	if (stake !== null) betAtOnce(selected, stake);
	else if (pressPrice(selected) !== 'removed') showSlipSheet(true);
}

/** A second press within this time is the same finger. */
const DOUBLE_TAP_MS = 1000;
let lastBet = { key: '', at: Number.NEGATIVE_INFINITY };

function betAtOnce(selected: Picked, stake: number): void {
	const key = keyOf(selected);
	const at = performance.now();
	if (lastBet.key === key && at - lastBet.at < DOUBLE_TAP_MS) return;
	const paused = useLine.getState().stale || livePrices.book(selected.marketId)?.gap === true;
	const held = useSlip.getState().selections.find((selection) => keyOf(selection) === key);
	if (paused || held?.phase.kind === 'pending' || held?.phase.kind === 'unknown') return;
	lastBet = { key, at };
	// A selection that waited in the slip at this very price would be taken out by the press.
	if (held?.phase.kind === 'editing' && held.price === selected.price) pressPrice(selected);
	pressPrice(selected);
	setStake(key, String(stake));
	showSlipSheet(true);
	void placeSelection(key);
}
