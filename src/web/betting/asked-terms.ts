/** What a selection asks for, as the player typed it: stake, plan, trigger, starting price. */
import { MAX_AMOUNT_MINOR, type Minor } from '#values/money.ts';
import { type LadderTerms, ladderOf, type Price, priceFromDecimal } from '#values/price-ladder.ts';
import { isPlan, type Selection } from '#web/betting/selection.ts';
import { amountFromText } from '#web/typed-amount.ts';
import { numberFromText, priceFromText } from '#web/typed-odds.ts';

/** The typed stake in minor units; null if it is not a valid stake. */
export function stakeMinor(text: string): Minor | null {
	const stake = amountFromText(text);
	return stake !== null && stake > 0 && stake <= MAX_AMOUNT_MINOR ? stake : null;
}

/** What a selection's plan asks; null while what was typed is not what it needs. */
export function planOf({ when, whenAt }: Pick<Selection, 'when' | 'whenAt'>) {
	const typed = whenAt.trim();
	if (when === 'ICEBERG') {
		const visible = stakeMinor(typed);
		return visible === null ? null : { kind: when, visible };
	}
	if (when === 'PEG') return /^\d{0,3}$/.test(typed) ? { kind: when, ticks: Number(typed) } : null;
	const [, profitTicks = 0, stopTicks = 0] = (/^(\d{1,3})\s*\/\s*(\d{1,3})$/.exec(typed) ?? []).map(Number);
	return when === 'BRACKET' && profitTicks > 0 && stopTicks > 0 ? { kind: when, profitTicks, stopTicks } : null;
}

/** A price of the market's ladder as typed, or null. */
function typedPrice(text: string, ladder: LadderTerms): Price | null {
	const price = typeof ladder === 'string' ? priceFromText(text) : priceFromDecimal(numberFromText(text));
	return price !== null && ladderOf(ladder).tickOf(price) >= 0 ? price : null;
}

/** The worst starting price that was typed; empty for any. Null while what was typed is no price. */
export function startLimitOf({ whenAt, ladder }: Pick<Selection, 'whenAt' | 'ladder'>): { limit?: Price } | null {
	if (whenAt.trim() === '') return {};
	const limit = typedPrice(whenAt, ladder);
	return limit === null ? null : { limit };
}

/** Whether what was typed beside the moment of the bet can be placed. */
export const isWhenSound = (selection: Selection): boolean => selection.when === '' || askedBy(selection) !== null;

function askedBy(selection: Selection): object | null {
	if (isPlan(selection.when)) return planOf(selection);
	return selection.when === 'START' ? startLimitOf(selection) : triggerOf(selection);
}

/** What a selection's trigger asks; null while what was typed is no price and no number of ticks. */
export function triggerOf({ when, whenAt, ladder }: Selection) {
	const moves = when === 'RISES' || when === 'TRAILS_FALL' ? ('RISES' as const) : ('FALLS' as const);
	if (when === 'TRAILS_RISE' || when === 'TRAILS_FALL') {
		const trail = Number(whenAt);
		return /^\d{1,3}$/.test(whenAt.trim()) && trail > 0 ? { moves, trail } : null;
	}
	const at = typedPrice(whenAt, ladder);
	return at === null ? null : { moves, at };
}
