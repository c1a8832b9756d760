/**
 * The studio of brands in a real browser: a picture on the site, a draft in frames, and a brand made from nothing.
 *
 * @module-tag thorough
 */
import type { Frame, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestServer } from '../support/server.ts';
import { CONSOLE_HOST, Desk } from './desk.ts';
import { findings } from './fine-screen.ts';

const HOST = 'royal.localhost';

let server: TestServer;
let desk: Desk;
beforeAll(async () => {
	server = await TestServer.start(undefined, { consoleHost: CONSOLE_HOST });
	desk = await Desk.open(server);
});
afterAll(async () => {
	await desk?.close();
	await server?.dispose();
});

const siteUrl = (host = HOST) => server.url.replace('localhost', host);
const settingOf = (host: string) => server.running.brands.byHost(host)?.setting;

async function draft(page: Page, label: string, value: string): Promise<void> {
	await page.getByRole('searchbox', { name: 'Filter settings' }).fill(label);
	await page.getByRole('row').filter({ hasText: label }).first().press('Enter');
	const dialog = page.getByRole('dialog', { name: label });
	await dialog.getByLabel(label).fill(value);
	await dialog.getByRole('button', { name: 'Put into the draft' }).click();
	await dialog.waitFor({ state: 'detached' });
}

/** The frames of the preview, once their site stands. */
async function framesOf(page: Page): Promise<Frame[]> {
	await expect.poll(() => page.frames().filter((frame) => frame.url().includes('?preview=')).length).toBe(2);
	const frames = page.frames().filter((frame) => frame.url().includes('?preview='));
	for (const frame of frames) await frame.getByRole('banner').waitFor();
	return frames;
}

it('shows an uploaded picture on the site, and a draft in frames that keep nothing and cannot log in', async () => {
	const page = await desk.member('painter', ['owner'], 1440);
	await page.goto(`/brands/${HOST}`);
	await page.getByRole('row').filter({ hasText: 'Replaces the logo in the light theme.' }).press('Enter');
	const logo = await sharp({ create: { width: 300, height: 80, channels: 3, background: '#a02060' } })
		.png()
		.toBuffer();
	await page.getByLabel('A JPEG, PNG or WebP').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
	await expect.poll(() => settingOf(HOST)?.mainLogoLight).toMatch(/^\/pictures\//);

	await draft(page, 'Name of the site', 'Royal Feast');
	const { version } = settingOf(HOST) ?? {};
	await page.getByRole('button', { name: 'Show the site with the draft' }).click();
	const frames = await framesOf(page);
	expect(await Promise.all(frames.map((frame) => frame.evaluate(() => innerWidth)))).toEqual([1440, 390]);
	for (const frame of frames) {
		expect(await frame.title()).toContain('Royal Feast');
		const shown = frame.locator('header img').first();
		await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
		// The page asks for a log-in by itself: the browser lets it not leave.
		const asked = await frame.evaluate(() =>
			fetch('/Account/Authenticate', { method: 'POST', body: '{}' }).then(
				() => 'sent',
				() => 'refused',
			),
		);
		expect(asked).toBe('refused');
		expect(await frame.evaluate(() => localStorage.length)).toBe(0);
	}
	expect(settingOf(HOST)?.version).toBe(version);

	// No page frames the live site, and the console alone frames a draft.
	const secret = new URL(frames[0]?.url() ?? '').searchParams.get('preview') ?? '';
	const visitor = await page.context().newPage();
	const policyOf = async (url: string) => (await visitor.goto(url))?.headers()['content-security-policy'];
	expect(await policyOf(`${siteUrl()}/matchlist/3`)).toContain("frame-ancestors 'none'");
	expect(await policyOf(`${siteUrl()}/matchlist/3?preview=${secret}`)).toContain(`frame-ancestors ${CONSOLE_HOST}:*`);
	for (const other of [
		`${siteUrl()}/matchlist/3?preview=${secret}x`,
		`${siteUrl('dune.localhost')}/matchlist/3?preview=${secret}`,
	])
		expect((await visitor.goto(other))?.status()).toBe(404);

	await page.getByRole('button', { name: 'Change at once' }).click();
	await expect.poll(() => settingOf(HOST)?.domainTitle).toBe('Royal Feast');
	await page.context().close();
});

it('makes a brand, takes a difference over from another one, and is accessible at both widths and themes', {
	tags: 'thorough',
}, async () => {
	const page = await desk.member('founder', ['owner'], 1440);
	await page.goto('/brands');
	await page.getByRole('button', { name: 'New brand' }).click();
	const dialog = page.getByRole('dialog', { name: 'New brand' });
	await dialog.getByLabel('Host').fill('fresh.localhost');
	await dialog.getByLabel('Name of the site').fill('Fresh');
	await dialog.getByLabel('Tennis').uncheck();
	await dialog.getByRole('button', { name: 'Add the brand' }).click();
	await page.waitForURL('**/brands/fresh.localhost');
	expect(settingOf('fresh.localhost')).toMatchObject({ domainTitle: 'Fresh', tennis: false, cricket: true });
	await page.getByLabel('Compare with').selectOption('dune.localhost');
	const differences = page.getByRole('grid', { name: 'Differences' });
	await differences.getByRole('row').filter({ hasText: 'Colours' }).press('Enter');
	await page.getByRole('button', { name: 'Drop Colours' }).waitFor();
	const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
	await page.getByLabel('Instant, by your clock').fill(tomorrow);
	await page.getByRole('button', { name: 'Schedule', exact: true }).click();
	await page.getByRole('button', { name: 'Drop Colours' }).waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'Withdraw' }).click();
	await page.getByText(/founder, withdrawn: Colours/).waitFor();
	await differences.getByRole('row').filter({ hasText: 'Colours' }).press('Enter');
	for (const _ of ['light', 'dark']) {
		await page.setViewportSize({ width: 1440, height: 900 });
		await page.getByRole('button', { name: 'Dark or light' }).click();
		for (const width of [1440, 390]) {
			await page.setViewportSize({ width, height: 900 });
			expect(await findings(page, { part: '#content' })).toEqual([]);
			const by = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			expect(by).toBe(0);
		}
	}
	await page.getByRole('button', { name: 'Change at once' }).click();
	await expect.poll(() => settingOf('fresh.localhost')?.themeTokens).toEqual(settingOf('dune.localhost')?.themeTokens);
	await page.context().close();
});
