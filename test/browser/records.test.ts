/**
 * A player’s records after a settlement: profit and loss by day and market, statement, history, and the drawer of a bet.
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { betOn, freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** In the page: how many figures leave their place when amounts have crores. */
function overflowOfLargeFigures(figures: Element): number {
	const large = figures.cloneNode(true) as Element;
	figures.after(large);
	const cells = [...large.querySelectorAll('dd')];
	for (const cell of cells) cell.textContent = '₹12,34,56,789.10';
	const over = cells.filter((cell) => {
		const place = cell.parentElement?.getBoundingClientRect();
		const text = document.createRange();
		text.selectNodeContents(cell);
		return !place || text.getBoundingClientRect().right > place.right;
	});
	large.remove();
	return over.length;
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('profit and loss, statement and history show a settled market, filtered and in a file', async () => {
		const { server } = scene;
		const match = await openTestMatch(server);
		const { page, token } = await scene.player(width);
		const layer = await server.demoPlayer();
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), token);
		await match.settle(0);
		// As if it had waited for the other.
		await server.database.db.query('update bet set placed_at = placed_at - 90000 where side = 0 and market_id = $1', [
			match.marketId,
		]);
		await page.goto('/ProfitLoss');
		// 200 won, two per cent of it kept.
		const sums = page.getByRole('region', { name: 'Profit and loss' });
		await sums.getByText('+196').waitFor();
		await page.getByRole('region', { name: 'By market' }).getByText('India v Nepal').waitFor();
		const figures = page.getByRole('region', { name: 'By market' }).locator('td[data-number]');
		const gaps = await figures.evaluateAll((cells) =>
			cells.map((cell) => {
				const figure = document.createRange();
				figure.selectNodeContents(cell.lastChild ?? cell);
				const { paddingRight } = getComputedStyle(cell);
				return (
					cell.getBoundingClientRect().right - Number.parseFloat(paddingRight) - figure.getBoundingClientRect().right
				);
			}),
		);
		expect(gaps.filter((gap) => Math.abs(gap) > 1)).toEqual([]);
		await expectFine(page, width);
		await page.getByRole('combobox', { name: 'Sport' }).selectOption('Football');
		await page.getByText('No settled markets yet').waitFor();
		await page.goto('/account-cash-statement');
		await page.getByRole('region', { name: 'Cash statement' }).getByText('+20,196').waitFor();
		// A grant of the first coins has no number, and the player's own is none.
		expect(await page.getByText(/^Credit no\./).count()).toBe(0);
		await expectFine(page, width);
		await page
			.getByRole('button', { name: /^Details of Market settled, / })
			.first()
			.click();
		const detail = page.getByRole('dialog', { name: 'Market settled' });
		await detail.getByRole('region', { name: 'Postings' }).getByText('Market → Balance').first().waitFor();
		await detail.getByRole('region', { name: 'Bets' }).getByText('Won').waitFor();
		await expectFine(page, width);
		await detail.getByRole('link', { name: /India v Nepal/ }).waitFor();
		await page.keyboard.press('Escape');
		await detail.waitFor({ state: 'detached' });
		expect(await page.locator('.figures').evaluate(overflowOfLargeFigures)).toBe(0);
		const download = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Export CSV' }).click();
		expect((await download).suggestedFilename()).toBe('cash-statement.csv');
		const lines = { lines: [20, 21], runners: [20, 21].map((line) => ({ id: `l${line}`, name: String(line) })) };
		const fancy = { name: '6 overs runs', type: 'SESSION_RUNS', ...lines, betDelaySeconds: 0, rules: 'Runs.' };
		const session = await openMarketOf(server, match, fancy);
		await session.quote(lines.lines.map(() => ({ back: [{ price: 194, size: 1_000_000 }], lay: [] })));
		const yes = {
			marketId: String(session.listing.id),
			runnerId: 'l20',
			side: 'YES' as const,
			price: 1.94,
			stake: 100,
		};
		const { betId } = await server.result('placeBetV2', { ...yes, clientRequestId: freshRequestId() }, token);
		await session.settle({ value: 20 });
		await page.goto('/current-bet');
		const fancyRow = page.locator(`[data-bet="${betId}"]`);
		await fancyRow.getByText('Yes won · 20').waitFor();
		expect(await fancyRow.getByRole('cell').allInnerTexts()).toEqual(
			expect.arrayContaining([expect.stringContaining('Yes 20'), '94']),
		);
		await fancyRow.getByRole('button', { name: `Details of bet ${betId}` }).click();
		const drawer = page.getByRole('dialog', { name: 'Yes 20 @ 94' });
		await drawer.getByText('Won · Yes won · 20').waitFor();
		await drawer.getByRole('link', { name: /India v Nepal/ }).waitFor();
		await expectFine(page, width);
		await page.keyboard.press('Escape');
		await page.getByRole('cell', { name: 'Won' }).first().waitFor();
		await page.getByText(/^matched .*\d{2}:\d{2}:\d{2}$/).waitFor();
		await expectFine(page, width);
		await page.getByRole('combobox', { name: 'Status' }).selectOption('Cancelled');
		await page.getByText('No settled bets').waitFor();

		// As if the match had ended yesterday: the 196 of it are the higher bar, before that of the fancy.
		await server.database.db.query('update posting set at = at - 86400000 where market_id = $1', [match.marketId]);
		await page.goto('/ProfitLoss');
		const bars = page.locator('.day-bars > li');
		await bars.nth(1).waitFor({ state: 'attached' });
		expect(await bars.evaluateAll((days) => days.map((day) => day.getAttribute('data-tone')))).toEqual([
			'profit',
			'profit',
		]);
		const heights = await bars.locator('i').evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
		expect(heights[0]).toBeGreaterThan(heights[1] ?? 0);
		expect(heights[1]).toBeGreaterThan(0);
	});
});
