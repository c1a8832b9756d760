/** The texts of all screens but the first, in one file of the build. */

export { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/hi/account.ts';
export { ACTIVITY_TEXTS } from '#web/texts/hi/activity.ts';
export { API_TEXTS } from '#web/texts/hi/api-access.ts';
export { CASHIER_TEXTS } from '#web/texts/hi/cashier.ts';
export { CASINO_TEXTS } from '#web/texts/hi/casino.ts';
export { IDENTITY_TEXTS } from '#web/texts/hi/identity.ts';
export {
	CHART_WORDS,
	GRID_WORDS,
	LADDER_WORDS,
	MARKET_WORDS,
	PANEL_WORDS,
	SCORE_WORDS,
	STAT_WORDS,
} from '#web/texts/hi/market.ts';
export { PROOF_TEXTS } from '#web/texts/hi/proof.ts';
export { PROTECTION_TEXTS } from '#web/texts/hi/protection.ts';
export { PUSH_TEXTS } from '#web/texts/hi/push.ts';
export { FIELD_REFUSALS, REFUSALS } from '#web/texts/hi/refusals.ts';
export { REWARD_TEXTS } from '#web/texts/hi/rewards.ts';
export { RULES_TEXTS } from '#web/texts/hi/rules.ts';
export { SCREEN_TEXTS } from '#web/texts/hi/screens.ts';
export { SECURITY_TEXTS } from '#web/texts/hi/security.ts';
export {
	AMOUNT_WORDS,
	BET_WORDS,
	EDIT_WORDS,
	GROUP_WORDS,
	ORDER_NOTICES,
	REDUCTION_WORDS,
	SIDE_WORDS,
	SLIP_WORDS,
	TRIGGER_WORDS,
} from '#web/texts/hi/slip.ts';
export { SUPPORT_TEXTS } from '#web/texts/hi/support.ts';
