/** The sentences of answers, by language, and the amounts and times in them. */
import { BN } from '#server/operators/references/texts/bn.ts';
import { type AnswerTexts, EN } from '#server/operators/references/texts/en.ts';
import { HI } from '#server/operators/references/texts/hi.ts';
import type { Language } from '#values/languages.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

export const ANSWER_TEXTS: Readonly<Record<Language, AnswerTexts>> = { en: EN, hi: HI, bn: BN };

const AMOUNT = new Intl.NumberFormat('en-IN', {
	style: 'currency',
	currency: 'INR',
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
	trailingZeroDisplay: 'stripIfInteger',
});

/** 150050 minor units → "₹1,500.50", without a sign. */
export const moneyText = (amount: AnyMinor): string => AMOUNT.format(majorFromMinor(Math.abs(amount)));

/** With a minus for what was lost or paid. */
export const signedMoneyText = (amount: AnyMinor): string => `${amount < 0 ? '−' : ''}${moneyText(amount)}`;

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
