/**
 * A player's actions on an unmatched bet, wherever it is shown: cancelling it, or asking other odds or another stake.
 */

import { type FormEvent, useState } from 'react';
import { type Minor, majorFromMinor, minorOf } from '#values/money.ts';
import {
	closestPrice,
	decimalFromPrice,
	hundredthsFromDecimal,
	type LadderTerms,
	ladderOf,
	type Price,
} from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { stakeMinor } from '#web/betting/asked-terms.ts';
import { askedWords, saidWords } from '#web/orders/amount-words.ts';
import { addToBet, cancelBet, reduceBet, replaceBet } from '#web/orders/change-bets.ts';
import { EDIT_WORDS, SLIP_WORDS } from '#web/texts/more.ts';
import { oddsFromText, oddsKeys, typedOdds } from '#web/typed-odds.ts';

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

interface BetEditing {
	typed: string;
	stake: string;
	/** The parsed stake, or the question about an ambiguous one. */
	said: string;
	/** The error, as a sentence. */
	problem: string | null;
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

interface Change {
	price: Price;
	stake: Minor;
	/** Of each request, kept until its answer is known. */
	requestIds: readonly [less: string, other: string, more: string];
}

/**
 * Less stake first, then other odds, then more stake: each request is complete, so a refusal leaves a bet that the
 * player asked for in part, never more than asked. @returns the first refusal, or null
 */
async function changeBet(bet: OpenBet, { price, stake, requestIds }: Change): Promise<string | null> {
	const [less, other, more] = requestIds;
	const added = minorOf(stake - bet.remainingStake);
	const reduced = added < 0 ? await reduceBet(bet, minorOf(-added), less) : null;
	if (reduced !== null) return reduced;
	const replaced = price === bet.price ? null : await replaceBet(bet, price, other);
	if (replaced !== null || added <= 0) return replaced;
	return await addToBet(bet, added, price, more);
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
	const [problem, setProblem] = useState<string | null>(null);
	const [requestIds] = useState(() => [newRequestId(), newRequestId(), newRequestId()] as const);
	function closest(): Price | null {
		const asked = ladder.ofLines ? hundredthsFromDecimal(Number(typed)) : oddsFromText(typed);
		return asked === null ? null : closestPrice(ladder, asked);
	}
	const stake = stakeMinor(stakeText);
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
			setProblem(price === null ? EDIT_WORDS.noOdds : (askedWords(stakeText) ?? SLIP_WORDS.why.badStake));
			return;
		}
		setBusy(true);
		const refused = await changeBet(bet, { price, stake, requestIds });
		setBusy(false);
		setProblem(refused);
		if (refused === null) onChanged(price);
	}
	return {
		typed,
		stake: stakeText,
		said: saidWords(stakeText),
		problem,
		note: stake !== null && stake > bet.remainingStake ? EDIT_WORDS.addsBet : null,
		busy,
		keys: ladder.ofLines ? 'decimal' : oddsKeys(),
		type: (text) => setTyped(text.replace(',', '.')),
		typeStake: setStakeText,
		move,
		save: (event) => void save(event),
	};
}
