/** Amounts as they are typed: one table of cases, and the fields that have to read by it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAmount } from '#values/read-amount.ts';

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

it('an empty field is neither', () => expect(readAmount('  ')).toEqual({ kind: 'EMPTY' }));

/** Fields of figures that are no amounts, and one whose text another file reads. */
const NOT_AMOUNTS: Record<string, string> = {
	'src/web/features/api-access/new-key.tsx': 'requests a second',
	'src/web/features/bet-slip/odds-field.tsx': 'odds',
	'src/web/features/login/verification-form.tsx': 'a code',
	'src/web/features/casino/verify-screen.tsx': 'a nonce',
	'src/web/features/casino/crash/bet-slot.tsx': 'a multiple',
	'src/web/features/casino/games/limbo-game.tsx': 'a multiple',
	'src/web/features/protection/prove-mobile.tsx': 'a code',
	'src/ui/bet-edit.tsx': 'src/web/orders/resting-bet.ts reads it',
};

it('every field for an amount reads by this rule', () => {
	const files = ['src/web', 'src/ui'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.tsx?$/.test(name))
			.map((name) => join(folder, name)),
	);
	const takesFigures = /inputMode="(?:decimal|numeric)"|type="number"/;
	const reads = /#values\/read-amount|#web\/texts\/amount-words|stakePaise/;
	const strange = files.filter((file) => {
		const text = readFileSync(file, 'utf8');
		return takesFigures.test(text) && !reads.test(text) && !(file in NOT_AMOUNTS);
	});
	expect(strange).toEqual([]);
	const byOther = files.filter(
		(file) => file.startsWith('src/web/features/') && /paiseFromMajor\(/.test(readFileSync(file, 'utf8')),
	);
	expect(byOther).toEqual([]);
});
