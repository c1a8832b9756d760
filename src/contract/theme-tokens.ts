/** The colours of a brand in either theme. */
import type { DomainSetting } from '#contract/domain-setting.ts';

export type Theme = DomainSetting['theme'];

/** A brand's colours are made for its own theme; in the other one only its accent is kept, mixed until it can be read. */
export function tokensIn(
	theme: Theme,
	{ themeTokens, theme: own }: Pick<DomainSetting, 'theme' | 'themeTokens'>,
): Record<string, string> {
	const { brand, 'on-brand': onBrand } = themeTokens;
	if (theme === own) return themeTokens;
	if (!brand || !onBrand) return {};
	return { brand, 'on-brand': onBrand, 'brand-text': `color-mix(in srgb, ${brand} 45%, var(--text))` };
}
