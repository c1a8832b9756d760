/** Bets that wait and positions that stand, as a player changes them: edit, take back, cash out; and how soon he sees it. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { betOn, freshRequestId } from '../support/match.ts';
import { expectLed, mainlyOn, onlyOn } from './browser.ts';
import { EVENS, type Offer, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const balance = (page: Page, amount: string) =>
	page.locator('[data-figure="Balance"]').getByText(amount, { exact: true }).waitFor();
/** A page asks for the groups of bets; the hub does not tell of them. */
const ASKED_EVERY_MS = 5_000;
const NOTHING: Offer = { back: [], lay: [] };
/** The one way to hedge a back is to lay at that price. */
const layAt = (price: number): Offer => ({ back: [], lay: [[price, 100_000]] });

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it(
		'a group of bets that was closed is shown, and takes bets again once it is reset',
		mainlyOn('phone', width),
		async () => {
			const match = await scene.match({}, NOTHING, NOTHING);
			const { page, token } = await scene.player(width);
			const [group, layer] = [{ name: 'quotes', most: 50 }, (await scene.server.demoPlayer()).token];
			await scene.server.result('setOrderGroup', group as never, token);
			for (const price of [4, 5])
				await scene.server.result('placeBetV2', betOn(match, { price, stake: 100, group: 'quotes' }), token);
			await page.clock.install();
			await page.goto('/open-bets');
			const list = page.getByRole('main').getByRole('region', { name: 'Groups of bets' });
			await list.getByText('₹0 of ₹50 matched within 15 seconds').waitFor();
			await list.getByText('Takes bets').waitFor();
			await scene.server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 60 }), layer);
			await page.clock.fastForward(ASKED_EVERY_MS);
			await list.getByText(/^Closed at .+: too much was matched at once, the rest was cancelled$/).waitFor();
			await list.getByText('₹60 of ₹50 matched within 15 seconds').waitFor();
			expect((await scene.server.result('getUserOpenBets', {}, token)).openBets).toMatchObject([{ remainingStake: 0 }]);
			await list.getByRole('button', { name: 'Reset the group quotes' }).press('Enter');
			await list.getByText('Takes bets').waitFor();
			const { groups } = await scene.server.result('getOrderGroups', {}, token);
			expect(groups).toEqual([{ ...group, matched: 0 }]);
		},
	);

	it(
		'the list of open bets follows, and its bets are edited, cancelled one by one or all at once',
		mainlyOn('phone', width),
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			await page.goto('/open-bets');
			await page.getByRole('main').getByText('No open bets').waitFor();
			const wait = (price: number) => scene.server.result('placeBetV2', betOn(match, { price, stake: 100 }), token);
			await wait(50);
			await wait(60);
			const list = page.getByRole('main');
			const bets = list.locator('[data-part="unmatched"]');
			await bets.filter({ hasText: '₹100 at 60' }).waitFor();
			await balance(page, '₹19,800');
			await list.getByRole('button', { name: 'Edit Back India at 60.0' }).click();
			// The stake is said back as it is read; what can be two amounts is asked.
			const stake = list.getByLabel('New stake');
			await stake.fill('1k');
			await list.getByText('₹1,000', { exact: true }).waitFor();
			await stake.fill('1,5');
			await list.getByText('Do you mean ₹1.50 or ₹15?').waitFor();
			await stake.fill('100');
			await list.getByLabel('New odds').fill('seventy');
			await list.getByRole('button', { name: 'Change bet' }).click();
			await list.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
			const isLed = (field: Locator) =>
				expect
					.poll(() =>
						field.evaluate((input) => {
							const said = document.getElementById(input.getAttribute('aria-describedby') ?? '');
							return input === document.activeElement && input.ariaInvalid === 'true' && said?.textContent;
						}),
					)
					.toMatch(/\S/);
			await isLed(list.getByLabel('New odds'));
			await list.getByLabel('New odds').fill('60');
			await stake.fill('50000');
			await list.getByRole('button', { name: 'Change bet' }).click();
			await isLed(stake);
			expect(await list.getByLabel('New odds').getAttribute('aria-invalid')).toBe(null);
			await stake.fill('100');
			// 68 is no tick of the ladder, 70 the closest.
			await list.getByLabel('New odds').fill('68');
			await list.getByRole('button', { name: 'Change bet' }).click();
			await bets.filter({ hasText: '₹100 at 70' }).waitFor();
			await list.getByRole('button', { name: 'Cancel Back India, ₹100 at 50.0' }).click();
			await page.getByText('₹100 cancelled.').waitFor();
			await balance(page, '₹19,900');
			await wait(80);
			await bets.filter({ hasText: '₹100 at 80' }).waitFor();
			// On a phone a toast may lie over it still.
			await list.getByRole('button', { name: 'Cancel all unmatched' }).press('Enter');
			await list.getByText('No open bets').waitFor();
			await page.getByText('₹200 cancelled.').waitFor();
			await balance(page, '₹20,000');
		},
	);

	onlyOn('phone', width)(
		'stake and odds of an unmatched bet are changed, and less stake keeps the bet and its place',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			await scene.server.result('placeBetV2', betOn(match, { price: 50, stake: 100 }), token);
			await page.goto('/open-bets');
			const list = page.getByRole('main');
			const change = async (at: string, fields: Record<string, string>) => {
				await list
					.getByRole('button', { name: `Edit Back India at ${at}` })
					.first()
					.click();
				for (const [label, text] of Object.entries(fields)) await list.getByLabel(label).fill(text);
				await list.getByRole('button', { name: 'Change bet' }).click();
			};
			const open = async () => {
				const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
				return openBets.map(({ betId, price, remainingStake }) => ({ betId, price, remainingStake }));
			};
			const betId = (await open())[0]?.betId;
			await change('50.0', { 'New stake': '60' });
			await list.getByText('₹60 at 50').waitFor();
			expect(await open()).toEqual([{ betId, price: 50, remainingStake: 60 }]);

			await change('50.0', { 'New stake': '40', 'New odds': '60' });
			await list.getByText('₹40 at 60').waitFor();
			expect(await open()).toMatchObject([{ price: 60, remainingStake: 40 }]);

			await change('60.0', { 'New stake': '90' });
			await list.getByText('₹50 at 60').waitFor();
			expect(await open()).toMatchObject([
				{ price: 60, remainingStake: 50 },
				{ price: 60, remainingStake: 40 },
			]);
			await balance(page, '₹19,910');
		},
	);

	onlyOn('phone', width)(
		'a part that is matched while a bet is changed counts as asked, and what is refused after the odds moved is told',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match({}, NOTHING, NOTHING);
			const { page, token } = await scene.player(width);
			const { token: rival } = await scene.server.demoPlayer();
			await scene.server.result('placeBetV2', betOn(match, { price: 50, stake: 100 }), token);
			await page.goto('/open-bets');
			const list = page.getByRole('main');
			const open = async () => {
				const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
				return openBets
					.map(({ price, remainingStake, matchedStake }) => ({ price, remainingStake, matchedStake }))
					.sort((one, other) => one.price - other.price);
			};
			const edit = async (at: string) => {
				await list
					.getByRole('button', { name: `Edit Back India at ${at}` })
					.first()
					.click();
			};
			await edit('50.0');
			await scene.server.result('placeBetV2', betOn(match, { side: 'LAY', price: 50, stake: 40 }), rival);
			await list.getByText('₹60 at 50').waitFor();
			await list.getByLabel('New odds').fill('60');
			await list.getByRole('button', { name: 'Change bet' }).click();
			await list.getByText('₹60 at 60').waitFor();
			// 100 was asked: 40 of it at 50, the rest at 60.
			expect(await open()).toEqual([
				{ price: 50, remainingStake: 0, matchedStake: 40 },
				{ price: 60, remainingStake: 60, matchedStake: 0 },
			]);

			// More than there is.
			await edit('60.0');
			await list.getByLabel('New odds').fill('70');
			await list.getByLabel('New stake').fill('50000');
			await list.getByRole('button', { name: 'Change bet' }).click();
			await list.getByText('₹60 at 70').waitFor();
			await page.getByText('Your bet is now at 70').waitFor();
			await page.getByText('Your free balance does not cover this.').waitFor();
			expect(await open()).toMatchObject([{ price: 50 }, { price: 70, remainingStake: 60 }]);
		},
	);

	onlyOn('phone', width)(
		'other odds that may have been lost are asked again as they were and alone, and the notice says their price',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			await scene.server.result('placeBetV2', betOn(match, { price: 50, stake: 100 }), token);
			await page.goto('/open-bets');
			const list = page.getByRole('main');
			await list.getByRole('button', { name: 'Edit Back India at 50.0' }).click();
			await list.getByLabel('New odds').fill('60');
			const asked: string[] = [];
			await page.route('**/ReplaceBet', async (route) => {
				asked.push(route.request().postData() ?? '');
				await (asked.length === 1 ? route.abort() : route.continue());
			});
			const save = list.getByRole('button', { name: 'Change bet' });
			await save.click();
			await list.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
			await list.getByLabel('New odds').fill('70');
			await save.click();
			await page.getByText('Your bet is now at 60').waitFor();
			await list.getByText('₹100 at 60').waitFor();
			const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
			expect(openBets).toMatchObject([{ price: 60, remainingStake: 100 }]);
			expect([asked.length, asked[1]]).toEqual([2, asked[0]]);
		},
	);

	onlyOn('phone', width)(
		'stake that was added behind odds whose answer was lost follows them, once',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			await scene.server.result('placeBetV2', betOn(match, { price: 50, stake: 100 }), token);
			await page.goto('/open-bets');
			const list = page.getByRole('main');
			await list.getByRole('button', { name: 'Edit Back India at 50.0' }).click();
			await list.getByLabel('New odds').fill('60');
			await list.getByLabel('New stake').fill('150');
			let asked = 0;
			await page.route('**/ReplaceBet', async (route) => {
				asked += 1;
				await (asked === 1 ? route.abort() : route.continue());
			});
			const save = list.getByRole('button', { name: 'Change bet' });
			await save.click();
			await list.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
			await save.click();
			await page.getByText('Your bet is now at 60').waitFor();
			await list.getByText('₹50 at 60').waitFor();
			const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
			expect(openBets.map(({ price, remainingStake }) => [price, remainingStake])).toEqual([
				[60, 50],
				[60, 100],
			]);
		},
	);

	onlyOn('phone', width)(
		'stake that is added to a bet stays in play where the bet stays',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			for (const asked of [{ price: 50, persistence: 'PERSIST' }, { price: 60 }])
				await scene.server.result('placeBetV2', betOn(match, { stake: 100, ...asked }), token);
			await page.goto('/open-bets');
			const list = page.getByRole('main');
			for (const at of ['50.0', '60.0']) {
				await list.getByRole('button', { name: `Edit Back India at ${at}` }).click();
				await list.getByLabel('New stake').fill('140');
				await list.getByRole('button', { name: 'Change bet' }).click();
				await list.getByText(`₹40 at ${at}`.replace('.0', '')).waitFor();
			}
			await list.getByText('Stays when in-play').first().waitFor();
			await match.market.turnInPlay();
			const { openBets } = await scene.server.result('getUserOpenBets', {}, token);
			expect(openBets.map(({ price, remainingStake }) => [price, remainingStake])).toEqual([
				[50, 40],
				[50, 100],
			]);
		},
	);

	onlyOn('phone', width)(
		'a bet on the close waits at no odds under its market: it is named by the starting price, and can be cancelled alone',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match({ startingPrice: true });
			const { page, token } = await scene.playerAt(match, width);
			const asked = { marketId: match.marketId, runnerId: match.runnerIds[0], side: 'LAY' as const, size: 100 };
			await scene.server.result('placeOnClose', { ...asked, clientRequestId: freshRequestId() }, token);
			await page.locator('.own-strip').first().getByText('1 unmatched').click();
			const sheet = page.getByRole('dialog');
			await sheet.getByText('Lay India at the starting price · ₹100').waitFor();
			expect(await sheet.getByRole('button', { name: /^Edit / }).count()).toBe(0);
			// It is no part of the offers at the price that stands for it.
			expect(await page.locator('.market-row .price[data-own]').count()).toBe(0);
			await sheet.getByRole('button', { name: 'Cancel Lay India, ₹100 at Starting price' }).click();
			await page.getByText('₹100 cancelled.').waitFor();
			await balance(page, '₹20,000');
		},
	);

	it('cashing out shows the results before and after, follows the prices, and refuses an old quote', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		const { page, token } = await scene.playerAt(match, width);
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
		const strip = page.locator('.own-strip').first();
		// 100 at 2 against 125 at 1.6 leaves 25 in either case; against 80 at 2.5 it costs 20.
		for (const [price, sum] of [
			[1.6, '+25'],
			[2.5, '−20'],
		] as const) {
			await scene.quote(match, layAt(price), NOTHING);
			await strip.getByText(`Cash out ${sum}`).waitFor();
		}
		// The price falls back between the look and the press.
		let asked = 0;
		await page.route('**/CashOut', async (route) => {
			asked += 1;
			if (asked === 1) await scene.quote(match, layAt(3), NOTHING);
			await route.continue();
		});
		await strip.getByRole('button').click();
		const sheet = page.getByRole('dialog');
		await sheet.getByText('the same for every outcome, −20').waitFor();
		await sheet.getByRole('button', { name: 'Cash out −20' }).click();
		await sheet.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
		await scene.quote(match, layAt(1.6), NOTHING);
		await sheet.getByRole('button', { name: 'Cash out +25' }).click();
		await page.getByText('Cashed out: the same for every outcome, +25').waitFor();
		for (const runner of ['India', 'Nepal'])
			await page.locator('.market-row', { hasText: runner }).getByText('+25').waitFor();
		expect(asked).toBe(2);
	});

	onlyOn('phone', width)(
		'a target at which a market is cashed out is removed while the market is suspended',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { marketId } = match;
			const { page, token } = await scene.playerAt(match, width);
			await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
			await scene.server.result('setCashOutTarget', { marketId, target: 50 }, token);
			await match.market.suspend();
			await page.locator('.own-strip').first().getByText('Your bets').click();
			const sheet = page.getByRole('dialog');
			await sheet.getByText('Auto cash out at +50').waitFor();
			await sheet.getByRole('button', { name: 'Remove' }).click();
			await sheet.getByText('Auto cash out at +50').waitFor({ state: 'detached' });
			expect((await scene.server.result('getCashOutTarget', { marketId }, token)).target).toBeNull();
		},
	);

	it('a share of a position says what it makes of each outcome, before it is pressed and after', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		const { page, token } = await scene.playerAt(match, width);
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
		await scene.quote(match, layAt(1.6), NOTHING);
		await page.locator('.own-strip').first().getByText('Cash out +25').click();
		const sheet = page.getByRole('dialog');
		await sheet.getByRole('slider').fill('30');
		// 37.50 of 125 are laid at 1.6.
		await sheet.getByRole('button', { name: 'Cash out 30 %: at least −62.50' }).waitFor();
		const rows = sheet.locator('.cash-out-nets tbody tr');
		expect(await rows.allTextContents()).toEqual(['India+100+77.50', 'Nepal−100−62.50']);
		expect(await sheet.getByText('the same for every outcome').count()).toBe(0);
		// The automatic cash-out reads amounts as they are typed.
		const target = sheet.getByLabel('Auto cash out at');
		await target.fill('1,5');
		await target.press('Enter');
		await sheet.getByText('Do you mean ₹1.50 or ₹15?').waitFor();
		await expectLed(target, /^Do you mean/);
		await target.fill('1,000');
		await sheet.getByText('₹1,000').waitFor();
		expect(await target.getAttribute('aria-invalid')).toBeNull();
		// What could not be sent is not typed again.
		await page.route(/SetCashOutTarget/, (route) => route.abort(), { times: 1 });
		await target.press('Enter');
		await sheet
			.getByRole('alert')
			.filter({ hasText: /Network/ })
			.waitFor();
		expect(await target.inputValue()).toBe('1,000');
		await sheet.getByRole('button', { name: /^Cash out 30 %/ }).click();
		await page.getByText('30 % cashed out: India +77.50, Nepal −62.50').waitFor();
	});

	onlyOn('phone', width)(
		'cashing out names the resting bets that it cancels, and leaves no further action',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.playerAt(match, width);
			await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
			await scene.quote(match, layAt(1.6), NOTHING);
			// The player's own bet is not counted as offered, and the hedge would meet it.
			await scene.server.result('placeBetV2', betOn(match, { price: 1.6, stake: 50 }), token);
			const strip = page.locator('.own-strip').first();
			await strip.getByText('1 unmatched · Cash out +25').click();
			const sheet = page.getByRole('dialog');
			await sheet.getByText('the same for every outcome, +25').waitFor();
			await sheet.getByText('Cancels ₹50 of your unmatched bets.').waitFor();
			await sheet.getByRole('button', { name: /^Cash out [+−\d]/ }).click();
			await page.getByText('Cashed out: the same for every outcome, +25').waitFor();
			await page.locator('.cash-out').waitFor({ state: 'detached' });
			// The position follows by the hub's word.
			await expect.poll(() => strip.textContent()).toBe('Any result +25');
			await strip.getByRole('button').click();
			await expect.poll(() => sheet.getByRole('button').allTextContents()).toEqual(['']);
			expect(await sheet.getByRole('slider').count()).toBe(0);
		},
	);

	onlyOn('desktop', width)(
		'balance and exposure change within a second of the hub’s word',
		{ tags: 'thorough' },
		async () => {
			const match = await scene.match();
			const { page, token } = await scene.player(width);
			await page.addInitScript(() => {
				const moments = { heard: 0, told: 0, shown: 0 };
				Object.assign(globalThis, { moments });
				globalThis.WebSocket = class extends WebSocket {
					constructor(url: string | URL, protocols?: string | string[]) {
						super(url, protocols);
						this.addEventListener('message', ({ data }) => {
							if (String(data).includes('UserBalance')) moments.heard ||= performance.now();
							if (String(data).includes('UserBalance') && String(data).includes('19900'))
								moments.told ||= performance.now();
						});
					}
				};
				new MutationObserver(() => {
					const figures = new Set(
						[...document.querySelectorAll('[data-figure]')].map(({ textContent }) => textContent),
					);
					if (figures.has('₹19,900') && figures.has('₹100')) moments.shown ||= performance.now();
				}).observe(document, { subtree: true, childList: true, characterData: true });
			});
			await page.goto(`/markets/${match.eventId}`);
			await page.locator('.market-row .price:enabled').first().waitFor();
			const moments = () =>
				page.evaluate(
					() => (globalThis as unknown as { moments: { heard: number; told: number; shown: number } }).moments,
				);
			await expect.poll(async () => (await moments()).heard).toBeGreaterThan(0);
			await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 100 }), token);
			await balance(page, '₹19,900');
			const { told, shown } = await moments();
			expect(told).toBeGreaterThan(0);
			expect(shown - told).toBeLessThan(1000);
		},
	);
});

it('a match with another player’s bet shows at once on the resting bet', { tags: 'thorough' }, async () => {
	const match = await scene.match({}, { ...EVENS, back: [] });
	const { page, token } = await scene.playerAt(match, 'desktop');
	await scene.server.result('placeBetV2', betOn(match, { price: 1.5, side: 'LAY', stake: 100 }), token);
	await page.locator('[data-part="unmatched"]').waitFor();
	const other = await scene.server.demoPlayer();
	await scene.server.result('placeBetV2', betOn(match, { price: 1.5, stake: 40 }), other.token);
	await page.locator('[data-part="matched"]', { hasText: '₹40 at 1.50' }).waitFor();
	await page.locator('[data-part="unmatched"]', { hasText: '₹60 at 1.50' }).waitFor();
});
