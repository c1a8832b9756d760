/** What all other screens say, in the language of the page. Files that import this one are loaded by `withTexts`. */

import type { MoreTexts } from '#web/texts/held.ts';

/** Under `vite` and in tests they are English. */
export const {
	ACCOUNT_TEXTS,
	ACTIVITY_TEXTS,
	AMOUNT_WORDS,
	API_TEXTS,
	BET_WORDS,
	CASHIER_TEXTS,
	CASINO_TEXTS,
	CHART_WORDS,
	EDIT_WORDS,
	FIELD_REFUSALS,
	GRID_WORDS,
	IDENTITY_TEXTS,
	LADDER_WORDS,
	MARKET_WORDS,
	PANEL_WORDS,
	PROOF_TEXTS,
	PROTECTION_TEXTS,
	PUSH_TEXTS,
	RECORD_WORDS,
	REDUCTION_WORDS,
	REFUSALS,
	REWARD_TEXTS,
	RULES_TEXTS,
	SCORE_WORDS,
	SCREEN_TEXTS,
	SECURITY_TEXTS,
	SIDE_WORDS,
	SLIP_WORDS,
	GROUP_WORDS,
	TRIGGER_WORDS,
	STAT_WORDS,
	SUPPORT_TEXTS,
} = import.meta.env.PROD ? (globalThis.siteTexts as MoreTexts) : await import('#web/texts/en/more.ts');
