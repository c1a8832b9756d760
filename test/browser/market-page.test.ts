/**
 * The market page as players use it, on the simulated sports of a real server, at both widths.
 *
 * @module-tag thorough
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoLogin, goTo, onlyOn, type Width } from './browser.ts';
import { expectFine, expectFinePart, expectFineScreen, wear } from './fine-screen.ts';
import { openPanel } from './match-panel.ts';
import { SimulatedSite, SPORTS, type SportName } from './simulated-site.ts';

type Status = 'IN_PLAY' | 'UPCOMING' | 'FINISHED';

let site: SimulatedSite;
let page: Page;
/** The width of the page that is open; null for none. */
let isOpenAt: Width | null = null;

beforeAll(async () => {
	site = await SimulatedSite.open();
});
afterAll(() => site?.close());
// A test that failed leaves its page anywhere.
afterEach(({ task }) => (task.result?.state === 'fail' ? leave() : undefined));

async function leave(): Promise<void> {
	isOpenAt = null;
	await site.leave();
}

/** The address of a sport's first match in a state; in play there is always one, or one is about to be. */
async function matchOf(sport: SportName, status: Status): Promise<string> {
	return (await site.match(sport, (match) => match.status === status)).address;
}

/** A demo player at that address: one for each width, who goes from page to page as players do. */
async function open(width: Width, address: string): Promise<void> {
	if (isOpenAt === width) {
		await wear(page, 'dark');
		// Nothing of the match before is there any more.
		await goTo(page, '/comingsoon');
		await page.getByRole('heading', { level: 1, name: 'Coming soon' }).waitFor();
		await goTo(page, address);
	} else {
		await leave();
		const { storageState } = await demoLogin(site.url);
		page = await site.page(width, { storageState });
		isOpenAt = width;
		await page.goto(address);
	}
	await page.locator('.market-row, .fancy-row').first().waitFor();
}

const slip = (name: RegExp) => page.getByRole('region', { name }).filter({ has: page.getByLabel('Stake') });
const bestBack = () => page.locator('.price[data-side="BACK"][data-level="1"]:not(:disabled)').first();

async function putSlipAway(width: Width): Promise<void> {
	if (width === 'phone') await page.keyboard.press('Escape');
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('the chart draws all trades by range, and describes them in words', { tags: 'thorough' }, async () => {
		await open(width, await matchOf('Football', 'IN_PLAY'));
		const panel = await openPanel(page);
		await panel.getByRole('button', { name: 'Chart', expanded: false }).click();
		const chart = page.locator('.price-chart');
		await chart.locator('.chart-line').first().waitFor({ state: 'attached' });
		const { height = 0 } = (await chart.locator('.chart-box').boundingBox()) ?? {};
		expect(height).toBe(180);
		await expect.poll(() => chart.locator('figcaption').textContent()).toMatch(/Implied chances: .+ %/);
		// The moment that the arrow keys or the pointer are at stands on the time axis, and its chances in the legend.
		const moment = chart.locator('.chart-cursor line');
		await chart.getByRole('slider').press('Home');
		expect(await moment.getAttribute('x1')).toBe('0');
		await chart.getByRole('slider').press('End');
		expect(await chart.locator('.chart-cursor circle').count()).toBe(await chart.locator('.chart-line').count());
		await chart.locator('.chart-box').hover();
		await expect.poll(async () => Number(await moment.getAttribute('x1'))).toBeGreaterThan(50);
		await page.mouse.move(0, 0);
		await chart.getByRole('slider').blur();
		await chart.locator('.chart-cursor').waitFor({ state: 'detached' });
		const five = chart.getByRole('radio', { name: '5 m' });
		await five.focus();
		await page.keyboard.press('Space');
		expect(await five.isChecked()).toBe(true);
		await page.keyboard.press('ArrowRight');
		expect(await chart.getByRole('radio', { name: '1 h' }).isChecked()).toBe(true);
		const sparklines = page.locator('.sparkline');
		expect(await sparklines.count()).toBe(width === 'phone' ? 0 : 3);
		for (const sparkline of await sparklines.all()) {
			expect(await sparkline.locator('path').getAttribute('d')).toMatch(/^M[\d.]+[ ,][\d.]+/);
			expect(await sparkline.boundingBox()).toMatchObject({ width: 40, height: 16 });
		}
	});

	describe.each(SPORTS)('%s in play', (sport) => {
		it('shows its score, its tracker and its markets, in dark and in light', async () => {
			await open(width, await matchOf(sport, 'IN_PLAY'));
			const panel = await openPanel(page);
			// It stays at what was open last.
			await panel.getByRole('button', { name: 'Live' }).waitFor();
			const live = panel.getByRole('button', { name: 'Live', expanded: false });
			if ((await live.count()) > 0) await live.click();
			await panel.locator('svg[role="img"]').waitFor();
			await expectFineScreen(page, width);
			await panel.getByRole('button', { name: 'Score', expanded: false }).click();
			await panel.locator('.score-body > *').first().waitFor();
			await expectFinePart(page, width, '.score-body');
			const cut = await page
				.locator('h1:not(.unseen), .board-name, .market-name, .fancy-name')
				.evaluateAll((titles) => titles.filter((title) => title.scrollWidth > title.clientWidth + 1));
			expect(cut).toEqual([]);
			await wear(page, 'light');
			await expectFine(page, width, ['color-contrast']);
		});
	});

	it('a resting bet is marked in the grid, moved to other odds there, and cancelled', {
		tags: 'thorough',
	}, async () => {
		await open(width, await matchOf('Football', 'UPCOMING'));
		await bestBack().click();
		const card = slip(/^Back /);
		await card.getByLabel('Odds').fill('900');
		await card.getByLabel('Stake').fill('10');
		await card.getByLabel('Stake').press('Enter');
		await page.getByText('Unmatched: ₹10 at 900').first().waitFor();
		await page.getByRole('button', { name: 'Done' }).click();
		await putSlipAway(width);
		await page.locator('.own-strip').getByText('1 unmatched').click();
		const own = page.locator('.own-order');
		await own.getByRole('button', { name: /^Edit/ }).click();
		await expectFine(page, width);
		await own.getByLabel('New odds').press('ArrowUp');
		await own.getByRole('button', { name: 'Change bet' }).click();
		await own.getByText(/ 910 /).waitFor();
		await own.getByRole('button', { name: /^Cancel/ }).click();
		await own.waitFor({ state: 'hidden' });
	});

	it('depth and history open over the page and return the focus', { tags: 'thorough' }, async () => {
		await open(width, await matchOf('Football', 'UPCOMING'));
		await bestBack().click();
		await slip(/^Back /)
			.getByLabel('Stake')
			.fill('100');
		await slip(/^Back /)
			.getByLabel('Stake')
			.press('Enter');
		await page
			.getByText(/^Matched: ₹100/)
			.first()
			.waitFor();
		await page.getByRole('button', { name: 'Done' }).click();
		await putSlipAway(width);
		const opener = page.getByRole('button', { name: 'Depth and price history of Match Odds' });
		await opener.click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('table', { name: /^Ladder of / }).waitFor();
		await dialog.locator('.uplot').waitFor();
		await expectFine(page, width);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'hidden' });
		expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
	});

	onlyOn('phone', width)('a target for cashing out is set, shown and removed', { tags: 'thorough' }, async () => {
		await open(width, await matchOf('Tennis', 'UPCOMING'));
		await bestBack().click();
		await slip(/^Back /)
			.getByLabel('Stake')
			.fill('100');
		await slip(/^Back /)
			.getByLabel('Stake')
			.press('Enter');
		await page
			.getByText(/^Matched: ₹100/)
			.first()
			.waitFor();
		await page.getByRole('button', { name: 'Done' }).click();
		await putSlipAway(width);
		await page
			.locator('.own-strip')
			.getByText(/^Cash out/)
			.click();
		const target = page.getByLabel('Auto cash out at');
		await target.fill('nonsense');
		await target.press('Enter');
		await page.getByText('Enter an amount, such as 100 or 99.50.').waitFor();
		await target.fill('90');
		await target.press('Enter');
		await page.getByText('Auto cash out at +90').waitFor();
		await page.reload();
		await page
			.locator('.own-strip')
			.getByText(/^Cash out/)
			.click();
		await page.getByText('Auto cash out at +90').waitFor();
		await expectFine(page, width);
		await page.getByRole('button', { name: 'Remove', exact: true }).click();
		await target.waitFor();
	});

	onlyOn('phone', width)(
		'one-click betting is off until it is turned on, and cannot be overlooked then',
		{ tags: 'thorough' },
		async () => {
			await open(width, await matchOf('Football', 'UPCOMING'));
			if (width === 'phone') await page.getByRole('button', { name: 'Bet slip' }).click();
			await page.getByText('Bet options').click();
			const oneClick = page.getByLabel('One-click betting');
			expect(await oneClick.isChecked()).toBe(false);
			await oneClick.check();
			await expectFine(page, width);
			await putSlipAway(width);
			await page.getByText('One-click betting is on: pressing a price bets ₹100 at once.').waitFor();
			await bestBack().click();
			await page
				.getByText(/^Matched: ₹100/)
				.first()
				.waitFor();
			await page.getByRole('button', { name: 'Turn off' }).first().click();
			await page.getByText('One-click betting is on', { exact: false }).waitFor({ state: 'hidden' });
		},
	);

	onlyOn('desktop', width)(
		'tabs narrow the markets down, and a folded one stays folded',
		{ tags: 'thorough' },
		async () => {
			await open(width, await matchOf('Football', 'UPCOMING'));
			await page.getByRole('tab', { name: /^All/ }).press('ArrowRight');
			const odds = page.getByRole('region', { name: 'Match Odds', exact: true });
			await odds.waitFor();
			expect(await page.locator('.market').count()).toBe(1);
			await page.getByRole('button', { name: 'Match Odds', exact: true, expanded: true }).click();
			await odds.locator('.market-row').first().waitFor({ state: 'hidden' });
			await page.reload();
			await page.getByRole('button', { name: 'Match Odds', exact: true, expanded: false }).waitFor();
			await expectFine(page, width);
		},
	);
});

it('on a phone the first price is within a quarter of the screen, and titles of both sides are whole', {
	tags: 'thorough',
}, async () => {
	// A new player has opened no panel.
	await leave();
	for (const sport of ['Football', 'Cricket', 'Tennis'] as const) {
		await open('phone', await matchOf(sport, 'IN_PLAY'));
		const first = await page.locator('.market .price').first().boundingBox();
		expect(first?.y).toBeLessThanOrEqual(211);
		const cut = await page
			.locator('.board-name')
			.evaluateAll((names) =>
				names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
			);
		expect(cut).toEqual([]);
	}
});

it('an address with both ids shows the second one’s match', { tags: 'thorough' }, async () => {
	const address = await matchOf('Tennis', 'UPCOMING');
	await open('desktop', address);
	const title = await page.getByRole('heading', { level: 1 }).textContent();
	await page.goto(address.replace('/markets/', '/markets/1/'));
	await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
	await page.locator('.market-row').first().waitFor();
});
