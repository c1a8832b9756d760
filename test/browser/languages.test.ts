/**
 * The site in another language: how it is chosen and remembered, the files that a page of it loads, and the parts that stay the
 * same.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

const PLAYER = { userName: 'Meera', password: 'a long enough Passw0rd!' };
const DEVANAGARI_DIGITS = /[०-९]/;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
	await scene.server.running.players.createPlayer({ ...PLAYER, brand: { host: 'localhost', pool: 'PLAY' } });
});
afterAll(() => scene?.close());
afterEach(() => scene?.leave());

const langOf = (page: Page) => page.evaluate(() => document.documentElement.lang);

/** In the menu, which is at the top of a wide screen and at the bottom of a phone. */
async function choose(page: Page, menu: string, language: string): Promise<void> {
	await page.getByRole('button', { name: menu, exact: true }).click();
	await page.getByRole('dialog').getByRole('button', { name: language, exact: true }).click();
}

async function logIn(page: Page, { userName, password }: typeof PLAYER): Promise<void> {
	const [name, secret, submit] = (await langOf(page)).startsWith('hi')
		? ['यूज़रनेम', 'पासवर्ड', 'लॉग इन करें']
		: ['Username', 'Password', 'Login'];
	await page.goto('/auth/login');
	await page.getByLabel(name, { exact: true }).fill(userName);
	await page.getByLabel(secret, { exact: true }).fill(password);
	await page.getByRole('button', { name: submit, exact: true }).click();
}

/** Files of texts that a page loads, by what they are called in its head. */
async function textsLoaded(page: Page): Promise<{ loaded: string[]; head: string }> {
	const loaded: string[] = [];
	page.on('request', (request) => {
		const [, name] = /\/((?:en|hi|bn)-(?:first|more))-/.exec(request.url()) ?? [];
		if (name) loaded.push(name);
	});
	const answer = await page.goto('/');
	return { loaded, head: (await answer?.text()) ?? '' };
}

it('is chosen in the menu: the place and the slip stay, and so does the choice', async () => {
	const match = await scene.match();
	const { page } = await scene.playerAt(match, 'phone');
	await page.getByRole('button', { name: /^Back India 2\.00, / }).click();
	await page.getByLabel('Stake').waitFor();
	await page.keyboard.press('Escape');
	expect(await langOf(page)).toBe('en-IN');
	await choose(page, 'Menu', 'हिन्दी');
	// The runner keeps its name, and prices and sizes their figures.
	await page.getByRole('button', { name: /^बैक India 2\.00, 1,000 उपलब्ध/ }).waitFor();
	await expect.poll(() => langOf(page)).toBe('hi-IN');
	expect(new URL(page.url()).pathname).toBe(`/markets/${match.eventId}`);
	await page.getByRole('button', { name: /^बेट स्लिप/ }).click();
	await page.getByLabel('स्टेक').waitFor();
	expect(await page.locator('body').innerText()).not.toMatch(DEVANAGARI_DIGITS);
	await page.reload();
	await page.getByRole('button', { name: /^बैक India 2\.00, / }).waitFor();
	await choose(page, 'मेनू', 'English');
	await page.getByRole('button', { name: /^Back India 2\.00, / }).waitFor();
});

it('goes with the player to another browser, and a refusal is said in it', { tags: 'thorough' }, async () => {
	const here = await scene.visitor('desktop');
	await here.goto('/');
	await logIn(here, PLAYER);
	await here.getByRole('button', { name: `Account: ${PLAYER.userName}` }).waitFor();
	await choose(here, 'Menu', 'हिन्दी');
	await here.getByRole('button', { name: `अकाउंट: ${PLAYER.userName}` }).waitFor();
	const there = await scene.visitor('desktop');
	await there.goto('/');
	await logIn(there, PLAYER);
	await there.getByRole('button', { name: `अकाउंट: ${PLAYER.userName}` }).waitFor();
	expect(await langOf(there)).toBe('hi-IN');
	await there.goto('/Auth/Logout');
	await logIn(there, { ...PLAYER, password: 'another long Passw0rd' });
	await there.getByText('यूज़रनेम या पासवर्ड गलत है।').waitFor();
	await expectFine(there, 'desktop');
});

it('is what a visitor’s browser asks for, where the brand offers it', { tags: 'thorough' }, async () => {
	const page = await scene.visitor('desktop', { locale: 'hi-IN' });
	await page.goto('/');
	await page.getByRole('heading', { level: 1, name: 'क्रिकेट' }).waitFor();
	const { brands } = scene.server.running;
	const kept = JSON.stringify(brands.byHost('localhost')?.setting.languages);
	await brands.change('localhost', [{ field: 'languages', value: '["en"]' }]);
	await page.reload();
	await page.getByRole('heading', { level: 1, name: 'Cricket' }).waitFor();
	expect(await langOf(page)).toBe('en-IN');
	await page.getByRole('button', { name: 'Menu', exact: true }).click();
	await page.getByRole('dialog').getByRole('link', { name: 'Home' }).waitFor();
	expect(await page.getByRole('button', { name: 'हिन्दी' }).count()).toBe(0);
	await brands.change('localhost', [{ field: 'languages', value: kept }]);
});

it('is marked where it is chosen if no native speaker has read it, in the words of the page', {
	tags: 'thorough',
}, async () => {
	const page = await scene.visitor('phone', { locale: 'en-IN' });
	await page.goto('/');
	await choose(page, 'Menu', 'বাংলা · not proofread');
	await page.getByRole('heading', { level: 1, name: 'ক্রিকেট' }).waitFor();
	expect(await langOf(page)).toBe('bn-IN');
	await choose(page, 'মেনু', 'हिन्दी');
	await page.getByRole('heading', { level: 1, name: 'क्रिकेट' }).waitFor();
	await page.getByRole('button', { name: 'मेनू', exact: true }).click();
	const tile = page.getByRole('button', { name: 'বাংলা · प्रूफ़रीड नहीं', exact: true });
	await tile.waitFor();
	const langs = await tile.locator('[lang]').evaluateAll((parts) => parts.map((part) => part.getAttribute('lang')));
	expect(langs).toEqual(['bn', 'hi']);
	await expectFine(page, 'phone');
});

describe.each([
	['en-GB', 'en'],
	['hi', 'hi'],
	['bn-BD', 'bn'],
	['ta-IN', 'en'],
] as const)('a browser in %s', (locale, language) => {
	it(`loads the texts of ${language}, and no others`, { tags: 'thorough' }, async () => {
		const page = await scene.visitor('desktop', { locale });
		const { loaded, head } = await textsLoaded(page);
		await page.getByRole('heading', { level: 1 }).waitFor();
		await page.getByRole('button', { name: /^(Menu|मेनू|মেনু)$/ }).click();
		await page.getByRole('dialog').waitFor();
		expect([...new Set(loaded)].sort()).toEqual([`${language}-first`, `${language}-more`]);
		expect(new Set([...head.matchAll(/data-language="(\w+)"/g)].map(([, named]) => named))).toEqual(
			new Set([language]),
		);
	});
});
