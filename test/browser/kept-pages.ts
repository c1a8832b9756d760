/**
 * Pages that a worker keeps from test to test. A new one takes twice the CPU of a page that goes to the site again: a
 * context, a process, and the site's code compiled again. Between two tests a kept page stands at an address without the
 * site's code, and nothing is stored. What a test changes for longer than that goes with its page, which is closed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { keepContext, openContext, WIDTHS, type Width } from './browser.ts';

/** An answer of some bytes, of the site's origin. */
const REST = '/live';

/** What a test does with these outlives the document, or may. */
const LASTING: { page: readonly (keyof Page)[]; context: readonly (keyof BrowserContext)[] } = {
	page: [
		'addInitScript',
		'addLocatorHandler',
		'clock',
		'coverage',
		'emulateMedia',
		'exposeBinding',
		'exposeFunction',
		'on',
		'once',
		'routeFromHAR',
		'routeWebSocket',
		'setDefaultNavigationTimeout',
		'setDefaultTimeout',
		'setExtraHTTPHeaders',
	],
	context: [
		'addInitScript',
		'clock',
		'exposeBinding',
		'exposeFunction',
		'grantPermissions',
		'newCDPSession',
		'newPage',
		'on',
		'once',
		'route',
		'routeFromHAR',
		'routeWebSocket',
		'setDefaultNavigationTimeout',
		'setDefaultTimeout',
		'setExtraHTTPHeaders',
		'setGeolocation',
		'setOffline',
		'setStorageState',
	],
};

/** Calls back whenever one of the members is used. */
function watch<Watched extends object>(watched: Watched, members: readonly (keyof Watched)[], used: () => void): void {
	for (const member of members) {
		const own = watched[member];
		const get = () => {
			used();
			return own;
		};
		Object.defineProperty(watched, member, { get });
	}
}

/** What an origin's storage holds. */
export type Stored = readonly { name: string; value: string }[];

interface KeptPage {
	page: Page;
	context: BrowserContext;
	width: Width;
	/** Width and server. */
	place: string;
	/** A test has used something lasting of it. */
	isChanged: boolean;
}

const resting = new Map<string, KeptPage[]>();
const used = new Map<Page, KeptPage>();

/** The servers that they rested at have ended, if another one is shared by now. */
async function closeOthers(baseURL: string): Promise<void> {
	const places = [...resting.keys()].filter((place) => !place.endsWith(` ${baseURL}`));
	const ended = places.flatMap((place) => resting.get(place) ?? []);
	for (const place of places) resting.delete(place);
	await Promise.all(ended.map(({ context }) => context.close()));
}

async function open(browser: Browser, width: Width, baseURL: string, place: string): Promise<KeptPage> {
	await closeOthers(baseURL);
	const context = await openContext(browser, width, baseURL);
	keepContext(context);
	const page = await context.newPage();
	await page.goto(REST);
	const kept: KeptPage = { page, context, width, place, isChanged: false };
	const changed = () => {
		kept.isChanged = true;
	};
	watch(page, LASTING.page, changed);
	watch(context, LASTING.context, changed);
	return kept;
}

/**
 * A page of that width which is nowhere on the site yet, with what its browser has stored.
 * @param baseURL of the server that files share
 */
export async function takePage(browser: Browser, width: Width, baseURL: string, stored: Stored): Promise<Page> {
	const place = `${width} ${baseURL}`;
	let kept = resting.get(place)?.pop();
	while (kept?.page.isClosed()) kept = resting.get(place)?.pop();
	kept ??= await open(browser, width, baseURL, place);
	used.set(kept.page, kept);
	await kept.page.evaluate((items) => {
		for (const { name, value } of items) localStorage.setItem(name, value);
	}, stored);
	return kept.page;
}

/** @returns false where the page cannot be left, as a test that failed may have made it */
async function toRest({ page, context, width }: KeptPage): Promise<boolean> {
	try {
		await page.unrouteAll({ behavior: 'ignoreErrors' });
		await page.goto(REST);
		const { viewport } = WIDTHS[width];
		if (!isDeepStrictEqual(page.viewportSize(), viewport)) await page.setViewportSize(viewport);
		await page.evaluate(() => {
			localStorage.clear();
			sessionStorage.clear();
		});
		await context.clearCookies();
		await page.mouse.move(0, 0);
		return true;
	} catch {
		return false;
	}
}

/** The test is done with it. */
export async function givePageBack(page: Page): Promise<void> {
	const kept = used.get(page);
	if (!kept) return;
	used.delete(page);
	if (kept.isChanged || page.isClosed() || !(await toRest(kept))) return await kept.context.close();
	resting.set(kept.place, [...(resting.get(kept.place) ?? []), kept]);
}
