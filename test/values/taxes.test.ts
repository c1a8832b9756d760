/**
 * Fifty cases of taxes, worked out by hand, and years at random against a slow model. The formulas of net winnings are
 * those of rule 133 of India's Income-tax Rules: A withdrawn, B deposited, C at the beginning, D at the end, E taxed before.
 * Rates: 30 % by section 194BA and 28 % of deposits by rule 31B (India), 20 % of commission by decree 47/2013 (Italy),
 * 12 % of the gross gaming revenue by law 14.790/2023 (Brazil).
 */
import { expect, it } from 'vitest';
import { netWinningsIn, netWinningsOf, taxOf } from '#values/taxes.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { onSeeds } from '../support/seeds.ts';

const WINNINGS_BP = 3_000;
/** Amounts of the tables are major units. */
const minor = (major: number): number => Math.round(major * 100);

it.each([
	// India, deposits.
	[2_800, 50_000, 14_000],
	[2_800, 12_345, 3_457],
	[2_800, 1, 0],
	[2_800, 2, 1],
	// Italy, commission.
	[2_000, 8_000, 1_600],
	[2_000, 2, 0],
	[2_000, 3, 1],
	// Brazil, revenue.
	[1_200, 1_250, 150],
	[1_200, 104, 12],
	[1_200, 105, 13],
	// A month in which players won.
	[1_200, 0, 0],
	[1_200, -500, 0],
	// India, winnings: 0.3, 0.6, 1.5 and 99.9 minor units, and more than a number with fractions could hold exactly.
	[WINNINGS_BP, 1, 0],
	[WINNINGS_BP, 2, 1],
	[WINNINGS_BP, 5, 2],
	[WINNINGS_BP, 333, 100],
	[WINNINGS_BP, 9_007_199_254_740_991, 2_702_159_776_422_297],
] as const)('%d basis points of %d are %d', (rateBp, base, tax) => {
	expect(taxOf(base, rateBp)).toBe(tax);
});

it.each([
	// [opening, deposited, withdrawn before, taxed before, this withdrawal, net winnings in it, tax]
	['less than the deposits', 0, 1_000, 0, 0, 500, 0, 0],
	['as much as the deposits', 0, 1_000, 0, 0, 1_000, 0, 0],
	['more than the deposits', 0, 1_000, 0, 0, 1_500, 500, 150],
	['more than the deposits and the opening balance', 300, 1_000, 0, 0, 1_500, 200, 60],
	['the opening balance alone', 800, 0, 0, 0, 800, 0, 0],
	['a rupee more than the opening balance', 800, 0, 0, 0, 801, 1, 0.3],
	['the second one, after deposits were partly used', 0, 1_000, 600, 0, 600, 200, 60],
	['the second one, after all deposits were used', 0, 1_000, 1_500, 500, 400, 400, 120],
	['one that a later deposit covers', 0, 1_500, 1_500, 500, 400, 0, 0],
	['one that a later deposit covers in part', 0, 1_500, 1_500, 500, 600, 100, 30],
	['what the house gave', 0, 0, 0, 0, 250, 250, 75],
	['after earlier ones from before the tax', 0, 1_000, 5_000, 0, 100, 100, 30],
	['after a chargeback of a deposit of the year before', 500, -500, 0, 0, 400, 400, 120],
	['a minor unit of winnings', 0, 999.99, 0, 0, 1_000, 0.01, 0],
	['three minor units of winnings', 0, 999.97, 0, 0, 1_000, 0.03, 0.01],
	['nine lakh of winnings', 0, 100_000, 0, 0, 1_000_000, 900_000, 270_000],
	['in a year of losses', 0, 5_000, 0, 0, 1_000, 0, 0],
	['after deposits and opening balance were used to the rupee', 100, 200, 300, 0, 50, 50, 15],
] as const)('a withdrawal of %s', (_, opening, deposited, withdrawn, taxed, amount, base, tax) => {
	const year = {
		opening: minor(opening),
		deposited: minor(deposited),
		withdrawn: minor(withdrawn),
		taxed: minor(taxed),
	};
	const found = netWinningsIn(minor(amount), year);
	expect([found, taxOf(found, WINNINGS_BP)]).toEqual([minor(base), minor(tax)]);
});

it.each([
	// [opening, deposited, withdrawn, taxed, closing, net winnings of the year, tax]
	['in which nothing moved', 0, 0, 0, 0, 0, 0, 0],
	['that ends with what it began with', 500, 0, 0, 0, 500, 0, 0],
	['whose winnings stay in the account', 0, 1_000, 0, 0, 1_500, 500, 150],
	['whose winnings were withdrawn in part', 0, 1_000, 800, 300, 700, 200, 60],
	['whose winnings were all withdrawn and taxed', 0, 1_000, 1_500, 500, 0, 0, 0],
	['of losses', 0, 1_000, 0, 0, 200, 0, 0],
	['of losses after taxed winnings', 0, 1_400, 1_500, 500, 0, 0, 0],
	['in which the house gave', 0, 0, 0, 0, 300, 300, 90],
	['after a year whose tax was taken in this one', 500, 0, 150, 0, 350, 0, 0],
	['after such a year, with winnings', 500, 0, 150, 0, 550, 200, 60],
	['that ends in debt', 0, 0, 0, 0, -100, 0, 0],
	['that began with money, and ended with none', 1_000, 500, 2_000, 500, 0, 0, 0],
	['that began with money, and ended with some', 1_000, 500, 2_000, 500, 250, 250, 75],
	['with five minor units of winnings', 0, 10, 0, 0, 10.05, 0.05, 0.02],
	['with a crore of winnings', 0, 100_000, 5_000_000, 4_900_000, 5_100_000, 5_100_000, 1_530_000],
] as const)('a year %s', (_, opening, deposited, withdrawn, taxed, closing, base, tax) => {
	const found = netWinningsOf({
		opening: minor(opening),
		deposited: minor(deposited),
		withdrawn: minor(withdrawn),
		taxed: minor(taxed),
		closing: minor(closing),
	});
	expect([found, taxOf(found, WINNINGS_BP)]).toEqual([minor(base), minor(tax)]);
});

onSeeds(
	[1, 2, 3],
	'over a year, what is taxed is what was won, and more only where winnings were taxed and lost again, seed %i',
	(seed) => {
		const numbers = new SeededNumbers(seed);
		for (let run = 0; run < 300; run++) {
			const opening = numbers.below(1_000);
			const year = { opening, closing: opening, deposited: 0, withdrawn: 0, taxed: 0 };
			let won = 0;
			for (let step = 0; step < 20; step++) {
				const amount = numbers.below(500);
				const act = numbers.from(['deposit', 'win', 'lose', 'withdraw'] as const);
				if (act === 'deposit') year.deposited += amount;
				if (act === 'deposit' || act === 'win') year.closing += amount;
				if (act === 'win') won += amount;
				if ((act !== 'lose' && act !== 'withdraw') || amount > year.closing) continue;
				if (act === 'lose') won -= amount;
				else {
					const base = netWinningsIn(amount, year);
					// Neither more than is withdrawn, nor more than was won.
					expect([base <= amount, base <= Math.max(0, won - year.taxed)]).toEqual([true, true]);
					year.taxed += base;
					year.withdrawn += amount;
				}
				year.closing -= amount;
			}
			expect(year.taxed + netWinningsOf(year)).toBe(Math.max(year.taxed, won));
		}
	},
);
