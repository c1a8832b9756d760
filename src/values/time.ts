/** Lengths of time; days of a calendar are in zoned-calendar. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A timer that is set for longer, more than 24 days, ends at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The length of a player's break: a day to six weeks. */
export const TIME_OUT_HOURS = { least: 24, most: 1008 } as const;
