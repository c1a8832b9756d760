/** Amounts as they are typed: one table of cases, and the fields that have to read by it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Campaign } from '#contract/domain-setting.ts';
import { IN_MAJOR } from '#contract/fields.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { CURRENCIES } from '#values/currency-codes.ts';
import { readAmount } from '#values/read-amount.ts';

/** The parts of a schema that say what its field is. */
interface Described {
	type: string;
	wrapped?: Described;
	pipe?: readonly unknown[];
}

/** What is typed, and the rupees that it is. */
const AMOUNTS: [string, number][] = [
	['500', 500],
	['500.5', 500.5],
	['.5', 0.5],
	['7.', 7],
	['1,000', 1000],
	['1,00,000', 100_000],
	['100,000', 100_000],
	['12,34,567.89', 1_234_567.89],
	['₹1,00,000', 100_000],
	['₹ 250/-', 250],
	['Rs. 300', 300],
	['1k', 1000],
	['1.5 K', 1500],
	['2.5L', 250_000],
	['2 lakh', 200_000],
	['1.125 Cr', 11_250_000],
	['१,५००', 1500],
	['₹२ लाख', 200_000],
	['३ हज़ार', 3000],
	['१ करोड़', 10_000_000],
	['১,৫০০', 1500],
	['₹২ লাখ', 200_000],
	['৩ হাজার', 3000],
	['১০ লক্ষ', 1_000_000],
	['৯ কোটি', 90_000_000],
	['-50', -50],
	['−₹1,000', -1000],
	['₹-1k', -1000],
];

it.each(AMOUNTS)('%s is an amount', (text, rupees) => {
	expect(readAmount(text)).toEqual({ kind: 'AMOUNT', amount: Math.round(rupees * 100) });
});

it.each([
	['1,5', 1.5, 15],
	['12,50', 12.5, 1250],
	['1.500', 1.5, 1500],
	['१,५', 1.5, 15],
	['1,00', 1, 100],
])('%s is asked, because it has two readings', (text, either, or) => {
	expect(readAmount(text)).toEqual({ kind: 'AMBIGUOUS', either: either * 100, or: or * 100 });
});

it.each([
	'abc',
	'1,,000',
	'1,0000',
	',5',
	'5,',
	'1.2.3',
	'0.001',
	'1e5',
	'5m',
	'₹',
	'-',
	'--5',
	'1 000 000 L',
	'1,00,00',
])('%s is no amount', (text) => {
	expect(readAmount(text)).toEqual({ kind: 'NONE' });
});

it.each([
	['EUR', '€1,000', 1_000],
	['EUR', '100,000.50', 100_000.5],
	['EUR', '1,00,000', 100_000],
	['EUR', 'eur 2.5k', 2_500],
	['GBP', '-£20', -20],
	['BRL', 'R$ 1m', 1_000_000],
	['JPY', '¥10,000', 10_000],
	['JPY', '￥500', 500],
] as const)('in %s, %s is an amount', (currency, text, major) => {
	expect(readAmount(text, currency)).toEqual({ kind: 'AMOUNT', amount: Math.round(major * 100) });
});

it.each([
	['EUR', '₹500'],
	['EUR', '2.5L'],
	['JPY', '1 crore'],
	['GBP', '$5'],
	['BRL', 'R5'],
	['INR', '€5'],
	['INR', '1m'],
	['EUR', '1.000.000'],
] as const)('in %s, %s is no amount', (currency, text) => {
	expect(readAmount(text, currency)).toEqual({ kind: 'NONE' });
});

it('a comma or a point between three figures and two is asked about in each currency', () => {
	for (const currency of CURRENCIES) {
		expect(readAmount('12,50', currency)).toEqual({ kind: 'AMBIGUOUS', either: 1_250, or: 125_000 });
		expect(readAmount('1.500', currency)).toEqual({ kind: 'AMBIGUOUS', either: 150, or: 150_000 });
	}
});

it('an empty field is neither', () => expect(readAmount('  ')).toEqual({ kind: 'EMPTY' }));

/** Fields of figures that are no amounts, and one whose text another file reads. */
const NOT_AMOUNTS: Record<string, string> = {
	'src/web/features/api-access/new-key.tsx': 'requests a second',
	'src/web/features/bet-slip/odds-field.tsx': 'odds',
	'src/web/features/login/unlock-form.tsx': 'a code',
	'src/web/features/login/verification-form.tsx': 'a code',
	'src/web/features/login/reset-form.tsx': 'a code',
	'src/web/features/contact/contact-screen.tsx': 'a mail address and a code',
	'src/web/features/cashier/target-fields.tsx': 'a bank account',
	'src/web/features/casino/verify-screen.tsx': 'a nonce',
	'src/web/features/casino/crash/bet-slot.tsx': 'a multiple',
	'src/web/features/casino/games/limbo-game.tsx': 'a multiple',
	'src/web/features/protection/prove-mobile.tsx': 'a code',
	'src/ui/bet-edit.tsx': 'src/web/orders/resting-bet.ts reads it, and hands it what it says',
	'src/console/screens/door.tsx': 'a code',
	'src/web/orders/bet-option-fields.tsx': 'odds and ticks',
	'src/console/screens/fancy-desk.tsx': 'lines and rates',
	'src/console/screens/price-desk.tsx': 'chances, prices and per cent',
	'src/console/screens/propose-dialog.tsx': 'results, places and per cent',
};

const sourcesOf = (...folders: string[]): [file: string, text: string][] =>
	folders.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.tsx?$/.test(name))
			.map((name): [string, string] => [join(folder, name), readFileSync(join(folder, name), 'utf8')]),
	);

it('every field for an amount reads by this rule, and says back what it understood', () => {
	const files = sourcesOf('src/web', 'src/ui', 'src/console');
	const takesFigures = /inputMode=(?:"(?:decimal|numeric|text)"|\{)|type="number"/;
	const reads = /#values\/read-amount|#web\/typed-amount|parts\/amount-words|stakeMinor/;
	const says = /understoodWords\(|saidWords\(|amountSaid\(|<AmountField|shown\(read\.amount\)/;
	const isAmount = ([file, text]: [string, string]) => takesFigures.test(text) && !(file in NOT_AMOUNTS);
	const fields = files.filter(isAmount);
	expect(fields.filter(([, text]) => !reads.test(text)).map(([file]) => file)).toEqual([]);
	expect(fields.filter(([, text]) => !says.test(text)).map(([file]) => file)).toEqual([]);
	const byOther = files.filter(
		([file, text]) => file.startsWith('src/web/features/') && text.includes('minorFromMajor('),
	);
	expect(byOther.map(([file]) => file)).toEqual([]);
});

it('every amount of an operators’ form is marked as one, so that its field reads by this rule', () => {
	const inputs = Object.entries(OPERATOR_CALLS).map(([call, { input }]): [string, unknown] => [call, input]);
	const unmarked = [...inputs, ['campaign', Campaign] as const].flatMap(([call, schema]) =>
		Object.entries((schema as { entries?: Record<string, Described> }).entries ?? {}).flatMap(([name, field]) => {
			const inner = field.wrapped ?? field;
			const soundsSo = /amount|stake|profit|budget|reward|deposit|fee/i.test(name);
			return soundsSo && inner.type === 'number' && !inner.pipe?.includes(IN_MAJOR) ? [`${call}.${name}`] : [];
		}),
	);
	expect(unmarked).toEqual([]);
});
