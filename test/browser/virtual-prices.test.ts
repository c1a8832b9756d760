/**
 * A market that matches across runners, as a player sees it: what bets on the others offer stands beside real offers, in
 * the grid and on the ladder, and a press on it is matched.
 *
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openHandMatch } from '../support/hand-match.ts';
import { freshRequestId } from '../support/match.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('is shown in the grid and on the ladder, moves with the bets behind it, and is matched as shown', async () => {
		const { eventId, marketId } = await openHandMatch(scene.server, true);
		const { page, token } = await scene.player(width);
		const rival = await scene.server.demoPlayer();
		const back = (runnerId: string, price: number, stake: number) => {
			const bet = { marketId, runnerId, side: 'BACK' as const, price, stake, clientRequestId: freshRequestId() };
			return scene.server.result('placeBetV2', bet, rival.token);
		};
		await page.goto(`/markets/${eventId}`);
		await page.locator('.market-row .price').first().waitFor();
		await back('2', 3, 66);
		await back('3', 6, 33);
		const price = page.getByRole('button', { name: 'Back Reds 2.00, 99 available' });
		await price.waitFor();
		await page.getByRole('button', { name: 'Depth and price history of Match Odds' }).click();
		const ladder = page.getByRole('dialog').locator('.ladder');
		await ladder.getByRole('button', { name: 'Back at 2.00, 99 available' }).waitFor();
		await back('2', 3, 66);
		await back('3', 6, 33);
		await ladder.getByRole('button', { name: 'Back at 2.00, 198 available' }).waitFor();
		await expectFine(page, width);
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Back Reds 2.00, 198 available' }).click();
		const card = page.getByRole('region', { name: 'Back Reds' }).filter({ has: page.locator('.slip-head') });
		await card.getByLabel('Stake', { exact: true }).fill('150');
		await card.getByRole('button', { name: 'Back Reds 2.00 · risk ₹150' }).click();
		await page.getByRole('button', { name: 'Done' }).click();
		const [bet] = (await scene.server.result('getUserOpenBets', {}, token)).openBets;
		expect(bet).toMatchObject({ price: 2, matchedStake: 150, remainingStake: 0, averagePrice: 2 });
		await page.getByRole('button', { name: 'Back Reds 2.00, 48 available' }).waitFor();
	});
});
