/** A log-out ends the login on the server, however fast the page is left; without a connection the player is told. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Scene, type Seat } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** A player on a list, with the account menu open. */
async function beforeLogOut(options: BrowserContextOptions = {}): Promise<Seat> {
	const seat = await scene.player('phone', options);
	await seat.page.goto('/matchlist/3');
	await seat.page.getByRole('button', { name: 'Account: Demo' }).click();
	await seat.page.getByRole('link', { name: 'Log out' }).waitFor();
	return seat;
}

const statusOf = async ({ token }: Seat) => (await scene.server.call('getUserInfo', {}, token)).status;

/** In the page: the link is pressed, and the page is left in the next task. */
const pressAndLeave = (page: Page) =>
	page.evaluate(() => {
		document.querySelector<HTMLElement>('a[href="/Auth/Logout"]')?.click();
		setTimeout(() => location.replace('about:blank'));
	});

it('reaches the server from a page that is left at once, over a slow line', async () => {
	const seat = await beforeLogOut();
	const { page } = seat;
	expect(await statusOf(seat)).toBe(200);
	const line = await page.context().newCDPSession(page);
	await line.send('Network.emulateNetworkConditions', {
		offline: false,
		latency: 1500,
		downloadThroughput: -1,
		uploadThroughput: -1,
	});
	await pressAndLeave(page);
	await page.waitForURL('about:blank');
	await expect.poll(() => statusOf(seat), { timeout: 10_000 }).toBe(401);
});

it('reaches the server from a page that is closed at once', async () => {
	const seat = await beforeLogOut();
	await seat.page.getByRole('link', { name: 'Log out' }).click();
	await seat.page.close();
	await expect.poll(() => statusOf(seat), { timeout: 10_000 }).toBe(401);
});

it('forgets the login without a connection and says that the server has it still', async () => {
	// The service worker has the page that a log-out leads to.
	const seat = await beforeLogOut({ serviceWorkers: 'allow' });
	const { page } = seat;
	await page.evaluate(async () => void (await navigator.serviceWorker.ready));
	await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
	await page.context().setOffline(true);
	await page.getByRole('link', { name: 'Log out' }).click();
	await page.getByText('You are logged out on this device only').waitFor();
	const left = () => page.evaluate(() => ['accessToken', 'refresh_token', 'userinfo'].map((key) => localStorage[key]));
	expect(await left()).toEqual([undefined, undefined, undefined]);
	expect(await statusOf(seat)).toBe(200);
});
