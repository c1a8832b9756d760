/** The offer to put the site on the home screen: after the first bet that won, once. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { betOn } from '../support/match.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterAll(() => scene?.close());

/** From when on a stay is watched, so that the first screen does not wait for it. */
const WATCHED_AFTER_MS = 10_000;

/** As a browser says that the site can be installed; the page remembers that it asked in turn. */
const offer = (page: Page) =>
	page.evaluate(() => {
		const prompt = async () => document.body.setAttribute('data-asked', 'true');
		globalThis.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
	});

it('comes after a bet has won and not before, asks the browser, and does not come again', async () => {
	const match = await scene.match();
	const { page, token } = await scene.player('phone');
	await page.clock.install();
	await page.goto(`/markets/${match.eventId}`);
	await page.waitForFunction(() => document.querySelector('.price:not(:disabled)') !== null);
	await offer(page);
	const dialog = page.getByRole('dialog', { name: 'Keep it at hand?' });
	await scene.server.result('placeBetV2', betOn(match, { side: 'BACK', price: 2, stake: 100 }), token);
	// What watches the stay is loaded after ten seconds, and nothing is won yet.
	const asked = page.waitForRequest(/GetUserBetHistory/i);
	await page.clock.fastForward(WATCHED_AFTER_MS);
	await asked;
	expect(await dialog.count()).toBe(0);
	await match.settle(0);
	await dialog.waitFor();
	await expectFine(page, 'phone');
	await dialog.getByRole('button', { name: 'Add to the home screen' }).tap();
	await page.locator('body[data-asked]').waitFor();
	expect(await dialog.count()).toBe(0);
	expect(await page.evaluate(() => localStorage.getItem('installAsked'))).toBe('true');
});
