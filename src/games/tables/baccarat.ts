import { type Card, cardsText, dealerOf, PACK, rankOf } from '#games/cards.ts';
import { type Fraction, fraction, hundredths } from '#games/fraction.ts';
import { type Bet, betFinder, dealtEvery, faceOf, simpleBet, type TableGame } from '#games/game.ts';

export interface BaccaratOutcome {
	player: readonly Card[];
	banker: readonly Card[];
}
type Side = keyof BaccaratOutcome;

const PACKS = 8;
const TIE = fraction(619_306_544_887n, 6_508_331_087_895n);
const SIDES: Readonly<Record<Side, { name: string; pays: number; chance: Fraction }>> = {
	player: { name: 'Player', pays: 200, chance: fraction(8_712_962_041_376n, 19_524_993_263_685n) },
	banker: { name: 'Banker', pays: 195, chance: fraction(8_954_111_587_648n, 19_524_993_263_685n) },
};

/** Tens and court cards count nothing; the last digit of the sum counts. */
export const totalOf = (cards: readonly Card[]): number =>
	cards.reduce((sum, card) => sum + (rankOf(card) < 9 ? rankOf(card) + 1 : 0), 0) % 10;

/** Whether the banker draws, by the banker's total and the player's third card; null when the player stood. */
export function bankerDraws(total: number, playerThird: Card | null): boolean {
	if (playerThird === null) return total <= 5;
	const third = totalOf([playerThird]);
	if (total <= 2) return true;
	if (total === 3) return third !== 8;
	if (total === 4) return third >= 2 && third <= 7;
	if (total === 5) return third >= 4 && third <= 7;
	return total === 6 && (third === 6 || third === 7);
}

const leadOf = ({ player, banker }: BaccaratOutcome): number => totalOf(player) - totalOf(banker);

const sideBet = (side: Side): Bet<BaccaratOutcome> => ({
	code: side,
	name: SIDES[side].name,
	prizes: [
		{ name: 'Higher total', pays: hundredths(SIDES[side].pays), chance: SIDES[side].chance },
		{ name: 'Tie: stake back', pays: hundredths(100), chance: TIE },
	],
	prizeOf: (outcome) => {
		const lead = leadOf(outcome);
		return lead === 0 ? 1 : lead > 0 === (side === 'player') ? 0 : null;
	},
});

const pairBet = (side: Side): Bet<BaccaratOutcome> =>
	simpleBet(
		{ code: `${side}-pair`, name: `${SIDES[side].name} pair`, pays: hundredths(1_200), chance: fraction(31, 415) },
		(outcome) => rankOf(outcome[side][0] as Card) === rankOf(outcome[side][1] as Card),
	);

const bets: readonly Bet<BaccaratOutcome>[] = [
	sideBet('player'),
	simpleBet({ code: 'tie', name: 'Tie', pays: hundredths(900), chance: TIE }, (outcome) => leadOf(outcome) === 0),
	sideBet('banker'),
	pairBet('player'),
	pairBet('banker'),
];

/** Cards of these ranks, from the ace on: a total of four, six and eight, with a pair and without one. */
const HANDS: readonly (readonly Card[])[] = [
	[1, 1],
	[0, 2],
	[2, 2],
	[1, 3],
	[3, 3],
	[2, 4],
];
const FACES: readonly BaccaratOutcome[] = HANDS.flatMap((player) => HANDS.map((banker) => ({ player, banker })));

export const baccarat: TableGame<BaccaratOutcome> = {
	code: 'baccarat',
	name: 'Baccarat',
	kind: 'table',
	summary: 'Player or banker: the total nearer to nine wins.',
	rules: [
		'Eight packs, shuffled before every round. Player and banker get two cards each, by turns, player first.',
		'The ace counts 1, tens and court cards nothing; the last digit of the sum counts.',
		'With 8 or 9 on either side no more cards are drawn. Otherwise the player draws up to 5, and the banker by the third-card table.',
		'At a tie, bets on player and banker get their stake back. Banker pays 0.95 to 1.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => {
		const deal = dealerOf(draw, PACK, PACKS);
		const [first, second, third, fourth] = [deal(), deal(), deal(), deal()];
		const [player, banker] = [
			[first, third],
			[second, fourth],
		];
		if (totalOf(player) >= 8 || totalOf(banker) >= 8) return { player, banker };
		const playerThird = totalOf(player) <= 5 ? deal() : null;
		if (playerThird !== null) player.push(playerThird);
		const bankerTotal = totalOf(banker);
		return { player, banker: bankerDraws(bankerTotal, playerThird) ? [...banker, deal()] : banker };
	},
	describe: (outcome) =>
		`Player ${cardsText(outcome.player)} (${totalOf(outcome.player)}), banker ${cardsText(outcome.banker)} (${totalOf(outcome.banker)})`,
	windowMs: 12_000,
	revealsOf: ({ player, banker }) => {
		// By turns; a banker's third card lies last.
		const turns = [0, 1, 2].flatMap((turn) => [
			...(turn < player.length ? [{ player: turn + 1, banker: Math.min(turn, banker.length) }] : []),
			...(turn < banker.length ? [{ player: Math.min(turn + 1, player.length), banker: turn + 1 }] : []),
		]);
		const parts = turns.map((dealt) => ({
			player: player.slice(0, dealt.player),
			banker: banker.slice(0, dealt.banker),
		}));
		return dealtEvery<BaccaratOutcome>(900, parts);
	},
	holdMs: 1_500,
	faces: () => [faceOf(bets, FACES)],
	markOf: (outcome) => {
		const lead = leadOf(outcome);
		if (lead === 0) return { side: 'tie', text: '=' };
		return lead > 0 ? { side: 'player', text: 'P' } : { side: 'banker', text: 'B' };
	},
};
