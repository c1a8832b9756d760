/**
 * The site's one page with a brand's title, icon and theme already in it: the first paint shows no other brand's looks,
 * and what is not a browser (a link preview, a search engine) sees the right name.
 */
import type { DomainSetting } from '#contract/domain-setting.ts';
import { SURFACE } from '#server/http/brand-manifest.ts';

/** Text as it may stand in a page or an attribute. */
export const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Theme tokens as inline CSS variables; the contract lets none through that could end its declaration. */
function tokenStyle(tokens: Record<string, string>): string {
	return Object.entries(tokens)
		.map(([name, value]) => `--${name}:${value}`)
		.join(';');
}

/** The built page with this brand's head and its logo on the loading overlay. */
export function brandPage(template: string, setting: DomainSetting): string {
	const logo = escaped(setting.mainLogo);
	return template
		.replace('class="dark"', `class="${setting.theme}" style="${escaped(tokenStyle(setting.themeTokens))}"`)
		.replace(/<title>.*?<\/title>/, () => `<title>${escaped(setting.domainTitle)}</title>`)
		.replace('name="description" content=""', () => `name="description" content="${escaped(setting.description)}"`)
		.replace('/brands/backlay/favicon.svg', () => escaped(setting.favicon))
		.replace(
			'content="#0a0d10"',
			() => `content="${escaped(setting.themeTokens['surface-0'] ?? SURFACE[setting.theme])}"`,
		)
		.replace('<!-- brand -->', () => `<link rel="preload" as="image" href="${logo}" />`)
		.replace('<div class="boot">', () => `<div class="boot"><img src="${logo}" alt="" height="32" />`);
}
