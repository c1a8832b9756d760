/** The sentences of answers, by language, and the amounts and times in them. */
import { BN } from '#server/operators/references/texts/bn.ts';
import { type AnswerTexts, EN } from '#server/operators/references/texts/en.ts';
import { HI } from '#server/operators/references/texts/hi.ts';
import type { Language } from '#values/languages.ts';
import type { AnyMinor } from '#values/money.ts';
import { moneyText as textOf } from '#values/money-text.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

export const ANSWER_TEXTS: Readonly<Record<Language, AnswerTexts>> = { en: EN, hi: HI, bn: BN };

/** 150050 minor units of rupees → "₹1,500.50", without a sign for less than nothing. */
export const moneyText = (pool: Pool, amount: AnyMinor): string => textOf(currencyOf(pool), Math.abs(amount));

/** With a minus for what was lost or paid. */
export const signedMoneyText = (pool: Pool, amount: AnyMinor): string => textOf(currencyOf(pool), amount);

/** In the time of the player's brand, with the zone's name; figures are Latin in every language. */
export function timeText(locale: string, atMs: number, zone: string): string {
	const time = new Intl.DateTimeFormat(locale, {
		timeZone: zone,
		numberingSystem: 'latn',
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: 'numeric',
		minute: '2-digit',
		timeZoneName: 'short',
	});
	return time.format(atMs);
}
