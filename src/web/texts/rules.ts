/** The words of /rules, apart because only that screen loads them. */

export const RULES_TEXTS = {
	title: 'Rules',
	intro: 'What every bet here is matched, held and settled by.',
	sections: [
		{
			title: 'Backing and laying',
			text: [
				'A back bet wins when the runner wins: a stake of ₹100 at 3.00 wins ₹200. A lay bet wins when the runner does not: it wins the backer’s stake and risks stake × (odds − 1).',
				'You bet against other players. Odds run from 1.01 to 1000 in fixed steps.',
			],
		},
		{
			title: 'Matching',
			text: [
				'The best odds are taken first, and among equal odds the bet that came first. A bet is matched at the odds of the one that waited: if those are better than you asked, the difference is yours.',
				'What finds no match waits in the book until somebody takes it, you cancel it, or the market takes it off. A bet that would match your own waiting bet is refused.',
			],
		},
		{
			title: 'Balance and exposure',
			text: [
				'What a market can cost you at worst, waiting bets included, is held aside as exposure when a bet is accepted. Bets on several runners of one market are set off against each other; markets are not.',
			],
		},
		{
			title: 'In-play',
			text: [
				'While a match is in play a bet may wait some seconds before it reaches the book. It lapses if the market was suspended meanwhile. Waiting bets lapse when a market turns in-play, unless you asked to keep them.',
			],
		},
		{
			title: 'Suspension',
			text: [
				'A suspended market takes no bets and matches none. You may cancel waiting bets at any time while a market is open or suspended.',
			],
		},
		{
			title: 'Settlement and commission',
			text: [
				'A market is settled once its result is official. Commission is taken from what you win net in that market, never from a loss; its rate stands with the market.',
				'Your result is rounded once per market, to the nearest paisa.',
			],
		},
		{
			title: 'Dead heats, withdrawals and void bets',
			text: [
				'In a dead heat the stake is divided by the number who tied: that part wins at full odds and the rest loses.',
				'Bets on a runner that is withdrawn are void. The odds of matched bets on the others may be reduced by the runner’s reduction factor.',
				'A void bet returns its stake to both sides.',
			],
		},
		{
			title: 'Lost connections',
			text: [
				'A bet counts once the server has confirmed it, and then it stands, whatever happens to your connection. When the line is lost, prices are paused; open bets and the bet history show what was accepted.',
			],
		},
	],
} as const;
