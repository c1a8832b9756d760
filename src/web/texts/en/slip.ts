/** The texts of the slip beyond the plain bet: policy, one-click betting, options, and how sides are named. */

import { TEXTS } from '#web/texts/en/first.ts';

/** The lists of bets. */
export const BET_WORDS = {
	...TEXTS.bets,
	empty: 'No open bets',
	emptyHint: 'Unmatched and running bets are listed here.',
	unmatched: 'Unmatched',
	matched: 'Matched',
	cancel: 'Cancel',
	cancelLabel: (side: string, runner: string, stake: string, price: string) =>
		`Cancel ${side} ${runner}, ${stake} at ${price}`,
	cancelled: (amount: string) => `${amount} cancelled.`,
	cancelAll: 'Cancel all unmatched',
	showMore: (left: number) => `Show more (${left} left)`,
	edit: 'Edit',
	editLabel: (side: string, runner: string, price: string) => `Edit ${side} ${runner} at ${price}`,
	noOdds: 'Enter odds such as 2.5.',
	newOdds: 'New odds',
	newStake: 'New stake',
	addsBet: 'The added stake is a bet of its own at these odds; the first one keeps its place.',
	save: 'Change bet',
	keep: 'Keep',
	replaced: (price: string) => `Your bet is now at ${price}.`,
	pending: 'In-play delay',
	at: (stake: string, price: string) => `${stake} at ${price}`,
	wins: 'Wins',
	risks: 'Risks',
	reference: (id: string) => `Bet ${id}`,
	goodTill: (time: string) => `Stands until ${time}`,
	goodUntilMatched: (amount: string) => `Stands until others have matched ${amount}`,
	postOnly: 'Is never matched as it arrives',
	persists: 'Stays when in-play',
	start: 'Starting price',
	startFrom: (price: string) => `Starting price of ${price} or more`,
	startTo: (price: string) => `Starting price of ${price} or less`,
};

/** Bets that are placed when a price is reached. */
export const TRIGGER_WORDS = {
	title: 'When a price is reached',
	rises: (price: string) => `When the last price rises to ${price}`,
	falls: (price: string) => `When the last price falls to ${price}`,
	bestRises: (price: string) => `When the best price rises to ${price}`,
	bestFalls: (price: string) => `When the best price falls to ${price}`,
	trails: (ticks: number) => `${ticks} ticks behind the best price`,
	due: 'Reached: your bet follows',
	cancel: 'Cancel',
	cancelLabel: (side: string, runner: string) => `Cancel the trigger: ${side} ${runner}`,
	cancelled: 'Cancelled.',
	iceberg: (stake: string, visible: string) => `Iceberg of ${stake}, shows ${visible} at a time`,
	peg: (stake: string, ticks: number) =>
		`Peg of ${stake} at the best price${ticks > 0 ? `, ${ticks} ticks better` : ''}`,
	bracket: (stake: string, aim: number, stop: number) => `Bracket of ${stake}: aim ${aim} ticks, stop ${stop} ticks`,
};

/** What becomes of an order beside the plain bet, in a sentence. */
export const ORDER_NOTICES = {
	waitsForStart: 'Your bet waits for the starting price.',
	planPlaced: 'Your order is placed, and the server looks after it.',
	triggerPlaced: 'Your bet is placed when the price is reached.',
	volumeReached: (runner: string) =>
		`Others matched as much as your bet on ${runner} waited for: what was unmatched lapsed.`,
	expired: (runner: string) => `Your bet on ${runner} stood until its time: what was unmatched lapsed.`,
	triggered: (runner: string) => `The price was reached: your bet on ${runner} is placed.`,
	triggerRefused: (runner: string) => `The price was reached, but your bet on ${runner} was refused.`,
	planRefused: (runner: string) =>
		`Your order on ${runner} can follow its rule no more: what was left of it is taken back.`,
};

/** Groups of bets that are cancelled together once much of them is matched at once. */
export const GROUP_WORDS = {
	title: 'Groups of bets',
	limit: (matched: string, most: string) => `${matched} of ${most} matched within 15 seconds`,
	takesBets: 'Takes bets',
	closed: (time: string) => `Closed at ${time}: too much was matched at once, the rest was cancelled`,
	reset: 'Reset',
	resetLabel: (name: string) => `Reset the group ${name}`,
	isReset: (name: string) => `${name} takes bets again.`,
};

const STEP_WORDS = { up: 'One tick up', down: 'One tick down' };

/** New odds for an unmatched bet. */
export const EDIT_WORDS = { ...BET_WORDS, ...STEP_WORDS };

/** What a non-runner changed about a matched bet. */
export const REDUCTION_WORDS = {
	price: (from: string, to: string, who: string) => `Odds reduced from ${from} to ${to}: ${who}.`,
	winnings: (from: string, to: string, who: string) => `Winnings reduced from odds of ${from} to ${to}: ${who}.`,
	withdrawn: (runner: string, percent: string) => `${runner} was withdrawn (${percent}\u00a0%)`,
};

/** How the sides are called, by how the market writes its prices. */
export const SIDE_WORDS = {
	ODDS: { BACK: 'Back', LAY: 'Lay' },
	RATE: { BACK: 'Back', LAY: 'Lay' },
	LINE: { BACK: 'Yes', LAY: 'No' },
	SPREAD: { BACK: 'Sell', LAY: 'Buy' },
};

export const SLIP_WORDS = {
	empty: 'Pick a price',
	/** What the colours mean. */
	legend: { BACK: 'Blue backs: the runner wins', LAY: 'Pink lays: it does not win' },
	odds: 'Odds',
	stake: 'Stake',
	...STEP_WORDS,
	remove: (runner: string) => `Remove ${runner} from the slip`,
	clear: 'Clear',
	clearAll: 'Clear all',
	max: 'Max',
	shareOfMax: (percent: number) => `${percent} % of the largest stake that balance and limits allow`,
	now: (quote: string) => `Now ${quote}`,
	wins: (amount: string) => `wins ${amount}`,
	profit: 'Profit',
	liability: 'Liability',
	risk: 'Risk',
	cost: 'Taken from balance',
	frees: 'Freed to balance',
	free: (amount: string) => `of ${amount} free`,
	limits: (min: string, max: string) => `Stake ${min} to ${max}`,
	logIn: 'Log in to bet',
	place: (bet: string, risk: string) => `${bet} · risk ${risk}`,
	/** Of a bet that is placed when a price is reached. */
	later: (bet: string) => `${bet} · waits for its price`,
	pending: 'Placing…',
	pendingIn: (seconds: number) => `Placing, ${seconds} s delay…`,
	gone: 'This price is no longer available.',
	waits: 'Your bet rests in the book at your price until it is matched.',
	unknown: 'No answer came back. Try again: the bet cannot be placed twice.',
	again: 'Try again',
	done: 'Done',
	betAgain: 'Bet again',
	matched: (stake: string, price: string) => `Matched: ${stake} at ${price}`,
	part: (stake: string, price: string, rest: string) => `Part matched: ${stake} at ${price}, ${rest} unmatched`,
	unmatched: (stake: string, price: string) => `Unmatched: ${stake} at ${price}`,
	delayed: 'Accepted. The in-play bet delay is running…',
	secondsLeft: (seconds: number) => `${seconds} s left`,
	lapsed: 'Lapsed: the market moved on before your bet could be matched.',
	ended: 'Nothing of this bet was matched, and it is no longer open.',
	reference: (id: string) => `Bet ${id}`,
	why: {
		noStake: 'Enter a stake.',
		badStake: 'Enter a stake, such as 100 or 99.50.',
		small: (min: string) => `The smallest stake here is ${min}.`,
		large: (max: string) => `The largest stake here is ${max}.`,
		funds: (free: string) => `This needs more than your free balance of ${free}.`,
		market: 'This market takes no bets now.',
		stale: 'Prices are paused: reconnecting.',
		login: 'Log in to bet.',
		when: 'Enter the odds or the ticks at which the bet is placed.',
		startLimit: 'Enter the worst starting price, or leave it empty.',
	},
	rate: 'Rate per 100',
	line: 'Line',
	ifPlaced: 'If only placed',
	eachWayStake: 'Your stake counts twice: once to win, once for a place.',
	more: 'More',
	keep: 'Keep when in-play',
	keepHint: 'The unmatched part stays when the match goes in-play; otherwise it lapses.',
	fillOrKill: 'Fill or kill',
	fillOrKillHint: 'The bet is matched in full at once, or not at all.',
	ifMet: 'If it would be matched at once',
	mayMatch: 'Match it',
	postOnly: { REFUSE: 'Do not place it', REPRICE: 'Move its price so that it waits' },
	goodTill: 'The unmatched part stands',
	goodTillCancelled: 'Until you cancel it',
	goodFor: (seconds: number) =>
		seconds < 3600 ? `For ${seconds / 60} min` : seconds === 3600 ? 'For 1 hour' : `For ${seconds / 3600} hours`,
	endsWithVolume: 'Cancel the unmatched part',
	anyVolume: 'Whatever others match',
	goodUntilMatched: (amount: string) => `Once others have matched ${amount}`,
	when: 'Place it',
	whens: {
		'': 'Now',
		RISES: 'When the last price rises to',
		FALLS: 'When the last price falls to',
		TRAILS_RISE: 'When it falls this far from its best',
		TRAILS_FALL: 'When it rises this far from its lowest',
		START: 'At the starting price',
		ICEBERG: 'Now, a part at a time (iceberg)',
		PEG: 'At the best price, up to these odds (peg)',
		BRACKET: 'Now, and closed at an aim or a stop (bracket)',
	},
	planFields: { ICEBERG: 'Amount shown', PEG: 'Ticks better than the best', BRACKET: 'Ticks to aim / to stop' },
	planHints: {
		ICEBERG: 'The next part follows when the one shown is matched, behind the others at these odds.',
		PEG: 'The server moves the bet with the best price of its side, never beyond these odds.',
		BRACKET:
			'What is matched is closed so many ticks better, or once the odds are so many ticks worse. For example: 5 / 3.',
	},
	whenPrice: 'Odds to reach',
	whenTicks: 'Ticks',
	startLimit: 'Worst price, if any',
	startNow: (price: string) => `${price} now`,
	startFar: (price: string) => `${price} without the book`,
	startUnknown: 'No price yet',
	startHint:
		'One price is found for all when the race starts. What finds no other side comes back to you; until then you can cancel.',
	atStart: (runner: string) => `${runner} at the starting price`,
	whenHint: 'The server watches the price, also when you are away. Your stake is held from now on.',
	options: 'Bet options',
	policy: 'When the odds move',
	policies: { ASK: 'Ask me', BETTER: 'Accept better', ANY: 'Accept any' },
	oneClick: 'One-click betting',
	oneClickHint: 'Pressing a price places the bet at once, without this slip.',
	oneClickOn: (stake: string) => `One-click is on · ${stake} per bet`,
	oneClickStake: 'One-click stake',
	turnOff: 'Turn off',
	movedBetter: (quote: string) => `The odds are better now: ${quote}.`,
	movedWorse: (quote: string) => `The odds moved to ${quote}.`,
	/** Beside a price of the player's own, whether or not the market moved. */
	onOffer: (quote: string) => `On offer now: ${quote}.`,
	follows: (quote: string) => `The odds moved: the bet takes ${quote}.`,
	accept: (quote: string) => `Accept ${quote}`,
	acceptAndBet: (quote: string, side: string, stake: string) => `Accept ${quote} · ${side.toLowerCase()} ${stake}`,
	keepOld: (quote: string) => `Keep ${quote}`,
	houseGone: 'The house offers no price now.',
	houseOnly: 'Bets are taken at the odds on offer only.',
	runnerClosed: 'Betting on this runner is suspended.',
	lineGone: 'This market is no longer listed.',
};

export const AMOUNT_WORDS = {
	either: (either: string, or: string) => `Do you mean ${either} or ${or}?`,
};
