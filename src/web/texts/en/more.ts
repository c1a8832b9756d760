/** The texts of all screens but the first, in one file of the build. */

export { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/en/account.ts';
export { ACTIVITY_TEXTS } from '#web/texts/en/activity.ts';
export { API_TEXTS } from '#web/texts/en/api-access.ts';
export { CASHIER_TEXTS } from '#web/texts/en/cashier.ts';
export { CASINO_TEXTS } from '#web/texts/en/casino.ts';
export { IDENTITY_TEXTS } from '#web/texts/en/identity.ts';
export {
	CHART_WORDS,
	GRID_WORDS,
	LADDER_WORDS,
	MARKET_WORDS,
	PANEL_WORDS,
	SCORE_WORDS,
	STAT_WORDS,
} from '#web/texts/en/market.ts';
export { PROOF_TEXTS } from '#web/texts/en/proof.ts';
export { PROTECTION_TEXTS } from '#web/texts/en/protection.ts';
export { PUSH_TEXTS } from '#web/texts/en/push.ts';
export { FIELD_REFUSALS, REFUSALS } from '#web/texts/en/refusals.ts';
export { REWARD_TEXTS } from '#web/texts/en/rewards.ts';
export { RULES_TEXTS } from '#web/texts/en/rules.ts';
export { SCREEN_TEXTS } from '#web/texts/en/screens.ts';
export { SECURITY_TEXTS } from '#web/texts/en/security.ts';
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
} from '#web/texts/en/slip.ts';
export { SUPPORT_TEXTS } from '#web/texts/en/support.ts';
