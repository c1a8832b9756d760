/**
 * What the service worker keeps for times without a network, and when: a page in use comes first.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { keptFiles, untilWorker } from './browser.ts';
import { Scene } from './scene.ts';

/** In the worker: the files that it asked for by itself, and how many of them at once. */
interface Asking {
	asked: string[];
	most: number;
	fetch: typeof fetch;
}

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Cricket', exact: true });

it('keeps the files of the build one at a time, while the page is idle, and goes on where it stopped', async () => {
	const page = await scene.visitor('phone', { serviceWorkers: 'allow' });
	await page.clock.install();
	const begun = page.context().waitForEvent('serviceworker');
	await page.goto('/matchlist/3');
	await heading(page).waitFor();
	await untilWorker(page);
	const worker = await begun;
	await worker.evaluate(() => {
		const own = globalThis as unknown as Asking;
		const ask = own.fetch.bind(globalThis);
		let inFlight = 0;
		Object.assign(own, { asked: [], most: 0 });
		own.fetch = async (what, how) => {
			// What pages ask for are requests.
			if (typeof what !== 'string') return await ask(what, how);
			own.asked.push(`${what} ${how?.priority}`);
			inFlight += 1;
			own.most = Math.max(own.most, inFlight);
			try {
				return await ask(what, how);
			} finally {
				inFlight -= 1;
			}
		};
	});
	const asking = () =>
		worker.evaluate(() => {
			const { asked, most } = globalThis as unknown as Asking;
			return { asked, most };
		});
	const goOn = (until: number) =>
		expect
			.poll(
				async () => {
					await page.clock.fastForward(1_000);
					return (await asking()).asked.length;
				},
				{ timeout: 20_000 },
			)
			.toBeGreaterThanOrEqual(until);
	const { kept, built } = await keptFiles(page);
	expect(kept).toContain('/');
	expect(built.filter((file) => kept.includes(file)).length).toBeLessThan(built.length / 2);
	await goOn(4);
	const before = (await asking()).asked.length;
	await page.reload();
	await heading(page).waitFor();
	await goOn(before + 3);
	const { asked, most } = await asking();
	expect(most).toBe(1);
	expect(new Set(asked).size).toBe(asked.length);
	expect(asked.filter((each) => !each.endsWith(' low'))).toEqual([]);
});

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
	expect(await page.locator('html').getAttribute('lang')).toMatch(new RegExp(`^${language}\\b`));
	await page.context().setOffline(false);
});
