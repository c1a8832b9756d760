/** How odds are written, on the site and in what the server says to players. */
import type { OddsFormat } from '#values/odds-formats.ts';
import { type AnyPrice, decimalFromPrice } from '#values/price-ladder.ts';

const MINUS = '−';

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

/**
 * Decimal odds have two decimals below 10, one below 100, none from there: the ladder never needs more. Fractions are
 * exact, so that no two prices read alike: 157 is "57/100". American odds are whole: 157 is "−175", 202 is "+102".
 */
export function oddsText(price: AnyPrice, format: OddsFormat): string {
	const net = price - 100;
	if (format !== 'DECIMAL') {
		if (net <= 0) return '–';
		const common = divisor(net, 100);
		if (format === 'FRACTIONAL') return `${net / common}/${100 / common}`;
		return net < 100 ? `${MINUS}${Math.round(10_000 / net)}` : `+${net}`;
	}
	const decimal = decimalFromPrice(price);
	if (decimal < 10) return decimal.toFixed(2);
	return decimal < 100 ? decimal.toFixed(1) : decimal.toFixed(0);
}

/** The same odds in each format, for who chooses one. */
export const ODDS_EXAMPLES: Readonly<Record<OddsFormat, string>> = {
	DECIMAL: oddsText(250, 'DECIMAL'),
	FRACTIONAL: oddsText(250, 'FRACTIONAL'),
	AMERICAN: oddsText(250, 'AMERICAN'),
};
