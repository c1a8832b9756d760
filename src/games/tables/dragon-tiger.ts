import { type Card, cardText, dealerOf, isOdd, isRed, PACK, rankOf } from '#games/cards.ts';
import { type Fraction, fraction, hundredths } from '#games/fraction.ts';
import { type Bet, betFinder, dealtEvery, faceOf, simpleBet, type TableGame } from '#games/game.ts';

export interface DragonTigerOutcome {
	dragon: Card;
	tiger: Card;
}
type Side = keyof DragonTigerOutcome;

const PACKS = 8;
const NAMES: Record<Side, string> = { dragon: 'Dragon', tiger: 'Tiger' };
const otherOf = (side: Side): Side => (side === 'dragon' ? 'tiger' : 'dragon');
const isTie = ({ dragon, tiger }: DragonTigerOutcome): boolean => rankOf(dragon) === rankOf(tiger);

const sideBet = (side: Side): Bet<DragonTigerOutcome> => ({
	code: side,
	name: NAMES[side],
	prizes: [
		{ name: 'Higher card', pays: hundredths(200), chance: fraction(192, 415) },
		{ name: 'Tie: half the stake back', pays: hundredths(50), chance: fraction(31, 415) },
	],
	prizeOf: (outcome) => (isTie(outcome) ? 1 : rankOf(outcome[side]) > rankOf(outcome[otherOf(side)]) ? 0 : null),
});

const cardBets = (side: Side): Bet<DragonTigerOutcome>[] => {
	const bet = (code: string, name: string, [pays, chance]: [number, Fraction], wins: (card: Card) => boolean) =>
		simpleBet<DragonTigerOutcome>(
			{ code: `${side}-${code}`, name: `${NAMES[side]} ${name}`, pays: hundredths(pays), chance },
			(outcome) => wins(outcome[side]),
		);
	return [
		bet('odd', 'odd', [180, fraction(7, 13)], isOdd),
		bet('even', 'even', [210, fraction(6, 13)], (card) => !isOdd(card)),
		bet('red', 'red', [190, fraction(1, 2)], isRed),
		bet('black', 'black', [190, fraction(1, 2)], (card) => !isRed(card)),
	];
};

const bets: readonly Bet<DragonTigerOutcome>[] = [
	sideBet('dragon'),
	simpleBet({ code: 'tie', name: 'Tie', pays: hundredths(1_200), chance: fraction(31, 415) }, isTie),
	sideBet('tiger'),
	simpleBet(
		{ code: 'suited-tie', name: 'Suited tie', pays: hundredths(5_100), chance: fraction(7, 415) },
		({ dragon, tiger }) => dragon === tiger,
	),
	...cardBets('dragon'),
	...cardBets('tiger'),
];

export const dragonTiger: TableGame<DragonTigerOutcome> = {
	code: 'dragon-tiger',
	name: 'Dragon Tiger',
	kind: 'table',
	summary: 'One card each: the higher one wins.',
	rules: [
		'Eight packs, shuffled before every round. Dragon gets a card, then Tiger.',
		'The ace is the lowest card, the king the highest; suits do not count.',
		'At a tie, bets on Dragon and Tiger get half their stake back.',
		'Odd cards are A, 3, 5, 7, 9, J and K.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => {
		const deal = dealerOf(draw, PACK, PACKS);
		return { dragon: deal(), tiger: deal() };
	},
	describe: ({ dragon, tiger }) => `Dragon ${cardText(dragon)}, Tiger ${cardText(tiger)}`,
	windowMs: 12_000,
	revealsOf: ({ dragon, tiger }) => dealtEvery<DragonTigerOutcome>(1_300, [{ dragon }, { dragon, tiger }]),
	holdMs: 1_500,
	faces: () => [
		faceOf(
			bets,
			PACK.flatMap((dragon) => PACK.map((tiger) => ({ dragon, tiger }))),
		),
	],
	markOf: (outcome) => {
		if (isTie(outcome)) return { side: 'tie', text: '=' };
		return rankOf(outcome.dragon) > rankOf(outcome.tiger)
			? { side: 'dragon', text: 'D' }
			: { side: 'tiger', text: 'T' };
	},
};
