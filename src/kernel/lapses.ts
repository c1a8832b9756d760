/** The reasons for which a bet, or the rest of it, lapses as it is placed or admitted. */
export const NO_LAPSE: i32 = 0;
export const MARKET_VERSION: i32 = 1;
export const NOT_FILLED: i32 = 2;
export const SUSPENDED: i32 = 3;
export const SELF_MATCH: i32 = 4;
export const WOULD_MATCH: i32 = 5;
