/**
 * Cancels unmatched bets, one or all, or asks another price for one; shows the player the outcome. What is answered after
 * another player has logged in is not shown to that one.
 */

import type { Minor } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { call } from '#web/api/client.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import type { FormNumber } from '#web/betting/selection.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';

interface Cancelled {
	cancelledStake: Minor;
	balance: Minor;
	exposure: Minor;
}

async function cancel(ask: () => Promise<Cancelled>, said: (cancelledStake: Minor) => string): Promise<void> {
	const isSameLogin = sameLogin();
	const askedAt = performance.now();
	try {
		const done = await ask();
		showAnsweredWallet(done.balance, done.exposure, askedAt);
		showNotice(said(done.cancelledStake), 'success');
	} catch (failure) {
		if (isSameLogin()) showNotice(messageOf(failure), 'error');
	} finally {
		refreshBets();
	}
}

/** The request id names the whole unmatched part of this bet, so a second press cannot cancel more. */
export function cancelBet(bet: OpenBet, said: (cancelledStake: Minor) => string): Promise<void> {
	const clientRequestId = `cancel-${bet.betId}-${bet.remainingStake}`.slice(0, 64);
	return cancel(() => call('cancelBet', { betId: bet.betId, clientRequestId }), said);
}

/** Cancels bets one after another, as long as their player is logged in. */
export async function cancelBets(bets: readonly OpenBet[], said: (cancelledStake: Minor) => string): Promise<void> {
	const isSameLogin = sameLogin();
	for (const bet of bets) if (isSameLogin()) await cancelBet(bet, said);
}

/** Cancels everything unmatched in a market, or everywhere. */
export function cancelAll(marketId: string | null, said: (cancelledStake: Minor) => string): Promise<void> {
	const where = marketId === null ? {} : { marketId };
	return cancel(() => call('cancelAll', { ...where, clientRequestId: newRequestId() }), said);
}

/** Why a change was not made, and whether it may have been made nevertheless: its answer was lost. */
export interface ChangeFailure {
	message: string;
	isUnknown: boolean;
	/** The number that was refused. */
	about: FormNumber | null;
}

/** @returns null once it is made */
async function change(ask: () => Promise<Pick<Cancelled, 'balance' | 'exposure'>>): Promise<ChangeFailure | null> {
	const askedAt = performance.now();
	try {
		const done = await ask();
		showAnsweredWallet(done.balance, done.exposure, askedAt);
		return null;
	} catch (failure) {
		return { message: messageOf(failure), isUnknown: isOutcomeUnknown(failure), about: refusedNumber(failure) };
	} finally {
		refreshBets();
	}
}

type Change<Asked extends unknown[]> = (...asked: [...Asked, clientRequestId: string]) => Promise<ChangeFailure | null>;

/** Asks another price for the unmatched part; a retry passes the same request id. */
export const replaceBet: Change<[bet: OpenBet, price: Price]> = (bet, price, clientRequestId) =>
	change(() => call('replaceBet', { betId: bet.betId, price, clientRequestId }));

/**
 * Asks another price for one bet after another, as long as their player is logged in.
 * @returns the first refusal, or null
 */
export async function replaceBets(bets: readonly OpenBet[], price: Price): Promise<ChangeFailure | null> {
	const isSameLogin = sameLogin();
	for (const bet of bets) {
		const failure = isSameLogin() ? await replaceBet(bet, price, newRequestId()) : null;
		if (failure !== null) return failure;
	}
	return null;
}

/** Takes a part of the unmatched stake off; what is left keeps its place in the queue. */
export const reduceBet: Change<[bet: OpenBet, sizeReduction: Minor]> = (bet, sizeReduction, clientRequestId) =>
	change(() => call('cancelBet', { betId: bet.betId, sizeReduction, clientRequestId }));

/** Bets more of the same beside a bet, which keeps its place in the queue; both meet the turn in-play alike. */
export const addToBet: Change<[bet: OpenBet, stake: Minor, price: Price]> = (bet, stake, price, clientRequestId) => {
	const { marketId, runnerId, side, postOnly, goodTill, goodUntilMatched, persists, takesStartingPrice } = bet;
	const persistence = takesStartingPrice ? 'MARKET_ON_CLOSE' : persists ? 'PERSIST' : 'LAPSE';
	const ends = { ...(goodTill ? { goodTill } : {}), ...(goodUntilMatched ? { goodUntilMatched } : {}) };
	const terms = { ...(postOnly ? { postOnly } : {}), ...ends };
	return change(() =>
		call('placeBetV2', { marketId, runnerId, side, price, stake, persistence, ...terms, clientRequestId }),
	);
};
