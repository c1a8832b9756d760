/** A player's protection as a record, with pure rules over it. Amounts are paise, times milliseconds since 1970. */
import type { LIMIT_NAMES } from '#contract/calls/protection.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { DepositLimits, Period } from '#server/funds/deposit-limits.ts';

export type LimitName = (typeof LIMIT_NAMES)[number];

/** A limit that is to be raised or removed: it takes effect after a wait and the player's confirmation. */
export interface Raise {
	/** Null removes the limit. */
	to: number | null;
	confirmableFromMs: number;
}

export interface ProtectionRecord {
	/** Null: the player removed the limit. Without an entry the domain's default counts. */
	limits: Partial<Record<LimitName, number | null>>;
	raises: Partial<Record<LimitName, Raise>>;
	timeOutUntilMs: number | null;
	excludedUntilMs: number | null;
	closedAtMs: number | null;
	/** The reason for freezing the account, by an operator or the server. */
	frozen: string | null;
	realityCheckMinutes: number | null;
	/** When an operator saw who the player is, and that the player is of age. */
	identifiedAtMs?: number;
}

export const UNPROTECTED: ProtectionRecord = {
	limits: {},
	raises: {},
	timeOutUntilMs: null,
	excludedUntilMs: null,
	closedAtMs: null,
	frozen: null,
	realityCheckMinutes: null,
};

export type Bar = 'EXCLUDED' | 'ACCOUNT_CLOSED' | 'ACCOUNT_FROZEN' | 'TIMED_OUT';

/** The refusal of stakes and deposits at this time; null when the player may act. */
export function barOf(record: ProtectionRecord, nowMs: number): { code: Bar; untilMs: number | null } | null {
	const { excludedUntilMs, closedAtMs, frozen, timeOutUntilMs } = record;
	if (excludedUntilMs !== null && nowMs < excludedUntilMs) return { code: 'EXCLUDED', untilMs: excludedUntilMs };
	if (closedAtMs !== null) return { code: 'ACCOUNT_CLOSED', untilMs: null };
	if (frozen !== null) return { code: 'ACCOUNT_FROZEN', untilMs: null };
	if (timeOutUntilMs !== null && nowMs < timeOutUntilMs) return { code: 'TIMED_OUT', untilMs: timeOutUntilMs };
	return null;
}

/** The player has left for good, or for long: unmatched bets are cancelled, and bonuses are forfeited. */
export function hasLeft(record: ProtectionRecord, nowMs: number): boolean {
	const code = barOf(record, nowMs)?.code;
	return code === 'EXCLUDED' || code === 'ACCOUNT_CLOSED';
}

const PAISE = 100;
const paise = (major: number | null): number | null => (major === null ? null : major * PAISE);

/** The domain's limits for a player without a choice of their own. */
export function defaultLimits({ playerProtection }: DomainSetting): Record<LimitName, number | null> {
	const { depositLimitDay, depositLimitWeek, depositLimitMonth, lossLimitDay, stakeLimit } = playerProtection;
	return {
		depositDay: paise(depositLimitDay),
		depositWeek: paise(depositLimitWeek),
		depositMonth: paise(depositLimitMonth),
		lossDay: paise(lossLimitDay),
		lossWeek: null,
		lossMonth: null,
		stake: paise(stakeLimit),
	};
}

export const limitsOf = (record: ProtectionRecord, setting: DomainSetting): Record<LimitName, number | null> => ({
	...defaultLimits(setting),
	...record.limits,
});

export function depositLimitsOf(record: ProtectionRecord, setting: DomainSetting): DepositLimits {
	const { depositDay, depositWeek, depositMonth } = limitsOf(record, setting);
	return { DAY: depositDay, WEEK: depositWeek, MONTH: depositMonth };
}

export function lossLimitsOf(record: ProtectionRecord, setting: DomainSetting): Record<Period, number | null> {
	const { lossDay, lossWeek, lossMonth } = limitsOf(record, setting);
	return { DAY: lossDay, WEEK: lossWeek, MONTH: lossMonth };
}

export const RAISE_WAIT_MS = 24 * 3_600_000;

/** A lower limit counts at once. A higher one, or none, needs a day's wait and the player's confirmation. */
export function withLimit(
	record: ProtectionRecord,
	setting: DomainSetting,
	{ name, to }: { name: LimitName; to: number | null },
	nowMs: number,
): ProtectionRecord {
	const present = limitsOf(record, setting)[name];
	const isRaise = present !== null && (to === null || to > present);
	const { [name]: _, ...raises } = record.raises;
	if (isRaise) return { ...record, raises: { ...raises, [name]: { to, confirmableFromMs: nowMs + RAISE_WAIT_MS } } };
	return { ...record, raises, limits: { ...record.limits, [name]: to } };
}

/** The record with the raise in effect; null when there is none, or it is too early. */
export function confirmed(record: ProtectionRecord, name: LimitName, nowMs: number): ProtectionRecord | null {
	const { [name]: raise, ...raises } = record.raises;
	if (!raise || nowMs < raise.confirmableFromMs) return null;
	return { ...record, raises, limits: { ...record.limits, [name]: raise.to } };
}
