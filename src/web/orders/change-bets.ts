/** Cancels unmatched bets, one or all, or asks another price for one; shows the player the outcome. */

import type { Paise } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

interface Cancelled {
	cancelledStake: Paise;
	balance: Paise;
	exposure: Paise;
}

async function cancel(ask: () => Promise<Cancelled>, said: (cancelledStake: Paise) => string): Promise<void> {
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

/** The request id names the whole unmatched part of this bet, so a second press cannot cancel more. */
export function cancelBet(bet: OpenBet, said: (cancelledStake: Paise) => string): Promise<void> {
	const clientRequestId = `cancel-${bet.betId}-${bet.remainingStake}`.slice(0, 64);
	return cancel(() => call('cancelBet', { betId: bet.betId, clientRequestId }), said);
}

/** Cancels everything unmatched in a market, or everywhere. */
export function cancelAll(marketId: string | null, said: (cancelledStake: Paise) => string): Promise<void> {
	const where = marketId === null ? {} : { marketId };
	return cancel(() => call('cancelAll', { ...where, clientRequestId: newRequestId() }), said);
}

/** Asks another price for the unmatched part; a retry passes the same request id. @returns why it failed, or null */
export async function replaceBet(bet: OpenBet, price: Price, clientRequestId: string): Promise<string | null> {
	const askedAt = performance.now();
	try {
		const placed = await call('replaceBet', { betId: bet.betId, price, clientRequestId });
		showAnsweredWallet(placed.balance, placed.exposure, askedAt);
		return null;
	} catch (failure) {
		return messageOf(failure);
	} finally {
		refreshBets();
	}
}
