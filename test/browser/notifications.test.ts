/** Notifications: the screen of choices, and what the service worker makes of a message. */
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
