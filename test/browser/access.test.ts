/**
 * The site without a mouse and without eyes: the main job by keyboard alone, the accessibility tree, live
 * announcements, and a hidden page.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { betOn, type TestMatch } from '../support/match.ts';
import { focusNext, hideTab, mainlyOn, onlyOn, WIDTHS } from './browser.ts';
import { expectTree } from './fine-screen.ts';
import { EVENS, Scene } from './scene.ts';

let scene: Scene;
let match: TestMatch;
beforeAll(async () => {
	scene = await Scene.share();
	match = await scene.match();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const balance = (page: Page, amount: string) =>
	page.locator('[data-figure="Balance"]').getByText(amount, { exact: true }).waitFor();

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('the keyboard alone logs in, finds the match, bets, cancels, cashes out and logs out', {
		tags: 'thorough',
	}, async () => {
		// By its own name: other files have matches of the same teams on the shared server.
		const found = await scene.match({ title: `India v Nepal by ${width}` }, { back: [[2, 100]], lay: [] });
		const [userName, password, host] = [`keys${width}`, 'kingfisher#7', 'localhost'];
		await scene.server.running.players.createPlayer({ userName, password, brand: { host, pool: 'PLAY' } });
		// Grants of demo players have the players' own numbers.
		const grantId = width === 'phone' ? 5_000_000_002 : 5_000_000_001;
		const gift = await scene.server.operator('add-money', { userName, host, amount: 20_000, grantId });
		expect(gift.code).toBeNull();
		const page = await scene.visitor(width);
		await page.goto('/matchlist/3');
		await page.locator('.match-row').first().waitFor();
		await focusNext(page, 'Log in');
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await focusNext(page, 'Username');
		await page.keyboard.type(userName);
		await focusNext(page, 'Password');
		await page.keyboard.type(password);
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		await page.keyboard.press('/');
		await page.getByRole('combobox').waitFor();
		await page.keyboard.type(`by ${width}`);
		await page.getByRole('option').first().waitFor();
		await page.keyboard.press('Enter');
		await page.locator('.market-row .price:enabled').first().waitFor();
		await balance(page, '₹20,000');

		await focusNext(page, /^Back India 2\.00, /);
		await page.keyboard.press('Enter');
		await page.getByLabel('Stake', { exact: true }).waitFor();
		await focusNext(page, 'Odds');
		for (const [key, odds] of [
			['ArrowUp', '2.02'],
			['ArrowDown', '2.00'],
		] as const) {
			await page.keyboard.press(key);
			await expect.poll(() => page.getByRole('textbox', { name: 'Odds', exact: true }).inputValue()).toBe(odds);
		}
		await focusNext(page, 'Stake');
		await page.keyboard.type('150');
		await page.keyboard.press('Enter');
		const outcome = page.getByText('Part matched: ₹100 at 2.00, ₹50 unmatched').first();
		await outcome.waitFor();
		await focusNext(page, 'Done');
		await page.keyboard.press('Enter');
		await outcome.waitFor({ state: 'detached' });
		// On a phone the sheet is still there.
		await page.keyboard.press('Escape');
		await balance(page, '₹19,850');
		await focusNext(page, /^1 unmatched/);
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		await focusNext(page, /^Cancel Back India, ₹50/);
		await page.keyboard.press('Enter');
		await balance(page, '₹19,900');
		await scene.quote(found, { back: [], lay: [[1.6, 1000]] });
		await page.getByRole('dialog').getByRole('button', { name: 'Cash out +25' }).waitFor();
		await focusNext(page, 'Cash out +25');
		await page.keyboard.press('Enter');
		await balance(page, '₹20,000');
		await focusNext(page, `Account: ${userName}`);
		await page.keyboard.press('Enter');
		await focusNext(page, 'Log out');
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
		expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
	});

	it('a screen reader finds its way by landmarks, headings and names', { tags: 'thorough' }, async () => {
		await scene.quote(match, EVENS);
		const { page } = await scene.playerAt(match, width);
		const sides = {
			desktop: [
				'- navigation "Sports":',
				'- complementary "Fixtures by sport":',
				'- main:',
				'- complementary "Bet slip":',
			],
			// A market's page on a phone begins with its scoreboard; the sports are in the menu.
			phone: ['- main:', '- navigation "Quick navigation":'],
		};
		const body = page.locator('body');
		await page.locator('footer').waitFor();
		await page.locator('.market .price:enabled').first().waitFor();
		if (width === 'desktop') await page.getByRole('complementary', { name: 'Bet slip' }).waitFor();
		await expectTree(body, ['- link "Skip to content":', '- banner:', ...sides[width]]);
		const main = page.getByRole('main');
		await expectTree(main, [
			'- heading "India v Nepal" [level=1]',
			'- region "Match Odds":',
			'- heading "Match Odds" [level=2]:',
			'- list:',
			'- listitem:',
			'- button "Back India 2.00, 1,000 available"',
			'- button "Lay India 2.02, 1,000 available"',
			'- listitem:',
			'- button "Back Nepal 2.00, 1,000 available"',
		]);
		await page.getByRole('button', { name: /^Lay India 2\.02, / }).click();
		await expectTree(main, ['- button "Lay India 2.02, 1,000 available" [pressed]']);
		const card = page.getByRole('region', { name: 'Lay India' });
		await card.getByLabel('Stake', { exact: true }).fill('100');
		await expectTree(card, [
			'- heading "India" [level=3]',
			'- button "Remove India from the slip"',
			'- textbox "Odds": "2.02"',
			'- textbox "Stake":',
			'- text: "100"',
			'- term: Profit',
			'- definition: ₹100',
			'- term: Liability',
			'- definition: ₹102',
			'- button "Lay India 2.02 · risk ₹102"',
		]);
	});

	it(
		'a screen reader announces the outcome of a bet, and no prices or countdowns',
		mainlyOn('desktop', width),
		async () => {
			await scene.quote(match, EVENS);
			const { page, token } = await scene.playerAt(match, width);
			await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
			await page
				.getByRole('button', { name: /^Cash out/ })
				.first()
				.waitFor();
			await page
				.getByRole('button', { name: /^Back India 2\.00, / })
				.last()
				.click();
			await page.getByLabel('Stake', { exact: true }).fill('100');
			await page.evaluate(() => {
				const said: string[] = [];
				Object.assign(globalThis, { said });
				new MutationObserver((changes) => {
					for (const { target } of changes) {
						const element = target instanceof Element ? target : target.parentElement;
						const live = element?.closest('output, [role="status"], [role="alert"], [role="log"], [aria-live]');
						if (live?.textContent && said.at(-1) !== live.textContent) said.push(live.textContent);
					}
				}).observe(document, { subtree: true, childList: true, characterData: true });
			});
			const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
			for (const price of [1.95, 1.9, 1.85, 1.8]) {
				await scene.quote(match, { back: [[price, 1000]], lay: [[price + 0.1, 1000]] });
				await page.getByRole('button', { name: new RegExp(`^Back India ${price.toFixed(2)}, `) }).waitFor();
			}
			expect(await said()).toEqual([]);
			await page.getByRole('button', { name: 'Keep 2.00' }).click();
			await page.getByLabel('Stake', { exact: true }).press('Enter');
			await expect
				.poll(said)
				.toEqual([expect.stringMatching(/^Unmatched: ₹100 at 2\.00Back India 2\.00 · Match OddsBet \d+$/)]);
			await scene.quote(match, { back: [[2.2, 1000]], lay: [] });
			const taker = await scene.server.demoPlayer();
			await scene.server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2.3, stake: 1100 }), taker.token);
			await expect.poll(async () => (await said()).at(-1)).toMatch(/^Matched: ₹100 at 2\.00/);
		},
	);

	onlyOn('desktop', width)('a toast is reached, held and closed by keyboard', { tags: 'thorough' }, async () => {
		await scene.quote(match, EVENS);
		const { page, token } = await scene.player(width);
		await scene.server.result('placeBetV2', betOn(match, { price: 50, stake: 100 }), token);
		await page.goto('/open-bets');
		await page
			.getByRole('main')
			.getByRole('button', { name: /^Cancel Back India/ })
			.click();
		const toast = page.getByRole('alert').filter({ hasText: '₹100 cancelled.' });
		await toast.waitFor();
		await page.keyboard.press('Alt+t');
		await focusNext(page, 'Close');
		// It is not taken away from under the one who reads it.
		await expect
			.poll(() => toast.locator('.Toastify__progress-bar').evaluate((bar) => getComputedStyle(bar).animationPlayState))
			.toBe('paused');
		await page.keyboard.press('Enter');
		await page.locator('.Toastify__toast').waitFor({ state: 'detached' });
	});

	onlyOn('phone', width)(
		'a hidden page draws nothing, and shows the present state when it is visible again',
		{ tags: 'thorough' },
		async () => {
			await scene.quote(match, EVENS);
			const { page } = await scene.player(width, { reducedMotion: 'no-preference' });
			const line = page.waitForEvent('websocket');
			await page.goto(`/markets/${match.eventId}`);
			const shown = page.getByRole('button', { name: /^Back India 2\.00, / }).last();
			await shown.waitFor();
			const told = (await line).waitForEvent('framereceived', ({ payload }) => /price\\":3,/.test(String(payload)));
			await hideTab(page, true);
			await scene.quote(match, { back: [[3, 1000]], lay: [] });
			await told;
			await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
			expect(await page.locator('[data-move]').count()).toBe(0);
			expect(await shown.isVisible()).toBe(true);
			await hideTab(page, false);
			await page
				.getByRole('button', { name: /^Back India 3\.00, / })
				.last()
				.waitFor();
		},
	);
});

it('toasts leave by themselves after five seconds, and at once when they are closed', {
	tags: 'thorough',
}, async () => {
	await scene.quote(match, EVENS);
	const { page, token } = await scene.player('desktop', { reducedMotion: 'no-preference' });
	for (const price of [50, 60]) await scene.server.result('placeBetV2', betOn(match, { price, stake: 100 }), token);
	await page.goto('/open-bets');
	const toasts = page.locator('.Toastify__toast');
	const cancel = page.getByRole('main').getByRole('button', { name: /^Cancel Back India/ });
	await cancel.first().click();
	await toasts.first().waitFor();
	await page.getByRole('button', { name: 'Close', exact: true }).click();
	// Before it would leave by itself.
	await toasts.waitFor({ state: 'detached', timeout: 4000 });
	await cancel.click();
	await toasts.first().waitFor();
	const shownAt = Date.now();
	await toasts.waitFor({ state: 'detached' });
	expect(Date.now() - shownAt).toBeGreaterThan(4000);
});

it('on a phone with a notch and a home indicator, controls keep clear of both', { tags: 'thorough' }, async () => {
	const { page } = await scene.playerAt(match, 'phone');
	const devtools = await page.context().newCDPSession(page);
	await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } });
	const lowest = WIDTHS.phone.viewport.height - 34;
	const edges = (parts: Locator) =>
		parts.evaluateAll((all) => {
			const boxes = all.map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 0);
			return { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) };
		});
	expect((await edges(page.getByRole('banner').locator('a, button'))).top).toBeGreaterThanOrEqual(47);
	expect((await edges(page.locator('.bottom-bar > *'))).bottom).toBeLessThanOrEqual(lowest);
	await page.getByRole('button', { name: /^Bet slip/ }).click();
	await page.getByRole('region', { name: 'Bet slip' }).waitFor();
	expect((await edges(page.locator('.bottom-sheet > :last-child'))).bottom).toBeLessThanOrEqual(lowest);
});
