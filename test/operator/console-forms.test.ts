/** What the console's forms say of a value that a call does not take: the reason, as the call's schema has it. */

import * as v from 'valibot';
import { expect, it } from 'vitest';
import { fieldOf, problemOf, valueOf } from '#console/parts/schema-fields.ts';
import { Campaign } from '#contract/domain-setting.ts';

const said = (typed: string) => {
	const field = fieldOf(Campaign, 'amount');
	const { issues } = v.safeParse(Campaign.entries.amount, valueOf(field, typed));
	return issues ? problemOf(field, typed, issues[0].message) : null;
};

it('says which amounts a field takes where one that can be read is not among them', () => {
	expect(said('2.5L')).toBeNull();
	for (const typed of ['0', '1,000.50', '2cr']) expect(said(typed)).toBe('A whole number from 1 to 10000000.');
	expect(said('')).toBe('Enter an amount.');
	expect(said('1,5')).toBe('Do you mean ₹1.50 or ₹15.00?');
});
