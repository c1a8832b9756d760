/** Amounts that players type, in the currency of the page's brand. */
import type { Minor } from '#values/money.ts';
import * as reading from '#values/read-amount.ts';
import { CURRENCY } from '#web/currency.ts';

export const readAmount = (text: string): ReturnType<typeof reading.readAmount> => reading.readAmount(text, CURRENCY);

/** The amount; null for an invalid, empty or ambiguous one. */
export const amountFromText = (text: string): Minor | null => reading.amountFromText(text, CURRENCY);
