/** The shapes of the server's answers, in the site's own units. */

import type { AnswerOf } from '#web/api/units.ts';

export type SportTree = AnswerOf<'treeSportWithEvent'>;
export type EventSummary = SportTree[number]['events'][number];
export type PricedEvent = AnswerOf<'closest'>[number];
export type EventMarkets = AnswerOf<'getMarketsByEventId'>;
export type Market = EventMarkets['markets'][number];
export type OpenBets = AnswerOf<'getUserOpenBets'>;
export type OpenBet = OpenBets['openBets'][number];
export type PlacedBet = AnswerOf<'placeBetV2'>;
export type ProfitLoss = AnswerOf<'getUserExpectedProfitLoss'>;
export type ScoreCard = AnswerOf<'getScoreCard'>;
export type CashOutQuote = AnswerOf<'cashOutQuote'>;
export type LadderFigures = AnswerOf<'getLadder'>;
export type HistoryPage = AnswerOf<'getUserBetHistory'>;
export type SettledProfitLoss = AnswerOf<'getUserProfitLoss'>;
export type StatementPage = AnswerOf<'getTransactionHistory'>;
export type MoneySummary = AnswerOf<'getMoneySummary'>;
export type TransactionDetail = AnswerOf<'getTransactionDetail'>;
export type ActivityPage = AnswerOf<'getActivity'>;
export type Contact = AnswerOf<'getContact'>;
export type LoginAttempts = AnswerOf<'getUserLoginAttempts'>;
export type WalletLeaves = AnswerOf<'getWalletProof'>;
export type Login = AnswerOf<'authenticate'>;
