/** The texts of all screens but the first, in one file of the build. */

export { ACCOUNT_TEXTS, RECORD_WORDS } from '#web/texts/bn/account.ts';
export { ACTIVITY_TEXTS } from '#web/texts/bn/activity.ts';
export { API_TEXTS } from '#web/texts/bn/api-access.ts';
export { CASHIER_TEXTS } from '#web/texts/bn/cashier.ts';
export { CASINO_TEXTS } from '#web/texts/bn/casino.ts';
export { IDENTITY_TEXTS } from '#web/texts/bn/identity.ts';
export {
	CHART_WORDS,
	GRID_WORDS,
	LADDER_WORDS,
	MARKET_WORDS,
	PANEL_WORDS,
	SCORE_WORDS,
	STAT_WORDS,
} from '#web/texts/bn/market.ts';
export { PROOF_TEXTS } from '#web/texts/bn/proof.ts';
export { PROTECTION_TEXTS } from '#web/texts/bn/protection.ts';
export { PUSH_TEXTS } from '#web/texts/bn/push.ts';
export { FIELD_REFUSALS, REFUSALS } from '#web/texts/bn/refusals.ts';
export { REWARD_TEXTS } from '#web/texts/bn/rewards.ts';
export { RULES_TEXTS } from '#web/texts/bn/rules.ts';
export { SCREEN_TEXTS } from '#web/texts/bn/screens.ts';
export { SECURITY_TEXTS } from '#web/texts/bn/security.ts';
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
} from '#web/texts/bn/slip.ts';
export { SUPPORT_TEXTS } from '#web/texts/bn/support.ts';
