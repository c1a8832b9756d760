/**
 * Dialogs whose files come long after the press that asks for them, or only when the network is back.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdCalls } from './browser.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const dialogs = (page: Page) => page.locator('dialog[open]');

it.each([
	['search', 'log-in', 'Search', 'Log in', 'Log in'],
	['log-in', 'search', 'Log in', 'Search', 'Search'],
] as const)('of %s and then %s, asked for before either is there, the last comes alone', async (...names) => {
	const [, , first, second, title] = names;
	const page = await scene.visitor('desktop');
	const held = await holdCalls(page, /\/assets\/(login-outlet|search-dialog)-[^/]*\.js/);
	await page.goto('/matchlist/3');
	const header = page.locator('header');
	await header.getByRole('button', { name: first }).click();
	await held.arrived;
	await header.getByRole('button', { name: second }).click();
	held.release();
	await page.getByRole('dialog', { name: title }).waitFor();
	expect(await dialogs(page).count()).toBe(1);
	await page.keyboard.press('Escape');
	await dialogs(page).waitFor({ state: 'detached' });
	expect(new URL(page.url()).pathname).toBe('/matchlist/3');
});

it('gives the focus back to what was pressed, also when it has left that before the dialog is there', async () => {
	const page = await scene.visitor('desktop');
	const held = await holdCalls(page, /\/assets\/login-outlet-[^/]*\.js/);
	await page.goto('/matchlist/3');
	const button = page.locator('header').getByRole('button', { name: 'Log in' });
	await button.focus();
	await page.keyboard.press('Enter');
	await held.arrived;
	await button.blur();
	held.release();
	await page.getByRole('dialog', { name: 'Log in' }).waitFor();
	await page.keyboard.press('Escape');
	await dialogs(page).waitFor({ state: 'detached' });
	expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('stays in the place of one whose file is not there, whose step back it does not take', async () => {
	const page = await scene.visitor('desktop');
	const held = await holdCalls(page, /\/assets\/search-dialog-[^/]*\.js/);
	await page.goto('/matchlist/3');
	const header = page.locator('header');
	const login = page.getByRole('dialog', { name: 'Log in' });
	const sheet = () => page.evaluate(() => history.state?.sheet ?? null);
	await header.getByRole('button', { name: 'Log in' }).click();
	await login.waitFor();
	await page.keyboard.press('Escape');
	await login.waitFor({ state: 'detached' });
	await header.getByRole('button', { name: 'Search' }).click();
	await held.arrived;
	await expect.poll(sheet).toBe('search');
	await header.getByRole('button', { name: 'Log in' }).click();
	await expect.poll(sheet).toBe(null);
	await login.waitFor();
	held.release();
	await page.keyboard.press('Escape');
	await dialogs(page).waitFor({ state: 'detached' });
	expect(new URL(page.url()).pathname).toBe('/matchlist/3');
});

it('asks again for styles that did not come, when the network is back', async () => {
	const page = await scene.visitor('phone');
	await page.route(/\/assets\/menu-modal-[^/]*\.css/, (route) => route.abort('internetdisconnected'));
	const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('menu-modal'));
	await page.goto('/matchlist/3');
	await page.locator('.bottom-bar').getByRole('button', { name: 'Menu' }).click();
	await failed;
	await page.unroute(/\/assets\/menu-modal-[^/]*\.css/);
	const tiles = page.getByRole('dialog', { name: 'Menu' }).locator('.tiles').first();
	await tiles.waitFor();
	await expect.poll(() => tiles.evaluate((list) => getComputedStyle(list).display)).toBe('grid');
});

describe('a file that does not come', () => {
	const FILE = /\/assets\/search-dialog-[^/]*\.js/;

	/** A phone's page whose search is pressed and not there, and what it asked for until now. */
	async function pressed(answer: Parameters<Page['route']>[1]) {
		const page = await scene.visitor('phone');
		const asked: ('page' | 'file')[] = [];
		page.on('request', (request) => {
			if (request.isNavigationRequest()) asked.push('page');
			else if (FILE.test(request.url())) asked.push('file');
		});
		await page.route(FILE, answer);
		await page.goto('/matchlist/3');
		const press = () => page.locator('header').getByRole('button', { name: 'Search' }).click();
		await press();
		await expect.poll(() => asked).toContain('file');
		return { page, asked, press };
	}

	it('is asked for again, and where the server answers without it the page is loaded anew', async () => {
		const { page, asked, press } = await pressed((route) => route.fulfill({ status: 404 }));
		await page.waitForEvent('domcontentloaded');
		expect(asked.at(-1)).toBe('page');
		await page.unroute(FILE);
		await press();
		await page.getByRole('dialog', { name: 'Search' }).waitFor();
	});

	it('comes with the network, in the page that asked for it', async () => {
		const { page, asked } = await pressed((route) => route.abort('internetdisconnected'));
		await page.unroute(FILE);
		await page.evaluate(() => dispatchEvent(new Event('online')));
		await page.getByRole('dialog', { name: 'Search' }).waitFor();
		expect(asked.filter((what) => what === 'page')).toHaveLength(1);
	});
});
