/** The format of amounts, prices and times: grouped as the brand's currency is, tabular, the player's own time zone. */

import { HOME_CURRENCY } from '#values/currency-codes.ts';
import { type Minor, majorFromMinor } from '#values/money.ts';
import type { OddsFormat } from '#values/odds-formats.ts';
import { oddsText } from '#values/odds-text.ts';
import { decimalFromPrice, type Price } from '#values/price-ladder.ts';
import { DAY_MS } from '#values/time.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { CURRENCY, HAS_PARTS, SYMBOL } from '#web/currency.ts';

/** Language and region of the page, as the server put them into its head; figures are Latin in every language. */
const LOCALE = `${globalThis.document?.documentElement.lang || 'en-IN'}-u-nu-latn`;

const MINUS = '−';

const IN_LAKHS = CURRENCY === HOME_CURRENCY;
/** Rupees in thousands, then pairs: "1234567" → "12,34,567"; other currencies in thousands. */
const GROUPS = IN_LAKHS ? /\B(?=(?:\d\d)*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
const grouped = (digits: string): string => digits.replace(GROUPS, ',');

/**
 * A number other than money: 1234567.5 → "12,34,567.50"; whole ones have no decimals. A true minus sign, never a
 * hyphen.
 */
export function formatNumber(number: number): string {
	const rounded = Math.round(Math.abs(number) * 100) / 100;
	const [units = '', cents] = rounded.toFixed(Number.isInteger(rounded) ? 0 : 2).split('.');
	const text = grouped(units) + (cents === undefined ? '' : `.${cents}`);
	return number < 0 && rounded !== 0 ? `${MINUS}${text}` : text;
}

/** 150000 minor units → "1,500", 150050 → "1,500.50"; rounded to a coin, which a figure of the page's own may not be. */
export const formatAmount = (amount: Minor): string =>
	HAS_PARTS ? formatNumber(majorFromMinor(amount)) : formatRounded(amount);

/** Whole units, where minor units would only be noise: 150050 minor units → "1,501". */
export const formatRounded = (amount: Minor): string => formatNumber(Math.round(majorFromMinor(amount)));

/** 150000 minor units → "₹1,500", -2050 → "−₹20.50". */
export function formatMoney(amount: Minor): string {
	const text = formatAmount(amount);
	return text.startsWith(MINUS) ? `${MINUS}${SYMBOL}${text.slice(1)}` : `${SYMBOL}${text}`;
}

/** Always with a sign: profit and loss must not depend on colour alone. */
export function formatSigned(amount: Minor): string {
	const text = formatAmount(amount);
	return text.startsWith(MINUS) || text === '0' ? text : `+${text}`;
}

const THOUSAND = { size: 1000, letters: 'k' };
const UNITS = [
	{ size: 1, letters: '' },
	THOUSAND,
	...(IN_LAKHS
		? [
				{ size: 100_000, letters: 'L' },
				{ size: 10_000_000, letters: 'Cr' },
			]
		: [
				{ size: 1_000_000, letters: 'M' },
				{ size: 1_000_000_000, letters: 'B' },
			]),
];
const [LARGE = THOUSAND, LARGEST = THOUSAND] = UNITS.slice(2);

/** Sums of many bets in short form: "₹98,500", "₹4.2L", "₹12.6Cr", "€4.2M". */
export function formatShort(amount: Minor): string {
	const major = majorFromMinor(amount);
	if (Math.round(major) < LARGE.size) return `${SYMBOL}${formatRounded(amount)}`;
	const tenths = (unit: number) => Math.round((major * 10) / unit) / 10;
	const inLarge = tenths(LARGE.size);
	const isLarge = inLarge * LARGE.size < LARGEST.size;
	return isLarge ? `${SYMBOL}${inLarge}${LARGE.letters}` : `${SYMBOL}${tenths(LARGEST.size)}${LARGEST.letters}`;
}

/**
 * Sizes on price cells: ₹12,400 → "12.4k", ₹980 → "980", ₹12,50,000 → "12.5L". A size that rounds up to the next unit
 * is written in it.
 */
export function formatCompact(amount: Minor): string {
	const tenthsOf = (size: number) => Math.round((majorFromMinor(amount) * 10) / size);
	const unit = UNITS.findLast(
		({ size }, at) => tenthsOf(UNITS[at - 1]?.size ?? 1) * (UNITS[at - 1]?.size ?? 1) >= size * 10,
	);
	const { size, letters } = unit ?? { size: 1, letters: '' };
	return `${tenthsOf(size) / 10}${letters}`;
}

let oddsFormat: OddsFormat = 'DECIMAL';
/** The format of all odds that are written from now on; those on the screen have to be rendered again. */
export function writeOddsAs(format: OddsFormat): void {
	oddsFormat = format;
}
export const oddsWrittenAs = (): OddsFormat => oddsFormat;

/** In the format of the page. */
export const formatPrice = (price: Price): string => oddsText(price, oddsFormat);

/** A price as its market writes it: 185 as odds "1.85", as the house's rate per 100 "85", as a line that is traded "1.85". */
export function formatQuote(price: Price, quoting: Quoting): string {
	if (quoting === 'SPREAD') return String(decimalFromPrice(price));
	return quoting === 'ODDS' ? formatPrice(price) : String(price - 100);
}

/** Created on first use: each would block the start of a phone for a hundredth of a second. */
function days(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
	let made: Intl.DateTimeFormat | undefined;
	return () => {
		made ??= new Intl.DateTimeFormat(LOCALE, options);
		return made;
	};
}

const DATE_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const time = days({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = days({ weekday: 'short' });
const date = days({ day: 'numeric', month: 'short' });
const dateAndTime = days(DATE_AND_TIME);
const toTheSecond = days({ ...DATE_AND_TIME, second: '2-digit' });

/** ISO time → "19:30". */
export const formatTime = (iso: string): string => time().format(new Date(iso));

/** ISO time → "12 Nov, 19:30". */
export const formatDateTime = (iso: string): string => dateAndTime().format(new Date(iso));

/** ISO time → "12 Nov, 19:30:05", where seconds matter. */
export const formatMoment = (iso: string): string => toTheSecond().format(new Date(iso));

const calendarDay = days({
	weekday: 'short',
	day: 'numeric',
	month: 'short',
	year: 'numeric',
	timeZone: 'UTC',
});

/** A calendar day, independent of time zones: "2026-11-21" → "Sat, 21 Nov, 2026". */
export const formatCalendarDay = (day: string): string => calendarDay().format(new Date(`${day}T00:00:00Z`));

function startOfDay(moment: Date): number {
	return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}

/** The day in words; the words for today and tomorrow are parameters. */
export function formatDay(iso: string, words: { today: string; tomorrow: string }, now: Date = new Date()): string {
	const moment = new Date(iso);
	const ahead = Math.round((startOfDay(moment) - startOfDay(now)) / DAY_MS);
	if (ahead === 0) return words.today;
	if (ahead === 1) return words.tomorrow;
	return ahead > 1 && ahead < 7 ? weekday().format(moment) : date().format(moment);
}
