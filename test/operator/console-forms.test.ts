/** What the console's forms say of a value that a call does not take: the reason, as the call's schema has it. */

import * as v from 'valibot';
import { expect, it } from 'vitest';
import { groupsFor } from '#console/parts/format.ts';
import { readMarketPrices } from '#console/parts/market-prices.ts';
import { fieldOf, problemOf, valueOf } from '#console/parts/schema-fields.ts';
import { SeenVersion } from '#console/parts/seen-version.ts';
import { Campaign } from '#contract/domain-setting.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';

const said = (typed: string) => {
	const field = fieldOf(Campaign, 'amount');
	const { issues } = v.safeParse(Campaign.entries.amount, valueOf(field, typed));
	return issues ? problemOf(field, typed, issues[0].message) : null;
};

it('says which amounts a field takes where one that can be read is not among them', () => {
	expect(said('2.5L')).toBeNull();
	for (const typed of ['0', '1,000.50', '2cr']) expect(said(typed)).toBe('A whole number from 1 to 10000000.');
	expect(said('')).toBe('Enter an amount.');
	expect(said('1,5')).toBe('Do you mean 1.50 or 15.00?');
});

it('reads a market’s prices as pairs or as chances, and neither for another number of runners', () => {
	expect(readMarketPrices('2/2.1 -/4.2', 2)).toEqual({
		prices: [
			{ back: 2, lay: 2.1 },
			{ back: null, lay: 4.2 },
		],
	});
	expect(readMarketPrices(' 62.5 37.5 ', 2)).toEqual({ chances: [62.5, 37.5] });
	for (const typed of ['', '50', '50 50 0', '2/2.1 50', '2/x 3/4', '-5 105', '- -']) {
		expect(readMarketPrices(typed, 2)).toBeNull();
	}
});

it('sends a time that is typed by the member’s clock as UTC', () => {
	const field = fieldOf(OPERATOR_CALLS['event-add'].input, 'startsAt');
	const typed = '2031-03-01T14:00';
	expect(valueOf(field, typed)).toBe(new Date(2031, 2, 1, 14).toISOString());
	expect(valueOf(field, '')).toBe('');
});

it('groups digits as the viewer’s language does, whatever its own digits and points are', () => {
	const shown = (language: string) => new Intl.NumberFormat(groupsFor(language)).format(12_345_678.5);
	for (const language of ['en-IN', 'hi-IN', 'hi', 'bn-BD'])
		expect([language, shown(language)]).toEqual([language, '1,23,45,678.5']);
	for (const language of ['en-GB', 'en', 'de-DE', 'ja-JP', 'pt-BR', 'ar-EG'])
		expect([language, shown(language)]).toEqual([language, '12,345,678.5']);
});

it('counts a change as seen by a trader after half a second, and at once where it is the trader’s own', () => {
	let now = 0;
	const seen = new SeenVersion(5, () => now);
	seen.show(6);
	now = 499;
	expect(seen.latest).toBe(5);
	seen.show(7);
	now = 998;
	expect(seen.latest).toBe(5);
	now = 999;
	expect(seen.latest).toBe(7);
	seen.showOwn({ version: 8 });
	expect(seen.latest).toBe(8);
	// The next one came to the screen before the answer to the trader's own act did.
	seen.show(10);
	seen.showOwn({ version: 9 });
	expect(seen.latest).toBe(9);
	now += 500;
	expect(seen.latest).toBe(10);
	// Another trader's came before the own one.
	seen.showOwn({ version: 12 });
	expect(seen.latest).toBe(10);
});
