/** The house's limits on stakes and payouts in its own games, minor units. */
/** Stakes are whole rupees: payouts are rounded down to minor units, which would lower the return of smaller ones. */
export declare const STAKE_STEP_MINOR = 100;
/** ₹10. */
export declare const LEAST_STAKE_MINOR = 1000;
/** ₹1,00,000. */
export declare const LARGEST_STAKE_MINOR = 10000000;
/** The largest payout of one bet: ₹10,00,000. */
export declare const LARGEST_PAYOUT_MINOR = 100000000;
/** The house's largest loss in a shared round, in one pool: this share of the result of the pool's casino … */
export declare const ROUND_LOSS_SHARE: number;
/** … and at least ₹25,00,000. */
export declare const LEAST_ROUND_LOSS_MINOR = 250000000;
