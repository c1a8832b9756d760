/**
 * Small things that a stranger notices first: edges, lines of names, one icon for one thing, figures and calls of nothing.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { betOn } from '../support/match.ts';
import { goTo } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const left = async (page: Page, text: string): Promise<number> =>
	(await page.locator('.runner-name').getByText(text, { exact: true }).boundingBox())?.x ?? Number.NaN;

it('the bars reach the window’s right edge, and one icon leads to the casino everywhere', async () => {
	const page = await scene.visitor('desktop');
	await page.goto('/matchlist/3');
	const ofBar = page.locator('.sport-bar').getByRole('link', { name: 'Casino' });
	await ofBar.waitFor();
	expect(
		await page.locator('.top-header').evaluate((bar) => window.innerWidth - bar.getBoundingClientRect().right),
	).toBe(0);
	const drawing = await ofBar.locator('.icon path').getAttribute('d');
	await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
	const ofMenu = page.getByRole('dialog').getByRole('link', { name: 'Casino' });
	expect(await ofMenu.locator('.icon path').getAttribute('d')).toBe(drawing);
});

it('names begin on one line, the draw’s too, which has no crest', async () => {
	const runners = ['India', 'Nepal', 'The Draw'].map((name, at) => ({ id: String(at), name }));
	const { page } = await scene.playerAt(await scene.match({ runners }), 'desktop');
	expect(await left(page, 'The Draw')).toBe(await left(page, 'India'));
});

it('on a phone a market of two is 200 pixels high, and its rules open behind an icon below the prices', async () => {
	const { page } = await scene.playerAt(await scene.match(), 'phone');
	const market = page.locator('.market');
	expect((await market.boundingBox())?.height).toBeLessThanOrEqual(200);
	const price = page.locator('.market-row .price').first();
	const before = await price.boundingBox();
	const rules = market.locator('summary', { hasText: 'Rules' });
	const icon = await rules.boundingBox();
	expect([icon?.width, icon?.height]).toEqual([44, 44]);
	await rules.click();
	await market.getByText('Who wins the match.').waitFor();
	expect(await price.boundingBox()).toEqual(before);
	await expectFine(page, 'phone');
});

it('words are whole on a phone of 320 pixels: of its bar, of a market with own bets, and of chips, kinds and stakes', async () => {
	const match = await scene.match();
	const { page, token } = await scene.player('phone');
	await page.setViewportSize({ width: 320, height: 640 });
	for (const price of [2, 3]) await scene.server.result('placeBetV2', betOn(match, { price, stake: 100 }), token);
	await page.goto('/matchlist/3');
	for (const [path, part, others] of [
		[`/markets/${match.eventId}`, '.market:not([data-paused]) .own-strip-words', '.market-name'],
		['/casino/roulette', '.chip-act', '.choice-row button'],
		['/casino/crash', '.crash-slot input', '.crash-slot button'],
		['/casino/plinko', '.plinko-slots li', '.choice-row button'],
	] as const) {
		await goTo(page, path);
		await page.locator(part).first().waitFor();
		const cut = await page.locator(`.bottom-item .truncate, ${part}, ${others}`).evaluateAll((words) =>
			words
				.filter((word) => word.checkVisibility())
				.filter((word) => word.scrollWidth > word.clientWidth || word.getBoundingClientRect().right > innerWidth)
				.map((word) => word.textContent || word.outerHTML),
		);
		expect(cut, path).toEqual([]);
		await expectFine(page, 'phone');
	}
});

it('on a phone of 320 pixels a long title, ladders side by side and the amounts of stake buttons are whole', async () => {
	const title = 'Royal Challengers Bengaluru v Kolkata Knight Riders';
	const match = await scene.match({ title, status: 'IN_PLAY' });
	const { page } = await scene.player('phone');
	await page.setViewportSize({ width: 320, height: 568 });
	await page.goto(`/markets/${match.eventId}`);
	const board = page.locator('.scoreboard');
	await board.locator('.board-title').waitFor();
	const edges = await board.evaluate((whole) => {
		const [heading, below] = ['.board-title', '.board-event'].map((part) =>
			whole.querySelector(part)?.getBoundingClientRect(),
		);
		return {
			top: (heading?.top ?? 0) - whole.getBoundingClientRect().top,
			gap: (below?.top ?? 0) - (heading?.bottom ?? 0),
		};
	});
	expect(edges.top).toBeGreaterThanOrEqual(0);
	expect(edges.gap).toBeGreaterThanOrEqual(0);
	await goTo(page, `/ladders/${match.eventId}/${match.marketId}`);
	await page.locator('.ladder tbody tr').first().waitFor();
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
	await goTo(page, '/change-button-values');
	const amounts = page.getByRole('main').getByRole('textbox', { name: 'Amount' });
	await amounts.first().fill('100000');
	await page.getByText('₹1,00,000').first().waitFor();
	const cut = await amounts.evaluateAll((fields) =>
		fields.filter((field) => field.scrollWidth > field.clientWidth).map((field) => (field as HTMLInputElement).value),
	);
	expect(cut).toEqual([]);
});

it('on a low phone of 320 pixels the bar of each game shows its stake, its button and why that is blocked whole', async () => {
	const { page } = await scene.player('phone');
	await page.setViewportSize({ width: 320, height: 568 });
	await page.goto('/casino/keno');
	const bar = page.locator('.game-go');
	/** Of the bar, what is wider than its place. */
	const cut = () =>
		bar.locator('input, .button-label').evaluateAll((parts) =>
			parts
				.filter((part) => {
					const place = (part.closest('.button') ?? part).getBoundingClientRect();
					const { left, right } = part.getBoundingClientRect();
					const isWide = part.scrollWidth > part.clientWidth || left < place.left || right > place.right;
					return isWide || place.right > innerWidth;
				})
				.map((part) => part.textContent || (part as HTMLInputElement).value),
		);
	for (const game of ['keno', 'dice', 'limbo', 'mines', 'plinko', 'coin-flip', 'wheel', 'hi-lo', 'blackjack']) {
		await goTo(page, `/casino/${game}`);
		const stake = bar.getByLabel('Stake', { exact: true });
		// That of the game before has another.
		await expect.poll(() => stake.inputValue()).toBe('100');
		expect(await cut(), game).toEqual([]);
		for (const typed of ['100000', '1.234']) {
			await stake.fill(typed);
			expect(await cut(), `${game} ${typed}`).toEqual([]);
		}
		await expectFine(page, 'phone');
	}
});

it('on a phone of 320 pixels what is bet and cancelled at a table and on a flight is whole on its button', async () => {
	const { page } = await scene.player('phone');
	await page.setViewportSize({ width: 320, height: 568 });
	const cut = (css: string) =>
		page.locator(css).evaluateAll((buttons) =>
			buttons.flatMap((button) => {
				const words = document.createRange();
				words.selectNodeContents(button);
				const [said, place] = [words, button].map((one) => one.getBoundingClientRect());
				const isWhole = said && place && said.left >= place.left && said.right <= Math.min(place.right, innerWidth);
				return isWhole ? [] : [button.textContent];
			}),
		);
	await page.goto('/casino/roulette');
	const dock = page.locator('.table-dock');
	await dock.getByRole('button', { name: '1k' }).click();
	const red = page.getByRole('button', { name: /^Red/ });
	await red.click();
	await dock.getByRole('button', { name: /^Bet ₹1,000/ }).click();
	await dock.getByRole('button', { name: 'Cancel ₹1,000' }).waitFor();
	await red.click();
	await dock.getByRole('button', { name: /^Bet ₹1,000/ }).waitFor();
	expect(await cut('.table-dock .button')).toEqual([]);
	await goTo(page, '/casino/crash');
	const place = page.getByRole('region', { name: 'Bet 1' });
	await place.getByLabel('Stake', { exact: true }).fill('100000');
	await place.getByRole('button', { name: 'Bet ₹1,00,000 on the next round' }).waitFor({ timeout: 60_000 });
	expect(await cut('.crash-action')).toEqual([]);
});

it('on a phone that lies on its side a bet on a flight is as high as its place', async () => {
	const { page } = await scene.player('phone');
	await page.setViewportSize({ width: 568, height: 320 });
	await page.goto('/casino/crash');
	const action = page.locator('.crash-action').first();
	await action.waitFor();
	await action.scrollIntoViewIfNeeded();
	const isSeen = () =>
		action.evaluate((button) => {
			button.scrollIntoView({ block: 'center', behavior: 'instant' });
			const { left, top, width, height } = button.getBoundingClientRect();
			const corners = [top + 2, top + height - 2].map((y) => document.elementFromPoint(left + width / 2, y));
			return corners.every((corner) => button.contains(corner));
		});
	expect(await isSeen()).toBe(true);
});

it('the login page tells only those of a log-out who were logged in', async () => {
	const page = await scene.visitor('desktop');
	await page.goto('/auth/login');
	await heading(page, 'Log in').waitFor();
	expect(await page.getByText('You are logged out.').count()).toBe(0);
	const seat = await scene.player('desktop');
	await seat.page.goto('/matchlist/3');
	await heading(seat.page, 'Cricket').waitFor();
	await goTo(seat.page, '/auth/logout');
	await seat.page.getByText('You are logged out.').waitFor();
});

it('a market that takes no bets is asked for no cash-out, and says when there is one again', async () => {
	const match = await scene.match();
	const { page, token } = await scene.playerAt(match, 'desktop');
	const refused: string[] = [];
	page.on('response', (response) => {
		if (response.status() === 422) refused.push(response.url());
	});
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
	await page
		.locator('.own-strip')
		.getByText(/^Cash out/)
		.click();
	const sheet = page.getByRole('dialog');
	// The first quote has come; one that is on its way as the market is suspended may be refused.
	await sheet.getByRole('button', { name: /^Cash out/ }).waitFor();
	await match.market.suspend();
	await sheet.getByText('Cashing out is possible again when the market takes bets.').waitFor();
	await match.market.resume();
	// The next quote comes by itself.
	await page.waitForResponse((response) => /CashOutQuote/i.test(response.url()) && response.ok());
	await sheet.getByRole('button', { name: /^Cash out/ }).waitFor();
	expect(refused).toEqual([]);
});

it('the depth of a runner is awaited as a grey line, and never as ₹0', async () => {
	const match = await scene.match();
	const { page } = await scene.playerAt(match, 'desktop');
	const gate = Promise.withResolvers<void>();
	await page.route(/depth=10/, async (route) => {
		await gate.promise;
		await route.continue();
	});
	await page.getByRole('button', { name: 'Depth and price history of Match Odds' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('toolbar').waitFor();
	expect(await dialog.getByText(/₹0/).count()).toBe(0);
	gate.resolve();
	await dialog.getByText('₹0 matched').waitFor();
});
