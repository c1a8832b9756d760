/** What counts as wagered, for a bonus, for a friend's referral and for the turnover before a withdrawal. */
import type { Price } from '#values/price-ladder.ts';

/** At shorter odds a bet risks next to nothing of its stake: it counts nothing. */
export const SHORTEST_WAGERED = 150 as Price;
