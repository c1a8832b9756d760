/**
 * A player's actions on an unmatched bet, wherever it is shown: cancelling it, or asking other odds or another stake.
 */

import { type FormEvent, useRef, useState } from 'react';
import { type Minor, majorFromMinor } from '#values/money.ts';
import {
	closestPrice,
	decimalFromPrice,
	hundredthsFromDecimal,
	type LadderTerms,
	ladderOf,
	type Price,
} from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import type { FormNumber } from '#web/betting/selection.ts';
import { askedWords, saidWords } from '#web/orders/amount-words.ts';
import { cancelBet } from '#web/orders/change-bets.ts';
import { editBet, type Sent } from '#web/orders/edit-bet.ts';
import { showNotice } from '#web/store/notices.ts';
import { sameLogin } from '#web/store/same-login.ts';
import { EDIT_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import { numberFromText, oddsFromText, oddsKeys, typedOdds } from '#web/typed-odds.ts';

/** @param said the sentence for the cancelled amount */
export function useCancel(bet: OpenBet, said: (amount: Minor) => string): { busy: boolean; cancel: () => void } {
	const [busy, setBusy] = useState(false);
	async function cancel(): Promise<void> {
		if (busy) return;
		setBusy(true);
		await cancelBet(bet, said);
		setBusy(false);
	}
	return { busy, cancel: () => void cancel() };
}

/** Why a bet is not changed, as a sentence, and the number that it is about. */
interface Problem {
	text: string;
	about: FormNumber | null;
}

interface BetEditing {
	typed: string;
	stake: string;
	/** The parsed stake, or the question about an ambiguous one. */
	said: string;
	problem: Problem | null;
	/** Further effects of saving, besides changing the bet. */
	note: string | null;
	busy: boolean;
	type: (text: string) => void;
	typeStake: (text: string) => void;
	/** The keypad for the odds. */
	keys: 'decimal' | 'text';
	/** By ticks, within the ladder. */
	move: (ticks: number) => void;
	save: (event: FormEvent) => void;
}

const plainAmount = (amount: Minor): string => String(majorFromMinor(amount));

/**
 * Odds as they are typed, taken to the ladder's closest price, and the stake that is to be unmatched.
 * @param onChanged called with the new price
 */
export function useBetEdit(bet: OpenBet, terms: LadderTerms, onChanged: (price: Price) => void): BetEditing {
	const ladder = ladderOf(terms);
	const written = (price: Price) => (ladder.ofLines ? String(decimalFromPrice(price)) : typedOdds(price));
	const [typed, setTyped] = useState(written(bet.price));
	const [stakeText, setStakeText] = useState(plainAmount(bet.remainingStake));
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<Problem | null>(null);
	const [before, setBefore] = useState(bet.remainingStake);
	const lost = useRef<Sent | null>(null);
	function closest(): Price | null {
		const asked = ladder.ofLines ? hundredthsFromDecimal(numberFromText(typed)) : oddsFromText(typed);
		return asked === null ? null : closestPrice(ladder, asked);
	}
	const stake = stakeMinor(stakeText);
	const typeInto = (set: (text: string) => void) => (text: string) => {
		set(text);
		setProblem(null);
	};
	function move(ticks: number): void {
		const from = closest();
		if (from === null) return;
		const tick = Math.min(ladder.tickCount - 1, Math.max(0, ladder.tickOf(from) + ticks));
		setTyped(written(ladder.priceAt(tick)));
	}
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const price = closest();
		if (busy) return;
		if (price === null || stake === null) {
			setProblem(
				price === null
					? { text: EDIT_WORDS.noOdds, about: 'odds' }
					: { text: askedWords(stakeText) ?? SLIP_WORDS.why.badStake, about: 'amount' },
			);
			return;
		}
		setBusy(true);
		const isSameLogin = sameLogin();
		const { replacedAt, asked, failed } = await editBet(bet, lost.current, before, { price, stake });
		setBusy(false);
		if (!isSameLogin()) return;
		lost.current = failed?.isUnknown ? failed.sent : null;
		setBefore(asked);
		setProblem(failed && { text: failed.message, about: failed.about });
		// This form has gone with the bet that was replaced.
		if (failed && replacedAt) showNotice(failed.message, 'error');
		if (!failed || replacedAt) onChanged(replacedAt ?? price);
	}
	return {
		typed,
		stake: stakeText,
		said: saidWords(stakeText),
		problem,
		note: stake !== null && stake > before ? EDIT_WORDS.addsBet : null,
		busy,
		keys: ladder.ofLines ? 'decimal' : oddsKeys(),
		type: typeInto(setTyped),
		typeStake: typeInto(setStakeText),
		move,
		save: (event) => void save(event),
	};
}
