/**
 * The site's own typeface: its use, its origin, and its size.
 *
 * @module-tag thorough
 */
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scene } from './scene.ts';

let scene: Scene;
let page: Page;
const fonts: { url: string; bytes: number }[] = [];

beforeAll(async () => {
	// The headless shell rounds the widths of letters.
	scene = await Scene.open(undefined, { whole: true });
	await scene.match();
	({ page } = await scene.player('phone'));
	page.on('response', async (response) => {
		if (response.request().resourceType() !== 'font') return;
		fonts.push({ url: response.url(), bytes: (await response.body()).length });
	});
	await page.goto('/matchlist/3');
	await page.locator('.price').first().waitFor();
});
afterAll(() => scene?.close());

it('is loaded once, from the site itself, with at most 23 kB, and its licence beside it', async () => {
	await page.evaluate(() => document.fonts.ready);
	// The event of its answer may come after it is in use.
	await expect.poll(() => fonts).toHaveLength(1);
	expect(fonts[0]?.url.startsWith(`${scene.server.url}/assets/`)).toBe(true);
	expect(fonts[0]?.bytes).toBeLessThanOrEqual(23_000);
	expect(readdirSync('dist/assets').filter((file) => file.startsWith('inter-licence'))).toHaveLength(1);
	expect(await page.evaluate(() => document.fonts.check('600 1rem Inter', 'Back ₹1,250 − 2.02'))).toBe(true);
});

it('sets all figures equally wide, so that a price that changes moves nothing', async () => {
	const widths = await page.evaluate(() => {
		const figure = document.createElement('b');
		figure.style.cssText = 'position:absolute;font-size:1.0625rem';
		document.body.append(figure);
		const measured = [...'0123456789'].map((digit) => {
			figure.textContent = digit.repeat(10);
			return figure.getBoundingClientRect().width;
		});
		figure.remove();
		return measured;
	});
	expect(new Set(widths).size).toBe(1);
});

it('sets prices in 17 bold and their sizes in 12', async () => {
	const look = await page
		.locator('.price:not([data-empty])')
		.first()
		.evaluate((price) =>
			['b', 'small'].map((part) => {
				const { fontSize, fontWeight, fontFamily } = getComputedStyle(price.querySelector(part) as Element);
				return `${fontFamily.split(',')[0]} ${fontSize} ${fontWeight}`;
			}),
		);
	expect(look).toEqual(['Inter 17px 700', 'Inter 12px 400']);
});
