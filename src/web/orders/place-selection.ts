/**
 * A player's actions on bets: picking a price, placing, cancelling, asking another price. This file: placing a
 * selection.
 */

import type { Minor } from '#values/money.ts';
import { call } from '#web/api/client.ts';
import { isOutcomeUnknown, messageOf } from '#web/api/failure.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { isWhenSound, planOf, stakeMinor, startLimitOf, triggerOf } from '#web/betting/asked-terms.ts';
import { askedSide, type FormNumber, isPlan, type Selection, type SelectionKey } from '#web/betting/selection.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import { refusedNumber } from '#web/orders/refused-number.ts';
import { showNotice } from '#web/store/notices.ts';
import { refreshBets } from '#web/store/open-bets.ts';
import { changeSelection, removeSelection, selectionOf, setOptions } from '#web/store/slip.ts';
import { refreshTriggers } from '#web/store/triggers.ts';
import { showAnsweredWallet } from '#web/store/wallet.ts';
import { ORDER_NOTICES } from '#web/texts/more.ts';

/** The prices that the player saw, so that the server can refuse a bet on prices that had stopped. */
function bookVersionOf(marketId: string): { bookVersion?: number } {
	const book = livePrices.book(marketId);
	return book ? { bookVersion: book.version } : {};
}

function triggerRequest(selection: Selection, stake: Minor) {
	return {
		marketId: selection.marketId,
		runnerId: selection.runnerId,
		side: askedSide(selection),
		price: selection.price,
		stake,
		...(selection.keep ? { persistence: 'PERSIST' as const } : {}),
		...(triggerOf(selection) ?? { moves: 'RISES' as const }),
		clientRequestId: selection.requestId,
	};
}

/** An order that the exchange keeps in the book by one bet after another. */
function planRequest(selection: Selection, stake: Minor) {
	const { marketId, runnerId, price, keep, requestId: clientRequestId } = selection;
	const plan = planOf(selection) ?? { kind: 'PEG' as const };
	const persistence = keep ? { persistence: 'PERSIST' as const } : {};
	return { marketId, runnerId, side: askedSide(selection), price, stake, plan, ...persistence, clientRequestId };
}

/** At the starting price: what was typed is the stake of a back, or what a lay can lose. */
function onCloseRequest(selection: Selection, size: Minor) {
	return {
		marketId: selection.marketId,
		runnerId: selection.runnerId,
		side: selection.side,
		size,
		...startLimitOf(selection),
		clientRequestId: selection.requestId,
	};
}

/**
 * Places a selection. The phase turns pending before anything is sent, so a second press finds nothing to do.
 * @param isNow whatever the selection waited for
 * @returns the number for which it was refused; null for none
 */
export async function placeSelection(key: SelectionKey, isNow = false): Promise<FormNumber | null> {
	if (isNow) setOptions(key, { when: '', whenAt: '' });
	const selection = selectionOf(key);
	if (!selection || (selection.phase.kind !== 'editing' && selection.phase.kind !== 'unknown')) return null;
	const stake = stakeMinor(selection.stake);
	if (stake === null || !isWhenSound(selection)) return null;
	/** Not of another player's, who picked the same meanwhile. */
	const change = (changes: Pick<Selection, 'phase'> & Partial<Pick<Selection, 'requestId'>>) =>
		changeSelection(key, (held) => (held.requestId === selection.requestId ? { ...held, ...changes } : held));
	change({ phase: { kind: 'pending' } });
	// Another tab has changed, placed or removed it.
	if (selectionOf(key)?.phase.kind !== 'pending') return null;
	const askedAt = performance.now();
	try {
		if (selection.when !== '') {
			const isAtStart = selection.when === 'START';
			const placed = isAtStart
				? await call('placeOnClose', onCloseRequest(selection, stake))
				: isPlan(selection.when)
					? await call('placePlan', planRequest(selection, stake))
					: await call('placeTrigger', triggerRequest(selection, stake));
			change({ phase: { kind: 'editing', refusal: null } });
			if (selectionOf(key)?.requestId === selection.requestId) removeSelection(key);
			const { waitsForStart, planPlaced, triggerPlaced } = ORDER_NOTICES;
			showNotice(isAtStart ? waitsForStart : isPlan(selection.when) ? planPlaced : triggerPlaced, 'success');
			showAnsweredWallet(placed.balance, placed.exposure, askedAt);
			if (isAtStart) refreshBets();
			else refreshTriggers();
			return null;
		}
		const bet = await call('placeBetV2', {
			marketId: selection.marketId,
			runnerId: selection.runnerId,
			side: askedSide(selection),
			price: selection.price,
			stake,
			...(selection.keep ? { persistence: 'PERSIST' } : {}),
			...(selection.fillOrKill ? { timeInForce: 'FILL_OR_KILL' } : {}),
			...(selection.postOnly ? { postOnly: selection.postOnly } : {}),
			...(selection.goodFor > 0 ? { goodForSeconds: selection.goodFor } : {}),
			...(selection.goodUntilMatched > 0 ? { goodUntilMatched: selection.goodUntilMatched } : {}),
			...bookVersionOf(selection.marketId),
			clientRequestId: selection.requestId,
		});
		change({ phase: { kind: 'placed', bet, answeredAtMs: performance.now() } });
		showAnsweredWallet(bet.balance, bet.exposure, askedAt);
		refreshBets();
		return null;
	} catch (failure) {
		const isUnknown = isOutcomeUnknown(failure);
		const about = isUnknown ? null : refusedNumber(failure);
		if (isUnknown) change({ phase: { kind: 'unknown' } });
		else change({ requestId: newRequestId(), phase: { kind: 'editing', refusal: messageOf(failure), about } });
		return about;
	}
}
