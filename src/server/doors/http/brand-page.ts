/**
 * The site's one page, filled with a brand's title, icon, theme and whole setting. The first paint shows the right
 * brand and waits for no further answer. Link previews and search engines see the right name.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { themedPicture } from '#contract/themed-picture.ts';
import { SURFACE } from '#server/doors/http/brand-manifest.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { Language } from '#values/languages.ts';

/** Text escaped for a page or an attribute. */
export const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Theme tokens as inline CSS variables. The contract rejects values that could end the declaration. */
function tokenStyle(tokens: Record<string, string>): string {
	return Object.entries(tokens)
		.map(([name, value]) => `--${name}:${value}`)
		.join(';');
}

/** Data for the page's script. Browsers do not run it, and no text in it can end the element. */
const settingElement = ({ setting, etag }: Brand): string =>
	`<script type="application/json" id="domain-setting" data-etag="${escaped(etag)}">${JSON.stringify(setting).replaceAll('<', '\\u003c')}</script>`;

/** "hi" on a site of "en-IN" is "hi-IN", because date formats depend on the region, too. */
function withRegion(language: Language, locale: string): string {
	const { region } = new Intl.Locale(locale);
	return region ? `${language}-${region}` : language;
}

/** The texts of all languages, as the build marks them (vite.config.ts). */
const OF_LANGUAGE = /<link (?:data-route="[^"]+" )?data-language="([^"]+)"[^>]*>/g;

/** Where the build puts pictures of the brands that come with the site. */
const PICTURES = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const OWN_LOGO = /^\/brands\/[\w-]+\/[\w-]+\.svg$/;
const LONGEST_LOGO = 4000;

/** The logo within the page, if it is a small one of the site's own: its first paint then waits for nothing. */
function logoWithin(logo: string): string {
	if (!OWN_LOGO.test(logo)) return logo;
	try {
		const drawing = readFileSync(join(PICTURES, logo), 'utf8');
		return drawing.length > LONGEST_LOGO ? logo : `data:image/svg+xml,${encodeURIComponent(drawing)}`;
	} catch {
		// The brand names a picture that is not there.
		return logo;
	}
}

/** One for each theme, where they differ: a player may have chosen the other one. */
function logos({ mainLogo, mainLogoLight }: Brand['setting']): string {
	const image = (logo: string, mark = '') => `<img${mark} src="${escaped(logoWithin(logo))}" alt="" height="32" />`;
	if (mainLogoLight === '' || mainLogoLight === mainLogo) return image(mainLogo);
	return image(mainLogo, ' class="of-dark"') + image(mainLogoLight, ' class="of-light"');
}

/** The built page in one language, with this brand's head, its logo on the loading overlay, and its setting for the script. */
export function brandPage(template: string, brand: Brand, language: Language): string {
	const { setting } = brand;
	const logo = escaped(themedPicture(setting.theme, setting.mainLogo, setting.mainLogoLight));
	return template
		.replace('lang="en-IN"', `lang="${withRegion(language, setting.locale)}" ${currencyData(setting)}`)
		.replace(OF_LANGUAGE, (link, of: string) => (of === language ? link : ''))
		.replace('class="dark"', `class="${setting.theme}" style="${escaped(tokenStyle(setting.themeTokens))}"`)
		.replace(/<title>.*?<\/title>/, () => `<title>${escaped(setting.domainTitle)}</title>`)
		.replace('name="description" content=""', () => `name="description" content="${escaped(setting.description)}"`)
		.replace('/brands/backlay/favicon.svg', () => escaped(setting.favicon))
		.replace(
			'content="#0a0d10"',
			() => `content="${escaped(setting.themeTokens['surface-0'] ?? SURFACE[setting.theme])}"`,
		)
		.replace('<!-- brand -->', () => `<link rel="preload" as="image" fetchpriority="high" href="${logo}" />`)
		.replace('<div class="boot">', () => `<div class="boot">${logos(setting)}`)
		.replace('<!-- setting -->', () => settingElement(brand));
}

/** What the site's first screen needs of the currency. */
function currencyData({ currency }: { currency: Currency }): string {
	const { symbol, decimals } = CURRENCY_TERMS[currency];
	return `data-currency="${currency}" data-symbol="${symbol}" data-decimals="${decimals}"`;
}
