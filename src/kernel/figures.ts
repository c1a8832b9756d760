/**
 * Functions of src/values over the same memory: the worth of bets where a market has several winners, pays places or
 * has lines as prices, and the rules of a single bet that the slip shows. src/engine/figures.ts passes them in.
 */
export declare function addUnmatched(position: i32, runner: i32, side: i32, price: i32, stake: i32): void;
/** @param value Σ stake × price; on a line, of a single fill */
export declare function addMatched(position: i32, runner: i32, side: i32, value: f64, stake: f64): void;
/** Minor units to be held for a position; and for its matched bets alone. */
export declare function exposure(position: i32): f64;
export declare function matchedExposure(position: i32): f64;
/** The largest figure that a bet on a runner adds to. */
export declare function largestFigure(position: i32, runner: i32): f64;
/** The largest possible profit of a bet, hundredths of a minor unit. */
export declare function mostProfit(market: i32, side: i32, price: i32, stake: i32): f64;
/** Whether a stake is too small for its price to be settled fairly. */
export declare function profitRatioIsUnfair(price: i32, stake: i32): bool;
/** Whether a market takes what a request with these flags asks. */
export declare function takesTerms(market: i32, flags: i32): bool;
