/** Opens the system's Chromium at the two widths the design names. */
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Locator,
	type Page,
} from 'playwright-core';
import { expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import { CALLS, type Calls } from '#contract/registry.ts';
import { CHROMIUM_ARGUMENTS, ensureChromium, findHeadlessShell } from '../../tools/chromium.ts';
import { PATIENCE_MS } from '../support/whole-run.ts';

export const WIDTHS = {
	desktop: { viewport: { width: 1440, height: 900 } },
	phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;
export type Width = keyof typeof WIDTHS;

/** A page lives for seconds here: to compile its code well costs more than that code saves. */
const COMPILE_QUICKLY = '--js-flags=--sparkplug --no-maglev --no-opt';

/** Without a process of its own for what is drawn: no page here draws by the graphics card. */
const DRAW_WITHIN = '--in-process-gpu';

/** A test of what the width does not change: it is one at that width, and none at the other. */
export const onlyOn = (wanted: Width, width: Width): typeof it | (() => void) =>
	width === wanted ? it : () => undefined;

/** Of a test that holds at both widths: `npm test` runs it at the wanted one, `npm run test:all` at both. */
export const mainlyOn = (wanted: Width | undefined, width: Width): { tags?: 'thorough' } =>
	width === wanted ? {} : { tags: 'thorough' };

/** Within the life of every access token. */
const KEPT_MS = 600_000;

/** By its program: to open one costs as much as a test. */
const open = new Map<string, Promise<Browser>>();

/**
 * Chromium's headless shell where there is one, because its pages take less CPU. Files of a worker share it, each with
 * contexts of its own, and it ends with the worker.
 * @param whole the whole Chromium, for what the shell draws otherwise
 */
export async function openBrowser({ whole = false } = {}): Promise<Browser> {
	const executablePath = (whole ? null : findHeadlessShell()) ?? ensureChromium();
	const known = await open.get(executablePath);
	if (known?.isConnected()) return known;
	const browser = chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS, COMPILE_QUICKLY, DRAW_WITHIN] });
	open.set(executablePath, browser);
	return await browser;
}

/** Those that go from file to file. */
const kept = new WeakSet<BrowserContext>();

/** `kept-pages.ts` closes it. */
export function keepContext(context: BrowserContext): void {
	kept.add(context);
}

/** Closes what a file has open in its browser. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
	const own = (browser?.contexts() ?? []).filter((context) => !kept.has(context));
	await Promise.all(own.map((context) => context.close()));
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
	context.setDefaultTimeout(PATIENCE_MS);
	return context;
}

/** The storage of a browser after a fresh demo login, so that the first page loads as a later one does. */
export async function demoLogin(baseURL: string) {
	const response = await fetch(`${baseURL}/${CALLS.loginAsDemoUser.path}`);
	if (!response.ok) throw new Error(await response.text());
	const { result } = (await response.json()) as { result: ResultOf<Calls['loginAsDemoUser']> };
	const login = { ...result, user: { ...result.user, userName: 'Demo' } };
	return { login, storageState: storedLogin(baseURL, login) };
}

/** What a browser keeps of a login, which it may have had before. */
export function storedLogin(
	baseURL: string,
	{
		accessToken,
		refreshToken,
		user,
		casinoToken = '',
	}: Pick<ResultOf<Calls['authenticate']>, 'accessToken' | 'refreshToken' | 'user'> & { casinoToken?: string },
) {
	const stored = {
		accessToken,
		refresh_token: refreshToken,
		casinoToken,
		expire_DateTime: String(Date.now() + KEPT_MS),
		userinfo: JSON.stringify(user),
	};
	const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
	return { cookies: [], origins: [{ origin: baseURL, localStorage }] };
}

/**
 * The page's service worker, which it registers some seconds after its first screen: its clock, which the test has
 * installed, is moved on until then.
 */
export async function untilWorker(page: Page): Promise<void> {
	await expect
		.poll(async () => {
			await page.clock.fastForward(1_000);
			return await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined);
		})
		.toBe(true);
	await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** What the service worker keeps, and what the build has, as paths. */
export const keptFiles = (page: Page): Promise<{ kept: string[]; built: string[] }> =>
	page.evaluate(async () => {
		const cache = await caches.open((await caches.keys())[0] ?? '');
		const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname);
		const worker = await (await fetch('/service-worker.js')).text();
		return { kept, built: JSON.parse(/"files":(\[[^\]]*\])/.exec(worker)?.[1] ?? '[]') };
	});

/** Until all of the build is kept, as it is once the page was idle for long enough. @returns what is kept */
export async function untilKept(page: Page): Promise<string[]> {
	const missing = async () => {
		const { kept, built } = await keptFiles(page);
		return built.filter((file) => !kept.includes(file)).length;
	};
	await expect.poll(missing, { timeout: 100_000, interval: 500 }).toBe(0);
	return (await keptFiles(page)).kept;
}

/** To another screen of the page that is open, which costs a tenth of what loading it again does. */
export async function goTo(page: Page, path: string): Promise<void> {
	// A router that is not there yet does not hear of the path, and the page may have loaded before it.
	await expect.poll(() => page.evaluate(() => Object.hasOwn(history, 'pushState'))).toBe(true);
	await page.evaluate((to) => history.pushState(null, '', to), path);
}

/** A press where something is, whether or not it takes one. */
export async function pressAt(page: Page, target: Locator): Promise<void> {
	await target.scrollIntoViewIfNeeded();
	const box = await target.boundingBox();
	if (!box) throw new Error('It is not shown.');
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	if (page.viewportSize()?.width === WIDTHS.phone.viewport.width) await page.touchscreen.tap(x, y);
	else await page.mouse.click(x, y);
}

/** How soon the second press of a double one comes at the latest. */
const DOUBLE_PRESS_MS = 450;

/**
 * A double press at its worst moment: the second one comes as soon as what is under the finger says something else and
 * takes presses.
 */
export async function pressTwice(button: Locator, { timeout = 20_000 } = {}): Promise<void> {
	await button.scrollIntoViewIfNeeded({ timeout });
	await button.evaluate((pressed, withinMs) => {
		const { x, y, width, height } = pressed.getBoundingClientRect();
		const label = pressed.textContent;
		const second = new MutationObserver(() => {
			const there = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button');
			if (!there || there.ariaBusy === 'true' || there.textContent === label) return;
			second.disconnect();
			there.click();
		});
		second.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
		pressed.addEventListener('click', () => setTimeout(() => second.disconnect(), withinMs), { once: true });
	}, DOUBLE_PRESS_MS);
	await button.click({ timeout });
}

/** A finger that goes down by `pixels`. */
export async function drag(page: Page, from: { x: number; y: number }, by: number): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
		devtools.send('Input.dispatchTouchEvent', {
			type,
			touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }],
		});
	await touch('touchStart', from.y);
	for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from.y + by * part);
	await touch('touchEnd', from.y + by);
	await devtools.detach();
}

/** Calls to an address that wait until they are let go; `arrived` resolves with the first. */
export async function holdCalls(page: Page | BrowserContext, url: string | RegExp) {
	const first = Promise.withResolvers<void>();
	const gate = Promise.withResolvers<void>();
	let count = 0;
	await page.route(url, async (route) => {
		count += 1;
		first.resolve();
		await gate.promise;
		await route.continue();
	});
	return { arrived: first.promise, release: () => gate.resolve(), count: () => count };
}

/** Presses Tab until the focused element has that name. */
export async function focusNext(page: Page, name: string | RegExp): Promise<void> {
	const passed: string[] = [];
	while (passed.length < 200) {
		await page.keyboard.press('Tab');
		const focused = await page.evaluate(() => {
			const element = document.activeElement;
			const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
			return (element?.ariaLabel || label || element?.textContent || '').trim();
		});
		if (typeof name === 'string' ? focused === name : name.test(focused)) return;
		passed.push(focused.slice(0, 40));
	}
	throw new Error(`The Tab key never reached ${name}, only ${[...new Set(passed)].join(' | ')}`);
}

/** Puts the tab behind another, as far as a page can tell, or back to the front. */
export async function hideTab(page: Page, hidden: boolean): Promise<void> {
	await page.evaluate((value) => {
		Object.defineProperty(document, 'hidden', { configurable: true, value });
		Object.defineProperty(document, 'visibilityState', { configurable: true, value: value ? 'hidden' : 'visible' });
		document.dispatchEvent(new Event('visibilitychange'));
	}, hidden);
}

/** Resolves when a field has the focus, and is marked as wrong for what is said of it. */
export const expectLed = (field: Locator, why: RegExp): Promise<void> =>
	expect
		.poll(() =>
			field.evaluate((input) => {
				const said = (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id));
				const isLed = input === document.activeElement && input.ariaInvalid === 'true';
				return isLed && said.map((part) => part?.textContent).join(' ');
			}),
		)
		.toMatch(why);
