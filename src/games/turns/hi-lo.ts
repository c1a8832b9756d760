import { type Card, cardText, PACK, RANKS, rankOf } from '#games/cards.ts';
import { type Fraction, fraction, hundredths, NONE } from '#games/fraction.ts';
import type { BetTerms, Turn, TurnGame } from '#games/game.ts';

const MOST_GUESSES = 30;
const RANK_COUNT = RANKS.length;
/** No round pays more than 10,000 times the stake; a round that reaches it is cashed out. */
const MOST_CENTS = 1_000_000n;

/** The return of the worst play, rounded down to millionths; a test computes it over all guesses and cash-outs. */
const WORST_PLAY: Fraction = fraction(79_999, 1_000_000);

export type Guess = 'higher' | 'lower' | 'same';
const GUESSES: readonly Guess[] = ['higher', 'same', 'lower'];

export interface HiLoShown {
	cards: readonly Card[];
	/** Hundredths that ending the round would pay now; null before the first right guess. */
	pays: number | null;
	/** Hundredths after a right guess. */
	next: Readonly<Partial<Record<Guess, number>>>;
}

/** The number of winning ranks of a guess, of thirteen. */
export function winningRanks(card: Card, guess: Guess): number {
	if (guess === 'same') return 1;
	return guess === 'higher' ? RANK_COUNT - 1 - rankOf(card) : rankOf(card);
}

function isRight(card: Card, next: Card, guess: Guess): boolean {
	const step = rankOf(next) - rankOf(card);
	return guess === 'same' ? step === 0 : guess === 'higher' ? step > 0 : step < 0;
}

/** The payout of right guesses in hundredths: 97 over the product of their chances, rounded down once. */
export function hiLoCents(guessed: readonly number[]): number {
	const ways = guessed.reduce((product, ranks) => product * BigInt(ranks), 1n);
	const cents = (97n * BigInt(RANK_COUNT) ** BigInt(guessed.length)) / ways;
	return Number(cents > MOST_CENTS ? MOST_CENTS : cents);
}

function turn(cards: readonly Card[], guessed: readonly number[], ended: { pays: Fraction } | null): Turn<HiLoShown> {
	const last = cards.at(-1) as Card;
	const open = ended ? [] : GUESSES.filter((guess) => winningRanks(last, guess) > 0);
	const next = Object.fromEntries(open.map((guess) => [guess, hiLoCents([...guessed, winningRanks(last, guess)])]));
	return {
		shown: { cards, pays: guessed.length > 0 ? hiLoCents(guessed) : null, next },
		actions: [...open, ...(open.length > 0 && guessed.length > 0 ? ['cash-out'] : [])],
		stakes: 1,
		pays: ended?.pays ?? NONE,
		result: ended ? cards.map(cardText).join(' ') : '',
	};
}

const isGuess = (action: string): action is Guess => (GUESSES as readonly string[]).includes(action);

function turnAfter(hidden: readonly Card[], _choice: string, actions: readonly string[]): Turn<HiLoShown> | null {
	const guessed: number[] = [];
	for (const [index, action] of actions.entries()) {
		const [card, next] = [hidden[index] as Card, hidden[index + 1] as Card];
		const isLast = index === actions.length - 1;
		const shown = hidden.slice(0, index + 1);
		if (action === 'cash-out')
			return isLast && index > 0 ? turn(shown, guessed, { pays: hundredths(hiLoCents(guessed)) }) : null;
		if (!isGuess(action) || winningRanks(card, action) === 0 || isFull(guessed)) return null;
		if (!isRight(card, next, action)) return isLast ? turn([...shown, next], [], { pays: NONE }) : null;
		guessed.push(winningRanks(card, action));
	}
	const cards = hidden.slice(0, actions.length + 1);
	return turn(cards, guessed, isFull(guessed) ? { pays: hundredths(hiLoCents(guessed)) } : null);
}

/** The round ends automatically: no guess is left, or the largest multiplier is reached. */
const isFull = (guessed: readonly number[]): boolean =>
	guessed.length === MOST_GUESSES || (guessed.length > 0 && BigInt(hiLoCents(guessed)) === MOST_CENTS);

const guessCode = (rank: number, guess: Guess): string => `${RANKS[rank]}-${guess}`;

const guessBet = (rank: number, guess: Guess): BetTerms => ({
	code: guessCode(rank, guess),
	name: `${guess === 'same' ? 'Same as' : guess === 'higher' ? 'Higher than' : 'Lower than'} ${RANKS[rank]}`,
	prizes: [
		{
			name: 'Right',
			pays: hundredths(hiLoCents([winningRanks(rank, guess)])),
			chance: fraction(winningRanks(rank, guess), RANK_COUNT),
		},
	],
});

export const hiLo: TurnGame<readonly Card[], HiLoShown> = {
	code: 'hi-lo',
	name: 'HiLo',
	kind: 'turns',
	summary: 'Is the next card higher, lower or the same?',
	rules: [
		'Each card is drawn from a full pack; the ace is the lowest, the king the highest.',
		'A right guess multiplies what you have by thirteen over the ranks that win; the house keeps 3% once.',
		'Cash out after any right guess. A wrong guess loses the stake.',
		'The round ends by itself after 30 guesses or at 10,000.00x.',
	],
	bets: RANKS.flatMap((_, rank) =>
		GUESSES.filter((guess) => winningRanks(rank, guess) > 0).map((guess) => guessBet(rank, guess)),
	),
	worstPlay: {
		name: 'guess “same” just below the largest multiplier, which cuts off what it would pay',
		returns: WORST_PLAY,
	},
	isChoice: (choice) => choice === '',
	deal: (draw) => Array.from({ length: MOST_GUESSES + 1 }, () => draw(PACK.length)),
	turnAfter,
	abandonedAction: ({ actions }) => (actions.includes('cash-out') ? 'cash-out' : null),
	abandoned: 'what stands is cashed out, and before the first right guess the stake goes back.',
	decidedBets: ([first = 0, second = 0]) =>
		GUESSES.filter((guess) => winningRanks(first, guess) > 0).map((guess) => [
			guessCode(rankOf(first), guess),
			isRight(first, second, guess) ? 0 : null,
		]),
	mostAfter: ({ shown }, action) => hundredths((isGuess(action) ? shown.next[action] : shown.pays) ?? 0),
};
