/**
 * No price moves while a player bets: neither by placing, matching, cancelling nor cashing out, at either width.
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { betOn } from '../support/match.ts';
import { EVENS, type Offer, Scene } from './scene.ts';

declare global {
	interface Window {
		/** The sum of all scores, and what moved, for the message of a failure. */
		moved: { sum: number; of: string[] };
	}
}

/** A figure that becomes longer moves its own digits, which score less than this together. */
const MOST_SHIFT = 0.002;

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** The browser's own layout shifts in the screen's part of the page, those right after a press included. */
function watchShifts(): void {
	interface Shift extends PerformanceEntry {
		value: number;
		sources: { node: Node | null }[];
	}
	window.moved = { sum: 0, of: [] };
	new PerformanceObserver((list) => {
		for (const { value, sources } of list.getEntries() as Shift[]) {
			const inScreen = sources.flatMap(({ node }) => {
				const element = node instanceof Element ? node : node?.parentElement;
				return element?.closest('main') ? [`${element.className} ${element.textContent?.slice(0, 30)}`] : [];
			});
			if (inScreen.length === 0) continue;
			window.moved.sum += value;
			window.moved.of.push(`${value.toFixed(4)} ${inScreen.join(' | ')}`);
		}
	}).observe({ type: 'layout-shift' });
}

/** Where each price and each row stands on the page, scrolled or not. */
const places = (page: Page): Promise<string[]> =>
	page.locator('.market-row, .market .price').evaluateAll((elements) =>
		elements.map((element) => {
			const { x, y, width, height } = element.getBoundingClientRect();
			return [x, y + scrollY, width, height].map(Math.round).join(' ');
		}),
	);

const layAt = (price: number): Offer => ({ back: [], lay: [[price, 100_000]] });

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a match that is pressed in a list has its prices before its page is answered, in their place and to bet on', async () => {
		const match = await scene.match();
		await scene.openFancy(match);
		const { page } = await scene.player(width);
		await page.goto('/matchlist/3');
		const row = page.locator('.match-row').filter({ has: page.locator(`[href="/markets/${match.eventId}"]`) });
		await row.locator('.price:enabled').first().waitFor();
		const held = Promise.withResolvers<void>();
		await page.route(`**/${CALLS.getMarketsByEventId.path}*`, async (route) => {
			await held.promise;
			await route.continue();
		});
		await row.locator('.match-link').click({ position: { x: 20, y: 20 } });
		const market = page.getByRole('region', { name: 'Match Odds' });
		const back = market.getByRole('button', { name: /^Back India 2\.00, / });
		await back.and(page.locator(':enabled')).first().waitFor();
		await back.last().click();
		if (width === 'phone') {
			// The pressed price is scrolled to above the sheet.
			const sheet = page.locator('.bottom-sheet');
			await sheet.waitFor();
			await page.keyboard.press('Escape');
			await sheet.waitFor({ state: 'detached' });
		}
		const shown = market.locator('.market-row, .price');
		const placesNow = () =>
			shown.evaluateAll((elements) => elements.map((element) => JSON.stringify(element.getBoundingClientRect())));
		const before = await placesNow();
		held.resolve();
		await page.getByRole('region', { name: 'Fancy' }).waitFor();
		await market.getByText('₹10 to ₹5,00,000').waitFor({ state: 'attached' });
		expect(await placesNow()).toEqual(before);
	});

	it('no price moves while bets are placed, matched, delayed, cancelled and cashed out', async () => {
		const match = await scene.match({ betDelaySeconds: 1 });
		const { page, token } = await scene.playerAt(match, width);
		const place = (bet: Record<string, unknown>) => scene.server.result('placeBetV2', betOn(match, bet), token);
		const strip = page.locator('.own-strip').first();
		await page.waitForLoadState('networkidle');
		await page.evaluate(watchShifts);
		let before = await places(page);
		const expectStill = async (step: string) => {
			await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
			expect(await places(page), step).toEqual(before);
			const { sum, of } = await page.evaluate(() => window.moved);
			expect(sum, `${step}: ${of.join('\n')}`).toBeLessThan(MOST_SHIFT);
		};

		await page
			.getByRole('button', { name: /^Back India 2\.00, / })
			.last()
			.click();
		await page.getByRole('textbox', { name: 'Odds', exact: true }).fill('5');
		await page.getByLabel('Stake', { exact: true }).fill('100');
		await page.getByLabel('Stake', { exact: true }).press('Enter');
		await strip.getByText('1 unmatched').waitFor();
		await page.getByRole('button', { name: 'Done' }).click();
		await page.keyboard.press('Escape');
		await expectStill('placed');

		await strip.getByRole('button').click();
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^Cancel Back India/ })
			.click();
		await strip.getByText('1 unmatched').waitFor({ state: 'detached' });
		await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
		await expectStill('cancelled');

		await place({ price: 2, stake: 100 });
		await strip.getByRole('button', { name: /^Cash out / }).waitFor();
		await expectStill('matched');

		await match.market.turnInPlay();
		await scene.server.running.fixtures.setStatus(match.market.fixture.id, 'IN_PLAY');
		await scene.quote(match, EVENS);
		// The score card of a match in play is there from here on.
		await page.reload();
		await page.locator('.market-row .price:not([data-empty])').first().waitFor();
		await strip.getByText(/^Cash out /).waitFor();
		await page.waitForLoadState('networkidle');
		await page.evaluate(watchShifts);
		before = await places(page);
		await place({ price: 2, stake: 50 });
		await page.locator('.market-row', { hasText: 'Nepal' }).getByText('−150').waitFor();
		await expectStill('matched after its delay');

		await scene.quote(match, layAt(1.6), { back: [], lay: [] });
		await strip.getByRole('button', { name: /Cash out \+\d/ }).click();
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^Cash out \+\d/ })
			.click();
		await strip.getByText(/^Any result \+/).waitFor();
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await expectStill('cashed out');
	});
});
