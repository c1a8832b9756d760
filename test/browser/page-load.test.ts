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

describe('the first call', () => {
	/** What the page asks of that call until it shows a match. */
	async function askedBy(page: Page, path: string, call: string): Promise<string[]> {
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await page.goto(path);
		await page.locator('.match-row, .market-row').first().waitFor();
		return asked.filter((url) => url.includes(call));
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
			await page.unrouteAll();
			expect(await askedBy(page, path, call)).toHaveLength(1);
		}
	});

	it('of a match is the only one, too', async () => {
		const { eventId } = await scene.match();
		const page = await scene.visitor('phone');
		expect(await askedBy(page, `/markets/${eventId}`, 'GetByEventId')).toHaveLength(1);
	});

	it('that fails is asked again', async () => {
		const page = await scene.visitor('desktop');
		await page.route(/GetBySportName/, (route) => route.abort(), { times: 1 });
		expect(await askedBy(page, '/matchlist/3', 'GetBySportName')).toHaveLength(2);
	});
});
