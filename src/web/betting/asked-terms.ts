/** What a selection asks for, as the player typed it: stake, plan, trigger, starting price. */
import { MAX_AMOUNT_MINOR, type Minor } from '#values/money.ts';
import {
	closestPrice,
	decimalFromPrice,
	hundredthsFromDecimal,
	type LadderTerms,
	ladderOf,
	type Price,
	priceFromDecimal,
} from '#values/price-ladder.ts';
import { isPlan, type Selection } from '#web/betting/selection.ts';
import { amountFromText } from '#web/typed-amount.ts';
import { numberFromText, oddsFromText, typedOdds } from '#web/typed-odds.ts';

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

type PriceTerms = Pick<Selection, 'quoting' | 'ladder'>;

/** The ladder's price nearest to the typed odds, line or rate per 100; null when the text is no number. */
export function nearestTyped(text: string, { quoting, ladder }: PriceTerms): Price | null {
	const typed = numberFromText(text);
	const isNumber = Number.isFinite(typed) && typed > 0;
	const asked =
		quoting === 'ODDS'
			? oddsFromText(text)
			: !isNumber
				? null
				: quoting === 'SPREAD'
					? hundredthsFromDecimal(typed)
					: Math.round(typed) + 100;
	return asked === null ? null : closestPrice(ladderOf(ladder), asked);
}

/** How a typed price is kept: as a decimal, whatever format of odds the page writes since. A text that is no price stays. */
export function keptPrice(text: string, terms: PriceTerms): string {
	const price = nearestTyped(text, terms);
	return price === null ? text : String(decimalFromPrice(price));
}

/** A price of the market's ladder, or null; a text that was no price when it was typed is none now. */
function priceKept(kept: string, ladder: LadderTerms): Price | null {
	const price = priceFromDecimal(Number(kept));
	const isPrice = price !== null && String(decimalFromPrice(price)) === kept && ladderOf(ladder).tickOf(price) >= 0;
	return isPrice ? price : null;
}

/** Whether a price is typed beside the moment of the bet, and not ticks or an amount. */
export const isAtPrice = ({ when }: Pick<Selection, 'when'>): boolean =>
	when === 'RISES' || when === 'FALLS' || when === 'START';

/** What was typed beside the moment of the bet; a price in the format of the page. */
export function whenText(selection: Pick<Selection, 'when' | 'whenAt' | 'quoting' | 'ladder'>): string {
	const { whenAt, quoting, ladder } = selection;
	const price = isAtPrice(selection) && quoting !== 'SPREAD' ? priceKept(whenAt, ladder) : null;
	if (price === null) return whenAt;
	return quoting === 'ODDS' ? typedOdds(price) : String(price - 100);
}

/** The worst starting price that was typed; empty for any. Null while what was typed is no price. */
export function startLimitOf({ whenAt, ladder }: Pick<Selection, 'whenAt' | 'ladder'>): { limit?: Price } | null {
	if (whenAt.trim() === '') return {};
	const limit = priceKept(whenAt, ladder);
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
	const at = priceKept(whenAt, ladder);
	return at === null ? null : { moves, at };
}
