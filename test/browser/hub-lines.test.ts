/**
 * The site's line to the hub in a real browser: over every transport it can fall back to, and while it is gone.
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoLogin, holdCalls, openContext, WIDTHS } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { EVENS, type Offer, Scene } from './scene.ts';
import { ServerProcess } from './server-process.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const SHORTER: Offer = { ...EVENS, back: [[1.9, 1000]] };

describe.each([
	['WebSockets', []],
	['Server-Sent Events', ['WebSocket']],
	['long polling', ['WebSocket', 'EventSource']],
] as const)('over %s', (transport, missing) => {
	// Every other test of this folder goes over WebSockets, and the hub's tests over each transport.
	it('prices move, and nothing is refused by the browser', async () => {
		const match = await scene.match();
		const { page } = await scene.player('desktop');
		const refused: string[] = [];
		await page.addInitScript(
			(names) => {
				for (const name of names) Reflect.deleteProperty(globalThis, name);
			},
			[...missing],
		);
		const used = new Set<string>();
		page.on('console', (message) => {
			if (message.type() === 'error') refused.push(message.text());
		});
		page.on('websocket', () => used.add('WebSockets'));
		page.on('request', (request) => {
			if (request.method() !== 'GET' || !request.url().includes('/hub?id=')) return;
			const accept = request.headers()['accept'] ?? '';
			used.add(accept.includes('text/event-stream') ? 'Server-Sent Events' : 'long polling');
		});
		await page.goto(`/markets/${match.eventId}`);
		const best = page.locator('.market-row .price', { hasText: '2.00' });
		await best.first().waitFor();
		await scene.quote(match, SHORTER);
		await page.locator('.market-row .price', { hasText: '1.90' }).first().waitFor();
		expect([...used]).toEqual([transport]);
		expect(refused).toEqual([]);
	});
});

it('a sport that is closed to the player while the line is gone is gone when it is back', async () => {
	const { page, token } = await scene.player('desktop');
	const { userName } = await scene.server.result('getUserInfo', {}, token);
	let isDown = false;
	await page.routeWebSocket(/\/hub/, (line) => {
		if (isDown) return void line.close();
		const server = line.connectToServer();
		server.onMessage((message) => (isDown ? void line.close() : line.send(message)));
	});
	await page.route(/\/hub/, (route) => (isDown ? route.abort() : route.continue()));
	await page.goto('/matchlist/3');
	const tennis = page.getByRole('link', { name: 'Tennis' }).first();
	await tennis.waitFor();
	isDown = true;
	await page.getByText('Connection lost.', { exact: false }).waitFor();
	await scene.server.act('player-sport', { userName, host: 'localhost', sport: 'tennis', allowed: false });
	await tennis.waitFor();
	isDown = false;
	await tennis.waitFor({ state: 'hidden' });
});

describe.each(['phone'] as const)('on a %s', (width) => {
	it('a lost connection is shown, moves nothing, takes no bets, and its banner goes when the server is back', async () => {
		const server = await ServerProcess.create();
		onTestFinished(() => server.dispose());
		await server.start([]);
		const { storageState } = await demoLogin(server.url);
		const context = await openContext(scene.browser, width, server.url, { storageState });
		onTestFinished(() => context.close());
		// A part of the screen that is still on its way when the line goes must not take the rest with it.
		const late = await holdCalls(context, '**/assets/site-footer-*.js');
		const page = await context.newPage();
		// The match in play.
		await page.goto('/matchlist/3');
		await page.locator('.match-link').first().click();
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
			await expect.poll(() => page.locator('.market-row .price:enabled').count()).toBe(0);
			await expectFine(page, width);
		} finally {
			await server.start([]);
		}
		// A network that returns is noticed at once; that the page also comes back by itself is the recorded match's to show.
		await page.evaluate(() => dispatchEvent(new Event('online')));
		await strip.waitFor({ state: 'detached' });
		await page.locator('footer').waitFor();
	});
});
