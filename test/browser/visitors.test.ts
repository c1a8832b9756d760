/**
 * A brand that lets visitors look: their screens without an account, and the price that they press.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { goTo, openContext, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const pressed = (page: Page) => page.getByRole('button', { name: /^Back India 2\.00, / });
const inSlip = (page: Page) =>
	page.getByRole('region', { name: 'Back India' }).filter({ has: page.getByLabel('Stake') });

it('shows the market, what is in play and the rules, and asks for a login elsewhere', async () => {
	const match = await scene.match({ title: 'India v Nepal' });
	const page = await scene.visitor('desktop');
	await page.goto(`/markets/${match.eventId}`);
	await pressed(page).waitFor();
	// Prices move for visitors, too.
	await scene.quote(match, { back: [[3, 100]], lay: [] });
	await page.getByRole('button', { name: /^Back India 3\.00, / }).waitFor();
	await expectFine(page, 'desktop');
	await goTo(page, '/inplay');
	await heading(page, 'In-Play').waitFor();
	await goTo(page, '/rules');
	await heading(page, 'Rules').waitFor();
	await page.goto('/open-bets');
	await page.getByRole('dialog', { name: 'Log in' }).waitFor();
	expect(new URL(page.url()).pathname).toBe('/matchlist/3');
});

it('keeps the theme that a visitor chose: over a reload, and in an account without one', async () => {
	const { userName, token } = await signUp(scene.server);
	const page = await scene.visitor('desktop');
	const isLight = () => page.evaluate(() => document.documentElement.classList.contains('light'));
	await page.goto('/matchlist/3');
	await heading(page, 'Cricket').waitFor();
	expect(await isLight()).toBe(false);
	await page.getByRole('button', { name: 'Menu', exact: true }).click();
	const menu = page.getByRole('dialog', { name: 'Menu' });
	await menu.getByRole('button', { name: 'Light', exact: true }).click();
	expect(await menu.getByRole('button', { pressed: true }).allInnerTexts()).toContain('Light');
	await expect.poll(isLight).toBe(true);
	// The page itself has it, before any file of the site.
	await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
	await page.reload();
	expect(await isLight()).toBe(true);
	await page.locator('.boot > .of-light').waitFor();
	expect(await page.locator('.boot > .of-dark').isVisible()).toBe(false);
	await page.unrouteAll();
	await page.reload();
	await heading(page, 'Cricket').waitFor();
	expect(await isLight()).toBe(true);
	await page.goto('/auth/login');
	await page.getByLabel('Username', { exact: true }).fill(userName);
	await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await page.getByRole('button', { name: 'Login', exact: true }).click();
	await page.getByRole('button', { name: `Account: ${userName}` }).waitFor();
	await expect.poll(async () => (await scene.server.result('setPreferences', {}, token)).theme).toBe('light');
	expect(await isLight()).toBe(true);
});

describe.each(['desktop', 'phone'] as const)('on a %s', (width: Width) => {
	it('the pressed price is in the slip after the login', { tags: 'thorough' }, async () => {
		const match = await scene.match();
		const page = await scene.visitor(width);
		await page.goto(`/markets/${match.eventId}`);
		await pressed(page).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Login with Demo ID' }).click();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await inSlip(page).getByLabel('Stake').fill('100');
		// The player's own prices come after the login.
		await inSlip(page).getByRole('button', { name: 'Back India 2.00 · risk ₹100' }).click({ trial: true });
		await inSlip(page).getByLabel('Stake').press('Enter');
		await page.getByRole('region', { name: 'Back India' }).getByText('Matched: ₹100 at 2.00').waitFor();
	});

	it('and after signing up; the slip leads back to a closed dialog', { tags: 'thorough' }, async () => {
		const match = await scene.match();
		const context = await openContext(scene.browser, width, scene.server.url.replace('localhost', 'monsoon.localhost'));
		const page = await context.newPage();
		await page.goto(`/markets/${match.eventId}`);
		await pressed(page).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Username').waitFor();
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		if (width === 'phone') await page.getByRole('button', { name: /^Bet slip/ }).click();
		await inSlip(page).getByRole('button', { name: 'Log in to bet' }).click();
		await dialog.getByRole('tab', { name: 'Sign Up' }).click();
		await dialog.getByLabel('Username').fill(`looker${width}`);
		await dialog.getByLabel('Mobile number').fill(width === 'phone' ? '9811111111' : '9822222222');
		await dialog.getByLabel('Password', { exact: true }).fill('kingfisher#7');
		await dialog.getByLabel('Confirm password').fill('kingfisher#7');
		await dialog.getByRole('button', { name: 'Sign Up' }).click();
		await page.getByRole('button', { name: `Account: looker${width}` }).waitFor();
		expect(await inSlip(page).getByLabel('Odds').inputValue()).toBe('2.00');
		await context.close();
	});
});
