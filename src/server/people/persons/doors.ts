/**
 * The doors that are closed to a barred player: an excluded one, one on a break, one with a closed or frozen account.
 * Code that takes a risk, brings money to play with, or brings other players, names its door when it calls
 * `Protection.admit` or `Protection.isBarred`. A new door is added here first, and the test over this list states its
 * behaviour.
 */
export const DOORS = {
	BET: 'a bet, from a page or from a bot',
	ROUND: 'a round of a game of the house',
	TABLE_BET: 'a bet at a table or in Crash, for this round or for the next one',
	LAUNCH: 'the way to a game of a provider',
	PROVIDER_STAKE: 'a stake in a game of a provider',
	UPI_ORDER: 'an order to deposit by UPI',
	UPI_PAYMENT: 'the payment of an order from before: it waits for operators',
	RECEIPT: 'a deposit that is reported by its receipt',
	SIGN_UP_COINS: 'the coins of a new account: none are given',
	DAILY_COINS: 'the coins of the day',
	BONUS: 'the claim of a bonus',
	REFERRAL_CODE: 'the code and the link that invite friends',
	REFERRAL_LINK: 'a registration with the code: it counts for neither of the two',
	REFERRAL_CLAIM: 'the reward for a friend',
	API_KEY: 'a key for a bot, made from the site or by another bot',
	BOT_LOGIN: 'the log-in of a bot',
	BOT_STREAM: 'the stream of a bot, which also ends when the player is barred',
} as const;

export type Door = keyof typeof DOORS;
