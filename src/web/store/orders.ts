/** What a player does with bets that wait: take them back, one or all, or ask another price. Says what came of it. */

import { decimalFromPrice, type Price } from '#values/price-ladder.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import type { OpenBet } from '#web/store/queries.ts';
import { newRequestId } from '#web/store/request-id.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

interface Cancelled {
	cancelledStake: number;
	balance: number;
	exposure: number;
}

async function cancel(ask: () => Promise<Cancelled>, said: (cancelledStake: number) => string): Promise<void> {
	const askedAt = performance.now();
	try {
		const done = await ask();
		showAnsweredWallet(done.balance, done.exposure, askedAt);
		showNotice(said(done.cancelledStake), 'success');
	} catch (failure) {
		showNotice(messageOf(failure), 'error');
	} finally {
		refreshBets();
	}
}

/** The request id stands for this bet's whole rest, so a second press cannot do more. */
export function cancelBet(bet: OpenBet, said: (cancelledStake: number) => string): Promise<void> {
	const clientRequestId = `cancel-${bet.betId}-${Math.round(bet.remainingStake * 100)}`.slice(0, 64);
	return cancel(() => call('cancelBet', { betId: bet.betId, clientRequestId }), said);
}

/** All that waits in a market, or everywhere. */
export function cancelAll(marketId: string | null, said: (cancelledStake: number) => string): Promise<void> {
	const where = marketId === null ? {} : { marketId };
	return cancel(() => call('cancelAll', { ...where, clientRequestId: newRequestId() }), said);
}

/** Asks another price for what waits; the request id is the caller's, to ask again with. @returns what went wrong */
export async function replaceBet(bet: OpenBet, price: Price, clientRequestId: string): Promise<string | null> {
	const askedAt = performance.now();
	try {
		const placed = await call('replaceBet', { betId: bet.betId, price: decimalFromPrice(price), clientRequestId });
		showAnsweredWallet(placed.balance, placed.exposure, askedAt);
		return null;
	} catch (failure) {
		return messageOf(failure);
	} finally {
		refreshBets();
	}
}
