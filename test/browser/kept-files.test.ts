/**
 * What the service worker keeps for times without a network.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Cricket', exact: true });

it('shows the site without a network, whatever else of its host was open last', async () => {
	const page = await scene.visitor('phone', { serviceWorkers: 'allow' });
	await page.goto('/matchlist/3');
	await heading(page).waitFor();
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
	await page.goto('/docs');
	await page.waitForFunction(() => document.querySelector('#root') === null);
	await page.context().setOffline(true);
	await page.goto('/matchlist/3');
	await page.locator('#root').waitFor({ state: 'attached' });
	const language = await page.evaluate(async () => (await caches.match('/'))?.headers.get('Content-Language'));
	expect(language).toBe(await page.locator('html').getAttribute('lang'));
	await page.context().setOffline(false);
});
