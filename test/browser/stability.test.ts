/**
 * Nothing moves by itself: the browser's own layout-shift entries over a load of a page and over a press on a match.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import { betOn, quotesAround } from '../support/match.ts';
import { scoreCard } from '../support/score-card.ts';
import { demoLogin, goTo, holdCalls, type Width } from './browser.ts';
import { takeShifts, watchShifts } from './layout-shifts.ts';
import { Scene } from './scene.ts';
import { SimulatedSite, SPORTS, type SportName } from './simulated-site.ts';

/** What interface.md allows a page in all. */
const MOST_SHIFT = 0.02;

let page: Page;

const prices = () => page.locator('.market .price:not([data-empty])').first();

/** Score, tracker and prices stand, and with them whatever they could have moved. */
async function whole(): Promise<void> {
	await prices().waitFor();
	await page.locator('.match-panel').waitFor({ state: 'attached' });
	await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
}

/** The browser reports what moved in a frame before the next one. */
const whenDrawn = () =>
	page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

async function expectStill(): Promise<void> {
	const { shift, moved } = await takeShifts(page);
	expect(shift, moved.join('\n')).toBeLessThanOrEqual(MOST_SHIFT);
}

/** The list of a sport, a match of it in play that is pressed there, and its page that is loaded; of a page of a demo player. */
async function expectNothingMoves(sportId: number, match: string): Promise<void> {
	await page.goto(match);
	await prices().waitFor();
	// From here on every page is watched.
	await watchShifts(page, { hasRoom: true });
	await page.goto(`/matchlist/${sportId}`);
	await page.locator('.match-row .price:not([data-empty])').first().waitFor();
	await page.locator('.slide, .hero').first().waitFor();
	await expectStill();
	await page
		.locator(`.match-link[href="${match}"]`)
		.first()
		.click({ position: { x: 20, y: 20 } });
	await whole();
	await expectStill();
	await page.reload();
	await whole();
	await expectStill();
}

describe('of a site without a feed', () => {
	let scene: Scene;
	beforeAll(async () => {
		scene = await Scene.open();
	});
	afterEach(() => scene.leave());
	afterAll(() => scene?.close());

	it('nothing moves on a phone while its list loads, a match is opened and its page loads', async () => {
		const match = await scene.match({ status: 'IN_PLAY', scoreLine: '7/1' });
		await scene.server.running.fixtures.setScore(Number(match.eventId), scoreCard(match.eventId), '7/1');
		({ page } = await scene.player('phone'));
		await expectNothingMoves(3, `/markets/${match.eventId}`);
	});

	it.each([
		['phone', '/lobby'],
		['desktop', '/lobby'],
		// Of few games: what stands below them is in sight.
		['desktop', '/lobby-page/tables'],
	] as const)('nothing moves on a %s while the casino waits for the games of %s', async (width, path) => {
		const seat = await scene.player(width);
		await scene.server.result('markGame', { game: 'roulette', as: 'favourite' }, seat.token);
		page = seat.page;
		await watchShifts(page, { hasRoom: true });
		const shown = Promise.withResolvers<void>();
		await page.route(/InternationalCasino\/GetGames|Casino\/GetGameMarks/, async (route) => {
			await shown.promise;
			await route.continue();
		});
		await page.goto(path);
		await page.locator('.casino-waiting').waitFor();
		await whenDrawn();
		shown.resolve();
		await page.locator('.game-rail').first().waitFor();
		await whenDrawn();
		await expectStill();
	});

	it.each(['phone', 'desktop'] as const)('a deposit moves nothing on a %s until it is paid', async (width) => {
		({ page } = await scene.member(width));
		await watchShifts(page, { hasRoom: true });
		await page.goto('/deposit');
		await page.getByRole('heading', { name: 'Coins of the day' }).waitFor();
		const held = await holdCalls(page, '**/api/Payment/Check');
		await page.getByRole('button', { name: '₹500', exact: true }).click();
		await page.getByRole('button', { name: 'Generate payment' }).click();
		const another = page.getByRole('button', { name: 'New deposit' });
		await page.getByRole('timer').waitFor();
		// They stood below the form, and would be moved by the card, which is taller.
		expect(await page.getByRole('heading', { name: 'Coins of the day' }).count()).toBe(0);
		await whenDrawn();
		await takeShifts(page);
		const before = await another.boundingBox();
		held.release();
		await page.getByText('Deposit received').waitFor();
		expect(await another.boundingBox()).toEqual(before);
		await expectStill();
	});

	it.each(['phone', 'desktop'] as const)('rows of a statement move on a %s when they are asked for', async (width) => {
		const match = await scene.match();
		const seat = await scene.player(width);
		page = seat.page;
		await watchShifts(page, { hasRoom: true });
		await page.goto('/account-cash-statement');
		const rows = page.locator('.statement-rows tbody tr');
		await rows.first().waitFor();
		await goTo(page, '/rules');
		await rows.first().waitFor({ state: 'detached' });
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), seat.token);
		// What was there at the last visit is not shown before what came since.
		await goTo(page, '/account-cash-statement');
		await rows.first().waitFor();
		expect(await rows.count()).toBe(2);
		const added = page.getByRole('button', { name: /^Show \d+ new rows?$/ });
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), seat.token);
		await expect.poll(() => added.textContent()).toBe('Show 1 new row');
		await match.settle(0);
		await expect.poll(() => added.textContent()).not.toBe('Show 1 new row');
		expect(await rows.count()).toBe(2);
		await expectStill();
		await added.press('Enter');
		await expect.poll(() => rows.count()).toBeGreaterThan(2);
		await added.waitFor({ state: 'detached' });
		const title = page.getByRole('heading', { name: 'Cash statement' });
		expect(await title.evaluate((heading) => heading === document.activeElement)).toBe(true);
		// Another question has all its rows at once, also those that no page showed before.
		await page.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Market settled' });
		await expect.poll(() => rows.count()).toBe(1);
		await page.getByRole('combobox', { name: 'Type' }).selectOption({ index: 0 });
		await expect.poll(() => rows.count()).toBeGreaterThan(2);
		expect(await added.count()).toBe(0);
	});

	it('the offer of new rows that goes by itself leaves its focus to the title', async () => {
		const [first, second] = [await scene.match(), await scene.match()];
		const seat = await scene.player('desktop');
		page = seat.page;
		for (const match of [first, second]) {
			await match.market.quote([quotesAround(200), quotesAround(200)]);
			await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), seat.token);
		}
		await first.settle(0);
		await page.goto('/bet-history');
		const rows = page.locator('.history-rows tbody tr');
		await expect.poll(() => rows.count()).toBe(1);
		await second.settle(0);
		const offer = page.getByRole('button', { name: 'Show 1 new row' });
		await offer.focus();
		// A row that was shown leaves, so all of them are shown again.
		await reopenMarket(scene.server.database.db, scene.server.running.exchange, first.market.listing.id);
		await offer.waitFor({ state: 'detached' });
		expect(await rows.count()).toBe(1);
		const title = page.getByRole('heading', { name: 'Bet history' });
		expect(await title.evaluate((heading) => heading === document.activeElement)).toBe(true);
	});

	it('the choices of a chart stay where they are when its prices come', async () => {
		const match = await scene.match();
		({ page } = await scene.player('desktop'));
		const held = await holdCalls(page, '**/Odds/GetPriceHistory*');
		await page.goto(`/markets/${match.eventId}`);
		const choices = page.locator('.chart-choices').first();
		await choices.waitFor();
		await held.arrived;
		const before = await choices.boundingBox();
		held.release();
		await page.locator('ul.chart-legend').first().waitFor({ state: 'attached' });
		expect((await choices.boundingBox())?.x).toBe(before?.x);
	});

	it('the slip of a phone comes in its whole height', async () => {
		const match = await scene.match();
		({ page } = await scene.player('phone'));
		await watchShifts(page, { hasRoom: true });
		const held = await holdCalls(page, /\/assets\/bet-slip-[^/]*\.js/);
		await page.goto(`/markets/${match.eventId}`);
		await prices().waitFor();
		await held.arrived;
		await takeShifts(page);
		await prices().click();
		await whenDrawn();
		held.release();
		await page.locator('.bottom-sheet .slip-card').waitFor();
		await whenDrawn();
		await expectStill();
	});
});

describe('of the simulated sports', { tags: 'thorough' }, () => {
	let site: SimulatedSite;
	beforeAll(async () => {
		site = await SimulatedSite.open();
	});
	afterAll(() => site?.close());
	afterEach(() => site?.leave());

	const everywhere = SPORTS.flatMap((sport) => (['desktop', 'phone'] as const).map((width) => [sport, width] as const));
	it.each<readonly [SportName, Width]>(everywhere)('%s does the same on a %s', async (sport, width) => {
		const { sportId, address } = await site.match(sport, ({ status }) => status === 'IN_PLAY');
		const { storageState } = await demoLogin(site.url);
		page = await site.page(width, { storageState });
		await expectNothingMoves(sportId, address);
	});
});
