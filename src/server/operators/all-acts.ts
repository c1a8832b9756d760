/** Every act by name. The console has those of the contract, the command line all of them. */

import type { Act } from '#server/operators/act.ts';
import { BOOKS_ACTS } from '#server/operators/books-acts.ts';
import { BRAND_ACTS } from '#server/operators/brand-acts.ts';
import { CAMPAIGN_ACTS } from '#server/operators/campaign-acts.ts';
import { CASINO_ACTS } from '#server/operators/casino-acts.ts';
import { DOCUMENT_ACTS } from '#server/operators/document-acts.ts';
import { DOMAIN_ACTS } from '#server/operators/domain-acts.ts';
import { FUNDS_ACTS } from '#server/operators/funds-acts.ts';
import { JOURNAL_ACTS } from '#server/operators/journal-acts.ts';
import { MARKET_ACTS } from '#server/operators/market-acts.ts';
import { PAYMENT_ACTS } from '#server/operators/payment-acts.ts';
import { PERSON_ACTS } from '#server/operators/person-acts.ts';
import { PLAYER_ACTS } from '#server/operators/player-acts.ts';
import { PLAYER_PAGE_ACTS } from '#server/operators/player-page.ts';
import { POSTING_ACTS } from '#server/operators/posting-acts.ts';
import { proposalActs } from '#server/operators/proposal-acts.ts';
import { REPORT_ACTS } from '#server/operators/report-acts.ts';
import { RISK_ACTS } from '#server/operators/risk-acts.ts';
import { STAFF_ACTS } from '#server/operators/staff-acts.ts';
import { STANDBY_ACTS } from '#server/operators/standby-acts.ts';
import { TODAY_ACTS } from '#server/operators/today-acts.ts';
import { TRADE_ACTS } from '#server/operators/trade-acts.ts';

const SINGLE: Readonly<Record<string, Act>> = {
	...MARKET_ACTS,
	...TRADE_ACTS,
	...RISK_ACTS,
	...PLAYER_ACTS,
	...DOMAIN_ACTS,
	...FUNDS_ACTS,
	...BOOKS_ACTS,
	...CAMPAIGN_ACTS,
	...STAFF_ACTS,
	...TODAY_ACTS,
	...PAYMENT_ACTS,
	...PLAYER_PAGE_ACTS,
	...PERSON_ACTS,
	...DOCUMENT_ACTS,
	...BRAND_ACTS,
	...CASINO_ACTS,
	...REPORT_ACTS,
	...POSTING_ACTS,
	...JOURNAL_ACTS,
	...STANDBY_ACTS,
};

export const ACTS: Readonly<Record<string, Act>> = { ...SINGLE, ...proposalActs(SINGLE) };
