/** The formats of odds: worked out by hand, and read back to the same price over the whole ladder. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ODDS_FORMATS } from '#values/odds-formats.ts';
import { LADDER, MAX_PRICE, MIN_PRICE, type Price } from '#values/price-ladder.ts';
import { keptPrice, startLimitOf, triggerOf, whenText } from '#web/betting/asked-terms.ts';
import type { Selection } from '#web/betting/selection.ts';
import { formatPrice, formatQuote, writeOddsAs } from '#web/format.ts';
import { numberFromText, oddsFromText, typedOdds } from '#web/typed-odds.ts';

afterEach(() => writeOddsAs('DECIMAL'));

it.each([
	[101, '1.01', '1/100', '−10000'],
	[150, '1.50', '1/2', '−200'],
	[157, '1.57', '57/100', '−175'],
	[199, '1.99', '99/100', '−101'],
	[200, '2.00', '1/1', '+100'],
	[202, '2.02', '51/50', '+102'],
	[250, '2.50', '3/2', '+150'],
	[345, '3.45', '49/20', '+245'],
	[1100, '11.0', '10/1', '+1000'],
	[100_000, '1000', '999/1', '+99900'],
	// The end of a chart's axis, which is no price.
	[100, '1.00', '–', '–'],
])('%i is %s, %s and %s', (price, ...forms) => {
	const written = ODDS_FORMATS.map((format) => {
		writeOddsAs(format);
		return formatPrice(price as Price);
	});
	expect(written).toEqual(forms);
});

/** No odds in any format. */
const WRONG = ['', ' ', 'evens', '0', '0/1', '1/0', '-2.5', '+50', '-99', '3/2/1', '1e3', '+138.5', '−'];

it('rates and lines are no odds, and stay as they are', () => {
	writeOddsAs('AMERICAN');
	const quotes = (['RATE', 'LINE', 'SPREAD'] as const).map((quoting) => formatQuote(185 as Price, quoting));
	expect(quotes).toEqual(['85', '85', '1.85']);
});

describe.each(ODDS_FORMATS)('%s', (format) => {
	beforeEach(() => writeOddsAs(format));

	it('writes no two prices alike, and reads what it writes', () => {
		const written = LADDER.map(formatPrice);
		expect(new Set(written).size).toBe(LADDER.length);
		expect(written.map(oddsFromText)).toEqual(LADDER);
		expect(LADDER.map(typedOdds).map(oddsFromText)).toEqual(LADDER);
	});

	it('reads decimals, fractions and signed numbers', () => {
		expect(['2.5', ' 2,5 ', '3/2', '6 / 4', '+150', '1.57', '4/7', '-175', '−175', '150.0'].map(oddsFromText)).toEqual([
			250, 250, 250, 250, 250, 157, 157, 157, 157, 15_000,
		]);
		expect(WRONG.map(oddsFromText)).toEqual(WRONG.map(() => null));
	});

	it('reads grouped thousands and the digits of Hindi and Bengali, and takes nothing below 1.01 for odds', () => {
		expect(['२.५', '২,৫', '३/२', '+1,000'].map(oddsFromText)).toEqual([250, 250, 250, 1100]);
		expect(oddsFromText('1,000')).toBe(format === 'AMERICAN' ? 1100 : 100_000);
		expect(['1.000', '1', '0.5'].map(oddsFromText)).toEqual([null, null, null]);
		expect(numberFromText('१,०००')).toBe(1000);
	});

	it('reads 150 without a sign as what it writes', () => {
		expect([oddsFromText('150'), oddsFromText('99')]).toEqual(format === 'AMERICAN' ? [250, 9900] : [15_000, 9900]);
	});

	const LINES = { quoting: 'SPREAD', ladder: { min: 10_000, max: 20_000, interval: 100 } } as const;
	const ODDS = { quoting: 'ODDS', ladder: 'CLASSIC' } as const;
	const asked = (text: string, terms: Pick<Selection, 'quoting' | 'ladder'> = ODDS) =>
		({ when: 'RISES', whenAt: keptPrice(text, terms), ...terms }) as Selection;

	it('takes a trigger and a worst starting price at the price of the ladder that is nearest to what was typed', () => {
		expect(triggerOf(asked('3/2'))).toEqual({ moves: 'RISES', at: 250 });
		expect(startLimitOf(asked('-200'))).toEqual({ limit: 150 });
		// 3.01 is no price of the ladder; 3.00 is.
		expect([triggerOf(asked('201/100')), startLimitOf(asked('+201'))]).toEqual([
			{ moves: 'RISES', at: 300 },
			{ limit: 300 },
		]);
		expect(WRONG.map((text) => triggerOf(asked(text)))).toEqual(WRONG.map(() => null));
		// A line of 150 runs is a number and no odds.
		expect(triggerOf(asked('150', LINES))).toEqual({ moves: 'RISES', at: 15_000 });
		expect(triggerOf(asked('+150', LINES))).toEqual({ moves: 'RISES', at: 15_000 });
	});

	it('asks the price that was typed in it, and shows it so, in every format that is chosen since', () => {
		const trigger = asked('150');
		const line = asked('150', LINES);
		const isAmerican = format === 'AMERICAN';
		for (const [since, text] of [
			['DECIMAL', isAmerican ? '2.5' : '150'],
			['FRACTIONAL', isAmerican ? '3/2' : '149/1'],
			['AMERICAN', isAmerican ? '+150' : '+14900'],
		] as const) {
			writeOddsAs(since);
			expect(triggerOf(trigger)).toEqual({ moves: 'RISES', at: isAmerican ? 250 : 15_000 });
			expect([whenText(trigger), whenText(line)]).toEqual([text, '150']);
		}
		expect(whenText({ ...trigger, when: 'TRAILS_RISE', whenAt: '5' })).toBe('5');
	});
});

it('every hundredth in its own American odds is read back below evens', () => {
	writeOddsAs('AMERICAN');
	for (let price: number = MIN_PRICE; price <= 1000; price++)
		expect(oddsFromText(formatPrice(price as Price))).toBe(price);
	expect(oddsFromText(formatPrice(MAX_PRICE))).toBe(MAX_PRICE);
});
