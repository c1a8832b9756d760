/** Every act by name. The console has those of the contract, the command line all of them. */

import type { Act } from '#server/operator/act.ts';
import { BOOKS_ACTS } from '#server/operator/books-acts.ts';
import { BRAND_ACTS } from '#server/operator/brand-acts.ts';
import { CAMPAIGN_ACTS } from '#server/operator/campaign-acts.ts';
import { CASINO_ACTS } from '#server/operator/casino-acts.ts';
import { DOCUMENT_ACTS } from '#server/operator/document-acts.ts';
import { DOMAIN_ACTS } from '#server/operator/domain-acts.ts';
import { FUNDS_ACTS } from '#server/operator/funds-acts.ts';
import { JOURNAL_ACTS } from '#server/operator/journal-acts.ts';
import { MARKET_ACTS } from '#server/operator/market-acts.ts';
import { PAYMENT_ACTS } from '#server/operator/payment-acts.ts';
import { PERSON_ACTS } from '#server/operator/person-acts.ts';
import { PLAYER_ACTS } from '#server/operator/player-acts.ts';
import { PLAYER_PAGE_ACTS } from '#server/operator/player-page.ts';
import { POSTING_ACTS } from '#server/operator/posting-acts.ts';
import { proposalActs } from '#server/operator/proposal-acts.ts';
import { REPORT_ACTS } from '#server/operator/report-acts.ts';
import { RISK_ACTS } from '#server/operator/risk-acts.ts';
import { STAFF_ACTS } from '#server/operator/staff-acts.ts';
import { STANDBY_ACTS } from '#server/operator/standby-acts.ts';
import { TODAY_ACTS } from '#server/operator/today-acts.ts';
import { TRADE_ACTS } from '#server/operator/trade-acts.ts';

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
