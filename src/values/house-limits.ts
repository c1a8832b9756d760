/** The limits of the house's own games, minor units. */

/** Stakes are whole rupees: payouts are rounded down to minor units, which would lower the return of smaller ones. */
export const STAKE_STEP_MINOR = 100;
/** ₹10. */
export const LEAST_STAKE_MINOR = 1_000;
/** The largest total stake of a player in a round: ₹1,00,000. */
export const LARGEST_STAKE_MINOR = 10_000_000;
/**
 * The largest total payout of a player in a round, and at least two fifths of the house's largest loss in it:
 * ₹10,00,000.
 */
export const LARGEST_PAYOUT_MINOR = 100_000_000;
/** A round with turns ends automatically this long after the player's last decision. */
export const ROUND_LEFT_HOURS = 24;
/**
 * The largest amount of one request of a provider: ₹100,00,00,000. An error in its units is refused, because it would
 * leave the house's account unable to pay any win.
 */
export const LARGEST_PROVIDER_PAYMENT_MINOR = 100_000_000_000;

/** A provider's largest payment for a bet without a stake, unless its game names a lower one: ₹10,000. */
export const LARGEST_FREE_WIN_MINOR = 1_000_000;
/**
 * The caps on a provider's payments on its word alone: ₹1,00,000 at once, ₹2,00,000 for a player in a day, ₹10,00,000
 * for all players in a day.
 */
export const LARGEST_PRIZE_MINOR = 10_000_000;
export const LARGEST_PRIZES_OF_PLAYER_MINOR = 20_000_000;
export const LARGEST_PRIZES_OF_PROVIDER_MINOR = 100_000_000;

/** The house's largest loss in a shared round, in one pool: this share of the result of the pool's casino … */
export const ROUND_LOSS_SHARE = 1 / 50;
/** … and at least ₹25,00,000. */
export const LEAST_ROUND_LOSS_MINOR = 250_000_000;

/** What a demo player begins with: ₹20,000. */
export const DEMO_GRANT_MINOR = 2_000_000;
