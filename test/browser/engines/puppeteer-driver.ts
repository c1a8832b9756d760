/** Chromium by its own protocol and Firefox by WebDriver BiDi; Puppeteer speaks both. */
import puppeteer, { type Browser, type LaunchOptions } from 'puppeteer-core';
import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from '../../../tools/chromium.ts';
import { findFirefox } from '../../../tools/other-engines.ts';
import { type Engine, type EngineDriver, type Scheme, SIZES } from './engine-driver.ts';

async function drive(browser: Browser, scheme: Scheme | null): Promise<EngineDriver> {
	const page = await browser.newPage();
	await page.bringToFront();
	await page.setViewport(SIZES.desktop);
	if (scheme) {
		await page.emulateMediaFeatures([
			{ name: 'prefers-color-scheme', value: scheme },
			{ name: 'prefers-reduced-motion', value: 'reduce' },
		]);
	}
	return {
		open: async (address) => void (await page.goto(address, { waitUntil: 'load' })),
		read: (look, ...args) => page.evaluate(look as (...given: unknown[]) => never, ...args),
		click: (x, y) => page.mouse.click(x, y),
		drag: async (from, to) => {
			await page.mouse.move(from.x, from.y);
			await page.mouse.down();
			await page.mouse.move(to.x, to.y);
			await page.mouse.up();
		},
		type: (text) => page.keyboard.type(text),
		pressKey: (key) => page.keyboard.press(key),
		resize: (size) => page.setViewport(size),
		...(scheme ? { slowDown: (times: number) => page.emulateCPUThrottling(times) } : {}),
		screenshot: async () => Buffer.from(await page.screenshot()),
		close: () => browser.close(),
	};
}

export const CHROMIUM: Engine = {
	name: 'Chromium',
	isInstalled: findChromium() !== null,
	start: async (scheme) => {
		const shell = findHeadlessShell();
		const options: LaunchOptions = {
			executablePath: shell ?? findChromium() ?? '',
			headless: shell ? 'shell' : true,
			args: [...CHROMIUM_ARGUMENTS],
		};
		return await drive(await puppeteer.launch(options), scheme);
	},
};

/** Firefox takes the system's scheme and wish for less motion from its preferences. */
const preferencesOf = (scheme: Scheme) => ({
	'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
	'ui.systemUsesDarkTheme': scheme === 'dark' ? 1 : 0,
	'ui.prefersReducedMotion': 1,
});

export const FIREFOX: Engine = {
	name: 'Firefox',
	isInstalled: findFirefox() !== null,
	start: async (scheme) => {
		const options: LaunchOptions = {
			browser: 'firefox',
			executablePath: findFirefox() ?? '',
			extraPrefsFirefox: preferencesOf(scheme),
		};
		return await drive(await puppeteer.launch(options), null);
	},
};
