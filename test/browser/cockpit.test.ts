/**
 * The right column of a wide screen: slip, position and open bets, and below them a ladder that none of them moves.
 *
 * @module-tag thorough
 */
import type { Locator, Page } from 'playwright-core';
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

const dockedIn = (page: Page) => page.getByRole('region', { name: 'Ladder', exact: true });
const rowOf = (ladder: Locator, price: string) =>
	ladder.locator('tbody tr').filter({ has: ladder.page().getByRole('rowheader', { name: price, exact: true }) });

it('has slip, position with cash-out, open bets and a ladder, and what comes above the ladder moves no price', async () => {
	const match = await scene.match();
	const { page, token } = await scene.playerAt(match, 'desktop');
	const ladder = dockedIn(page);
	const column = page.locator('.cockpit');
	const row = rowOf(ladder, '2.02');
	await row.waitFor();
	await column.getByText('No open bets').waitFor();
	const place = await row.boundingBox();
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
	const position = column.getByRole('region', { name: 'Position · Match Odds' });
	await expect.poll(() => position.locator('dl').innerText()).toBe('India\n+100\nNepal\n−100');
	// 100 at 2 on either runner leaves nothing to win or lose.
	await position.getByRole('button', { name: 'Cash out 0' }).waitFor();
	await column.getByRole('region', { name: 'Open bets' }).getByText('₹100 at 2.00').waitFor();
	await page.getByRole('button', { name: /^Back Nepal 2\.00, / }).click();
	await column.getByRole('region', { name: 'Bet slip (1)' }).getByLabel('Stake').fill('50');
	const press = column.getByRole('button', { name: 'Back Nepal 2.00 · risk ₹50' });
	// The button is in sight whatever the length of the slip, and nothing of it lies under the ladder.
	const [button, docked] = [await press.boundingBox(), await ladder.boundingBox()];
	expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(docked?.y ?? 0);
	expect(await row.boundingBox()).toEqual(place);
	await expectFine(page, 'desktop');
	await ladder.getByRole('button', { name: 'Ladder', exact: true }).click();
	await row.waitFor({ state: 'detached' });
	await page.reload();
	await page.locator('.market-row .price').first().waitFor();
	expect(await ladder.getByRole('button', { name: 'Ladder', exact: true }).getAttribute('aria-expanded')).toBe('false');
	await ladder.getByRole('button', { name: 'Ladder', exact: true }).click();
	await row.waitFor();
});

it('leaves the open bets out beside their own screen, and has them again beside every other', async () => {
	const match = await scene.match();
	const { page, token } = await scene.player('desktop');
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
	await page.goto('/open-bets');
	await page.getByRole('main').getByText('₹100 at 2.00').waitFor();
	const column = page.locator('.cockpit');
	await column.getByRole('region', { name: 'Bet slip' }).waitFor();
	expect(await column.getByRole('region', { name: 'Open bets' }).count()).toBe(0);
	await goTo(page, '/bet-history');
	await column.getByRole('region', { name: 'Open bets' }).getByText('₹100 at 2.00').waitFor();
});

it('keeps the height of each row of the ladder where the stake before an order is a long figure', async () => {
	const match = await scene.match();
	await scene.server.result(
		'placeBetV2',
		betOn(match, { price: 2.06, stake: 19_880 }),
		(await scene.server.demoPlayer()).token,
	);
	const { page, token } = await scene.playerAt(match, 'desktop');
	const ladder = dockedIn(page);
	await rowOf(ladder, '2.06').waitFor();
	const heights = () =>
		ladder
			.locator('tbody tr')
			.evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]);
	const before = await heights();
	await scene.server.result('placeBetV2', betOn(match, { price: 2.06, stake: 12_340 }), token);
	await expect
		.poll(() => rowOf(ladder, '2.06').locator('.ladder-order > [aria-hidden]').allTextContents())
		.toEqual(['12.3k', '→ 22.9k']);
	expect(await heights()).toEqual(before);
	expect(before).toHaveLength(1);
});

it('opens the ladders of all runners in a window of their own, with one stake, one click only if it is turned on, and the result of a hedge at each price', {
	tags: 'thorough',
}, async () => {
	const match = await scene.match();
	const { page, token } = await scene.playerAt(match, 'desktop');
	await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
	const [ladders] = await Promise.all([
		page.waitForEvent('popup'),
		dockedIn(page).getByRole('button', { name: 'Ladders of Match Odds in a window of their own' }).click(),
	]);
	const [india, nepal] = ['India', 'Nepal'].map((name) => ladders.getByRole('region', { name, exact: true })) as [
		Locator,
		Locator,
	];
	// 100 at 2 makes +100 or −100; hedged at 2.02 that is −100 + 200/2.02, and +1 on the other side of the match.
	await expect.poll(() => rowOf(india, '2.02').locator('.ladder-net').textContent()).toBe('−1');
	await expect.poll(() => rowOf(nepal, '2.02').locator('.ladder-net').textContent()).toBe('+1');
	await ladders.getByLabel('Stake').fill('70');
	await rowOf(nepal, '2.10').getByRole('button', { name: 'Back at 2.10' }).click();
	await nepal.getByRole('button', { name: 'Back Nepal 2.10 · ₹70 · risk ₹70' }).click();
	await rowOf(nepal, '2.10').locator('.ladder-order').waitFor();
	const resting = async () =>
		(await scene.server.result('getUserOpenBets', {}, token)).openBets
			.filter(({ remainingStake }) => remainingStake > 0)
			.map(({ runnerName, price, remainingStake }) => `${runnerName} ${remainingStake} at ${price}`)
			.sort();
	await expect.poll(resting).toEqual(['Nepal 70 at 2.1']);
	await ladders.getByRole('switch').click();
	await rowOf(india, '2.20').getByRole('button', { name: 'Back at 2.20' }).click();
	await rowOf(india, '2.20').locator('.ladder-order').waitFor();
	await expect.poll(resting).toEqual(['India 70 at 2.2', 'Nepal 70 at 2.1']);
	// What is bet at once is what is announced, however it is changed.
	await ladders.getByLabel('Stake').fill('90');
	await ladders.getByText('One-click is on · ₹90 per bet').waitFor();
	await rowOf(nepal, '2.16').getByRole('button', { name: 'Back at 2.16' }).click();
	await expect.poll(resting).toEqual(['India 70 at 2.2', 'Nepal 70 at 2.1', 'Nepal 90 at 2.16']);
	await ladders.getByLabel('Stake').fill('');
	await ladders.getByText('One-click is on · ₹90 per bet').waitFor();
	await expectFine(ladders, 'desktop');
	// Chosen in the other window: 2.20 is 6/5.
	await page.evaluate(() => localStorage.setItem('oddsFormat', 'FRACTIONAL'));
	await rowOf(nepal, '6/5').getByRole('button', { name: 'Back at 6/5' }).waitFor();
});
