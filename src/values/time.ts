/** Lengths of time; the days of India's calendar are server/funds/calendar. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The length of a player's break: a day to six weeks. */
export const TIME_OUT_HOURS = { least: 24, most: 1008 } as const;
