/** The chips of a visitor's slip suit the currency of the brand, and are those that it gives to new players. */
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { settingOfCurrency } from '#contract/currency-setting.ts';
import type { Currency } from '#values/currency-codes.ts';
import { StakeField } from '#web/features/bet-slip/stake-field.tsx';
import { useLadderStake } from '#web/features/market/ladder/ladder-stake.ts';
import { SELECTION } from '../support/selection.ts';
import { writtenFor } from './brand-page.tsx';

type Setting = Parameters<typeof writtenFor>[0];

const Field = () =>
	createElement(StakeField, {
		selection: SELECTION,
		label: 'Stake',
		maxStake: 0,
		limits: null,
		onEscape: () => undefined,
		wrongBy: undefined,
	});
const LadderStake = () => useLadderStake('7').text;

const chipsOf = (setting: Setting) =>
	[...writtenFor(setting, Field).matchAll(/>\+([^<]+)</g)].map(([, title]) => title);

it.each<[Currency, number[]]>([
	['EUR', [1, 5, 10, 25, 50, 100, 250, 500]],
	['GBP', [1, 5, 10, 25, 50, 100, 250, 500]],
	['BRL', [5, 10, 25, 50, 100, 250, 500, 1000]],
	['JPY', [100, 500, 1000, 5000, 10_000, 50_000, 100_000, 200_000]],
])('in %s', (currency, sizes) => {
	const setting = settingOfCurrency(currency) as Setting;
	expect(chipsOf(setting)).toEqual(sizes.map(String));
	expect(writtenFor(setting, LadderStake)).toBe(String(sizes[0]));
});

it('in rupees, and as an operator has set them', () => {
	expect(chipsOf({})).toEqual(['100', '500', '1k', '2k', '3k', '4k', '5k', '6k']);
	const setting = { defaultStakes: [{ title: 'Few', value: 12.5 }] };
	expect([chipsOf(setting), writtenFor(setting, LadderStake)]).toEqual([['Few'], '12.5']);
});
