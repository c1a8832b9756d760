/**
 * "Your money" on the screen: what is free and held, and each figure with the rows that make it.
 *
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GameWallet } from '#server/money/casino/game-wallet.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { holdCalls, mainlyOn } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene, type Seat } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** Won ₹196 after commission, lost ₹10.50 at a round that was decided; ₹50 held for a bet, ₹20 for a round that goes on. */
async function live({ token, userId }: Seat): Promise<void> {
	const { server } = scene;
	const [won, open] = [await openTestMatch(server), await openTestMatch(server)];
	const layer = await server.demoPlayer();
	await server.result('placeBetV2', betOn(won, { side: 'LAY', price: 3, stake: 100 }), layer.token);
	await server.result('placeBetV2', betOn(won, { price: 3, stake: 100 }), token);
	await won.settle(0);
	await server.result('placeBetV2', betOn(open, { price: 3, stake: 50, clientRequestId: freshRequestId() }), token);
	const rounds = new GameWallet(server.running.exchange);
	const owner = { walletId: userId, pool: 'DEMO' } as const;
	const begin = (stake: number) => {
		const data = { game: 'crash', round: 1, slot: 1, stake, terms: {}, payout: 0, outcome: null };
		return rounds.bet(owner, { data, stake }, {});
	};
	const id = (await begin(1050)).workflows?.[0]?.id ?? 0;
	const atRisk = { game: 'crash', round: null, amount: 1050 };
	await rounds.settle(owner, id, { data: { payout: 0 }, payout: 0, atRisk }, {});
	await begin(2000);
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('your money: free and held, each figure opens its rows, and a failed answer can be asked for again', {
		...mainlyOn('phone', width),
	}, async () => {
		const seat = await scene.player(width);
		await live(seat);
		const { page } = seat;
		const held = await holdCalls(page, '**/Transaction/GetMoneySummary*');
		await page.goto('/your-money');
		await held.arrived;
		await page.locator('.skeleton').first().waitFor();
		held.release();

		// 20,000 + 196 − 10.50, of which 50 and 20 are held.
		const now = page.getByRole('region', { name: 'What you have now' });
		await now.getByText('₹20,185.50').waitFor();
		await now.getByRole('link', { name: '₹20,115.50' }).waitFor();
		await expectFine(page, width);

		const cricket = page.getByRole('button', { name: /^Cricket/ });
		expect(await cricket.innerText()).toMatch(/1 market · won ₹200 · commission ₹4\s*\+196/);
		await cricket.focus();
		await page.keyboard.press('Enter');
		await page.getByRole('region', { name: 'Sports' }).getByText('India v Nepal · Match Odds').waitFor();
		await page.getByRole('button', { name: /^Crash/ }).press('Enter');
		await page
			.getByRole('region', { name: 'Casino' })
			.getByText(/Crash · round no\. \d+/)
			.waitFor();
		expect(await cricket.getAttribute('aria-expanded')).toBe('true');
		await expectFine(page, width);

		await now.getByRole('button', { name: '₹70' }).click();
		const why = page.getByRole('dialog', { name: 'Why is my money held?' });
		await why.getByText('Held in all').waitFor();
		expect(await why.getByText('₹70').count()).toBe(1);
		await page.keyboard.press('Escape');

		await page.route('**/Transaction/GetMoneySummary*', (route) => route.abort());
		await page.getByRole('button', { name: 'Today' }).click();
		const again = page.getByRole('alert').getByRole('button');
		await again.waitFor();
		await page.unroute('**/Transaction/GetMoneySummary*');
		await again.click();
		await now.getByText('₹20,185.50').waitFor();
	});
});
