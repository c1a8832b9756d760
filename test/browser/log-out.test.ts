/** A log-out ends the login on the server, however fast the page is left; without a connection the player is told. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { demoLogin, untilWorker } from './browser.ts';
import { Scene, type Seat } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

async function openMenu(page: Page): Promise<void> {
	await page.goto('/matchlist/3');
	await page.getByRole('button', { name: 'Account: Demo' }).click();
	await page.getByRole('link', { name: 'Log out' }).waitFor();
}

/** A player on a list, with the account menu open. */
async function beforeLogOut(): Promise<Seat> {
	const seat = await scene.player('phone');
	await openMenu(seat.page);
	return seat;
}

const statusOf = async ({ token }: Pick<Seat, 'token'>) => (await scene.server.call('getUserInfo', {}, token)).status;

const HESITATES_MS = 800;

/** A line on which what a browser sends arrives late, and not at all if the browser gave it up before. */
async function openHesitantLine(server: string) {
	const open = new Set<Socket>();
	let waitMs = 0;
	const line = createServer((near) => {
		const far = connect(Number(new URL(server).port), '127.0.0.1');
		for (const socket of [near, far]) {
			open.add(socket);
			socket.on('error', () => undefined);
		}
		near.on('data', (data) => setTimeout(() => far.writable && far.write(data), waitMs));
		near.on('close', () => far.destroy());
		far.pipe(near);
	});
	await once(line.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://localhost:${(line.address() as AddressInfo).port}`,
		hesitate: () => {
			waitMs = HESITATES_MS;
		},
		close: () => {
			for (const socket of open) socket.destroy();
			line.close();
		},
	};
}

/** In the page: the link is pressed, and the page is left in the next task. */
const pressAndLeave = (page: Page) =>
	page.evaluate(() => {
		document.querySelector<HTMLElement>('a[href="/Auth/Logout"]')?.click();
		setTimeout(() => location.replace('about:blank'));
	});

it('reaches the server from a page that is left at once, over a slow line', async () => {
	const line = await openHesitantLine(scene.server.url);
	onTestFinished(line.close);
	const { login, storageState } = await demoLogin(line.url);
	const page = await scene.visitor('phone', { baseURL: line.url, storageState });
	await openMenu(page);
	const seat = { token: login.accessToken };
	expect(await statusOf(seat)).toBe(200);
	line.hesitate();
	await pressAndLeave(page);
	await page.waitForURL('about:blank');
	await expect.poll(() => statusOf(seat)).toBe(401);
});

it('reaches the server from a page that is closed at once', { tags: 'thorough' }, async () => {
	const seat = await beforeLogOut();
	await seat.page.getByRole('link', { name: 'Log out' }).click();
	await seat.page.close();
	await expect.poll(() => statusOf(seat)).toBe(401);
});

it('forgets the login without a connection and says that the server has it still', async () => {
	// The service worker has the page that a log-out leads to.
	const seat = await scene.player('phone', { serviceWorkers: 'allow' });
	const { page } = seat;
	await page.clock.install();
	await openMenu(page);
	await untilWorker(page);
	await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
	await page.context().setOffline(true);
	await page.getByRole('link', { name: 'Log out' }).click();
	await page.getByText('You are logged out on this device only').waitFor();
	const left = () => page.evaluate(() => ['accessToken', 'refresh_token', 'userinfo'].map((key) => localStorage[key]));
	expect(await left()).toEqual([undefined, undefined, undefined]);
	expect(await statusOf(seat)).toBe(200);
});

it('tells a visitor of no one-click betting that a player who was logged in had turned on', {
	tags: 'thorough',
}, async () => {
	const { page } = await scene.playerAt(await scene.match(), 'phone');
	await page.evaluate(() => localStorage.setItem('betting', JSON.stringify({ oddsPolicy: 'ANY', oneClickStake: 500 })));
	await page.reload();
	const isOn = page.getByText('One-click betting is on', { exact: false });
	await isOn.first().waitFor();
	await page.evaluate(() => localStorage.setItem('expire_DateTime', String(Date.now() - 1)));
	await page.reload();
	await page.locator('.market .price:not([data-empty])').first().waitFor();
	await page.getByRole('button', { name: 'Log in' }).first().waitFor();
	expect(await isOn.count()).toBe(0);
});

it('leaves nothing in another tab with which the next player would bet', { tags: 'thorough' }, async () => {
	const match = await scene.match();
	const { page } = await scene.playerAt(match, 'desktop');
	await page.evaluate(() => localStorage.setItem('betting', JSON.stringify({ oddsPolicy: 'ANY', oneClickStake: 500 })));
	const other = await page.context().newPage();
	await other.goto(`/markets/${match.eventId}`);
	const isOn = other.getByText(/^One-click betting is on: pressing a price bets ₹500/);
	await isOn.waitFor();
	await page.getByRole('button', { name: 'Account: Demo' }).click();
	await page.getByRole('link', { name: 'Log out' }).click();
	await page.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
	await other.getByRole('button', { name: 'Account: Demo' }).waitFor();
	await isOn.waitFor({ state: 'hidden' });
	await other.locator('.market .price:not([data-empty])').first().click();
	await other.getByLabel('Stake', { exact: true }).first().waitFor();
	const token = await page.evaluate(() => localStorage.getItem('accessToken'));
	expect((await scene.server.result('getUserOpenBets', {}, token)).openBets).toEqual([]);
});

it('takes what another tab shows of the player away, before the next one looks', { tags: 'thorough' }, async () => {
	const { page, token } = await scene.member('desktop');
	await scene.server.result('setLimits', { depositDay: 777 }, token);
	const other = await page.context().newPage();
	await other.goto('/protection');
	const limit = other.getByText('₹777', { exact: false });
	await limit.first().waitFor();
	await page.goto('/Auth/Logout');
	await page.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.getByRole('button', { name: 'Account: Demo' }).waitFor();
	await other.getByRole('button', { name: 'Account: Demo' }).waitFor();
	await limit.first().waitFor({ state: 'hidden' });
	// It goes on where it was, as the next player.
	await other.waitForURL('**/protection');
	await other.getByRole('heading', { level: 1 }).waitFor();
	expect(await limit.count()).toBe(0);
});

it('a tab that slept through a log-out and hears of the next player alone has nothing of the one before in a form', {
	tags: 'thorough',
}, async () => {
	const { page } = await scene.player('desktop');
	await page.goto('/change-button-values');
	const amount = page.getByRole('main').getByRole('textbox', { name: 'Amount' }).first();
	await amount.fill('777');
	await page.evaluate(
		({ user, accessToken }) => {
			localStorage.setItem('preferencesOf', user.userId);
			localStorage.setItem('userinfo', JSON.stringify(user));
			localStorage.setItem('accessToken', accessToken);
			window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
		},
		await scene.server.result('loginAsDemoUser', {}),
	);
	await expect.poll(() => amount.inputValue()).toBe('100');
});

it('a log-in in another tab is one of the page that asks for it, which goes on where the visitor wanted to', {
	tags: 'thorough',
}, async () => {
	const page = await scene.visitor('phone');
	await page.goto('/matchlist/3');
	await page.locator('.bottom-bar').getByRole('link', { name: 'Casino' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Login with Demo ID' }).waitFor();
	const other = await page.context().newPage();
	await other.goto('/auth/login');
	await other.getByRole('button', { name: 'Login with Demo ID' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await page.waitForURL('**/lobby');
});
