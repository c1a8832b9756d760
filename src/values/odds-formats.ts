/**
 * The formats in which a player reads and types odds. Bets are placed, kept and sent at decimal prices, whatever format is
 * shown.
 */
export const ODDS_FORMATS = ['DECIMAL', 'FRACTIONAL', 'AMERICAN'] as const;
export type OddsFormat = (typeof ODDS_FORMATS)[number];
