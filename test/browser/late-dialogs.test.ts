/**
 * Dialogs whose files come long after the press that asks for them, or only when the network is back.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
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
