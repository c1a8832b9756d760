/** Nothing moves by itself: the browser's own layout-shift entries over a load of a page and over a press on a match. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoLogin, mainlyOn, type Width } from './browser.ts';
import { SimulatedSite, SPORTS, type SportName } from './simulated-site.ts';

/** What interface.md allows a page in all. */
const MOST_SHIFT = 0.02;

interface Shifts {
	/** The sum of all layout shifts, including those right after a press: space for new content is reserved. */
	sum: number;
	/** What moved, for the message of a failure. */
	moved: string[];
}
declare global {
	interface Window {
		shifts: Shifts;
	}
}

let site: SimulatedSite;
let page: Page;

beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());
afterEach(() => site?.leave());

/** Runs in the page before anything else does. */
function watchShifts(): void {
	interface Shift extends PerformanceEntry {
		value: number;
		sources: { node: Node | null }[];
	}
	window.shifts = { sum: 0, moved: [] };
	new PerformanceObserver((list) => {
		for (const { value, sources } of list.getEntries() as Shift[]) {
			window.shifts.sum += value;
			const names = sources.map(({ node }) => (node instanceof Element ? node.className : node?.nodeName));
			window.shifts.moved.push(`${value.toFixed(4)} ${names.join(', ')}`);
		}
	}).observe({ type: 'layout-shift', buffered: true });
}

const prices = () => page.locator('.market .price:not([data-empty])').first();

/** Score, tracker and prices stand, and with them whatever they could have moved. */
async function whole(): Promise<void> {
	await prices().waitFor();
	await page.locator('.panel-tabs').waitFor();
	await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
}

/** What moved since the page was loaded, or since this was asked last. */
async function shifts(): Promise<Shifts> {
	return await page.evaluate(() => {
		const so = window.shifts;
		window.shifts = { sum: 0, moved: [] };
		return so;
	});
}

async function expectStill(): Promise<void> {
	const { sum, moved } = await shifts();
	expect(sum, moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
}

/** A demo player; from then on every page is watched. */
async function enter(width: Width, match: string): Promise<void> {
	const { storageState } = await demoLogin(site.url);
	page = await site.page(width, { storageState });
	await page.goto(match);
	await prices().waitFor();
	await page.addInitScript(watchShifts);
}

/** What a sport's page is made of: a score beside or above two sides, and many runners without one. */
const MAINLY_ON: Partial<Record<SportName, Width>> = { Cricket: 'phone' };

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	describe.each(SPORTS)('of %s', (sport) => {
		it(
			'nothing moves while its list loads, a match is opened and its page loads',
			mainlyOn(MAINLY_ON[sport], width),
			async () => {
				const { sportId, address: match } = await site.match(sport, ({ status }) => status === 'IN_PLAY');
				await enter(width, match);
				await page.goto(`/matchlist/${sportId}`);
				await page.locator('.match-row .price:not([data-empty])').first().waitFor();
				await page.locator('.slide, .hero').first().waitFor();
				await expectStill();
				await page
					.locator(`.match-link[href="${match}"]`)
					.first()
					.click({ position: { x: 20, y: 20 } });
				await whole();
				await expectStill();
				await page.reload();
				await whole();
				await expectStill();
			},
		);
	});
});
