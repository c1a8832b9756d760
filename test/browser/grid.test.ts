/**
 * The grid of prices: its layout, its stability, and a press while betting is closed.
 *
 * @module-tag thorough
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MOST_BOOKS } from '#values/most-books.ts';
import { betOn, openMarketOf, type TestMatch } from '../support/match.ts';
import { mainlyOn, onlyOn, pressAt, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { EVENS, type Offer, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const rows = (page: Page) => page.locator('.market-row');
const india = (page: Page) => rows(page).filter({ hasText: 'India' });
const bestBack = (page: Page) => india(page).locator('.price[data-side="BACK"][data-level="1"]');

/** Where every row and every price stands within its market, in whole pixels. */
const places = (page: Page) =>
	page.locator('.market').evaluate((market) => {
		const { x, y } = market.getBoundingClientRect();
		return [...market.querySelectorAll('.market-row, .market-row .price')].map((element) => {
			const box = element.getBoundingClientRect();
			return [box.x - x, box.y - y, box.width, box.height].map(Math.round).join(' ');
		});
	});

/** The content of the slip, as the page keeps it. */
const picked = (page: Page) => page.evaluate(() => localStorage.getItem('betslips'));

async function shows(page: Page, price: string): Promise<void> {
	await bestBack(page).getByText(price, { exact: true }).waitFor();
}

const LONG_ODDS: Offer = { back: [[1000, 5_000]], lay: [] };
const SHORT_ODDS: Offer = { back: [[1.01, 12_400]], lay: [[1.02, 15]] };

describe.each([
	['desktop', ['BACK 3', 'BACK 2', 'BACK 1', 'LAY 1', 'LAY 2', 'LAY 3'], ['1.98', '1.99', '2', '2.02', '2.04', '2.06']],
	['phone', ['BACK 1', 'LAY 1'], ['2', '2.02']],
] as const)('on a %s', (width: Width, order, prices) => {
	it('the best pair is in the middle, with as many levels beside it as fit', { tags: 'thorough' }, async () => {
		const { page } = await scene.playerAt(await scene.match(), width);
		await shows(page, '2.00');
		const cells = india(page).locator('.price');
		const seen = await cells.evaluateAll((buttons) =>
			buttons
				.map((button) => ({ button, left: button.getBoundingClientRect().left }))
				.sort((one, other) => one.left - other.left)
				.map(({ button: { dataset, firstElementChild, children } }) => ({
					place: `${dataset['side']} ${dataset['level']}`,
					price: Number(children[1]?.textContent),
					label: firstElementChild?.textContent,
				})),
		);
		expect(seen.map(({ place }) => place)).toEqual(order);
		expect(seen.map(({ price }) => price)).toEqual(prices.map(Number));
		expect(seen.find(({ place }) => place === 'LAY 1')?.label).toMatch(/^Lay India 2\.02, 1,000 available$/);
	});

	onlyOn('phone', width)(
		'a price that moves has a sign for less than half a second; where motion is not wanted, none',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page } = await scene.playerAt(match, width, { reducedMotion: 'no-preference' });
			await shows(page, '2.00');
			await page.clock.install();
			const moved = india(page).locator('.price[data-side="BACK"][data-level="1"][data-move]');
			const sign = () => bestBack(page).evaluate((cell) => getComputedStyle(cell, '::after').content);
			for (const [price, written, arrow] of [
				[2.1, '2.10', '"▲"'],
				[1.9, '1.90', '"▼"'],
			] as const) {
				await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
				await scene.quote(match, { back: [[price, 1000]], lay: EVENS.lay.filter(([lay]) => lay > price) });
				// Frames pass until the change is drawn; the clock then stands in the middle of the sign's time.
				await expect
					.poll(async () => {
						await page.clock.runFor(17);
						return moved.count();
					})
					.toBe(1);
				expect(await sign()).toBe(arrow);
				await page.clock.runFor(500);
				expect(await moved.count()).toBe(0);
				await page.clock.resume();
				await shows(page, written);
			}
			await page.emulateMedia({ reducedMotion: 'reduce' });
			await bestBack(page).evaluate((cell) => cell.setAttribute('data-move', 'up'));
			expect(await sign()).toBe('none');
		},
	);

	it('a fancy is bet on by YES at its rate, and its book shows the result of every number', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		await scene.openFancy(match);
		const { page } = await scene.playerAt(match, width);
		await page
			.getByRole('button', { name: /^Yes 6 over runs/ })
			.first()
			.click();
		const card = page.getByRole('region', { name: /^Yes 41$/ }).filter({ has: page.getByLabel('Stake') });
		await card.getByLabel('Stake').fill('500');
		await card.getByRole('button', { name: 'Yes 41 @ 87 · risk ₹500' }).waitFor();
		await expectFine(page, width);
		await card.getByLabel('Stake').press('Enter');
		await page.getByText('Matched: ₹500 at 87').waitFor();
		await page.getByRole('button', { name: 'Done' }).click();
		if (width === 'phone') await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Book of 6 over runs' }).click();
		const book = page.getByRole('table', { name: '6 over runs: profit by result' });
		await book.getByRole('row', { name: '40 or less −500' }).waitFor();
		await book.getByRole('row', { name: '41 or more +435' }).waitFor();
		await expectFine(page, width);
	});

	it('a missing price is a dash and cannot be pressed', { tags: 'thorough' }, async () => {
		const match = await scene.match({}, { back: EVENS.back, lay: [] });
		const { page } = await scene.playerAt(match, width);
		await shows(page, '2.00');
		const empty = page.getByRole('button', { name: 'Lay India, no price' }).first();
		expect(await empty.locator('b').textContent()).toBe('–');
		expect(await empty.isDisabled()).toBe(true);
		await pressAt(page, empty);
		expect(await picked(page)).toBeNull();
	});

	it(
		'a suspended, settled or paused market says so, keeps its layout and refuses presses',
		mainlyOn('phone', width),
		async () => {
			const match = await scene.match();
			const { page } = await scene.playerAt(match, width);
			await shows(page, '2.00');
			const before = await places(page);
			const cover = page.locator('.market-cover');
			const refuses = async (shown: Locator): Promise<void> => {
				await shown.waitFor();
				expect(await places(page)).toEqual(before);
				await expect.poll(() => bestBack(page).isDisabled()).toBe(true);
				await pressAt(page, bestBack(page));
				expect(await picked(page)).toBeNull();
			};
			await match.market.suspend();
			await refuses(cover.getByText('Suspended'));
			await match.market.resume();
			await match.market.holdForBall();
			await refuses(cover.getByText('Ball running'));
			await match.market.resume();
			await cover.waitFor({ state: 'detached' });
			await page.context().setOffline(true);
			await refuses(page.locator('.market[data-paused]'));
			await refuses(page.locator('.market-top').getByText(/^Paused: prices \d+ s old$/));
			expect(await bestBack(page).evaluate((price) => getComputedStyle(price).filter)).toBe('grayscale(1)');
			await page.context().setOffline(false);
			await page.locator('.market[data-paused]').waitFor({ state: 'detached' });
			await expect.poll(() => bestBack(page).isEnabled()).toBe(true);
			expect(await places(page)).toEqual(before);
			await pressAt(page, bestBack(page));
			await expect.poll(() => picked(page)).toContain('"price":200');
		},
	);

	it('the prices of a match of more markets than one call answers are asked for in several', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		const runners = ['Yes', 'No'].map((name) => ({ id: name, name }));
		for (let at = 0; at < MOST_BOOKS; at++) {
			const terms = { name: `Question ${at}`, type: 'MATCH_ODDS', runners, betDelaySeconds: 0, rules: '' } as const;
			await openMarketOf(scene.server, match, terms);
		}
		const { page } = await scene.player(width);
		const answers: [status: number, markets: number][] = [];
		page.on('response', (response) => {
			const ids = /GetUserOddsV2\?marketIds=([^&]+)$/.exec(response.url())?.[1];
			if (ids) answers.push([response.status(), decodeURIComponent(ids).split(',').length]);
		});
		await page.goto(`/markets/${match.eventId}`);
		await shows(page, '2.00');
		await expect
			.poll(() => answers.sort(([, one], [, other]) => one - other))
			.toEqual([
				[200, 1],
				[200, MOST_BOOKS],
			]);
	});

	it('the market’s head shows book percentages and matched volume', { tags: 'thorough' }, async () => {
		const match = await scene.match({}, EVENS, { back: [[4, 1000]], lay: [[5, 1000]] });
		const { page, token } = await scene.playerAt(match, width);
		const figures = page.locator('.market-figures');
		// 100/2 + 100/4, and 100/2.02 + 100/5.
		await figures.getByText('75.0 / 69.5 %').waitFor();
		await figures.getByText('₹0', { exact: true }).waitFor();
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 150 }), token);
		await figures.getByText('₹150', { exact: true }).waitFor();
	});

	it('no row moves under the finger: not by prices, gaps, a suspension, a stake or an own result', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		const { page, token } = await scene.playerAt(match, width);
		await shows(page, '2.00');
		const before = await places(page);
		const change = async (offer: Offer, written: string): Promise<void> => {
			await scene.quote(match, offer);
			await shows(page, written);
			expect(await places(page), written).toEqual(before);
		};
		await change(LONG_ODDS, '1000');
		await change(SHORT_ODDS, '1.01');
		await change({ back: [], lay: [] }, '–');
		expect(await bestBack(page).isDisabled()).toBe(true);
		await change(EVENS, '2.00');
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
		await india(page).getByText('+100').waitFor();
		expect(await places(page)).toEqual(before);
		await bestBack(page).click();
		await page.getByLabel('Stake', { exact: true }).fill('250');
		await india(page).getByText('+350').waitFor();
		expect(await places(page)).toEqual(before);
	});

	onlyOn('desktop', width)(
		'score and stream share a panel that folds away and stays so',
		{ tags: 'thorough' },
		async () => {
			const match: TestMatch = await scene.match({ status: 'IN_PLAY' });
			await scene.server.running.fixtures.setStream(Number(match.eventId), `${scene.server.url}/no-such-stream.m3u8`);
			const { page } = await scene.playerAt(match, width);
			const tab = (name: string, expanded: boolean) => page.getByRole('button', { name, expanded, exact: true });
			const body = page.locator('.panel-body');
			await page.getByLabel('Live stream of').waitFor();
			await tab('Score', false).click();
			await page.reload();
			await tab('Score', true).waitFor();
			await body.getByText('The score appears when the match starts.').waitFor();
			await tab('Score', true).click();
			await body.waitFor({ state: 'hidden' });
			await page.reload();
			await tab('Live', false).waitFor();
			expect(await body.isVisible()).toBe(false);
		},
	);

	it('a match in the list has its start written out, and a badge of a dot and a word once it is in play', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match({ title: `Badge ${width}` });
		const page = await scene.visitor(width);
		await page.goto('/matchlist/3');
		const row = page.locator('.match-row', { has: page.getByRole('link', { name: `Badge ${width}` }) });
		await row.getByText(/\d{1,2}:\d{2}/).waitFor();
		expect(await row.locator('.in-play-badge').count()).toBe(0);
		await match.market.turnInPlay();
		const badge = row.locator('.in-play-badge');
		await badge.getByText('In-Play').waitFor();
		expect(await badge.locator('.live-dot').count()).toBe(1);
		expect(await row.getByText(/\d{1,2}:\d{2}/).count()).toBe(0);
		await scene.quote(match, EVENS);
		await row.locator('.price:enabled').first().waitFor();
		// The list is as careful as the market page.
		await page.context().setOffline(true);
		await row.locator('.price:enabled').first().waitFor({ state: 'detached' });
		await page.context().setOffline(false);
	});
});
