import { type Card, cardsText, dealerOf } from '#games/cards.ts';
import { fraction, hundredths } from '#games/fraction.ts';
import { type Bet, betFinder, dealtEvery, type Faces, type Prize, simpleBet, type TableGame } from '#games/game.ts';
import {
	handOf,
	isTopTrail,
	SIX_CARD_HANDS,
	type SixCardHand,
	scoreOf,
	sixCardHandOf,
} from '#games/tables/teen-patti-hand.ts';

export interface TeenPattiOutcome {
	a: readonly Card[];
	b: readonly Card[];
}
type Side = keyof TeenPattiOutcome;
const otherOf = (side: Side): Side => (side === 'a' ? 'b' : 'a');
const nameOf = (side: Side): string => `Player ${side.toUpperCase()}`;

const HAND_COUNT = 22_100;
const TIE = fraction(1_083, 978_775);

const sideBet = (side: Side): Bet<TeenPattiOutcome> => ({
	code: side,
	name: nameOf(side),
	prizes: [
		{ name: 'Higher hand', pays: hundredths(195), chance: fraction(488_846, 978_775) },
		{ name: 'Tie: stake back', pays: hundredths(100), chance: TIE },
	],
	prizeOf: (outcome) => {
		const [own, other] = [scoreOf(outcome[side]), scoreOf(outcome[otherOf(side)])];
		return own === other ? 1 : own > other ? 0 : null;
	},
});

const PAIR_PLUS: readonly Prize[] = [
	{ name: 'Three aces', pays: hundredths(5_100), chance: fraction(4, HAND_COUNT) },
	{ name: 'Other trail', pays: hundredths(4_100), chance: fraction(48, HAND_COUNT) },
	{ name: 'Pure sequence', pays: hundredths(3_100), chance: fraction(48, HAND_COUNT) },
	{ name: 'Sequence', pays: hundredths(700), chance: fraction(720, HAND_COUNT) },
	{ name: 'Colour', pays: hundredths(400), chance: fraction(1_096, HAND_COUNT) },
	{ name: 'Pair', pays: hundredths(200), chance: fraction(3_744, HAND_COUNT) },
];
const PAIR_PLUS_HANDS = ['trail', 'pure sequence', 'sequence', 'colour', 'pair'];

const pairPlus = (side: Side): Bet<TeenPattiOutcome> => ({
	code: `${side}-pair-plus`,
	name: `${nameOf(side)} pair plus`,
	prizes: PAIR_PLUS,
	prizeOf: (outcome) => {
		const score = scoreOf(outcome[side]);
		if (isTopTrail(score)) return 0;
		const prize = PAIR_PLUS_HANDS.indexOf(handOf(score));
		return prize < 0 ? null : prize + 1;
	},
});

const SIX_CARD_DEALS = 20_358_520;
const SIX_CARD_TERMS: Readonly<Record<SixCardHand, readonly [pays: number, deals: number]>> = {
	'three of a kind': [800, 732_160],
	straight: [1_100, 361_620],
	flush: [1_600, 205_792],
	'full house': [2_100, 165_984],
	'four of a kind': [10_100, 14_664],
	'straight flush': [20_100, 1_656],
	'royal flush': [100_100, 188],
};

const sixCardBonus: Bet<TeenPattiOutcome> = {
	code: 'six-card-bonus',
	name: 'Six-card bonus',
	prizes: SIX_CARD_HANDS.map((hand) => {
		const [pays, deals] = SIX_CARD_TERMS[hand];
		const name = `${hand.slice(0, 1).toUpperCase()}${hand.slice(1)}`;
		return { name, pays: hundredths(pays), chance: fraction(deals, SIX_CARD_DEALS) };
	}),
	prizeOf: ({ a, b }) => {
		const hand = sixCardHandOf([...a, ...b]);
		return hand && SIX_CARD_HANDS.indexOf(hand);
	},
};

const bets: readonly Bet<TeenPattiOutcome>[] = [
	sideBet('a'),
	simpleBet(
		{ code: 'tie', name: 'Tie', pays: hundredths(80_100), chance: TIE },
		({ a, b }) => scoreOf(a) === scoreOf(b),
	),
	sideBet('b'),
	pairPlus('a'),
	pairPlus('b'),
	sixCardBonus,
];

/** Three aces, another trail, a pure sequence, a sequence, a colour, a pair, and none of these. */
const THREE_CARDS: readonly (readonly Card[])[] = [
	[0, 13, 26],
	[1, 14, 27],
	[3, 4, 5],
	[3, 4, 18],
	[1, 4, 8],
	[1, 14, 8],
	[1, 17, 8],
];
/** The hands of the six-card bonus from the highest to the lowest, and none. */
const SIX_CARDS: readonly (readonly Card[])[] = [
	[0, 9, 10, 11, 12, 14],
	[1, 2, 3, 4, 5, 20],
	[1, 14, 27, 40, 6, 8],
	[1, 14, 27, 6, 19, 9],
	[1, 3, 6, 8, 10, 20],
	[1, 15, 3, 17, 5, 24],
	[1, 14, 27, 6, 21, 10],
	[1, 16, 6, 21, 10, 25],
];
const [HIGH = [], TRAIL = []] = [THREE_CARDS.at(-1), THREE_CARDS[0]];

/** A player's hand, the other's and all six cards are treated as separate sets: their sum is an upper bound. */
const FACES: readonly Faces<TeenPattiOutcome>[] = [
	{
		bets: ['a', 'tie', 'b'],
		outcomes: [
			{ a: TRAIL, b: HIGH },
			{ a: HIGH, b: HIGH },
			{ a: HIGH, b: TRAIL },
		],
	},
	{ bets: ['a-pair-plus'], outcomes: THREE_CARDS.map((a) => ({ a, b: HIGH })) },
	{ bets: ['b-pair-plus'], outcomes: THREE_CARDS.map((b) => ({ a: HIGH, b })) },
	{ bets: ['six-card-bonus'], outcomes: SIX_CARDS.map((six) => ({ a: six.slice(0, 3), b: six.slice(3) })) },
];

export const teenPatti: TableGame<TeenPattiOutcome> = {
	code: 'teen-patti-20-20',
	name: 'Teen Patti 20-20',
	kind: 'table',
	summary: 'Three cards each: the higher hand wins.',
	rules: [
		'One pack, shuffled before every round. Players A and B get three cards each, by turns, A first.',
		'From the highest: trail, pure sequence, sequence, colour, pair, high card. A-K-Q is the highest sequence, then A-2-3.',
		'At a tie, bets on A and B get their stake back.',
		'Pair plus pays by the three cards of one player. The six-card bonus pays by the best five of all six cards.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => {
		const deal = dealerOf(draw);
		const cards = Array.from({ length: 6 }, deal);
		return { a: cards.filter((_, index) => index % 2 === 0), b: cards.filter((_, index) => index % 2 === 1) };
	},
	describe: ({ a, b }) => `A ${cardsText(a)}, B ${cardsText(b)}`,
	windowMs: 15_000,
	revealsOf: ({ a, b }) =>
		dealtEvery<TeenPattiOutcome>(
			900,
			[1, 2, 3, 4, 5, 6].map((dealt) => ({
				a: a.slice(0, Math.ceil(dealt / 2)),
				b: b.slice(0, Math.floor(dealt / 2)),
			})),
		),
	holdMs: 1_500,
	faces: () => FACES,
	markOf: ({ a, b }) => {
		const lead = scoreOf(a) - scoreOf(b);
		if (lead === 0) return { side: 'tie', text: '=' };
		return lead > 0 ? { side: 'a', text: 'A' } : { side: 'b', text: 'B' };
	},
};
