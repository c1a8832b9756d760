/**
 * The currencies of brands, as data: how each is written, its smallest coin, and the sizes of bets that suit it. Amounts
 * are minor units, a hundredth of the currency's unit in every currency, also where no such coin exists.
 */

import type { Currency } from '#values/currency-codes.ts';

interface CurrencyTerms {
	/** Written before the amount. */
	symbol: string;
	/** Minor units of the smallest coin: every posting is a multiple of it. */
	step: number;
	/** Digits after the point. */
	decimals: 0 | 2;
	/** Whose readers expect its amounts: 1,00,000 or 100,000. Dates of its brands are written like that, too, at first. */
	locale: string;
	/**
	 * Stakes of bets are multiples of this many minor units. Prices are hundredths, so a stake of a hundred coins wins
	 * whole coins at every price.
	 */
	stakeStep: number;
	/** Limits are written in the home currency once; here they count `times` and are divided by `over`. */
	limits: { times: number; over: number };
	/** Stakes that the slip and the casino offer, major units. */
	stakes: readonly number[];
	chips: readonly number[];
}

const CENTS = { step: 1, decimals: 2, stakeStep: 1 } as const;
/** One unit is worth about a hundred rupees. */
const HUNDREDFOLD = {
	limits: { times: 1, over: 100 },
	stakes: [1, 5, 10, 25, 50, 100, 250, 500],
	chips: [1, 5, 25, 100, 500, 1000],
} as const;

export const CURRENCY_TERMS: Readonly<Record<Currency, CurrencyTerms>> = {
	INR: {
		symbol: '₹',
		step: 1,
		decimals: 2,
		locale: 'en-IN',
		stakeStep: 1,
		limits: { times: 1, over: 1 },
		stakes: [100, 500, 1000, 5000, 10_000, 25_000, 50_000, 100_000],
		chips: [10, 50, 100, 500, 1000, 5000],
	},
	EUR: { symbol: '€', locale: 'en-IE', ...CENTS, ...HUNDREDFOLD },
	GBP: { symbol: '£', locale: 'en-GB', ...CENTS, ...HUNDREDFOLD },
	BRL: {
		symbol: 'R$',
		locale: 'en-BR',
		...CENTS,
		limits: { times: 1, over: 20 },
		stakes: [5, 10, 25, 50, 100, 250, 500, 1000],
		chips: [1, 5, 10, 50, 100, 500],
	},
	JPY: {
		symbol: '¥',
		step: 100,
		decimals: 0,
		locale: 'en-JP',
		stakeStep: 10_000,
		limits: { times: 2, over: 1 },
		stakes: [100, 500, 1000, 5000, 10_000, 50_000, 100_000, 200_000],
		chips: [100, 500, 1000, 5000, 10_000, 50_000],
	},
};

/** A limit in minor units of the home currency, as one of another currency, rounded down to its coins; 0 stays no limit. */
export function limitIn(currency: Currency, minor: number): number {
	const { limits, step } = CURRENCY_TERMS[currency];
	if (minor === 0) return 0;
	return Math.max(step, Math.floor((minor * limits.times) / (limits.over * step)) * step);
}

/** The limit of the home currency that counts as this one, of whole coins, in another. */
export function homeLimitOf(currency: Currency, minor: number): number {
	const { limits } = CURRENCY_TERMS[currency];
	return Math.ceil((minor * limits.over) / limits.times);
}

/** The least stake of a bet, rounded up to a possible one. */
export function leastStakeIn(currency: Currency, minor: number): number {
	const { stakeStep } = CURRENCY_TERMS[currency];
	return Math.ceil(limitIn(currency, minor) / stakeStep) * stakeStep;
}

/** A stake of the house's own, rounded down to a possible one, and not to nothing. */
export function stakeIn(currency: Currency, minor: number): number {
	const { stakeStep } = CURRENCY_TERMS[currency];
	return Math.max(stakeStep, Math.floor(limitIn(currency, minor) / stakeStep) * stakeStep);
}

/** Rounded down to whole coins, for what the house pays. */
export const downToStep = (minor: number, step: number): number => Math.floor(minor / step) * step;
/** Rounded up to whole coins, for what a player still has to do. */
export const upToStep = (minor: number, step: number): number => Math.ceil(minor / step) * step;
