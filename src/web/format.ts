/** How the site writes amounts, prices and times: Indian grouping, tabular, the player's own time zone. */

import type { Quoting } from '#web/store/quoting.ts';

const LOCALE = 'en-IN';

const MINUS = '−';

/** Thousands, then pairs: "1234567" → "12,34,567". */
const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d\d)*\d{3}$)/g, ',');

/** 1234567.5 → "12,34,567.50"; whole amounts carry no decimals. A true minus sign, never a hyphen. */
export function formatAmount(amount: number): string {
	const rounded = Math.round(Math.abs(amount) * 100) / 100;
	const [units = '', cents] = rounded.toFixed(Number.isInteger(rounded) ? 0 : 2).split('.');
	const text = grouped(units) + (cents === undefined ? '' : `.${cents}`);
	return amount < 0 && rounded !== 0 ? `${MINUS}${text}` : text;
}

/** 1500 → "₹1,500", -20.5 → "−₹20.50". */
export function formatMoney(amount: number): string {
	const text = formatAmount(amount);
	return text.startsWith(MINUS) ? `${MINUS}₹${text.slice(1)}` : `₹${text}`;
}

/** With the sign always written: profit and loss must not rest on colour alone. */
export function formatSigned(amount: number): string {
	const text = formatAmount(amount);
	return text.startsWith(MINUS) || text === '0' ? text : `+${text}`;
}

const THOUSANDS = ['', 'k', 'm', 'b'];

/** Sizes on price cells: 12400 → "12.4k", 980 → "980", 1250000 → "1.3m". */
export function formatCompact(amount: number): string {
	const tenthsOf = (power: number) => Math.round((amount * 10) / 1000 ** power);
	let power = 0;
	while (power < THOUSANDS.length - 1 && tenthsOf(power) >= 10_000) power++;
	return `${tenthsOf(power) / 10}${THOUSANDS[power]}`;
}

/** Two decimals below 10, one below 100, none from there: the ladder never needs more. */
export function formatPrice(price: number): string {
	if (price < 10) return price.toFixed(2);
	return price < 100 ? price.toFixed(1) : price.toFixed(0);
}

/** A decimal price as its market writes it: 1.85 as odds "1.85", as the house's rate per 100 "85"; a line as it is. */
export function formatQuote(price: number, quoting: Quoting): string {
	if (quoting === 'SPREAD') return String(price);
	return quoting === 'ODDS' ? formatPrice(price) : String(Math.round(price * 100 - 100));
}

/** Made when it is first asked for: each would hold up the start of a phone for a hundredth of a second. */
function days(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
	let made: Intl.DateTimeFormat | undefined;
	return () => {
		made ??= new Intl.DateTimeFormat(LOCALE, options);
		return made;
	};
}

const DATE_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false } as const;
const time = days({ hour: '2-digit', minute: '2-digit', hour12: false });
const weekday = days({ weekday: 'short' });
const date = days({ day: 'numeric', month: 'short' });
const dateAndTime = days(DATE_AND_TIME);
const toTheSecond = days({ ...DATE_AND_TIME, second: '2-digit' });

/** ISO time → "19:30". */
export const formatTime = (iso: string): string => time().format(new Date(iso));

/** ISO time → "12 Nov, 19:30". */
export const formatDateTime = (iso: string): string => dateAndTime().format(new Date(iso));

/** ISO time → "12 Nov, 19:30:05", where seconds are told apart. */
export const formatMoment = (iso: string): string => toTheSecond().format(new Date(iso));

const calendarDay = days({
	weekday: 'short',
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	timeZone: 'UTC',
});

/** A day of the calendar, wherever one is: "2026-11-21" → "Sat, 21 Nov, 2026". */
export const formatCalendarDay = (day: string): string => calendarDay().format(new Date(`${day}T00:00:00Z`));

const DAY_MS = 86_400_000;

function startOfDay(moment: Date): number {
	return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}

/** The day as a player says it; the words for today and tomorrow are handed in. */
export function formatDay(iso: string, words: { today: string; tomorrow: string }, now: Date = new Date()): string {
	const moment = new Date(iso);
	const ahead = Math.round((startOfDay(moment) - startOfDay(now)) / DAY_MS);
	if (ahead === 0) return words.today;
	if (ahead === 1) return words.tomorrow;
	return ahead > 1 && ahead < 7 ? weekday().format(moment) : date().format(moment);
}
