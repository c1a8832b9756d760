import { type Card, cardText, dealerOf, PACK, rankOf } from '#games/cards.ts';
import { fraction, hundredths } from '#games/fraction.ts';
import { betFinder, dealtEvery, faceOf, simpleBet, type TableGame } from '#games/game.ts';

/** The cards of Players 8, 9, 10 and 11; leaders with equal sums drew again. */
export type ThirtyTwoCardsOutcome = readonly (readonly Card[])[];

const NAMES = [8, 9, 10, 11];
const [SIX, KING] = [5, 12];
const CARDS = PACK.filter((card) => rankOf(card) >= SIX);

/** The name and all cards; 6 counts 6, the king 13. */
export const pointsOf = (player: number, cards: readonly Card[]): number =>
	cards.reduce((points, card) => points + rankOf(card) + 1, NAMES[player] as number);

/** The players with the most points, by index; after the draws of a round there is one. */
export function leadersOf(hands: ThirtyTwoCardsOutcome): number[] {
	const points = hands.map((cards, player) => pointsOf(player, cards));
	const most = Math.max(...points);
	return points.flatMap((sum, player) => (sum === most ? [player] : []));
}

const TERMS: readonly (readonly [pays: number, wins: number, of: number])[] = [
	[1_230, 845, 10_788],
	[590, 6_626, 40_455],
	[330, 47_417, 161_820],
	[208, 18_806, 40_455],
];

const bets = TERMS.map(([pays, wins, of], player) =>
	simpleBet<ThirtyTwoCardsOutcome>(
		{
			code: `player-${NAMES[player]}`,
			name: `Player ${NAMES[player]}`,
			pays: hundredths(pays),
			chance: fraction(wins, of),
		},
		(hands) => leadersOf(hands)[0] === player,
	),
);

export const thirtyTwoCards: TableGame<ThirtyTwoCardsOutcome> = {
	code: '32-cards',
	name: '32 Cards',
	kind: 'table',
	summary: 'Four players, one card each: the highest sum wins.',
	rules: [
		'Thirty-two cards, 6 to king, shuffled before every round. Players 8, 9, 10 and 11 get one card each, in this order.',
		'A player’s name and card are added: 6 counts 6, the jack 11, the queen 12, the king 13.',
		'The highest sum wins. Leaders with equal sums draw one more card each until one leads alone.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => {
		const deal = dealerOf(draw, CARDS);
		const hands = NAMES.map(() => [deal()]);
		for (let leaders = leadersOf(hands); leaders.length > 1; leaders = leadersOf(hands))
			for (const player of leaders) hands[player]?.push(deal());
		return hands;
	},
	describe: (hands) => hands.map((cards, player) => `${NAMES[player]}: ${cards.map(cardText).join(' ')}`).join(', '),
	windowMs: 12_000,
	revealsOf: (hands) => {
		const places = hands.flatMap((cards, player) => cards.map((_, turn) => ({ player, turn })));
		const order = places.sort((one, other) => one.turn - other.turn || one.player - other.player);
		const parts = order.map((_, last) => {
			const dealt = order.slice(0, last + 1);
			return hands.map((cards, player) =>
				cards.filter((_, turn) => dealt.some((at) => at.player === player && at.turn === turn)),
			);
		});
		return dealtEvery<ThirtyTwoCardsOutcome>(800, parts);
	},
	holdMs: 1_500,
	// A king for one player, sixes for the others.
	faces: () => [
		faceOf(
			bets,
			NAMES.map((_, winner) => NAMES.map((_, player) => [player === winner ? KING : SIX])),
		),
	],
	markOf: (hands) => {
		const name = String(NAMES[leadersOf(hands)[0] as number]);
		return { side: `player-${name}`, text: name };
	},
};
