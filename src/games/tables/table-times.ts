/** How long the parts of a round at a table last, besides the time for bets, which is the game's own. The rules state them. */

/** From the lock, or the value that decides, to the result: the dealing, and the look at it. */
export const MOST_DEALING_MS = 14_000;
/** From the result to the next round. */
export const AFTER_RESULT_MS = 5_000;
