/** The words of bonuses and referrals. Odds are the shortest that count, as the page writes odds. */
import { count } from '#web/texts/en/plural.ts';

export const REWARD_TEXTS = {
	demoCoins: 'Demo coins',
	bonus: {
		title: 'Bonuses',
		demo: 'Bonuses of a demo account are coins that cannot be paid out.',
		offers: 'Offers',
		active: 'Being wagered',
		ended: 'Earlier bonuses',
		none: 'No bonuses now',
		noneHint: 'New offers appear here.',
		kinds: {
			WELCOME: 'Welcome',
			FIRST_DEPOSIT: 'First deposit',
			RELOAD: 'Deposit',
			CASHBACK: 'Cashback',
			FREE_BET: 'Free bet',
			FREE_COINS: 'Free coins',
		},
		freeBet: (amount: string, odds: string) =>
			`The first match in which you risk ${amount} or more decides: what you lose there comes back, up to this amount, and after a win nothing does. Its first bet comes after the claim. Bets below ${odds} do not count.`,
		/** Of an offer whose amount is known. */
		wager: (amount: string) => `Wager ${amount} of your own money, and the bonus is yours.`,
		counts: (odds: string) =>
			`A settled match counts by the most that your bets at ${odds} or longer could have lost in it, won or lost. Bets that cancel each other out count only by what is left at risk; void bets count nothing.`,
		since: 'What counts begins after the claim: bets from before it count nothing.',
		sportsCount: (percent: number) => `Sports count ${percent} %.`,
		casinoCounts: (percent: number) =>
			percent === 0
				? 'Casino games count nothing.'
				: `A round in the casino counts ${percent} % of the most that its bets could have lost, won or lost.`,
		until: (when: string) => `Claim by ${when}`,
		claim: 'Claim',
		claimed: (title: string) => `${title} is active.`,
		progress: (done: string, required: string) => `${done} of ${required} wagered`,
		left: (amount: string, when: string) => `${amount} to go until ${when}`,
		expiry: (when: string) =>
			`What is not settled by ${when} does not count. The bonus ends then, and nothing of it is paid.`,
		forfeit: 'A withdrawal, a self-exclusion or closing the account forfeits this bonus.',
		fallen: 'So does taking back the deposit that it matches.',
		states: {
			OFFERED: 'Offer',
			ACTIVE: 'Active',
			RELEASED: 'Released',
			FORFEITED: 'Forfeited',
			EXPIRED: 'Expired',
			CANCELLED: 'Cancelled',
			CLAWED_BACK: 'Taken back',
		},
		says: {
			RELEASED: 'The amount is in your balance.',
			FORFEITED: 'You withdrew or left before the wagering was done, or the deposit was taken back.',
			EXPIRED: 'The wagering was not done in time.',
			CANCELLED: 'Our staff cancelled it. Support can say why.',
			CLAWED_BACK: 'Our staff took it back. Support can say why.',
		},
		freeBetSays: {
			RELEASED: 'What you lost is in your balance.',
			FORFEITED: 'You withdrew or left before a match decided it.',
			EXPIRED: 'You lost nothing in the match that decided it, or none did in time.',
		},
	},
	referral: {
		title: 'Referral list',
		reward: (amount: string) => `${amount} for each friend`,
		closed: 'This site gives no rewards for friends now.',
		how: (deposit: string, wagered: string) =>
			`A friend signs up with your link, deposits ${deposit} in all and wagers ${wagered} in sports. Then you can claim the reward, once for each friend.`,
		deposits: (hours: number) =>
			hours === 0
				? 'A deposit in dispute or taken back does not count.'
				: `A deposit counts ${count(hours, 'hour', 'hours')} after it was paid, unless it is in dispute or taken back.`,
		counts: (odds: string) =>
			`A settled match counts by the most that the friend’s bets at ${odds} or longer could have lost in it, won or lost. Casino games count nothing, nor does an account of your own or in your browser.`,
		most: (friends: number) => `You can claim for ${count(friends, 'friend', 'friends')} at most.`,
		demo: 'This is a demo account: the link is an example, and nobody can sign up with its code.',
		link: 'Your link',
		code: 'Your code',
		copy: 'Copy the link',
		copied: 'The link is copied.',
		notCopied: 'The link could not be copied. Mark it and copy it yourself.',
		share: 'Share',
		shareText: (site: string) => `Join me at ${site}`,
		friends: 'Friends',
		none: 'No friends yet',
		noneHint: 'Friends who sign up with your link appear here.',
		columns: { friend: 'Friend', joined: 'Joined', state: 'State', reward: 'Reward' },
		claim: 'Claim',
		claimOf: (friend: string) => `Claim the reward for ${friend}`,
		claimed: (amount: string) => `${amount} is in your balance.`,
		states: {
			LINKED: 'Signed up',
			QUALIFIED: 'Ready to claim',
			CLAIMED: 'Claimed',
			VOID: 'Does not count',
			CLAWED_BACK: 'Taken back',
		},
	},
};
