/**
 * A page while it loads: it waits for its setting, and it is that of its address.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goTo } from './browser.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
	await scene.match();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

describe('the view', () => {
	it('waits for the setting when the page came without it', async () => {
		const page = await scene.visitor('desktop');
		await page.route('**/matchlist/3', async (route) => {
			const response = await route.fetch();
			const body = (await response.text()).replace('id="domain-setting"', 'id="no-setting"');
			await route.fulfill({ response, body });
		});
		const held = Promise.withResolvers<void>();
		await page.route('**/domain-settings/*', async (route) => {
			await held.promise;
			await route.continue();
		});
		const asked = page.waitForRequest('**/domain-settings/*');
		await page.goto('/matchlist/3');
		await asked;
		expect(await page.locator('main').count()).toBe(0);
		held.resolve();
		await heading(page, 'Cricket').waitFor();
	});

	it('is that of the address when Back is pressed while the page loads', async () => {
		const { page } = await scene.player('desktop');
		await page.goto('/matchlist/3');
		await heading(page, 'Cricket').waitFor();
		await goTo(page, '/rules');
		await heading(page, 'Rules').waitFor();
		const held = Promise.withResolvers<void>();
		await page.route(/\/assets\/rules-screen.*\.js$/, async (route) => {
			await held.promise;
			await route.continue();
		});
		const asked = page.waitForRequest(/\/assets\/rules-screen/);
		await page.reload({ waitUntil: 'commit' });
		await asked;
		await page.evaluate(() => history.back());
		await expect.poll(() => new URL(page.url()).pathname).toBe('/matchlist/3');
		held.resolve();
		await heading(page, 'Cricket').waitFor();
	});
});

describe('the files of the site', () => {
	it.each(['phone', 'desktop'] as const)('that do not come on a %s are asked for again', async (width) => {
		const page = await scene.visitor(width);
		const missed: string[] = [];
		await page.route(
			/\/assets\/.*\.js$/,
			async (route) => {
				missed.push(new URL(route.request().url()).pathname);
				await route.abort('internetdisconnected');
			},
			// Once as the page names it, the first then once more.
			{ times: 10 },
		);
		const thrown: string[] = [];
		page.on('pageerror', ({ message }) => thrown.push(message));
		await page.goto('/matchlist/3');
		await heading(page, 'Cricket').waitFor();
		expect(missed).toHaveLength(10);
		expect(new Set(missed).size).toBe(9);
		expect(thrown).toEqual([]);
	});
});

describe('the styles of the site', () => {
	it('that do not come are asked for again, and the site is there meanwhile', async () => {
		const page = await scene.visitor('phone');
		await page.route(/\/assets\/index-[^/]*\.css$/, (route) => route.abort('internetdisconnected'), { times: 2 });
		await page.goto('/matchlist/3');
		const bar = page.locator('.bottom-bar');
		await bar.waitFor({ state: 'attached' });
		await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
	});
});

describe('the first call', () => {
	/**
	 * How often the page asks that call until it shows a match: once the hub is connected it asks for its lists again,
	 * whatever came before.
	 */
	async function askedBy(page: Page, path: string, call: string): Promise<number> {
		await page.addInitScript(() => {
			const watched = new MutationObserver(() => {
				if (!document.querySelector('.match-row, .market-row')) return;
				performance.mark('shown');
				watched.disconnect();
			});
			watched.observe(document, { childList: true, subtree: true });
		});
		await page.goto(path);
		await page.locator('.match-row, .market-row').first().waitFor();
		// An unanswered request is on no list of the browser yet.
		await page.waitForLoadState('networkidle');
		return await page.evaluate((asked) => {
			const [shown] = performance.getEntriesByName('shown');
			return performance
				.getEntriesByType('resource')
				.filter(({ name, startTime }) => name.includes(asked) && startTime < (shown?.startTime ?? Number.NaN)).length;
		}, call);
	}

	it.each([
		['/matchlist/3', 'GetBySportName'],
		['/matchlist/0', 'Closest?take=100'],
	])('of %s leaves before any file runs, and is the only one', async (path, call) => {
		for (const page of [await scene.visitor('desktop'), (await scene.player('desktop')).page]) {
			// Without the site's files only the page itself can ask.
			await page.route(/\/assets\/index-[^/]*\.js$/, (route) => route.abort());
			const asked = page.waitForRequest((request) => request.url().includes(call));
			await page.goto(path);
			await asked;
			// It would ask for its files again.
			await page.goto('about:blank');
			await page.unrouteAll();
			expect(await askedBy(page, path, call)).toBe(1);
		}
	});

	it('of a match is the only one, too', async () => {
		const { eventId } = await scene.match();
		const page = await scene.visitor('phone');
		expect(await askedBy(page, `/markets/${eventId}`, 'GetByEventId')).toBe(1);
	});

	it('that fails is asked again', async () => {
		const page = await scene.visitor('desktop');
		await page.route(/GetBySportName/, (route) => route.abort(), { times: 1 });
		expect(await askedBy(page, '/matchlist/3', 'GetBySportName')).toBe(2);
	});
});
