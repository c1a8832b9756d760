/** A player's protection as a record, with pure functions on it. Amounts are minor units, times milliseconds since 1970. */
import type { BrandRules } from '#contract/brand-rules.ts';
import { LIMIT_NAMES } from '#contract/calls/protection.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { DepositLimits, Period } from '#server/money/funds/deposit-limits.ts';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';
import { monthsAfter } from '#values/zoned-calendar.ts';

export type LimitName = (typeof LIMIT_NAMES)[number];
/** Minor units; null for no limit. */
export type Limits = Record<LimitName, number | null>;

/** A pending raise or removal of a limit: it takes effect after a wait and the player's confirmation. */
interface Raise {
	/** Null removes the limit. */
	to: number | null;
	confirmableFromMs: number;
}

export interface ProtectionRecord {
	/** Null: the player removed the limit. Without an entry the domain's default applies. */
	limits: Partial<Record<LimitName, number | null>>;
	raises: Partial<Record<LimitName, Raise>>;
	timeOutUntilMs: number | null;
	excludedUntilMs: number | null;
	closedAtMs: number | null;
	/** The reason for freezing the account, by an operator or the server. */
	frozen: string | null;
	realityCheckMinutes: number | null;
	/** When an operator verified the player's identity and age. */
	identifiedAtMs?: number;
	/** The age in years that the operator read then; missing in verifications of before it was kept. */
	ageSeen?: number;
	/** When the player last answered what limits there should be. */
	limitsReviewedAtMs?: number;
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

/** No calendar year is longer. */
const LONGEST_YEAR_MS = 366 * DAY_MS;

/** The age as an operator read it, and the whole years since then; a birthday in between is not known. */
export function leastAge({ identifiedAtMs, ageSeen }: ProtectionRecord, nowMs: number): number | null {
	if (identifiedAtMs === undefined || ageSeen === undefined) return null;
	return ageSeen + Math.max(0, Math.floor((nowMs - identifiedAtMs) / LONGEST_YEAR_MS));
}

const minor = (major: number | null): number | null => (major === null ? null : major * MINOR_PER_MAJOR);

/** The domain's limits for a player without a choice of their own. */
function defaultLimits({ playerProtection }: DomainSetting): Limits {
	const { depositLimitDay, depositLimitWeek, depositLimitMonth, lossLimitDay, stakeLimit } = playerProtection;
	return {
		depositDay: minor(depositLimitDay),
		depositWeek: minor(depositLimitWeek),
		depositMonth: minor(depositLimitMonth),
		lossDay: minor(lossLimitDay),
		lossWeek: null,
		lossMonth: null,
		stake: minor(stakeLimit),
	};
}

export const limitsOf = (record: ProtectionRecord, setting: DomainSetting): Limits => ({
	...defaultLimits(setting),
	...record.limits,
});

export const NO_LIMITS = Object.fromEntries(LIMIT_NAMES.map((name) => [name, null])) as Limits;

/** The limits of an account, each capped by the person's choice on other accounts. */
export function strictest(limits: Limits, others: readonly ProtectionRecord[]): Limits {
	const lowest = (name: LimitName): number | null => {
		const chosen = [limits[name], ...others.map((other) => other.limits[name])].filter((limit) => limit != null);
		return chosen.length === 0 ? null : Math.min(...chosen);
	};
	return Object.fromEntries(LIMIT_NAMES.map((name) => [name, lowest(name)])) as Limits;
}

/**
 * Limits that apply to an account without being shown to it. Each is rounded down to 1, 2 or 5 times a power of ten, so
 * probing with stakes and deposits reveals its magnitude and not the figure. Minor units.
 */
export const withoutFigures = (limits: Limits): Limits =>
	Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] === null ? null : rounded(limits[name])])) as Limits;

function rounded(limit: number): number {
	const steps = [1, 2, 5].map((step) => step * 10 ** Math.floor(Math.log10(Math.max(1, limit))));
	return steps.findLast((step) => step <= limit) ?? 0;
}

/** The record of an account, with the person's breaks from other accounts. */
export function withBreaks(record: ProtectionRecord, others: readonly ProtectionRecord[]): ProtectionRecord {
	const latest = (name: 'timeOutUntilMs' | 'excludedUntilMs'): number | null => {
		const ends = [record, ...others].map((each) => each[name]).filter((end) => end !== null);
		return ends.length === 0 ? null : Math.max(...ends);
	};
	return { ...record, timeOutUntilMs: latest('timeOutUntilMs'), excludedUntilMs: latest('excludedUntilMs') };
}

/** A break never becomes shorter. */
export const timedOut = (record: ProtectionRecord, untilMs: number): ProtectionRecord => ({
	...record,
	timeOutUntilMs: Math.max(record.timeOutUntilMs ?? 0, untilMs),
});

/** An exclusion never becomes shorter. */
export const excluded = (record: ProtectionRecord, untilMs: number): ProtectionRecord => ({
	...record,
	excludedUntilMs: Math.max(record.excludedUntilMs ?? 0, untilMs),
});

export const depositLimitsOf = ({ depositDay, depositWeek, depositMonth }: Limits): DepositLimits => ({
	DAY: depositDay,
	WEEK: depositWeek,
	MONTH: depositMonth,
});

export const lossLimitsOf = ({ lossDay, lossWeek, lossMonth }: Limits): Record<Period, number | null> => ({
	DAY: lossDay,
	WEEK: lossWeek,
	MONTH: lossMonth,
});

const RAISE_WAIT_MS = DAY_MS;

/** A lower limit applies immediately. A higher one, or none, needs a day's wait and the player's confirmation. */
export function withLimit(
	record: ProtectionRecord,
	{ name, to, present }: { name: LimitName; to: number | null; present: number | null },
	nowMs: number,
): ProtectionRecord {
	const isRaise = present !== null && (to === null || to > present);
	const { [name]: _, ...raises } = record.raises;
	if (isRaise) return { ...record, raises: { ...raises, [name]: { to, confirmableFromMs: nowMs + RAISE_WAIT_MS } } };
	return { ...record, raises, limits: { ...record.limits, [name]: to } };
}

/** The record with the raise applied; null if there is none, or it is too early. */
export function confirmed(record: ProtectionRecord, name: LimitName, nowMs: number): ProtectionRecord | null {
	const { [name]: raise, ...raises } = record.raises;
	if (!raise || nowMs < raise.confirmableFromMs) return null;
	return { ...record, raises, limits: { ...record.limits, [name]: raise.to } };
}

/** Whether the player was never asked for limits, or answered so long ago that the rules ask again; null for neither. */
export function limitsDue(
	{ limitsReviewedAtMs: reviewedAtMs }: ProtectionRecord,
	{ limitPrompt, limitReminderMonths }: BrandRules,
	zone: string,
	nowMs: number,
): 'FIRST' | 'REMINDER' | null {
	if (reviewedAtMs === undefined) return limitPrompt === 'never' ? null : 'FIRST';
	const isOld = limitReminderMonths !== null && monthsAfter(reviewedAtMs, limitReminderMonths, zone) <= nowMs;
	return isOld ? 'REMINDER' : null;
}

/** Whether a limit of losses is set, for any period. */
export const isLossLimited = ({ lossDay, lossWeek, lossMonth }: Limits): boolean =>
	lossDay !== null || lossWeek !== null || lossMonth !== null;

/**
 * The record with each limit that another account of the person has chosen lower, and with its raise in place of an own one;
 * the same record where none has.
 */
export const withLimitsOf = (
	record: ProtectionRecord,
	others: readonly ProtectionRecord[],
	setting: DomainSetting,
): ProtectionRecord => others.reduce((lowered, other) => withLowerOf(lowered, other, setting), record);

function withLowerOf(record: ProtectionRecord, other: ProtectionRecord, setting: DomainSetting): ProtectionRecord {
	const present = limitsOf(record, setting);
	const figure = (limit: number | null | undefined): number => limit ?? Number.POSITIVE_INFINITY;
	const lower = new Set<string>(LIMIT_NAMES.filter((name) => figure(other.limits[name]) < figure(present[name])));
	if (lower.size === 0) return record;
	const chosen = <Each>(named: Partial<Record<LimitName, Each>>, isLower: boolean): Partial<Record<LimitName, Each>> =>
		Object.fromEntries(Object.entries(named).filter(([name]) => lower.has(name) === isLower)) as typeof named;
	return {
		...record,
		limits: { ...record.limits, ...chosen(other.limits, true) },
		raises: { ...chosen(record.raises, false), ...chosen(other.raises, true) },
	};
}

export const limitsLosses = ({ limits: { lossDay, lossWeek, lossMonth } }: ProtectionRecord): boolean =>
	(lossDay ?? lossWeek ?? lossMonth ?? null) !== null;
