/** Opens the system's Chromium at the two widths the design names. */
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
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

export async function openContext(browser: Browser, width: Width, baseURL: string): Promise<BrowserContext> {
	const context = await browser.newContext({ ...WIDTHS[width], baseURL, reducedMotion: 'reduce' });
	context.setDefaultTimeout(20_000);
	return context;
}
