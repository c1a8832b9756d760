import { type Card, cardsText, PACK, rankOf } from '#games/cards.ts';
import { type Fraction, fraction, hundredths, NONE } from '#games/fraction.ts';
import type { Turn, TurnGame } from '#games/game.ts';

export interface BlackjackShown {
	player: readonly Card[];
	/** The first one alone while the player decides. */
	dealer: readonly Card[];
	total: number;
	dealerTotal: number;
	/** Whether an ace counts eleven. */
	isSoft: boolean;
}

/** More than the longest hands of both sides need. */
const MOST_CARDS = 40;
/** The return of best play, rounded down to millionths; a test computes it from these rules. */
const BEST_PLAY: Fraction = fraction(988_323, 1_000_000);
/** The return of the worst play, rounded down to millionths; a test computes it, too. */
const WORST_PLAY: Fraction = fraction(327_810, 1_000_000);

/** Court cards count ten, an ace eleven where that does not pass 21. */
function countOf(cards: readonly Card[]): { total: number; isSoft: boolean } {
	const low = cards.reduce((sum, card) => sum + Math.min(rankOf(card) + 1, 10), 0);
	const isSoft = cards.some((card) => rankOf(card) === 0) && low + 10 <= 21;
	return { total: isSoft ? low + 10 : low, isSoft };
}

const isBlackjack = (cards: readonly Card[]): boolean => cards.length === 2 && countOf(cards).total === 21;

/** The dealer draws to 17 and stands on every 17. */
function dealerHand(first: Card, next: () => Card): Card[] {
	const cards = [first, next()];
	while (countOf(cards).total < 17) cards.push(next());
	return cards;
}

function paysFor(player: readonly Card[], dealer: readonly Card[], stakes: number): Fraction {
	const [own, other] = [countOf(player).total, countOf(dealer).total];
	if (own > 21) return NONE;
	if (isBlackjack(player)) return isBlackjack(dealer) ? hundredths(100) : hundredths(250);
	if (isBlackjack(dealer)) return NONE;
	if (other > 21 || own > other) return hundredths(200 * stakes);
	return own === other ? hundredths(100 * stakes) : NONE;
}

function shownOf(player: readonly Card[], dealer: readonly Card[]): BlackjackShown {
	const { total, isSoft } = countOf(player);
	return { player, dealer, total, dealerTotal: countOf(dealer).total, isSoft };
}

/** Cards are dealt player, dealer, player; the dealer's second card is the first that the dealer draws afterwards. */
function turnAfter(hidden: readonly Card[], _choice: string, actions: readonly string[]): Turn<BlackjackShown> | null {
	let dealt = 0;
	const next = (): Card => hidden[dealt++] as Card;
	const first = next();
	const up = next();
	const player = [first, next()];
	let stakes = 1;
	let isDone = countOf(player).total === 21;
	for (const action of actions) {
		if (isDone) return null;
		if (action === 'hit') player.push(next());
		else if (action === 'double' && player.length === 2) {
			player.push(next());
			stakes = 2;
		} else if (action !== 'stand') return null;
		isDone = action !== 'hit' || countOf(player).total >= 21;
	}
	if (!isDone) {
		const open = ['hit', 'stand', ...(player.length === 2 ? ['double'] : [])];
		return { shown: shownOf(player, [up]), actions: open, stakes, pays: NONE, result: '' };
	}
	const dealer = dealerHand(up, next);
	const result = `You ${cardsText(player)} (${countOf(player).total}), dealer ${cardsText(dealer)} (${countOf(dealer).total})`;
	return { shown: shownOf(player, dealer), actions: [], stakes, pays: paysFor(player, dealer, stakes), result };
}

export const blackjack: TurnGame<readonly Card[], BlackjackShown> = {
	code: 'blackjack',
	name: 'Blackjack',
	kind: 'turns',
	summary: 'Come nearer to 21 than the dealer.',
	rules: [
		'Each card is drawn from a full pack. Court cards count 10, an ace 1 or 11.',
		'Hit, stand, or double the stake on the first two cards for one more card. There is no splitting.',
		'The dealer draws to 17 and stands on every 17. A blackjack pays 3 to 2; equal totals return the stake.',
		'A dealer’s blackjack beats 21 of more cards and takes doubled stakes.',
	],
	bets: [{ code: '', name: 'Best play', prizes: [{ name: 'On average', pays: BEST_PLAY, chance: fraction(1) }] }],
	worstPlay: { name: 'hit on, whatever you have', returns: WORST_PLAY },
	isChoice: (choice) => choice === '',
	deal: (draw) => Array.from({ length: MOST_CARDS }, () => draw(PACK.length)),
	turnAfter,
	abandonedAction: () => 'stand',
	abandoned: 'you stand.',
	// What a deal pays depends on the player's decisions.
	decidedBets: () => [],
	mostAfter: ({ stakes }, action) => hundredths(action === 'double' ? 400 : 200 * stakes),
};
