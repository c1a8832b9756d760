/** The limits of the house's own games, paise. */

/** Stakes are whole rupees: payouts are rounded down to paise, which would lower the return of smaller ones. */
export const STAKE_STEP_PAISE = 100;
/** ₹10. */
export const LEAST_STAKE_PAISE = 1_000;
/** What a player stakes in a round at most: ₹1,00,000. */
export const LARGEST_STAKE_PAISE = 10_000_000;
/** What a player is paid for a round at most, and two fifths of what the house can lose in it at least: ₹10,00,000. */
export const LARGEST_PAYOUT_PAISE = 100_000_000;
/** A round with turns ends by itself so long after the player's last decision. */
export const ROUND_LEFT_HOURS = 24;
/**
 * The most that one request of a provider moves: ₹100,00,00,000. A mistake in its units is refused, because it would leave
 * the house's account where no win of anybody's can be paid.
 */
export const LARGEST_PROVIDER_PAYMENT_PAISE = 100_000_000_000;

/** What a provider pays for a bet without a stake, where its game names no less: ₹10,000. */
export const LARGEST_FREE_WIN_PAISE = 1_000_000;
/** What a provider moves by its word alone: at once ₹1,00,000, for a player in a day ₹2,00,000, for all of them ₹10,00,000. */
export const LARGEST_PRIZE_PAISE = 10_000_000;
export const LARGEST_PRIZES_OF_PLAYER_PAISE = 20_000_000;
export const LARGEST_PRIZES_OF_PROVIDER_PAISE = 100_000_000;

/** What the house can lose in a round that everybody plays, in one pool: this share of what the pool's casino has won … */
export const ROUND_LOSS_SHARE = 1 / 50;
/** … and at least ₹25,00,000. */
export const LEAST_ROUND_LOSS_PAISE = 250_000_000;
