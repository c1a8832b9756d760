/** Amounts and times as the console shows them. */
import { CURRENCY_TERMS } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { moneyText } from '#values/money-text.ts';
import { SPORTS } from '#values/sports.ts';

/** Enough digits that groups of two show. */
const LONG_NUMBER = 10_000_000;

/**
 * How a viewer of that language groups digits, with the point and the digits of the console's language: 1,00,000 in India,
 * and 100,000 elsewhere. @param language of a browser, such as hi-IN
 */
export function groupsFor(language: string): 'en-IN' | 'en' {
	const parts = new Intl.NumberFormat(language, { numberingSystem: 'latn' }).formatToParts(LONG_NUMBER);
	return parts.some(({ type, value }, at) => type === 'integer' && at > 0 && value.length === 2) ? 'en-IN' : 'en';
}

/** Of amounts without a currency of their own; those with one are grouped as it is. */
const GROUPS = groupsFor(globalThis.navigator?.language ?? 'en-IN');
const AMOUNT = new Intl.NumberFormat(GROUPS, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SHORT = new Intl.NumberFormat(GROUPS, { maximumFractionDigits: 0 });
const NUMBER = new Intl.NumberFormat(GROUPS);
const TIME = new Intl.DateTimeFormat('en-GB', {
	day: '2-digit',
	month: 'short',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
});
/** Knows India's zone by its name. */
const ZONE = new Intl.DateTimeFormat('en-IN', { hour: '2-digit', timeZoneName: 'short' });
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** As it is, with groups. */
export const grouped = (value: number): string => NUMBER.format(value);
export const amount = (major: number): string => AMOUNT.format(major);
/** With the sign of its currency: "₹1,00,000.50". @param major units */
export const money = (currency: Currency, major: number): string => moneyText(currency, Math.round(major * 100));
/** Amounts by currency in major units; those of two are never added. */
export type Sums = readonly { currency: Currency; amount: number }[];
/** What is added up by currency, one beside the other: "₹1,200 · ¥900". */
export const sums = (of: Sums): string =>
	of.map(({ currency, amount: sum }) => money(currency, sum)).join(' · ') || '0';
/** For the order of rows alone: about as much in the home currency. */
export const weightOf = (of: Sums): number =>
	of.reduce((weight, { currency, amount: sum }) => {
		const { times, over } = CURRENCY_TERMS[currency].limits;
		return weight + (sum * over) / times;
	}, 0);
export const wholeAmount = (major: number): string => SHORT.format(major);

/** Of today, for a list that is read as it comes: "15:45:32". */
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
export const clock = (iso: string): string => CLOCK.format(new Date(iso));

/** In the browser's zone, which is named: "26 Nov, 15:45:32 IST". */
export function time(iso: string): string {
	const at = new Date(iso);
	const zone = ZONE.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
	return `${TIME.format(at)} ${zone}`.trim();
}

/** "3 min", "5 h", "2 d" since a time. */
export function age(iso: string, nowMs: number): string {
	const minutes = Math.max(0, Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS));
	if (minutes < HOUR_MINUTES) return `${minutes} min`;
	const hours = Math.floor(minutes / HOUR_MINUTES);
	return hours < DAY_HOURS * 2 ? `${hours} h` : `${Math.floor(hours / DAY_HOURS)} d`;
}

/** "in 3 h", or "5 h late" once the time has passed. */
export function dueIn(iso: string, nowMs: number): string {
	const now = new Date(nowMs).toISOString();
	return Date.parse(iso) < nowMs ? `${age(iso, nowMs)} late` : `in ${age(now, Date.parse(iso))}`;
}

/** A state or kind in capital letters as words. */
export const words = (name: string): string => name.replaceAll('_', ' ').toLowerCase();

/** A sport's name by its key, such as `horseRacing`. */
export const sportName = (key: string): string => SPORTS.find((sport) => sport.key === key)?.name ?? key;
