/**
 * Whether a brand's colours can be read, in both themes. WCAG 2.2 asks for 4.5 between words and their ground (1.4.3),
 * and for 3 of large words: less is refused, and what lies between is a warning.
 */

import { type Colour, colourOf, contrastOf } from '#contract/contrast.ts';
import type { DomainSetting } from '#contract/domain-setting.ts';
import { type ColourName, SITE_COLOURS } from '#contract/site-colours.ts';
import { type Theme, tokensIn } from '#contract/theme-tokens.ts';

const LEAST_CONTRAST = 3;
const GOOD_CONTRAST = 4.5;

const SURFACES = ['surface-0', 'surface-1', 'surface-2', 'surface-3'] as const;
const PRICES = ['back', 'back-2', 'back-3', 'lay', 'lay-2', 'lay-3'] as const;

/** What stands on what. */
const PAIRS: readonly (readonly [words: ColourName, grounds: readonly ColourName[]])[] = [
	['text', SURFACES],
	['muted', SURFACES],
	['on-brand', ['brand']],
	['brand-text', ['surface-0', 'surface-1']],
	['on-price', PRICES],
	['back-text', ['surface-1']],
	['lay-text', ['surface-1']],
	['profit', ['surface-1']],
	['loss', ['surface-1']],
];

type Looks = Pick<DomainSetting, 'theme' | 'themeTokens'>;

interface Contrast {
	theme: Theme;
	words: ColourName;
	ground: ColourName;
	/** From 1 to 21; null if a colour is not written in a form that can be checked. */
	ratio: number | null;
}

function contrastsIn(theme: Theme, looks: Looks): Contrast[] {
	const own = tokensIn(theme, looks);
	const tokens: Readonly<Record<string, string>> = { ...SITE_COLOURS[theme], ...own };
	const colour = (name: string): Colour | null =>
		colourOf((tokens[name] ?? '').replace(/var\(--([\w-]+)\)/g, (_, other: string) => tokens[other] ?? ''));
	// The site's own colours are checked where they are made; a colour that follows from the accent is the brand's, too.
	const isOwn = (name: string): boolean => name in own || (name === 'brand-text' && 'brand' in own);
	return PAIRS.flatMap(([words, grounds]) =>
		grounds
			.filter((ground) => isOwn(words) || isOwn(ground))
			.map((ground) => {
				const [one, other] = [colour(words), colour(ground)];
				return { theme, words, ground, ratio: one && other ? contrastOf(one, other) : null };
			}),
	);
}

/** Every pair of which the brand sets a colour, in both themes. */
const contrasts = (looks: Looks): Contrast[] => [...contrastsIn('dark', looks), ...contrastsIn('light', looks)];

/** Cut, and not rounded: 2.996 is not enough. */
const shown = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2);

const sentence = ({ theme, words, ground, ratio }: Contrast): string =>
	ratio === null
		? `${words} and ${ground}: write the colour as #rrggbb, so that its contrast can be checked.`
		: `${words} on ${ground} has a contrast of ${shown(ratio)} in the ${theme} theme.`;

/** Why the colours are refused, in sentences; null if they can be read. */
export function contrastProblem(looks: Looks): string | null {
	const refused = contrasts(looks).filter(({ ratio }) => ratio === null || ratio < LEAST_CONTRAST);
	return refused.length === 0 ? null : [...new Set(refused.map(sentence)), `${LEAST_CONTRAST} is the least.`].join(' ');
}

/** A sentence for each pair that is taken, but hard to read. */
export const contrastWarnings = (looks: Looks): string[] =>
	contrasts(looks)
		.filter(({ ratio }) => ratio !== null && ratio >= LEAST_CONTRAST && ratio < GOOD_CONTRAST)
		.map((pair) => `${sentence(pair)} ${GOOD_CONTRAST} is good.`);
