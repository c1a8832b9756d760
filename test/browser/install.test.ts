/** The offer to put the site on the home screen: after the first bet that won, once. */
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { betOn, type TestMatch } from '../support/match.ts';
import { expectFine } from './fine-screen.ts';
import { Scene, type Seat } from './scene.ts';

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

/** A page whose stay is watched, of a player with a bet that is still open. */
async function openWatched({ page, token }: Seat, match: TestMatch): Promise<Locator> {
	await page.clock.install();
	await page.goto(`/markets/${match.eventId}`);
	await page.waitForFunction(() => document.querySelector('.price:not(:disabled)') !== null);
	await offer(page);
	await scene.server.result('placeBetV2', betOn(match, { side: 'BACK', price: 2, stake: 100 }), token);
	// What watches the stay is loaded after ten seconds, and nothing is won yet.
	const asked = page.waitForResponse(/GetUserBetHistory/i);
	await page.clock.fastForward(WATCHED_AFTER_MS);
	await asked;
	const dialog = page.getByRole('dialog', { name: 'Keep it at hand?' });
	expect(await dialog.count()).toBe(0);
	return dialog;
}

it('comes after a bet has won and not before, asks the browser, and does not come again', async () => {
	const match = await scene.match();
	const seat = await scene.player('phone');
	const { page } = seat;
	const dialog = await openWatched(seat, match);
	await match.settle(0);
	await dialog.waitFor();
	await expectFine(page, 'phone');
	await dialog.getByRole('button', { name: 'Add to the home screen' }).tap();
	await page.locator('body[data-asked]').waitFor();
	expect(await dialog.count()).toBe(0);
	expect(await page.evaluate(() => localStorage.getItem('installAsked'))).toBe('true');
});

it('comes, too, when the connection was lost while the bet was settled', { tags: 'thorough' }, async () => {
	const match = await scene.match();
	const seat = await scene.player('phone');
	const lines: WebSocketRoute[] = [];
	let isLost = false;
	await seat.page.routeWebSocket(/./, (line) => {
		lines.push(line);
		const server = line.connectToServer();
		server.onMessage((message) => {
			if (!isLost) line.send(message);
		});
	});
	const dialog = await openWatched(seat, match);
	isLost = true;
	await match.settle(0);
	await expect.poll(() => scene.server.running.exchange.market(Number(match.marketId))?.status).toBe('SETTLED');
	expect(await dialog.count()).toBe(0);
	isLost = false;
	for (const line of lines.splice(0)) await line.close();
	await dialog.waitFor();
});
