/** Colours as style sheets write them, and the contrast between two. */

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const MIX = /^color-mix\(in srgb, (\S+) (\d{1,3})%, (\S+)\)$/;

/** Of `#rgb`, `#rrggbb` and `color-mix(in srgb, A N%, B)` of these; null for any other text. */
export function colourOf(text: string): Colour | null {
	const [, digits] = HEX.exec(text) ?? [];
	if (digits !== undefined) {
		const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
		const [red = '', green = '', blue = ''] = full.match(/../g) ?? [];
		return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
	}
	const [, first = '', percent, second = ''] = MIX.exec(text) ?? [];
	if (percent === undefined) return null;
	const [one, other] = [colourOf(first), colourOf(second)];
	if (!one || !other) return null;
	const share = Number(percent) / 100;
	const mixed = (at: 0 | 1 | 2) => one[at] * share + other[at] * (1 - share);
	return [mixed(0), mixed(1), mixed(2)];
}

/** Relative luminance: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: Colour): number {
	const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
		const share = channel / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(one: Colour, other: Colour): number {
	const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}
