/**
 * The format of odds that a player chooses: every price that the site writes is in it, it may be typed, the bet is a decimal
 * one, and another device that the player logs in to writes it at once.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { goTo, mainlyOn } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** Elements that write odds and whose text is wider than they are. */
const cutOff = (page: Page): Promise<string[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>('.price, .price b, .ladder th, .ladder th b, .odds-box input')]
			.filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
			.map((element) => `${element.className} ${element.textContent} ${element.scrollWidth}>${element.clientWidth}`),
	);

describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
	it('American odds are read, typed and bet', mainlyOn('phone', width), async () => {
		const match = await scene.match({}, { back: [[1.01, 500]], lay: [[1.02, 500]] }, { back: [[1000, 100]], lay: [] });
		const { page, token } = await scene.member(width);
		await page.goto('/settings');
		const american = page.getByRole('radio', { name: /^American/ });
		await american.check();
		expect(await american.evaluate((radio) => radio === document.activeElement)).toBe(true);
		await expectFine(page, width);
		// A page that is opened again has the format from what the device keeps.
		await page.goto(`/markets/${match.eventId}`);
		await page.getByRole('button', { name: 'Back Nepal +99900, 100 available' }).waitFor();
		await page.getByRole('button', { name: 'Lay India −5000, 500 available' }).waitFor();
		await page.getByRole('button', { name: 'Back India −10000, 500 available' }).click();
		const card = page.getByRole('region', { name: 'Back India' }).filter({ has: page.locator('.slip-head') });
		const odds = card.getByLabel('Odds', { exact: true });
		expect([await odds.inputValue(), await odds.getAttribute('inputmode')]).toEqual(['−10000', 'text']);
		await card.getByText('Now −10000').waitFor();
		expect(await cutOff(page)).toEqual([]);
		for (const typed of ['3/2', '2.5', '150']) {
			await odds.fill(typed);
			await card.getByLabel('Stake', { exact: true }).fill('100');
			await expect.poll(() => odds.inputValue()).toBe('+150');
		}
		await odds.press('ArrowUp');
		await expect.poll(() => odds.inputValue()).toBe('+152');
		await card.getByRole('button', { name: 'Back India +152 · risk ₹100' }).click();
		await page.getByRole('button', { name: 'Done' }).click();
		const [bet] = (await scene.server.result('getUserOpenBets', {}, token)).openBets;
		expect(bet).toMatchObject({ price: 2.52, remainingStake: 100 });

		await page.getByRole('button', { name: 'Depth and price history of Match Odds' }).click();
		const ladder = page.getByRole('dialog').locator('.ladder');
		await ladder.locator('tbody th').first().waitFor();
		const ticks = await ladder.locator('tbody th > b').allInnerTexts();
		expect(ticks.filter((tick) => !/^[+−]\d{3,5}$/.test(tick))).toEqual([]);
		expect(await cutOff(page)).toEqual([]);
		await page.keyboard.press('Escape');

		await goTo(page, '/open-bets');
		const item = page.getByRole('main').locator('[data-bet]');
		await item.getByText('₹100 at +152').waitFor();
		await item.getByRole('button', { name: /^Edit/ }).click();
		const newOdds = item.getByLabel('New odds');
		expect(await newOdds.inputValue()).toBe('+152');
		await newOdds.fill('13/8');
		await item.getByRole('button', { name: 'Change bet' }).click();
		await item.getByText('₹100 at +162').waitFor();
		const [moved] = (await scene.server.result('getUserOpenBets', {}, token)).openBets;
		expect(moved?.price).toBe(2.62);
	});
});

it('fractions come with the player to another device, in the open page, and go with the log-out', {
	tags: 'thorough',
}, async () => {
	const match = await scene.match();
	const { token, userName } = await signUp(scene.server);
	await scene.server.result('setPreferences', { oddsFormat: 'FRACTIONAL' }, token);
	const page = await scene.visitor('desktop');
	await page.goto(`/markets/${match.eventId}`);
	await page.getByRole('button', { name: 'Back India 2.00, 1,000 available' }).waitFor();
	await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Username').fill(userName);
	await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await dialog.getByRole('button', { name: 'Login', exact: true }).click();
	await page.getByRole('button', { name: 'Back India 1/1, 1,000 available' }).waitFor();
	await page.getByRole('button', { name: 'Lay India 51/50, 1,000 available' }).waitFor();
	await page.reload();
	await page.getByRole('button', { name: 'Back India 1/1, 1,000 available' }).waitFor();
	// What is rebuilt takes nothing of the screen before with it.
	await goTo(page, '/matchlist/3');
	await page.locator('.slider').waitFor();
	await goTo(page, '/settings');
	await page.getByRole('radio', { name: /^Fractional/, checked: true }).waitFor();
	expect(await page.locator('.slider').count()).toBe(0);
	await goTo(page, '/auth/logout');
	await page.getByText('You are logged out.').waitFor();
	await goTo(page, `/markets/${match.eventId}`);
	await page.getByRole('button', { name: 'Back India 2.00, 1,000 available' }).waitFor();
});

it('a visitor chooses a format, and an account without one takes it over; one that has its own keeps it', {
	tags: 'thorough',
}, async () => {
	const match = await scene.match();
	const page = await scene.visitor('phone');
	await page.goto(`/markets/${match.eventId}`);
	await page.getByRole('button', { name: 'Back India 2.00, 1,000 available' }).waitFor();
	await page.getByRole('button', { name: 'Menu' }).filter({ visible: true }).click();
	const menu = page.getByRole('dialog', { name: 'Menu' });
	await menu.getByRole('button', { name: 'American +150' }).click();
	await menu.getByRole('button', { name: 'American +150', pressed: true }).waitFor();
	await expectFine(page, 'phone');
	await page.goBack();
	await page.getByRole('button', { name: 'Back India +100, 1,000 available' }).waitFor();
	await page.reload();
	await page.getByRole('button', { name: 'Back India +100, 1,000 available' }).waitFor();

	const [without, own] = [await signUp(scene.server), await signUp(scene.server)];
	await scene.server.result('setPreferences', { oddsFormat: 'FRACTIONAL' }, own.token);
	const logIn = async (userName: string) => {
		await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Username').fill(userName);
		await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
		await dialog.getByRole('button', { name: 'Login', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
	};
	await logIn(without.userName);
	const formatOf = async ({ token }: { token: string }) =>
		(await scene.server.result('setPreferences', {}, token)).oddsFormat;
	await expect.poll(() => formatOf(without)).toBe('AMERICAN');
	await goTo(page, '/auth/logout');
	await goTo(page, `/markets/${match.eventId}`);
	await page.getByRole('button', { name: 'Back India 2.00, 1,000 available' }).waitFor();
	await page.evaluate(() => localStorage.setItem('oddsFormat', 'AMERICAN'));
	await page.reload();
	await logIn(own.userName);
	await page.getByRole('button', { name: 'Back India 1/1, 1,000 available' }).waitFor();
	expect(await formatOf(own)).toBe('FRACTIONAL');
});
