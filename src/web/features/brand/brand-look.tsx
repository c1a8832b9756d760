/** The brand's appearance: title, icon, description, theme, and the overlay with its logo. */

import { useEffect } from 'react';
import { tokensIn } from '#contract/theme-tokens.ts';
import { useBrand } from '#web/store/brand.ts';
import { usePreferences } from '#web/store/preferences.ts';

/** Those the page came with, before this script set any. */
let shownTokens = [...document.documentElement.style].filter((name) => name.startsWith('--'));

function showTheme(theme: 'dark' | 'light', tokens: Record<string, string>): void {
	const { classList, style } = document.documentElement;
	classList.toggle('dark', theme === 'dark');
	classList.toggle('light', theme === 'light');
	for (const name of shownTokens) style.removeProperty(name);
	shownTokens = Object.keys(tokens).map((name) => `--${name}`);
	for (const [name, value] of Object.entries(tokens)) style.setProperty(`--${name}`, value);
}

function showIcon(href: string): void {
	const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
	if (link && link.getAttribute('href') !== href) link.href = href;
}

/** Longer than a slow phone paints a screen. */
const TITLE_AFTER_MS = 100;

/** Follows the domain setting and the player's own theme; the title is the brand's, then the screen's. */
export function BrandLook({ routeTitle }: { routeTitle: string | null }): null {
	const setting = useBrand((state) => state.setting);
	const ownTheme = usePreferences((state) => state.theme);
	useEffect(() => {
		if (!setting) return;
		const theme = ownTheme ?? setting.theme;
		showTheme(theme, tokensIn(theme, setting));
	}, [setting, ownTheme]);
	useEffect(() => {
		if (!setting) return;
		showIcon(setting.favicon);
		document.querySelector('meta[name="description"]')?.setAttribute('content', setting.description);
	}, [setting]);
	useEffect(() => {
		if (!setting) return;
		const title = routeTitle ? `${setting.domainTitle} · ${routeTitle}` : setting.domainTitle;
		// The screen is painted first: the browser tells its window, its tabs and its history of a title.
		const timer = setTimeout(() => (document.title = title), TITLE_AFTER_MS);
		return () => clearTimeout(timer);
	}, [setting, routeTitle]);
	return null;
}
