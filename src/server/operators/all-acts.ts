/** Every act of the contract; a call without an act, or one that needs two persons without a preview, is a type error here. */

import type { OperatorCallName } from '#contract/operators/registry.ts';
import { type Act, type ActsOf, actOf, type PreviewsOf, type TwoPersonName } from '#server/operators/act.ts';
import { BOOKS_ACTS } from '#server/operators/books-acts.ts';
import { BRAND_ACTS, BRAND_PREVIEWS } from '#server/operators/brand-acts.ts';
import { BRAND_CHANGE_ACTS, BRAND_CHANGE_PREVIEWS } from '#server/operators/brand-change-acts.ts';
import { CAMPAIGN_ACTS, CAMPAIGN_PREVIEWS } from '#server/operators/campaign-acts.ts';
import { CASE_ACTS, CASE_PREVIEWS } from '#server/operators/case-acts.ts';
import { CASINO_ACTS } from '#server/operators/casino-acts.ts';
import { DOCUMENT_ACTS } from '#server/operators/document-acts.ts';
import { ERASE_ACTS, ERASE_PREVIEWS } from '#server/operators/erase-acts.ts';
import { EVENT_ACTS } from '#server/operators/event-acts.ts';
import { FLOOR_ACTS } from '#server/operators/floor-acts.ts';
import { GAME_RULE_ACTS } from '#server/operators/game-rule-acts.ts';
import { HEALTH_ACTS } from '#server/operators/health-acts.ts';
import { JOURNAL_ACTS } from '#server/operators/journal-acts.ts';
import { LIMIT_RULE_ACTS, LIMIT_RULE_PREVIEWS } from '#server/operators/limit-rule-acts.ts';
import { MARKET_ACTS, MARKET_PREVIEWS } from '#server/operators/market-acts.ts';
import { MARKET_BETS_ACTS } from '#server/operators/market-bets-acts.ts';
import { MESSAGE_ACTS } from '#server/operators/message-acts.ts';
import { PANIC_ACTS } from '#server/operators/panic-acts.ts';
import { PAYMENT_ACTS } from '#server/operators/payment-acts.ts';
import { PERSON_ACTS, PERSON_PREVIEWS } from '#server/operators/person-acts.ts';
import { PLAYER_ACTS } from '#server/operators/player-acts.ts';
import { PLAYER_LOGIN_PREVIEWS, PLAYER_NOTE_ACTS } from '#server/operators/player-note-acts.ts';
import { PLAYER_PAGE_ACTS } from '#server/operators/player-page.ts';
import { POSTING_ACTS } from '#server/operators/posting-acts.ts';
import { type ProposalName, proposalActs } from '#server/operators/proposal-acts.ts';
import { Proposals } from '#server/operators/proposals.ts';
import { REFERENCE_ACTS } from '#server/operators/reference-acts.ts';
import { REPLAY_ACTS } from '#server/operators/replay-acts.ts';
import { REPORT_ACTS } from '#server/operators/report-acts.ts';
import { RESULT_DESK_ACTS } from '#server/operators/result-desk-acts.ts';
import { RISK_ACTS } from '#server/operators/risk-acts.ts';
import { SIGNIFICANT_EVENT_ACTS } from '#server/operators/significant-event-acts.ts';
import { STAFF_ACTS, STAFF_PREVIEWS } from '#server/operators/staff-acts.ts';
import { STANDBY_ACTS } from '#server/operators/standby-acts.ts';
import { SUPPORT_ACTS } from '#server/operators/support-acts.ts';
import { TAX_ACTS } from '#server/operators/tax-acts.ts';
import { TODAY_ACTS } from '#server/operators/today-acts.ts';
import { TRADE_ACTS } from '#server/operators/trade-acts.ts';
import { WEBHOOK_ACTS, WEBHOOK_PREVIEWS } from '#server/operators/webhook-acts.ts';

const SINGLE: ActsOf<Exclude<OperatorCallName, ProposalName>> = {
	...MARKET_ACTS,
	...TRADE_ACTS,
	...EVENT_ACTS,
	...MESSAGE_ACTS,
	...PANIC_ACTS,
	...FLOOR_ACTS,
	...MARKET_BETS_ACTS,
	...LIMIT_RULE_ACTS,
	...REPLAY_ACTS,
	...RESULT_DESK_ACTS,
	...RISK_ACTS,
	...PLAYER_ACTS,
	...BOOKS_ACTS,
	...CAMPAIGN_ACTS,
	...STAFF_ACTS,
	...TODAY_ACTS,
	...PAYMENT_ACTS,
	...PLAYER_PAGE_ACTS,
	...PLAYER_NOTE_ACTS,
	...ERASE_ACTS,
	...REFERENCE_ACTS,
	...PERSON_ACTS,
	...DOCUMENT_ACTS,
	...SUPPORT_ACTS,
	...CASE_ACTS,
	...BRAND_ACTS,
	...BRAND_CHANGE_ACTS,
	...CASINO_ACTS,
	...GAME_RULE_ACTS,
	...REPORT_ACTS,
	...TAX_ACTS,
	...POSTING_ACTS,
	...JOURNAL_ACTS,
	...SIGNIFICANT_EVENT_ACTS,
	...STANDBY_ACTS,
	...HEALTH_ACTS,
	...WEBHOOK_ACTS,
};

const PREVIEWS: PreviewsOf<TwoPersonName> = {
	...MARKET_PREVIEWS,
	...LIMIT_RULE_PREVIEWS,
	...CAMPAIGN_PREVIEWS,
	...STAFF_PREVIEWS,
	...PERSON_PREVIEWS,
	...BRAND_PREVIEWS,
	...BRAND_CHANGE_PREVIEWS,
	...WEBHOOK_PREVIEWS,
	...CASE_PREVIEWS,
	...ERASE_PREVIEWS,
	...PLAYER_LOGIN_PREVIEWS,
};

/** The calls of a record of the contract, by name. */
const namesIn = <Name extends OperatorCallName>(calls: Readonly<Record<Name, unknown>>): Name[] =>
	Object.keys(calls) as Name[];

const PROPOSABLE = new Map<string, Act>(namesIn(PREVIEWS).map((name) => [name, actOf(name, SINGLE, PREVIEWS)]));
/** What members propose, and other members confirm. */
export const PROPOSALS = new Proposals(PROPOSABLE);
const ACTS: ActsOf<OperatorCallName> = { ...SINGLE, ...proposalActs(PROPOSALS) };

/** The acts of a record of the contract. */
export const actsIn = <Name extends OperatorCallName>(calls: Readonly<Record<Name, unknown>>): Act[] =>
	namesIn(calls).map((name) => PROPOSABLE.get(name) ?? actOf(name, ACTS, {}));
