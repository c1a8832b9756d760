/** The words of bonuses and referrals. */

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
		freeBet: 'What your next market loses comes back, up to this amount. The stake is never returned beside a win.',
		/** Of an offer whose amount is known. */
		wager: (amount: string) => `Wager ${amount} of your own money, and the bonus is yours.`,
		counts:
			'A settled market counts by what you could have lost in it. Backing and laying the same selection counts nothing.',
		sportsCount: (percent: number) => `Sports count ${percent} %.`,
		casinoCounts: (percent: number) =>
			percent === 0
				? 'Casino games count nothing.'
				: `A round in the casino counts ${percent} % of what it loses; a win counts nothing.`,
		until: (when: string) => `Claim by ${when}`,
		claim: 'Claim',
		claimed: (title: string) => `${title} is active.`,
		progress: (done: string, required: string) => `${done} of ${required} wagered`,
		left: (amount: string, when: string) => `${amount} to go until ${when}`,
		forfeit: 'A withdrawal, a self-exclusion or closing the account forfeits this bonus.',
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
			RELEASED: 'The wagering is done. The amount is in your balance.',
			FORFEITED: 'You withdrew or left before the wagering was done.',
			EXPIRED: 'The wagering was not done in time.',
			CANCELLED: 'Too little of it was left.',
			CLAWED_BACK: 'Our staff took it back. Support can say why.',
		},
	},
	referral: {
		title: 'Referral list',
		reward: (amount: string) => `${amount} for each friend`,
		closed: 'This site gives no rewards for friends now.',
		how: (deposit: string, wagered: string) =>
			`A friend signs up with your link, deposits ${deposit} and wagers ${wagered}. Then you can claim the reward, once for each friend.`,
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
