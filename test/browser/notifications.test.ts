/** Notifications: the screen of choices, and what the service worker makes of a message. */
import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilWorker } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

interface Recorded {
	shown: unknown[];
}

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterAll(() => scene?.close());

// `test/calls/push.test.ts` shows the rule, and the next test the screen.
it('are on for the login that turned them on in this browser, and off for the next one', {
	tags: 'thorough',
}, async () => {
	const endpoint = 'https://push.example/this-browser';
	const isOn = 'This browser is sent notifications until you log out here.';
	const openAs = async () => {
		const seat = await scene.member('phone', { serviceWorkers: 'block' });
		// A browser without a push service: it says what one says that was subscribed before.
		await seat.page.addInitScript((url) => {
			const registration = { pushManager: { getSubscription: async () => ({ endpoint: url }) } };
			ServiceWorkerContainer.prototype.getRegistration = async () => registration as never;
		}, endpoint);
		return seat;
	};
	const [first, second] = [await openAs(), await openAs()];
	const pair = createECDH('prime256v1');
	const keys = { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
	await scene.server.result('subscribePush', { endpoint, ...keys }, first.token);
	await first.page.goto('/notifications');
	await first.page.getByText(isOn).waitFor();
	await second.page.goto('/notifications');
	await second.page.getByText('This browser is sent none.').waitFor();
	await second.page.getByRole('button', { name: 'Turn on here' }).waitFor();
	// What is chosen there does not change it.
	await first.page.getByRole('switch', { name: 'A bet is matched' }).tap();
	await expect.poll(async () => (await scene.server.result('getPush', {}, first.token)).off).toEqual(['MATCHED']);
	await first.page.getByText(isOn).waitFor();
});

it('keeps the choices with the player, and shows a message of the push service', async () => {
	const { page, token } = await scene.member('phone', { serviceWorkers: 'allow' });
	await page.context().grantPermissions(['notifications'], { origin: scene.server.url });
	await page.clock.install();
	await page.goto('/notifications');
	await page.getByRole('switch', { name: 'A bet is matched' }).tap();
	await page.getByRole('switch', { name: /At night, too/ }).tap();
	await expect
		.poll(() => scene.server.result('getPush', {}, token))
		.toMatchObject({ off: ['MATCHED'], atNight: true, browsers: 0 });
	await expectFine(page, 'phone');
	await page.reload();
	await expect.poll(() => page.getByRole('switch', { name: 'A bet is matched' }).isChecked()).toBe(false);
	const [begun] = page.context().serviceWorkers();
	const [worker] = await Promise.all([begun ?? page.context().waitForEvent('serviceworker'), untilWorker(page)]);
	// A browser without a screen shows no notifications: what the worker asks it to show is written down.
	await worker.evaluate(() => {
		const own = globalThis as unknown as Recorded & { registration: ServiceWorkerRegistration };
		own.shown = [];
		own.registration.showNotification = async (...asked) => void own.shown.push(asked);
	});
	const chromium = await page.context().newCDPSession(page);
	const registered = new Promise<string>((resolve) => {
		chromium.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
			const [first] = registrations;
			if (first) resolve(first.registrationId);
		});
	});
	await chromium.send('ServiceWorker.enable');
	const data = JSON.stringify({ title: 'Goal!', body: 'India v Nepal · 1–0', url: '/activity', tag: 'goal-1' });
	const origin = new URL(scene.server.url).origin;
	await chromium.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
	const shown = () => worker.evaluate(() => (globalThis as unknown as Recorded).shown);
	await expect.poll(shown).toEqual([['Goal!', { body: 'India v Nepal · 1–0', tag: 'goal-1', data: '/activity' }]]);
});
