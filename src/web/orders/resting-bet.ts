/** What a player does with an unmatched bet, wherever it is shown: cancels it, or asks other odds of its ladder. */

import { type FormEvent, useState } from 'react';
import type { Paise } from '#values/money.ts';
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
import { cancelBet, replaceBet } from '#web/orders/change-bets.ts';
import { EDIT_WORDS } from '#web/texts/more.ts';

/** @param said the sentence for the cancelled amount */
export function useCancel(bet: OpenBet, said: (amount: Paise) => string): { busy: boolean; cancel: () => void } {
	const [busy, setBusy] = useState(false);
	async function cancel(): Promise<void> {
		if (busy) return;
		setBusy(true);
		await cancelBet(bet, said);
		setBusy(false);
	}
	return { busy, cancel: () => void cancel() };
}

export interface NewOdds {
	typed: string;
	/** What went wrong, as a sentence. */
	problem: string | null;
	busy: boolean;
	type: (text: string) => void;
	/** By ticks, within the ladder. */
	move: (ticks: number) => void;
	save: (event: FormEvent) => void;
}

/**
 * Odds as they are typed, taken to the ladder's closest price; the request id stays until the answer is known.
 * @param onReplaced called with the new price
 */
export function useNewOdds(bet: OpenBet, terms: LadderTerms, onReplaced: (price: Price) => void): NewOdds {
	const ladder = ladderOf(terms);
	const [typed, setTyped] = useState(String(decimalFromPrice(bet.price)));
	const [busy, setBusy] = useState(false);
	const [problem, setProblem] = useState<string | null>(null);
	const [clientRequestId] = useState(newRequestId);
	const closest = () => closestPrice(ladder, hundredthsFromDecimal(Number(typed)));
	function move(ticks: number): void {
		const from = closest();
		if (from === null) return;
		const tick = Math.min(ladder.tickCount - 1, Math.max(0, ladder.tickOf(from) + ticks));
		setTyped(String(decimalFromPrice(ladder.priceAt(tick))));
	}
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const price = closest();
		if (busy) return;
		if (price === null) {
			setProblem(EDIT_WORDS.noOdds);
			return;
		}
		setBusy(true);
		const refused = await replaceBet(bet, price, clientRequestId);
		setBusy(false);
		setProblem(refused);
		if (refused === null) onReplaced(price);
	}
	return {
		typed,
		problem,
		busy,
		type: (text) => setTyped(text.replace(',', '.')),
		move,
		save: (event) => void save(event),
	};
}
