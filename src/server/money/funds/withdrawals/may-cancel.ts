import type { DomainSetting } from '#contract/domain-setting.ts';
import { rulesAt } from '#contract/rules-at.ts';

/**
 * Whether players may cancel a withdrawal: the brand allows it, and the profile of its jurisdiction does not forbid it.
 * @param nowMs by the clock of the exchange
 */
export const mayCancel = (setting: DomainSetting, nowMs: number): boolean =>
	setting.funds.cancelWithdrawals && rulesAt(setting, () => nowMs).cancelsWithdrawals;
