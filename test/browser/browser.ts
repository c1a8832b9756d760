/** Opens the system's Chromium at the two widths the design names. */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { ensureChromium } from '../../tools/chromium.ts';

export const WIDTHS = {
	desktop: { viewport: { width: 1440, height: 900 } },
	phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;
export type Width = keyof typeof WIDTHS;

export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: ensureChromium(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** @param options what the test needs otherwise; the service worker would hide requests from tests that watch them */
export async function openContext(
	browser: Browser,
	width: Width,
	baseURL: string,
	options: BrowserContextOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		...WIDTHS[width],
		baseURL,
		reducedMotion: 'reduce',
		serviceWorkers: 'block',
		...options,
	});
	context.setDefaultTimeout(20_000);
	return context;
}
