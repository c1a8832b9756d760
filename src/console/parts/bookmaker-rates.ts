/** A runner's rates as a trader types them: `42 44` is back 42 and lay 44, `42` gives the layer two more, `-` is no side. */
import type { InputOf } from '#console/api/operate.ts';

export type RunnerRates = Pick<InputOf<'price-bookmaker'>, 'back' | 'lay'>;

/** What a layer pays more where one rate is typed. */
const SPREAD = 2;

/** @returns null for a text that is not rates */
export function readRates(text: string): RunnerRates | null {
	const [back, lay, ...more] = text.trim().split(/\s+/).map(readRate);
	if (back === undefined || more.length > 0) return null;
	if (lay !== undefined) return Number.isNaN(back) || Number.isNaN(lay) ? null : { back, lay };
	return Number.isNaN(back) ? null : { back, lay: back && back + SPREAD };
}

/** @returns null for a side that is not quoted, NaN for a text that is none */
const readRate = (text: string): number | null =>
	text === '-' ? null : /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;

/** The text of these rates, each higher by so much. */
export function writeRates({ back, lay }: RunnerRates, up = 0): string {
	const side = (rate: number | null) => (rate === null ? '-' : String(Math.max(1, rate + up)));
	return back === null && lay === null ? '-' : `${side(back)} ${side(lay)}`;
}
