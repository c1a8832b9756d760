/** Odds that players type: in the format that the page writes, or in any other that cannot be mistaken. */
import { decimalFromPrice, hundredthsFromDecimal, type Price } from '#values/price-ladder.ts';
import { latin } from '#values/read-amount.ts';
import { formatPrice, oddsWrittenAs } from '#web/format.ts';

/** The least number of American odds, which is evens. */
const EVENS = 100;
/** Decimal odds that give the stake back and nothing more, in hundredths: they, and any below, are no odds. */
const NO_PROFIT = 100;

/** "11/8" in hundredths: 238 with the stake; null for any other text. */
function fromFraction(text: string): number | null {
	const [, net = 0, stake = 0] = (/^(\d{1,6}) ?\/ ?(\d{1,6})$/.exec(text) ?? []).map(Number);
	return net > 0 && stake > 0 ? Math.round(100 + (100 * net) / stake) : null;
}

/**
 * "+138" and "−175" in hundredths; null for any other text. Without a sign, whole numbers from 100 on are American odds
 * where the page writes those: 150 is 2.5, and 150.0 is decimal.
 */
function fromAmerican(text: string): number | null {
	const [, sign = '', digits = ''] = /^([+-]?)(\d{3,6})$/.exec(text) ?? [];
	const number = Number(digits);
	if (number < EVENS || (sign === '' && oddsWrittenAs() !== 'AMERICAN')) return null;
	return sign === '-' ? Math.round(100 + 10_000 / number) : 100 + number;
}

/** NaN for a text with more than digits and a point. */
const fromDecimal = (text: string): number => (/^[\d.]+$/.test(text) ? Number(text) : Number.NaN);

/** 1,000 is the highest price; any other comma is a decimal one. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/;

function plain(text: string): string {
	const typed = latin(text).trim().replace('−', '-');
	return GROUPED.test(typed) ? typed.replaceAll(',', '') : typed.replace(',', '.');
}

/** A typed line or rate, which no format of odds applies to; NaN for any other text. */
export const numberFromText = (text: string): number => Number(plain(text));

/** Hundredths, on a ladder or not: 2.024, 51/50 and +102 are 202. Null for a text that is no odds. */
export function oddsFromText(text: string): number | null {
	const typed = plain(text);
	const other = fromFraction(typed) ?? fromAmerican(typed);
	if (other !== null) return other;
	const hundredths = hundredthsFromDecimal(fromDecimal(typed));
	return hundredths > NO_PROFIT ? hundredths : null;
}

/** A price as a field begins with it: 250 is "2.5", "3/2" or "+150". */
export const typedOdds = (price: Price): string =>
	oddsWrittenAs() === 'DECIMAL' ? String(decimalFromPrice(price)) : formatPrice(price);

/** Keypads of decimals have no sign and no stroke. */
export const oddsKeys = (): 'decimal' | 'text' => (oddsWrittenAs() === 'DECIMAL' ? 'decimal' : 'text');
