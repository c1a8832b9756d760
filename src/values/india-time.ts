/** The wall clock of players and operators, India's: five and a half hours ahead of UTC, the whole year. */
export const INDIA_OFFSET_MS = 330 * 60_000;
