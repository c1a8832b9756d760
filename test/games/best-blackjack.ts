/** The best play of blackjack, computed from the rules by themselves: what each hand is worth, in exact fractions. */
import { add, compare, type Fraction, fraction, hundredths, multiply, NONE } from '#games/fraction.ts';

interface Hand {
	total: number;
	isSoft: boolean;
	cards: number;
}

/** The value of a card, 1 for the ace, and its chance. */
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => ({ value, chance: fraction(value === 10 ? 4 : 1, 13) }));
const EMPTY: Hand = { total: 0, isSoft: false, cards: 0 };

function withCard({ total, isSoft, cards }: Hand, value: number): Hand {
	// From three cards on the number matters no more.
	const next = { cards: Math.min(cards + 1, 3) };
	if (value === 1 && total + 11 <= 21) return { ...next, total: total + 11, isSoft: true };
	const sum = total + value;
	return sum > 21 && isSoft ? { ...next, total: sum - 10, isSoft: false } : { ...next, total: sum, isSoft };
}

const keyOf = ({ total, isSoft, cards }: Hand): string => `${total}${isSoft ? 's' : 'h'}${cards}`;

function remembered<Value>(compute: (hand: Hand, up: number) => Value): (hand: Hand, up: number) => Value {
	const known = new Map<string, Value>();
	return (hand, up) => {
		const key = `${keyOf(hand)}/${up}`;
		const value = known.get(key) ?? compute(hand, up);
		known.set(key, value);
		return value;
	};
}

/** Chances of 17 to 21, of 22 for any bust, and of 0 for a blackjack. */
const dealerEnds = remembered<ReadonlyMap<number, Fraction>>((hand) => {
	if (hand.total >= 17)
		return new Map([[hand.cards === 2 && hand.total === 21 ? 0 : Math.min(hand.total, 22), fraction(1)]]);
	const ends = new Map<number, Fraction>();
	for (const { value, chance } of VALUES)
		for (const [end, part] of dealerEnds(withCard(hand, value), 0))
			ends.set(end, add(ends.get(end) ?? NONE, multiply(chance, part)));
	return ends;
});

const endsFor = (up: number) => dealerEnds(withCard(EMPTY, up), 0);

/** Paid to a hand that stands, as a multiple of the stake; a dealer's blackjack beats it. */
const standing = remembered<Fraction>(({ total }, up) => {
	if (total > 21) return NONE;
	let paid = NONE;
	for (const [end, chance] of endsFor(up)) {
		if (end === 0) continue;
		if (end === 22 || total > end) paid = add(paid, multiply(chance, fraction(2)));
		else if (total === end) paid = add(paid, chance);
	}
	return paid;
});

const average = (of: (value: number) => Fraction): Fraction =>
	VALUES.reduce((sum, { value, chance }) => add(sum, multiply(chance, of(value))), NONE);

export type Decision = 'stand' | 'hit' | 'double';

const decided = remembered<{ decision: Decision; paid: Fraction }>((hand, up) => {
	const options: { decision: Decision; paid: Fraction }[] = [{ decision: 'stand', paid: standing(hand, up) }];
	if (hand.total < 21) {
		options.push({ decision: 'hit', paid: average((value) => decided(withCard(hand, value), up).paid) });
		const doubled = average((value) => standing(withCard(hand, value), up));
		if (hand.cards === 2) options.push({ decision: 'double', paid: add(multiply(doubled, fraction(2)), fraction(-1)) });
	}
	return options.reduce((best, option) => (compare(option.paid, best.paid) > 0 ? option : best));
});

function paidFor(hand: Hand, up: number): Fraction {
	if (hand.total < 21) return decided(hand, up).paid;
	const both = endsFor(up).get(0) ?? NONE;
	return add(both, multiply(add(fraction(1), multiply(both, fraction(-1))), hundredths(250)));
}

export interface BestPlay {
	/** The average return of a stake; the stake added by doubling is subtracted. */
	value: Fraction;
	/** @param counts what the player's cards count, 1 for an ace @param up the dealer's card */
	decide(counts: readonly number[], up: number): Decision;
}

export function bestPlay(): BestPlay {
	const hands = average((first) =>
		average((second) => average((up) => paidFor(withCard(withCard(EMPTY, first), second), up))),
	);
	return {
		value: hands,
		decide: (counts, up) => decided(counts.reduce(withCard, EMPTY), up).decision,
	};
}

interface Played {
	paid: Fraction;
	staked: Fraction;
}

/** What the worst decisions are paid for each rupee that they stake, in exact fractions. */
export function worstPlay(): Fraction {
	const averaged = (of: (value: number) => Played): Played => ({
		paid: average((value) => of(value).paid),
		staked: average((value) => of(value).staked),
	});
	/** The decisions that are worst where a rupee staked is worth `rate`: of all ratios, the least is that of its own rate. */
	const playedAt = (rate: Fraction): Played => {
		const costOf = ({ paid, staked }: Played): Fraction => add(paid, multiply(multiply(rate, staked), fraction(-1)));
		const worst = remembered<Played>((hand, up) => {
			const options: Played[] = [{ paid: standing(hand, up), staked: fraction(1) }];
			if (hand.total < 21) {
				options.push(averaged((value) => worst(withCard(hand, value), up)));
				const doubled = average((value) => standing(withCard(hand, value), up));
				if (hand.cards === 2) options.push({ paid: multiply(doubled, fraction(2)), staked: fraction(2) });
			}
			return options.reduce((least, option) => (compare(costOf(option), costOf(least)) < 0 ? option : least));
		});
		const begun = (hand: Hand, up: number): Played =>
			hand.total === 21 ? { paid: paidFor(hand, up), staked: fraction(1) } : worst(hand, up);
		return averaged((first) =>
			averaged((second) => averaged((up) => begun(withCard(withCard(EMPTY, first), second), up))),
		);
	};
	for (let rate = fraction(1); ; ) {
		const { paid, staked } = playedAt(rate);
		const reached = multiply(paid, fraction(staked.denominator, staked.numerator));
		if (compare(reached, rate) === 0) return rate;
		rate = reached;
	}
}
