/**
 * What src/values decides, over the same memory: what bets are worth where a market has another number of winners than
 * one, pays places or has lines for prices, and the rules of a single bet that the slip shows. src/engine/positions.ts
 * passes these functions in.
 */
export declare function addUnmatched(position: i32, runner: i32, side: i32, price: i32, stake: i32): void;
/** @param value Σ stake × price; on a line, of a single fill */
export declare function addMatched(position: i32, runner: i32, side: i32, value: f64, stake: f64): void;
/** Paise to be held for a position; with its matched bets alone. */
export declare function exposure(position: i32): f64;
export declare function matchedExposure(position: i32): f64;
/** The largest figure of the matched bets that a bet on a runner adds to. */
export declare function largestFigure(position: i32, runner: i32): f64;
/** The most that a bet can win, hundredths of a paisa. */
export declare function mostProfit(market: i32, side: i32, price: i32, stake: i32): f64;
/** Whether a stake is too small for its price to be paid fairly. */
export declare function profitRatioIsUnfair(price: i32, stake: i32): bool;
