/** Whether a brand's colours can be read: refused below 3, warned of below 4.5, in both themes. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Colour, colourOf, contrastOf } from '#contract/contrast.ts';
import { contrastProblem, contrastWarnings } from '#contract/contrast-check.ts';
import { SITE_COLOURS } from '#contract/site-colours.ts';

const ratio = (one: string, other: string): number => contrastOf(colourOf(one) as Colour, colourOf(other) as Colour);

it('measures what WCAG’s own examples say', () => {
	// https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum: 21 is the most, and #767676 is the lightest grey of 4.5.
	expect(ratio('#000', '#ffffff')).toBeCloseTo(21, 10);
	expect(ratio('#fff', '#fff')).toBe(1);
	expect(ratio('#767676', '#fff')).toBeGreaterThanOrEqual(4.5);
	expect(ratio('#777777', '#fff')).toBeLessThan(4.5);
	expect(ratio('color-mix(in srgb, #000000 50%, #ffffff)', '#808080')).toBeCloseTo(1, 1);
});

it('knows the site’s own colours as its style sheet has them', () => {
	const sheet = readFileSync('src/ui/styles/tokens.css', 'utf8');
	for (const [theme, colours] of Object.entries(SITE_COLOURS)) {
		const block = sheet.split(`.${theme} {`)[1]?.split('}')[0] ?? '';
		for (const [name, value] of Object.entries(colours)) expect(block).toContain(`--${name}: ${value};`);
	}
});

it('refuses words that cannot be read, and names the pair, the ratio and the theme', () => {
	const looks = { theme: 'dark', themeTokens: { muted: '#30363d' } } as const;
	expect(contrastProblem(looks)).toMatch(/^muted on surface-0 has a contrast of 1\.\d\d in the dark theme\./);
	expect(contrastProblem({ theme: 'dark', themeTokens: { muted: '#b9a892' } })).toBeNull();
	expect(contrastProblem({ theme: 'dark', themeTokens: { text: 'red' } })).toContain('write the colour as #rrggbb');
});

it('looks at the accent in both themes, and at the other colours in the brand’s own', () => {
	// Light words on the light theme's own white: a colour of the dark theme is not shown there.
	expect(contrastProblem({ theme: 'dark', themeTokens: { text: '#ffffff' } })).toBeNull();
	const accent = { brand: '#777777', 'on-brand': '#808080' };
	for (const theme of ['dark', 'light'] as const) {
		const problem = contrastProblem({ theme, themeTokens: accent });
		expect(problem).toContain('on-brand on brand has a contrast of 1.13 in the dark theme.');
		expect(problem).toContain('in the light theme.');
	}
});

it('warns of what lies between', () => {
	const looks = { theme: 'light', themeTokens: { muted: '#808890' } } as const;
	expect(ratio('#808890', '#ffffff')).toBeGreaterThan(3);
	expect(contrastWarnings(looks)).toContainEqual(
		expect.stringMatching(/^muted on surface-1 has a contrast of 3\.\d\d in the light theme\. 4\.5 is good\.$/),
	);
	expect(contrastWarnings({ theme: 'light', themeTokens: {} })).toEqual([]);
});
