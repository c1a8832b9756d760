import { type Card, cardText, dealerOf, isRed, PACK, RANKS, rankOf, SUITS, suitOf } from '#games/cards.ts';
import { add, choose, type Fraction, fraction, hundredths, NONE } from '#games/fraction.ts';
import { type Bet, betFinder, dealtEvery, faceOf, simpleBet, type TableGame } from '#games/game.ts';

export interface AndarBaharOutcome {
	joker: Card;
	/** Andar first, then alternating; the last one has the joker's rank. */
	cards: readonly Card[];
}

const MOST_CARDS = 49;
/** The chance that the match is the n-th card after the joker. */
const chanceOf = (position: number): Fraction => fraction(choose(51 - position, 2), choose(51, 3));

function chanceWhere(condition: (position: number) => boolean): Fraction {
	const positions = Array.from({ length: MOST_CARDS }, (_, index) => index + 1).filter(condition);
	return positions.map(chanceOf).reduce(add, NONE);
}

function countBet(from: number, to: number, pays: number): Bet<AndarBaharOutcome> {
	const isWithin = (count: number) => count >= from && count <= to;
	return simpleBet(
		{
			code: `cards-${from}-${to}`,
			name: `${from} to ${to} cards`,
			pays: hundredths(pays),
			chance: chanceWhere(isWithin),
		},
		({ cards }) => isWithin(cards.length),
	);
}

const jokerBet = (
	code: string,
	name: string,
	[pays, chance]: [number, Fraction],
	wins: (card: Card) => boolean,
): Bet<AndarBaharOutcome> =>
	simpleBet({ code: `joker-${code}`, name: `Joker ${name}`, pays: hundredths(pays), chance }, ({ joker }) =>
		wins(joker),
	);

/** A range of the number of cards, and the payout of a bet on it. */
const COUNTS: readonly (readonly [from: number, to: number, pays: number])[] = [
	[1, 5, 350],
	[6, 10, 440],
	[11, 15, 560],
	[16, 25, 440],
	[26, 30, 1_560],
	[31, 35, 2_560],
	[36, 40, 5_000],
	[41, MOST_CARDS, 12_000],
];

const JOKER_MS = 1_000;
const LONGEST_DEAL_MS = 9_000;

const SUIT_CODES = ['spades', 'hearts', 'diamonds', 'clubs'];

const bets: readonly Bet<AndarBaharOutcome>[] = [
	simpleBet(
		{ code: 'andar', name: 'Andar', pays: hundredths(190), chance: chanceWhere((position) => position % 2 === 1) },
		({ cards }) => cards.length % 2 === 1,
	),
	simpleBet(
		{ code: 'bahar', name: 'Bahar', pays: hundredths(200), chance: chanceWhere((position) => position % 2 === 0) },
		({ cards }) => cards.length % 2 === 0,
	),
	...COUNTS.map((range) => countBet(...range)),
	jokerBet('red', 'red', [190, fraction(1, 2)], isRed),
	jokerBet('black', 'black', [190, fraction(1, 2)], (card) => !isRed(card)),
	...SUIT_CODES.map((code, suit) =>
		jokerBet(code, SUITS[suit] as string, [380, fraction(1, 4)], (card) => suitOf(card) === suit),
	),
	...RANKS.map((text, rank) =>
		jokerBet(`rank-${text}`, text, [1_235, fraction(1, 13)], (card) => rankOf(card) === rank),
	),
];

export const andarBahar: TableGame<AndarBaharOutcome> = {
	code: 'andar-bahar',
	name: 'Andar Bahar',
	kind: 'table',
	summary: 'Cards go left and right until one matches the joker.',
	rules: [
		'One pack, shuffled before every round. The first card is the joker.',
		'Then cards go to Andar and Bahar by turns, Andar first, until a card has the joker’s rank.',
		'The side with that card wins. The number of cards does not count the joker.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => {
		const deal = dealerOf(draw);
		const joker = deal();
		const cards: Card[] = [];
		do cards.push(deal());
		while (rankOf(cards.at(-1) as Card) !== rankOf(joker));
		return { joker, cards };
	},
	describe: ({ joker, cards }) =>
		`Joker ${cardText(joker)}, ${cards.length % 2 === 1 ? 'Andar' : 'Bahar'} with card ${cards.length}`,
	windowMs: 15_000,
	revealsOf: ({ joker, cards }) => {
		const stepMs = Math.min(700, Math.max(150, Math.floor(LONGEST_DEAL_MS / cards.length)));
		const parts = cards.map((_, last) => ({ joker, cards: cards.slice(0, last + 1) }));
		const dealt = dealtEvery<AndarBaharOutcome>(stepMs, parts);
		return [
			{ atMs: JOKER_MS, shown: { joker } },
			...dealt.map(({ atMs, shown }) => ({ atMs: JOKER_MS + atMs, shown })),
		];
	},
	holdMs: 1_500,
	// Bets depend on the joker and on the number of dealt cards.
	faces: () => [
		faceOf(
			bets,
			PACK.flatMap((joker) =>
				COUNTS.flatMap(([from]) => [from, from + 1]).map((count) => ({ joker, cards: Array<Card>(count).fill(joker) })),
			),
		),
	],
	markOf: ({ cards }) => ({ side: cards.length % 2 === 1 ? 'andar' : 'bahar', text: String(cards.length) }),
};
