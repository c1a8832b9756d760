/** Prices of an exchange market as a trader types them: "2/2.1 3.8/4.2", or chances in per cent such as "50 25 25". */
import type { InputOf } from '#console/api/operate.ts';

type Asked = Pick<InputOf<'price-market'>, 'prices' | 'chances'>;

const NOTHING = '-';

function sideOf(text: string): number | null | undefined {
	if (text === NOTHING) return null;
	return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/**
 * @param runners how many the market has
 * @returns null for what is neither a price pair nor a chance for each runner
 */
export function readMarketPrices(text: string, runners: number): Asked | null {
	const parts = text.trim().split(/\s+/);
	if (parts.length !== runners) return null;
	const pairs = parts.map((part) => part.split('/').map(sideOf));
	if (pairs.flat().includes(undefined)) return null;
	if (pairs.every(({ length }) => length === 2))
		return { prices: pairs.map(([back = null, lay = null]) => ({ back, lay })) };
	const chances = pairs.flatMap(([chance, ...more]) =>
		more.length === 0 && typeof chance === 'number' ? [chance] : [],
	);
	return chances.length === runners ? { chances } : null;
}
