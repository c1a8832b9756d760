/** What the numbers on a receipt are, by what stands beside them. */
import { expect, it } from 'vitest';
import { amountIn, hasUtr, type TextLine, utrIn } from '#values/receipt-text.ts';

/** Lines of one size; a star makes a line four times as tall. */
const lines = (...texts: string[]): TextLine[] =>
	texts.map((text) => ({ text: text.replace(/^\*/, ''), height: text.startsWith('*') ? 80 : 20 }));

it.each([
	['UTR: 412345678901.', '412345678901'],
	['UTR 412345678901 Txn 412345678902', null],
	['card 4123456789012345', null],
	['Card 4123 4567 8901 2345', null],
	['UPI Ref No: 4123 4567 8901', '412345678901'],
	['UTR 4123-4567-8901', '412345678901'],
	['412345678901', '412345678901'],
	['+919876543210', null],
	['919876543210', null],
	['UTR 919876543210', '919876543210'],
	['412345678901@ybl', null],
	['Account: 000012345678', null],
	['A/c No 000012345678 UTR 412345678901', null],
	['खाता 000012345678', null],
	['9,41,23,45,67,89,01', null],
	['412345678901.50', '412345678901'],
])('the reference in “%s” is %s', (text, utr) => {
	expect(utrIn(lines(text))).toBe(utr);
});

it('the line above names a number that stands alone, and a named reference goes before the others', () => {
	expect(utrIn(lines('Account number', '000012345678'))).toBeNull();
	expect(utrIn(lines('UPI transaction ID', '412345678901', 'Order', '555555555555'))).toBe('412345678901');
	expect(hasUtr(lines('Account number', '000012345678'), '000012345678')).toBe(false);
	expect(hasUtr(lines('UPI ref', '4123 4567 8901'), '412345678901')).toBe(true);
	expect(hasUtr(lines('Ref SBIN R520 2611 2612 3456'), 'SBINR52026112612')).toBe(true);
});

it.each([
	['Paid ₹1,000.00', 1_000, 'FOUND'],
	['Paid 31,000 to Backlay', 1_000, 'AMBIGUOUS'],
	['Rs 31,000 to Backlay', 1_000, 'NOT_FOUND'],
	['Paid 2,000', 1_000, 'NOT_FOUND'],
	['Amount: INR 45,000,00', 45_000, 'FOUND'],
	['Amount: INR 45,000.00', 4_500_000, 'NOT_FOUND'],
	['1,00,000/-', 100_000, 'FOUND'],
	['राशि 1,250', 1_250, 'FOUND'],
	['15 Nov 2026, 10:15 am', 2_026, 'NOT_FOUND'],
	['15 Nov 2026, 10:15 am', 10, 'NOT_FOUND'],
	['Paid on 15/11/2026', 2_026, 'NOT_FOUND'],
	['HDFC Bank 5678', 5_678, 'NOT_FOUND'],
	['1,250', 1_250, 'NOT_FOUND'],
	['Paid ₹99.5', 99.5, 'FOUND'],
	['Paid ₹99.55', 99.5, 'NOT_FOUND'],
])('“%s” confirms %d: %s', (text, rupees, finding) => {
	expect(amountIn(lines(text), rupees * 100)).toBe(finding);
});

it('the largest type is the amount, the line above may be its label, and a time never is one', () => {
	const receipt = lines('To Backlay', '*1,250', '15 Nov 2026, 10:15 am', 'HDFC Bank 5678');
	expect([1_250, 250, 5_678, 2_026].map((rupees) => amountIn(receipt, rupees * 100))).toEqual([
		'FOUND',
		'AMBIGUOUS',
		'NOT_FOUND',
		'NOT_FOUND',
	]);
	expect(amountIn(lines('Amount', '1,250'), 125_000)).toBe('FOUND');
	expect(amountIn(lines('*10:15', 'Paid to 12 shops'), 1_000)).toBe('NOT_FOUND');
});

it.each([
	// The reader took ₹ for a figure: an app would have written 3,500.
	[['backlay@okaxis', '*3500'], 500, 'FOUND'],
	[['backlay@okaxis', '*3500'], 3_500, 'AMBIGUOUS'],
	[['backlay@okaxis', '*33500.00'], 3_500, 'FOUND'],
	[['backlay@okaxis', '*₹3500'], 3_500, 'FOUND'],
	[['backlay@okaxis', '*3,500'], 3_500, 'FOUND'],
	[['backlay@okaxis', '*350'], 350, 'FOUND'],
	[['backlay@okaxis', '*3050'], 3_050, 'FOUND'],
	// A word names it, as in a bank's table, which writes no sign.
	[['Amount: 3500'], 3_500, 'FOUND'],
	[['Amount: 3500'], 500, 'AMBIGUOUS'],
])('%j, where four figures without a comma start with the sign, confirms %d: %s', (texts, rupees, finding) => {
	expect(amountIn(lines(...texts, '15 Nov', 'HDFC Bank 12'), rupees * 100)).toBe(finding);
});
