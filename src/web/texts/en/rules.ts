/** The texts of /rules, apart because only that screen loads them. */
import { SYMBOL } from '#web/currency.ts';

export const RULES_TEXTS = {
	title: 'Rules',
	intro: 'How bets are matched, held and settled.',
	programs: {
		title: 'Programs',
		text: 'Some players let programs bet for them. A program may be faster than you, and you may be matched with one.',
	},
	sections: [
		{
			title: 'Backing and laying',
			text: [
				`A back bet wins when the runner wins: a stake of ${SYMBOL}100 at 3.00 wins ${SYMBOL}200. A lay bet wins when the runner does not: it wins the backer’s stake and risks stake × (odds − 1).`,
				'You bet against other players. Odds run from 1.01 to 1000 in fixed steps.',
			],
		},
		{
			title: 'Matching',
			text: [
				'The best odds are matched first, and among equal odds the earliest bet. A bet is matched at the odds of the resting bet: if those are better than you asked for, you get the better odds.',
				'The unmatched part of a bet rests in the book until it is matched, cancelled or lapses. A bet that would match your own unmatched bet is refused.',
			],
		},
		{
			title: 'Balance and held money',
			text: [
				'When a bet is accepted, the largest loss that you can make in its market, unmatched bets included, is held, rounded up to the smallest unit of the currency. Bets on several runners of one market offset each other; bets in different markets do not.',
			],
		},
		{
			title: 'In-play',
			text: [
				'While a match is in play, a bet may be delayed for some seconds before it reaches the book. It lapses if the market is suspended during the delay. Unmatched bets lapse when a market turns in-play, unless you chose to keep them.',
			],
		},
		{
			title: 'Suspension',
			text: [
				'A suspended market takes no bets and matches none. You can cancel unmatched bets while a market is open or suspended.',
			],
		},
		{
			title: 'Settlement and commission',
			text: [
				'A market is settled once its result is official. Commission is taken from your net winnings in that market, never from a loss; each market shows its rate.',
				'Your result is rounded once per market, to the nearest minor unit.',
			],
		},
		{
			title: 'Dead heats, withdrawals and void bets',
			text: [
				'In a dead heat the stake is divided by the number of tied runners: that part wins at full odds and the rest loses.',
				'Bets on a runner that is withdrawn are void. The odds of matched bets on the others may be reduced by the runner’s reduction factor.',
				'A void bet returns its stake to both sides.',
			],
		},
		{
			title: 'Lost connections',
			text: [
				'A bet counts once the server has confirmed it, and then it stands, whatever happens to your connection. When the connection is lost, prices are paused; open bets and the bet history show the bets that were accepted.',
			],
		},
	],
};
