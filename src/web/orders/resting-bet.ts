/**
 * A player's actions on an unmatched bet, wherever it is shown: cancelling it, or asking other odds or another stake.
 */

import { type FormEvent, useRef, useState } from 'react';
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
import type { FormNumber } from '#web/betting/selection.ts';
import { askedWords, saidWords } from '#web/orders/amount-words.ts';
import { addToBet, type ChangeFailure, cancelBet, reduceBet, replaceBet } from '#web/orders/change-bets.ts';
import { showNotice } from '#web/store/notices.ts';
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

/** One request of an edit. */
type Step =
	| { kind: 'LESS'; stake: Minor }
	| { kind: 'OTHER'; price: Price }
	| { kind: 'MORE'; stake: Minor; price: Price };

/** A request keeps its id until its answer is known. */
interface Sent {
	step: Step;
	requestId: string;
}

/**
 * Less stake first, then other odds, then more stake: each request is complete, so a refusal leaves a bet that the
 * player asked for in part, never more than asked.
 * @param before the unmatched stake that the player looked at; what was matched since is part of the stake that is asked
 */
function stepsTo(bet: OpenBet, before: Minor, { price, stake }: { price: Price; stake: Minor }): Step[] {
	const less = Math.min(before - stake, bet.remainingStake);
	if (less > 0 && less === bet.remainingStake) return [{ kind: 'LESS', stake: bet.remainingStake }];
	return [
		...(less > 0 ? [{ kind: 'LESS' as const, stake: minorOf(less) }] : []),
		...(price === bet.price ? [] : [{ kind: 'OTHER' as const, price }]),
		...moreThan(before, { price, stake }),
	];
}

const moreThan = (before: Minor, { price, stake }: { price: Price; stake: Minor }): Step[] =>
	stake > before ? [{ kind: 'MORE' as const, stake: minorOf(stake - before), price }] : [];

/**
 * What is left of an edit after a step whose answer was lost and that was asked again. At other odds it is another bet,
 * which has another id: only stake beside it can follow, and only at those odds.
 */
function stepsAfter(again: Step | null, bet: OpenBet, before: Minor, asked: { price: Price; stake: Minor }): Step[] {
	if (again?.kind === 'OTHER') return again.price === asked.price ? moreThan(before, asked) : [];
	return stepsTo(bet, minorOf(before + (again ? addedBy(again) : 0)), asked);
}

function send(bet: OpenBet, { step, requestId }: Sent): Promise<ChangeFailure | null> {
	if (step.kind === 'LESS') return reduceBet(bet, step.stake, requestId);
	if (step.kind === 'OTHER') return replaceBet(bet, step.price, requestId);
	return addToBet(bet, step.stake, step.price, requestId);
}

/** The steps of an edit that were done, and the failure of the next one. */
interface Edited {
	done: readonly Step[];
	failed: (ChangeFailure & { sent: Sent }) | null;
}

/**
 * @param lost whose answer did not come: it is sent again first, as it was, because changed it could be done twice
 * @param next what is left to do after it
 */
async function change(bet: OpenBet, lost: Sent | null, next: (again: Step | null) => Step[]): Promise<Edited> {
	const done: Step[] = [];
	const sendNext = async (sent: Sent): Promise<Edited['failed']> => {
		const failure = await send(bet, sent);
		if (!failure) done.push(sent.step);
		return failure && { ...failure, sent };
	};
	let failed = lost && (await sendNext(lost));
	for (const step of failed ? [] : next(lost?.step ?? null)) {
		failed = await sendNext({ step, requestId: newRequestId() });
		if (failed) break;
	}
	return { done, failed };
}

/** What a step adds to the stake that is asked. */
const addedBy = (step: Step): number => (step.kind === 'OTHER' ? 0 : step.kind === 'MORE' ? step.stake : -step.stake);

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
		const { done, failed } = await change(bet, lost.current, (again) =>
			stepsAfter(again, bet, before, { price, stake }),
		);
		lost.current = failed?.isUnknown ? failed.sent : null;
		setBefore(minorOf(done.reduce<number>((sum, step) => sum + addedBy(step), before)));
		setBusy(false);
		setProblem(failed && { text: failed.message, about: failed.about });
		const replaced = done.find((step) => step.kind === 'OTHER');
		// This form has gone with the bet that was replaced.
		if (failed && replaced) showNotice(failed.message, 'error');
		if (!failed || replaced) onChanged(replaced?.price ?? price);
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
