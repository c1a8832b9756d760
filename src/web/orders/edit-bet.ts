/** Other odds and another stake for an unmatched bet: one edit, of up to three requests. */
import { type Minor, minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { newRequestId } from '#web/api/request-id.ts';
import { addToBet, type ChangeFailure, reduceBet, replaceBet } from '#web/orders/change-bets.ts';
import { sameLogin } from '#web/store/same-login.ts';

/** One request of an edit. */
type Step =
	| { kind: 'LESS'; stake: Minor }
	| { kind: 'OTHER'; price: Price }
	| { kind: 'MORE'; stake: Minor; price: Price };

/** A request keeps its id until its answer is known. */
export interface Sent {
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

/** What an edit has done, also one that failed on its way. */
interface Edited {
	/** Of the bet that stands in place of this one; null while this one stands. */
	replacedAt: Price | null;
	/** The unmatched stake that is asked now, with what was added beside the bet. */
	asked: Minor;
	/** The step after which nothing more was sent. */
	failed: (ChangeFailure & { sent: Sent }) | null;
}

/** What a step adds to the stake that is asked. */
const addedBy = (step: Step): number => (step.kind === 'OTHER' ? 0 : step.kind === 'MORE' ? step.stake : -step.stake);

/**
 * Sends an edit step by step, as long as its player is logged in: the rest would bet the money of the next one.
 * @param lost whose answer did not come: it is sent again first, as it was, because changed it could be done twice
 * @param before the unmatched stake that the player looked at
 */
export async function editBet(
	bet: OpenBet,
	lost: Sent | null,
	before: Minor,
	asked: { price: Price; stake: Minor },
): Promise<Edited> {
	const isSameLogin = sameLogin();
	const done: Step[] = [];
	const sendNext = async (sent: Sent): Promise<Edited['failed']> => {
		const failure = await send(bet, sent);
		if (!failure) done.push(sent.step);
		return failure && { ...failure, sent };
	};
	let failed = lost && (await sendNext(lost));
	for (const step of failed ? [] : stepsAfter(lost?.step ?? null, bet, before, asked)) {
		if (!isSameLogin()) break;
		failed = await sendNext({ step, requestId: newRequestId() });
		if (failed) break;
	}
	const replaced = done.find((step) => step.kind === 'OTHER');
	return {
		replacedAt: replaced?.price ?? null,
		asked: minorOf(done.reduce<number>((sum, step) => sum + addedBy(step), before)),
		failed,
	};
}
