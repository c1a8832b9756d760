/**
 * What players of one market have, one call at a time and as slow as it is obvious: all bets are on one runner at 2.00, so
 * a back and a lay risk their stake. An account bets on one side alone, and each bet has a stake of its own, by which a list
 * of bets names it. Amounts are rupees. A refusal is no step of it: the engine decides it ahead of what is durable, so it may
 * be due to a bet that a look just after it does not show yet. What is refused changes nothing.
 */
import type { Model } from './linearizability.ts';

export type Side = 'BACK' | 'LAY';

export type Call =
	| { kind: 'place'; account: number; stake: number }
	| { kind: 'cancel'; account: number; stake: number }
	| { kind: 'withdraw'; account: number; amount: number }
	| { kind: 'grant'; account: number; amount: number }
	| { kind: 'look'; account: number };

/** Money as the answer to the call says. */
interface Money {
	balance: number;
	exposure: number;
}
export type Answer =
	| (Money & { matched: number; remaining: number })
	| (Money & { cancelled: number; matched: number })
	| (Money & { bets: readonly (readonly [stake: number, matched: number, remaining: number])[] })
	| { balance: number }
	| 'withdrawn';

interface Bet {
	account: number;
	stake: number;
	matched: number;
	remaining: number;
}

/** What is left of it. */
export interface SmallExchange {
	/** By account. */
	cash: readonly number[];
	/** In the order in which they came. */
	bets: readonly Bet[];
}

const withCash = ({ cash, bets }: SmallExchange, account: number, more: number): SmallExchange => ({
	cash: cash.map((has, at) => (at === account ? has + more : has)),
	bets,
});

const betsOf = ({ bets }: SmallExchange, account: number): Bet[] =>
	bets.filter((bet) => bet.account === account && bet.matched + bet.remaining > 0);

const moneyOf = (state: SmallExchange, account: number): Money => ({
	balance: state.cash[account] ?? 0,
	exposure: betsOf(state, account).reduce((sum, { matched, remaining }) => sum + matched + remaining, 0),
});

interface Done {
	state: SmallExchange;
	answer: Answer;
}

function place(
	state: SmallExchange,
	{ account, stake }: Call & { kind: 'place' },
	sides: readonly Side[],
): Done | null {
	if ((state.cash[account] ?? 0) < stake) return null;
	let remaining = stake;
	const bets = state.bets.map((bet) => {
		const taken = sides[bet.account] === sides[account] ? 0 : Math.min(remaining, bet.remaining);
		remaining -= taken;
		return { ...bet, matched: bet.matched + taken, remaining: bet.remaining - taken };
	});
	const matched = stake - remaining;
	const placed = { cash: state.cash, bets: [...bets, { account, stake, matched, remaining }] };
	const after = withCash(placed, account, -stake);
	return { state: after, answer: { ...moneyOf(after, account), matched, remaining } };
}

function cancel(state: SmallExchange, { account, stake }: Call & { kind: 'cancel' }): Done | null {
	const bet = betsOf(state, account).find((each) => each.stake === stake);
	if (!bet?.remaining) return null;
	const bets = state.bets.map((each) => (each === bet ? { ...bet, remaining: 0 } : each));
	const after = withCash({ cash: state.cash, bets }, account, bet.remaining);
	return { state: after, answer: { ...moneyOf(after, account), cancelled: bet.remaining, matched: bet.matched } };
}

/** Null when it is refused. */
function done(state: SmallExchange, call: Call, sides: readonly Side[]): Done | null {
	switch (call.kind) {
		case 'place':
			return place(state, call, sides);
		case 'cancel':
			return cancel(state, call);
		case 'withdraw': {
			if ((state.cash[call.account] ?? 0) < call.amount) return null;
			return { state: withCash(state, call.account, -call.amount), answer: 'withdrawn' };
		}
		case 'grant': {
			const after = withCash(state, call.account, call.amount);
			return { state: after, answer: { balance: after.cash[call.account] ?? 0 } };
		}
		case 'look': {
			const bets = betsOf(state, call.account).map((bet) => [bet.stake, bet.matched, bet.remaining] as const);
			return { state, answer: { ...moneyOf(state, call.account), bets: bets.toSorted(([a], [b]) => a - b) } };
		}
	}
}

/** Fields in the order of their names. */
const textOf = (answer: Answer): string =>
	typeof answer === 'string' ? answer : JSON.stringify(answer, Object.keys(answer).toSorted());

/** @param sides by account, each of which has that much in cash */
export const smallExchange = (sides: readonly Side[], cash: number): Model<SmallExchange, Call, Answer> => ({
	initial: { cash: sides.map(() => cash), bets: [] },
	after: (state, call, answer) => {
		const after = done(state, call, sides);
		return after && (answer === null || textOf(after.answer) === textOf(answer)) ? after.state : null;
	},
	keyOf: ({ cash: has, bets }) =>
		JSON.stringify([has, bets.map(({ stake, matched, remaining }) => [stake, matched, remaining])]),
});
