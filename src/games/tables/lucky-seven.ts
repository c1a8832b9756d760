import { type Card, cardText, isOdd, isRed, PACK, RANKS, rankOf } from '#games/cards.ts';
import { type Fraction, fraction, hundredths } from '#games/fraction.ts';
import { type Bet, betFinder, dealtEvery, faceOf, simpleBet, type TableGame } from '#games/game.ts';

const SEVEN = 6;

const halfBet = (code: string, name: string, wins: (rank: number) => boolean): Bet<Card> => ({
	code,
	name,
	prizes: [
		{ name, pays: hundredths(200), chance: fraction(6, 13) },
		{ name: 'Seven: half the stake back', pays: hundredths(50), chance: fraction(1, 13) },
	],
	prizeOf: (card) => (rankOf(card) === SEVEN ? 1 : wins(rankOf(card)) ? 0 : null),
});

const bet = (code: string, name: string, [pays, chance]: [number, Fraction], wins: (card: Card) => boolean) =>
	simpleBet<Card>({ code, name, pays: hundredths(pays), chance }, wins);

const bets: readonly Bet<Card>[] = [
	halfBet('low', 'Low: A to 6', (rank) => rank < SEVEN),
	bet('seven', 'Seven', [1_200, fraction(1, 13)], (card) => rankOf(card) === SEVEN),
	halfBet('high', 'High: 8 to K', (rank) => rank > SEVEN),
	bet('even', 'Even', [200, fraction(6, 13)], (card) => !isOdd(card)),
	bet('odd', 'Odd', [180, fraction(7, 13)], isOdd),
	bet('red', 'Red', [190, fraction(1, 2)], isRed),
	bet('black', 'Black', [190, fraction(1, 2)], (card) => !isRed(card)),
	...RANKS.map((text, rank) =>
		bet(`rank-${text}`, `Card ${text}`, [1_235, fraction(1, 13)], (card) => rankOf(card) === rank),
	),
];

export const luckySeven: TableGame<Card> = {
	code: 'lucky-7',
	name: 'Lucky 7',
	kind: 'table',
	summary: 'One card: below seven, seven, or above.',
	rules: [
		'One pack, shuffled before every round, and one card. The ace is 1, the king 13.',
		'At a seven, bets on low and high get half their stake back.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => draw(PACK.length),
	describe: cardText,
	windowMs: 10_000,
	revealsOf: (card) => dealtEvery<Card>(1_500, [card]),
	holdMs: 1_500,
	faces: () => [faceOf(bets, PACK)],
	markOf: (card) => {
		const rank = rankOf(card);
		return { side: rank === SEVEN ? 'seven' : rank < SEVEN ? 'low' : 'high', text: RANKS[rank] as string };
	},
};
