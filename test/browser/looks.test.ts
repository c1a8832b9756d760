/** What the site looks like as a whole: the badge of its sports, and what moves when a bet is matched. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('says once that its sports are simulated, and in no row', async () => {
		await scene.match();
		const page = await scene.visitor(width);
		await page.goto('/matchlist/3');
		await page.locator('.match-row').first().waitFor();
		await page.locator('footer').waitFor();
		const badges = page.locator('.site-badge').filter({ visible: true });
		await expect.poll(() => badges.allTextContents()).toEqual(['Simulated']);
		expect(
			await page
				.locator('.match-row')
				.filter({ hasText: /simulated/i })
				.count(),
		).toBe(0);
	});

	it.each([
		['no-preference', 1],
		['reduce', 0],
	] as const)('a matched bet slides to the open bets; where motion is %s: %i', async (reducedMotion, flights) => {
		const match = await scene.match();
		const { page } = await scene.playerAt(match, width, { reducedMotion });
		await page.evaluate(() => {
			const flights: Element[] = [];
			Object.assign(window, { flights });
			new MutationObserver((changes) => {
				for (const { addedNodes } of changes)
					for (const node of addedNodes) if (node instanceof HTMLElement && node.matches('.flying')) flights.push(node);
			}).observe(document.body, { childList: true });
		});
		await page
			.getByRole('button', { name: /^Back India 2\.00, / })
			.last()
			.click();
		await page.getByLabel('Stake', { exact: true }).fill('100');
		await page.getByLabel('Stake', { exact: true }).press('Enter');
		await page.locator('.slip-card').getByText('Matched: ₹100 at 2.00').waitFor();
		const seen = () => page.evaluate(() => (window as unknown as { flights: Element[] }).flights.length);
		await expect.poll(seen).toBe(flights);
		await page.locator('.flying').waitFor({ state: 'detached' });
	});
});
