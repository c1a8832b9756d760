/** The site's line to the hub in a real browser: over every transport it can fall back to, and while it is gone. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoLogin, holdCalls, openBrowser, openContext, WIDTHS } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { ServerProcess } from './server-process.ts';

let server: ServerProcess;
let browser: Browser;
let context: BrowserContext;
/** Fast enough that prices move every few seconds. */
const OPTIONS = ['--sim-speed', '10'];
beforeAll(async () => {
	server = await ServerProcess.create();
	await server.start(OPTIONS);
	browser = await openBrowser();
});
afterEach(async () => {
	await context.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.dispose();
});

const loggedIn = async () => ({ storageState: (await demoLogin(server.url)).storageState });

/** The match in play. */
async function openMarket(): Promise<Page> {
	const page = await context.newPage();
	await page.goto('/matchlist/3');
	await page.locator('.match-link').first().click();
	await page.locator('.market-row').first().waitFor();
	return page;
}

describe.each([
	['WebSockets', []],
	['Server-Sent Events', ['WebSocket']],
	['long polling', ['WebSocket', 'EventSource']],
] as const)('over %s', (transport, missing) => {
	it('prices move, and nothing is refused by the browser', async () => {
		context = await openContext(browser, 'desktop', server.url, await loggedIn());
		const refused: string[] = [];
		await context.addInitScript(
			(names) => {
				for (const name of names) Reflect.deleteProperty(globalThis, name);
			},
			[...missing],
		);
		const used = new Set<string>();
		context.on('console', (message) => {
			if (message.type() === 'error') refused.push(message.text());
		});
		context.on('page', (page) => page.on('websocket', () => used.add('WebSockets')));
		context.on('request', (request) => {
			if (request.method() !== 'GET' || !request.url().includes('/hub?id=')) return;
			const accept = request.headers()['accept'] ?? '';
			used.add(accept.includes('text/event-stream') ? 'Server-Sent Events' : 'long polling');
		});
		const page = await openMarket();
		const prices = () => page.locator('.price').allTextContents();
		const before = (await prices()).join('|');
		await expect.poll(async () => (await prices()).join('|') !== before, { timeout: 30_000 }).toBe(true);
		expect([...used]).toEqual([transport]);
		expect(refused).toEqual([]);
	});
});

describe.each(['phone'] as const)('on a %s', (width) => {
	it('a lost connection is shown, moves nothing, takes no bets, and its banner goes when the server is back', {
		tags: 'thorough',
	}, async () => {
		context = await openContext(browser, width, server.url, await loggedIn());
		// A part of the screen that is still on its way when the line goes must not take the rest with it.
		const late = await holdCalls(context, '**/assets/site-footer-*.js');
		const page = await openMarket();
		await page.locator('.price').first().waitFor();
		await late.arrived;
		const top = async () => (await page.locator('.market-row').first().boundingBox())?.y;
		const before = await top();
		await server.kill();
		late.release();
		const strip = page.getByText('Connection lost.', { exact: false });
		try {
			await strip.waitFor();
			const box = await strip.boundingBox();
			expect(box && box.x >= 0 && box.x + box.width <= WIDTHS[width].viewport.width).toBe(true);
			expect(await top()).toBe(before);
			await expectFine(page, width);
		} finally {
			await server.start(OPTIONS);
		}
		// A network that returns is noticed at once; that the page also comes back by itself is the recorded match's to show.
		await page.evaluate(() => dispatchEvent(new Event('online')));
		await strip.waitFor({ state: 'detached' });
		await page.locator('footer').waitFor();
	});
});
