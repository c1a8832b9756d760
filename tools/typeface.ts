/**
 * Subsets the site's typeface while the site is built: Inter (SIL Open Font Licence) as the package has it, reduced to
 * the characters and weights that the screens use. The page declares and preloads it, so that it arrives with the
 * script and no text is drawn before it. Other scripts, such as Devanagari, use the system's typefaces.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const PACKAGE = join(import.meta.dirname, '..', 'node_modules', 'inter-ui');

const range = (from: number, to: number): string =>
	Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('');

/** Basic Latin, the letters of western European names, and the signs that the texts and figures use. */
const CHARACTERS = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}₹–—‘’“”•…′″−×→←↑↓▲▼●`;

const OPTIONS = {
	targetFormat: 'woff2',
	noHinting: true,
	/** Figures of equal width, and the typeface's kerning. */
	keepFeatures: ['kern', 'tnum', 'mark', 'ccmp', 'locl'],
	variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
} as const;

const FILE = 'inter.woff2';
const LICENCE = 'inter-licence.txt';

/**
 * Metrics of a typeface that every system has, scaled to Inter's: a page that is briefly without Inter breaks its lines
 * in the same places.
 */
const FALLBACK = `@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans"),local("Helvetica");\
size-adjust:107.12%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%}`;

export const typeface: Plugin = {
	name: 'typeface',
	async generateBundle() {
		const source = await subsetFont(
			readFileSync(join(PACKAGE, 'variable', 'InterVariable.woff2')),
			CHARACTERS,
			OPTIONS,
		);
		this.emitFile({ type: 'asset', name: FILE, source });
		this.emitFile({ type: 'asset', name: LICENCE, source: readFileSync(join(PACKAGE, 'LICENSE.txt')) });
	},
	transformIndexHtml: {
		order: 'post',
		handler(_, { bundle = {} }) {
			const file = Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(FILE));
			if (!file) throw new Error('The typeface is not among the built files.');
			const href = `/${file.fileName}`;
			const face = `@font-face{font-family:Inter;src:url(${href}) format("woff2");font-weight:400 700;font-display:swap}`;
			return [
				{
					tag: 'link',
					attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href },
					injectTo: 'head-prepend',
				},
				{ tag: 'style', children: face + FALLBACK, injectTo: 'head' },
			];
		},
	},
};
