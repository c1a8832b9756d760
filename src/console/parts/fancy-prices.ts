/** A fancy's prices as a trader types them: `42` is NO 42 and YES 43, `42/90 44/110` names lines and rates, `-` no side. */
import type { InputOf } from '#console/api/operate.ts';

export type FancyPrices = Pick<InputOf<'price-fancy'>, 'no' | 'yes'>;

/** What 100 of stake win where no rate is given. */
const EVENS = 100;

/** @returns null for a text that is not prices */
export function readPrices(text: string): FancyPrices | null {
	const sides = text.trim().split(/\s+/).map(readSide);
	const [no, yes] = sides;
	if (no === undefined || sides.includes(undefined) || sides.length > 2) return null;
	if (yes !== undefined) return { no, yes };
	return no && { no, yes: { line: no.line + 1, rate: no.rate } };
}

/** @returns null for a side that is not quoted, undefined for a text that is none */
function readSide(text: string): FancyPrices['no'] | undefined {
	if (text === '-') return null;
	const [, line, rate] = /^(\d{1,5})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	return line === undefined ? undefined : { line: Number(line), rate: rate === undefined ? EVENS : Number(rate) };
}

/** The text of these prices, each line higher by so much. */
export function writePrices({ no, yes }: FancyPrices, up = 0): string {
	const side = (of: FancyPrices['no']) =>
		of ? `${Math.max(0, of.line + up)}${of.rate === EVENS ? '' : `/${of.rate}`}` : '-';
	return `${side(no)} ${side(yes)}`;
}
