/**
 * The ladder of a runner: bets are made on it, and the player's own orders are moved on it while the market goes on.
 * @module-tag thorough
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '#sports/random.ts';
import { betOn, freshRequestId, type TestMatch } from '../support/match.ts';
import { expectLed, mainlyOn, onlyOn, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { EVENS, type Offer, Scene, type Seat } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const ladderOf = (page: Page): Locator => page.getByRole('dialog').locator('.ladder');
const row = (page: Page, price: string): Locator =>
	ladderOf(page)
		.locator('tbody tr')
		.filter({ has: page.locator('th > b', { hasText: new RegExp(`^${price.replace('.', '\\.')}$`) }) });
const chip = (page: Page, price: string): Locator => row(page, price).locator('.ladder-order');

async function openLadder(match: TestMatch, width: Width): Promise<Seat> {
	const seat = await scene.playerAt(match, width);
	await seat.page.getByRole('button', { name: 'Depth and price history of Match Odds' }).click();
	await ladderOf(seat.page).locator('tbody tr').first().waitFor();
	return seat;
}

type Place = Parameters<typeof betOn>[1];
const place = (match: TestMatch, { token }: Pick<Seat, 'token'>, bet: Place) =>
	scene.server.result('placeBetV2', betOn(match, bet), token);

/** The player's bets, each as a line, so that two lists compare. */
async function ordersOf({ token }: Pick<Seat, 'token'>): Promise<string[]> {
	const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
	return openBets
		.filter(({ remainingStake }) => remainingStake > 0)
		.map(({ side, price, remainingStake }) => `${side} ${remainingStake} at ${price.toFixed(2)}`)
		.sort();
}

const middleOf = async (target: Locator): Promise<[number, number]> => {
	const box = await target.boundingBox();
	if (!box) throw new Error('It is not shown.');
	return [box.x + box.width / 2, box.y + box.height / 2];
};

/** Drags an order by finger or mouse; what happens in `meanwhile` happens before it is dropped. */
async function dragOrder(
	page: Page,
	width: Width,
	[from, to]: [string, string],
	meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
	await row(page, to).scrollIntoViewIfNeeded();
	const [x, y] = await middleOf(chip(page, from));
	const [, targetY] = await middleOf(row(page, to));
	if (width === 'desktop') {
		await page.mouse.move(x, y);
		await page.mouse.down();
		await page.mouse.move(x, (y + targetY) / 2);
		await page.mouse.move(x, targetY);
		await meanwhile();
		await page.mouse.up();
		return;
	}
	const devtools = await page.context().newCDPSession(page);
	const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
		devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: at }] });
	await touch('touchStart', y);
	await touch('touchMove', (y + targetY) / 2);
	await touch('touchMove', targetY);
	await meanwhile();
	await touch('touchEnd', targetY);
	await devtools.detach();
}

/** In the page: whether the middle of an element can be seen. */
function isUncovered(element: Element): boolean {
	const { x, y, width, height } = element.getBoundingClientRect();
	return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a bet on the close stands at no tick: it is named below by the starting price, and cancelled there', async () => {
		const match = await scene.match({ startingPrice: true });
		const seat = await openLadder(match, width);
		const { page } = seat;
		const asked = { marketId: match.marketId, runnerId: match.runnerIds[0], side: 'BACK' as const, size: 100 };
		await scene.server.result('placeOnClose', { ...asked, clientRequestId: freshRequestId() }, seat.token);
		await place(match, seat, { price: 2.1, stake: 50 });
		await chip(page, '2.10').waitFor();
		await ladderOf(page).getByText('Back India at the starting price · ₹100').waitFor();
		expect(await ladderOf(page).locator('.ladder-order').count()).toBe(1);
		await ladderOf(page).getByRole('button', { name: 'Cancel Back India, ₹100 at Starting price' }).click();
		await ladderOf(page).getByText('Back India at the starting price · ₹100').waitFor({ state: 'detached' });
		expect(await ordersOf(seat)).toEqual(['BACK 50 at 2.10']);
	});

	it('a press on a tick makes a bet at it, and its order is moved by drag and by keys and cancelled', async () => {
		const match = await scene.match();
		const seat = await openLadder(match, width);
		const { page } = seat;
		const ladder = ladderOf(page);
		// The prices alone scroll to the best ones: the runner, the stake and the best prices are in sight at once.
		for (const shown of [page.getByRole('dialog').getByLabel('Runner'), ladder.getByLabel('Stake'), row(page, '2.02')])
			expect(await shown.evaluate(isUncovered)).toBe(true);
		await row(page, '2.06').getByRole('button', { name: 'Back at 2.06' }).click();
		await ladder.getByLabel('Stake').fill('250');
		await ladder.getByRole('button', { name: 'Back India 2.06 · ₹250 · risk ₹250' }).click();
		await chip(page, '2.06').waitFor();
		expect(await ordersOf(seat)).toEqual(['BACK 250 at 2.06']);

		// Another player's stake is matched before it, and what is matched is named at its price.
		const other = await scene.server.demoPlayer();
		await place(match, other, { price: 2.1, stake: 90 });
		await place(match, other, { price: 2, stake: 40 });
		await row(page, '2.00').getByText('40', { exact: true }).waitFor();
		await dragOrder(page, width, ['2.06', '2.10']);
		await page.getByRole('button', { name: /₹250 at 2\.10, ₹90 before it/ }).waitFor();
		expect(await ordersOf(seat)).toEqual(['BACK 250 at 2.10']);

		await chip(page, '2.10').press('Enter');
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Escape');
		// The bet of the ticket is the one that was moved.
		await ladder.getByText('Nothing of this bet was matched, and it is no longer open.').waitFor();
		expect(await page.getByRole('dialog').count()).toBe(1);
		await chip(page, '2.10').press('Enter');
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('ArrowUp');
		await ladder.getByText('from 2.10 to 2.14').waitFor();
		await page.keyboard.press('Enter');
		await chip(page, '2.14').waitFor();
		expect(await ordersOf(seat)).toEqual(['BACK 250 at 2.14']);

		await chip(page, '2.14').press('Enter');
		await ladder.getByRole('button', { name: 'Cancel bet' }).click();
		await chip(page, '2.14').waitFor({ state: 'detached' });
		expect(await ordersOf(seat)).toEqual([]);
		await expectFine(page, width);
	});

	it('a stake that is refused is said of its field, which has the focus', mainlyOn('phone', width), async () => {
		const { page } = await openLadder(await scene.match(), width);
		const ladder = ladderOf(page);
		const stake = ladder.getByLabel('Stake');
		await row(page, '2.06').getByRole('button', { name: 'Back at 2.06' }).click();
		await stake.fill('5');
		await ladder.getByRole('button', { name: 'Back India 2.06 · ₹5 · risk ₹5' }).click();
		await expectLed(stake, /below the minimum/);
		await stake.fill('ten');
		await expectLed(stake, /^Enter a stake/);
		await stake.fill('250');
		await expect.poll(() => stake.getAttribute('aria-invalid')).toBeNull();
	});

	onlyOn('desktop', width)(
		'an order that is matched while it is dragged stays matched, and nothing is bet anew',
		async () => {
			const match = await scene.match();
			const seat = await openLadder(match, width);
			await place(match, seat, { price: 2.06, stake: 100 });
			await chip(seat.page, '2.06').waitFor();
			const other = await scene.server.demoPlayer();
			await dragOrder(seat.page, width, ['2.06', '2.12'], async () => {
				await scene.quote(match, { back: EVENS.back, lay: [] });
				await place(match, other, { side: 'LAY', price: 2.06, stake: 100 });
				await chip(seat.page, '2.06').waitFor({ state: 'detached' });
			});
			await seat.page.getByText('Nothing of this order is unmatched any more.').waitFor();
			const { openBets } = await scene.server.result('getUserOpenBets', {}, seat.token);
			expect(openBets).toMatchObject([{ price: 2.06, matchedStake: 100, remainingStake: 0 }]);
		},
	);

	onlyOn('phone', width)('an order dropped in a market that was suspended meanwhile stays where it was', async () => {
		const match = await scene.match();
		const seat = await openLadder(match, width);
		await place(match, seat, { price: 2.06, stake: 100 });
		await chip(seat.page, '2.06').waitFor();
		await dragOrder(seat.page, width, ['2.06', '2.12'], async () => {
			await match.market.suspend();
			await ladderOf(seat.page).and(seat.page.locator('[data-closed]')).waitFor();
		});
		await seat.page.getByText('your order stays where it was').waitFor();
		expect(await ordersOf(seat)).toEqual(['BACK 100 at 2.06']);
		await expectFine(seat.page, width);
	});
});

/** All between the orders that the player makes. */
const QUOTES: readonly Offer[] = [
	[1.97, 1.99],
	[1.99, 2],
	[2, 2.02],
	[2.02, 2.04],
	[2.04, 2.06],
].map(([back = 0, lay = 0]) => ({ back: [[back, 50]], lay: [[lay, 50]] }));

it('through random drags while prices move, orders match and the market is suspended, no stake is lost or doubled', async () => {
	const draw = randomFrom(20261122);
	const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
	const match = await scene.match();
	const seat = await openLadder(match, 'desktop');
	const { page } = seat;
	const other = await scene.server.demoPlayer();
	const ticks = await ladderOf(page).locator('tbody th').allTextContents();
	const [high, low] = [ticks.slice(1, 6), ticks.slice(-6, -1)];
	let staked = 0;
	const totals = async () => {
		const { openBets } = await scene.server.result('getUserOpenBets', {}, seat.token);
		return openBets.reduce((sum, { matchedStake, remainingStake }) => sum + matchedStake + remainingStake, 0);
	};
	/** What goes on beside the player: new quotes, a taker of some of an order, a suspension. */
	const events = [
		() => scene.quote(match, pick(QUOTES)),
		() => place(match, other, { side: 'LAY', price: Number(pick(high)), stake: 30 }),
		() => place(match, other, { side: 'BACK', price: Number(pick(low)), stake: 30 }),
		() => match.market.suspend(),
		() => match.market.resume(),
	];
	const meanwhile = () => pick(events)().catch(() => undefined);
	for (let step = 0; step < 16; step++) {
		await match.market.resume();
		await scene.quote(match, pick(QUOTES)).catch(() => undefined);
		const orders = await ladderOf(page).locator('.ladder-order').count();
		if (orders > 0 && draw() < 0.6) {
			const from = (await ladderOf(page).locator('tr:has(.ladder-order) > th').allTextContents()) as string[];
			const start = pick(from);
			await dragOrder(page, 'desktop', [start, pick(high.includes(start) ? high : low)], meanwhile).catch((failure) => {
				// The chip may go before the drag begins; then there is nothing to drag.
				if (!/not shown|Timeout/.test(String(failure))) throw failure;
			});
		} else {
			const [side, price] = draw() < 0.5 ? (['BACK', pick(high)] as const) : (['LAY', pick(low)] as const);
			await place(match, seat, { side, price: Number(price), stake: 60 });
			staked += 60;
		}
		await expect.poll(() => ladderOf(page).locator('.ladder-order:disabled').count()).toBe(0);
		expect(await totals(), `after step ${step}`).toBeCloseTo(staked, 2);
		const known = await ordersOf(seat);
		await expect
			.poll(async () => await ladderOf(page).locator('.ladder-order').allTextContents())
			.toHaveLength(new Set(known.map((order) => order.replace(/ [\d.]+ at/, ' at'))).size);
	}
});
