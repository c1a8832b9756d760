/** What a press on a price does, wherever it is shown: a visitor is asked to log in, a player gets it in his slip. */

import { type Price, priceFromDecimal } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import { openLoginDialog, showSlipSheet } from '#web/store/dialogs.ts';
import { isLoggedIn } from '#web/store/session.ts';
import { pressPrice } from '#web/store/slip.ts';

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
}

export function pickPrice({ price, ...picked }: PickedPrice): void {
	if (!isLoggedIn()) {
		openLoginDialog(`/markets/${picked.eventId}`);
		return;
	}
	const rungPrice: Price | null = priceFromDecimal(price);
	if (rungPrice === null) return;
	if (pressPrice({ ...picked, price: rungPrice }) !== 'removed') showSlipSheet(true);
}
