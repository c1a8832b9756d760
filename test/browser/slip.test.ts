/**
 * The slip with prices that the test moves: its texts at each keystroke, the bet that a press places, and its outcome.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { betOn, freshRequestId, type TestMatch } from '../support/match.ts';
import { drag, holdCalls, onlyOn, type Width } from './browser.ts';
import { EVENS, type Offer, Scene, type Seat } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.share();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

const PLACE = '**/Bet/PlaceBetV2';
const at = (back: number): Offer => ({ back: [[back, 1000]], lay: [] });
const slip = (page: Page) =>
	page.getByRole('region', { name: /^(Back|Lay) India$/ }).filter({ has: page.locator('.slip-head') });
const button = (card: Locator) => card.locator('button[type="submit"]');
const stakeOf = (card: Locator) => card.getByLabel('Stake', { exact: true });
const oddsOf = (card: Locator) => card.getByLabel('Odds', { exact: true });

async function pick(page: Page, side: 'Back' | 'Lay' = 'Back'): Promise<Locator> {
	await page
		.getByRole('button', { name: new RegExp(`^${side} India [\\d.]+, `) })
		.and(page.locator('[data-level="1"]'))
		.click();
	const card = slip(page);
	await stakeOf(card).waitFor();
	return card;
}

async function begin(
	width: Width,
	changes: Parameters<Scene['match']>[0] = {},
	offer = EVENS,
): Promise<Seat & { match: TestMatch; card: Locator }> {
	const match = await scene.match(changes, offer);
	const seat = await scene.playerAt(match, width);
	return { ...seat, match, card: await pick(seat.page) };
}

const describedBy = (field: Locator): Promise<string> =>
	field.evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '');

/** The player's bets as the server has them. */
const betsOf = async ({ token }: { token: string }) =>
	(await scene.server.result('getUserOpenBets', {}, token)).openBets.map(({ price, matchedStake, remainingStake }) => ({
		price,
		matchedStake,
		remainingStake,
	}));

async function choosePolicy(page: Page, name: string): Promise<void> {
	const options = page.locator('.slip-settings');
	if ((await options.getAttribute('open')) === null) await options.locator('summary').click();
	await page.getByLabel(name).check();
}

it('is the same in two tabs: what is taken, typed or placed in one is so in the other', {
	tags: 'thorough',
}, async () => {
	const { page, match, card, ...seat } = await begin('desktop');
	const other = await page.context().newPage();
	await other.goto(`/markets/${match.eventId}`);
	const there = slip(other);
	await stakeOf(card).fill('100');
	await expect.poll(() => stakeOf(there).inputValue()).toBe('100');
	await other
		.getByRole('button', { name: /^Back Nepal [\d.]+, /, disabled: false })
		.first()
		.click();
	const nepal = page.getByRole('region', { name: 'Back Nepal' }).filter({ has: page.locator('.slip-head') });
	await nepal.waitFor();
	await stakeOf(card).press('End');
	await stakeOf(card).press('0');
	await expect.poll(() => stakeOf(there).inputValue()).toBe('1000');
	await button(there).click();
	await there.getByText(/^(Matched|Unmatched)/).waitFor();
	await card.waitFor({ state: 'detached' });
	await nepal.waitFor();
	expect(await betsOf(seat)).toHaveLength(1);
});

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	onlyOn('phone', width)(
		'a disabled button shows the reason, and its action for later',
		{ tags: 'thorough' },
		async () => {
			const { page, card, match } = await begin(width);
			const why = async (reason: string): Promise<void> => {
				await card.getByText(reason).waitFor();
				expect(await button(card).isDisabled()).toBe(true);
				const described = await button(card).getAttribute('aria-describedby');
				expect(await page.locator(`[id="${described}"]`).textContent()).toBe(reason);
			};
			for (const [typed, reason] of [
				['', 'Enter a stake.'],
				['ten', 'Enter a stake, such as 100 or 99.50.'],
				['10.005', 'Enter a stake, such as 100 or 99.50.'],
				['5', 'The smallest stake here is ₹10.'],
				['500001', 'The largest stake here is ₹5,00,000.'],
				['20000.01', 'This needs more than your free balance of ₹20,000.'],
			] as const) {
				await stakeOf(card).fill(typed);
				await why(reason);
				// It is said of the field, too.
				expect(await stakeOf(card).getAttribute('aria-invalid')).toBe(typed === '' ? null : 'true');
				if (typed !== '') expect(await describedBy(stakeOf(card))).toBe(reason);
			}
			// A comma is what many keypads have, and what separates thousands.
			await stakeOf(card).fill('10,5');
			await card
				.getByText(/Do you mean ₹10\.50? or ₹105\?/)
				.first()
				.waitFor();
			await stakeOf(card).fill('10.5');
			await card.getByRole('button', { name: 'Back India 2.00 · risk ₹10.5' }).waitFor();
			await match.market.suspend();
			await why('This market takes no bets now.');
			await match.market.resume();
			await page.context().setOffline(true);
			await why('Prices are paused: reconnecting.');
			await page.context().setOffline(false);
			await card.getByText('Prices are paused').waitFor({ state: 'detached' });
			expect(await button(card).isEnabled()).toBe(true);
		},
	);

	onlyOn('phone', width)(
		'a stake that the server refuses is said of its field, which has the focus',
		{ tags: 'thorough' },
		async () => {
			const { page, card, match, token } = await begin(width);
			await stakeOf(card).fill('15000');
			const held = await holdCalls(page, PLACE);
			await button(card).click();
			await held.arrived;
			await scene.server.result('placeBetV2', betOn(match, { price: 5, stake: 10_000 }), token);
			held.release();
			await card.getByRole('alert').filter({ hasText: 'Your free balance does not cover this.' }).waitFor();
			await expect.poll(() => stakeOf(card).evaluate((field) => field === document.activeElement)).toBe(true);
			expect(await stakeOf(card).getAttribute('aria-invalid')).toBe('true');
			expect(await describedBy(stakeOf(card))).toMatch(/free balance/);
			await stakeOf(card).fill('100');
			await expect.poll(() => stakeOf(card).getAttribute('aria-invalid')).toBe(null);
		},
	);

	it('chips add up, limits and balance bound the largest stake, and one press clears it', {
		tags: 'thorough',
	}, async () => {
		const { page, card } = await begin(width);
		const chip = (name: string) => card.getByRole('button', { name, exact: true });
		expect(await chip('Clear').isDisabled()).toBe(true);
		await chip('+100').click();
		await chip('+500').click();
		expect(await stakeOf(card).inputValue()).toBe('600');
		await chip('Max').click();
		expect(await stakeOf(card).inputValue()).toBe('20000');
		await chip('Clear').click();
		expect(await stakeOf(card).inputValue()).toBe('');
		await card.getByRole('button', { name: 'Remove India from the slip' }).click();
		// A layer at 2.02 risks 1.02 a rupee.
		const lay = await pick(page, 'Lay');
		await lay.getByRole('button', { name: 'Max', exact: true }).click();
		expect(await stakeOf(lay).inputValue()).toBe('19607');
	});

	onlyOn('desktop', width)(
		'the price now stands beside the odds with the way it went, shares of the balance are a stake, and the result says what it wins',
		{ tags: 'thorough' },
		async () => {
			const { page, card, match } = await begin(width);
			const now = card.locator('.slip-label').first();
			await now.getByText('Now 2.00', { exact: true }).waitFor();
			for (const [price, way] of [
				[2.1, '▲'],
				[1.95, '▼'],
			] as const) {
				await scene.quote(match, { ...at(price), lay: [[2.2, 1000]] });
				await now.getByText(`Now ${price.toFixed(2)} ${way}`, { exact: true }).waitFor();
			}
			await scene.quote(match, EVENS);
			await now.getByText(/^Now 2\.00/).waitFor();
			for (const [share, stake] of [
				['25 %', '5000'],
				['50 %', '10000'],
			] as const) {
				await card.getByRole('button', { name: share, exact: true }).click();
				expect(await stakeOf(card).inputValue()).toBe(stake);
			}
			await stakeOf(card).fill('150');
			await stakeOf(card).press('Enter');
			await page.getByText('Matched: ₹150 at 2.00').first().waitFor();
			await page.getByText('Back India 2.00 · wins ₹150 · Match Odds').waitFor();
		},
	);

	it('its fields bring up a keypad with a decimal point, have no spinners and do not make a phone zoom', {
		tags: 'thorough',
	}, async () => {
		const { card } = await begin(width);
		for (const field of [oddsOf(card), stakeOf(card)]) {
			expect(
				await field.evaluate((input: HTMLInputElement) => ({
					mode: input.inputMode,
					type: input.type,
					readable: Number.parseFloat(getComputedStyle(input).fontSize) >= 16,
				})),
			).toEqual({ mode: 'decimal', type: 'text', readable: true });
		}
	});

	it('moved odds are confirmed or followed, as the player’s policy says', { tags: 'thorough' }, async () => {
		const { page, card, match, ...seat } = await begin(width);
		await stakeOf(card).fill('100');
		// By default a worse price is asked about: the main button, which stays where it is, accepts it and bets.
		const place = await button(card).boundingBox();
		await scene.quote(match, at(1.9));
		await card.getByText('The odds moved to 1.90.').waitFor();
		expect((await button(card).boundingBox())?.y).toBe(place?.y);
		expect(await button(card).innerText()).toBe('Accept 1.90 · back ₹100');
		// Without a stake it accepts alone.
		await stakeOf(card).fill('');
		await card.getByRole('button', { name: 'Accept 1.90', exact: true }).click();
		expect(await oddsOf(card).inputValue()).toBe('1.90');
		await stakeOf(card).fill('100');
		expect(await button(card).isEnabled()).toBe(true);
		// A better one is taken without a word.
		await scene.quote(match, at(1.95));
		await page.getByRole('button', { name: /^Back India 1\.95, / }).waitFor();
		expect(await button(card).innerText()).toBe('Back India 1.90 · risk ₹100');
		await choosePolicy(page, 'Ask me');
		await card.getByText('The odds are better now: 1.95.').waitFor();
		await choosePolicy(page, 'Accept any');
		await scene.quote(match, at(1.8));
		await card.getByText('The odds moved: the bet takes 1.80.').waitFor();
		await choosePolicy(page, 'Ask me');
		await card.getByRole('button', { name: 'Accept 1.80 · back ₹100' }).waitFor();
		// A press that comes as the odds move is of the old ones, and accepts nothing.
		await button(card).evaluate((target) => {
			const pressed = new Promise<void>((resolve) => {
				const watch = new MutationObserver(() => {
					if (!target.textContent?.startsWith('Accept 1.75')) return;
					watch.disconnect();
					(target as HTMLElement).click();
					resolve();
				});
				watch.observe(target, { subtree: true, childList: true, characterData: true });
			});
			Object.assign(globalThis, { pressed });
		});
		// The page watches by now, so that it cannot miss the odds.
		await scene.quote(match, at(1.75));
		await page.evaluate(() => (globalThis as unknown as { pressed: Promise<void> }).pressed);
		expect(await button(card).innerText()).toBe('Accept 1.75 · back ₹100');
		expect(await betsOf(seat)).toEqual([]);
		await scene.quote(match, at(1.8));
		await card.getByRole('button', { name: 'Accept 1.80 · back ₹100' }).waitFor();
		await expect
			.poll(async () => {
				await button(card)
					.click({ timeout: 500 })
					.catch(() => undefined);
				return await card.getByText('Matched: ₹100 at 1.80').count();
			})
			.toBe(1);
		expect(await betsOf(seat)).toEqual([{ price: 1.8, matchedStake: 100, remainingStake: 0 }]);
		// A kept bet rests in the book.
		await card.getByRole('button', { name: 'Done' }).click();
		const again = await pick(page);
		await choosePolicy(page, 'Ask me');
		await stakeOf(again).fill('50');
		await scene.quote(match, at(1.7));
		await again.getByRole('button', { name: 'Keep 1.80' }).click();
		await again.getByText('Your bet rests in the book at your price until it is matched.').waitFor();
		await button(again).click();
		await again.getByText('Unmatched: ₹50 at 1.80').waitFor();
	});

	onlyOn('desktop', width)(
		'the notice of moved odds appears when the market moves, not when the player types odds',
		{ tags: 'thorough' },
		async () => {
			const { page, card, match } = await begin(width);
			await stakeOf(card).fill('100');
			await choosePolicy(page, 'Ask me');
			for (const [odds, said] of [
				['2.5', 'On offer now: 2.00.'],
				['1.9', null],
			] as const) {
				await oddsOf(card).fill(odds);
				await stakeOf(card).focus();
				if (said) await card.getByText(said).waitFor();
				expect(await card.getByText(/moved|better now/).count()).toBe(0);
				expect(await button(card).isEnabled()).toBe(true);
			}
			await scene.quote(match, at(1.8));
			await card.getByText('On offer now: 1.80.').waitFor();
			expect(await card.getByText(/moved|better now/).count()).toBe(0);
		},
	);

	it.runIf(width === 'desktop')('moved odds are announced on other pages, too', { tags: 'thorough' }, async () => {
		const { page, card, match } = await begin(width);
		await stakeOf(card).fill('100');
		await page.evaluate(() => history.pushState(null, '', '/rules'));
		await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
		await scene.quote(match, at(1.9));
		await card.getByText('The odds moved to 1.90.').waitFor();
		await match.market.suspend();
		await card.getByText('This market takes no bets now.').waitFor();
		await match.market.resume();
	});

	it('a price that moves at the moment of the press never costs more than was agreed', {
		tags: 'thorough',
	}, async () => {
		const { page, card, match, ...seat } = await begin(width);
		await stakeOf(card).fill('100');
		const held = await holdCalls(page, PLACE);
		await button(card).click();
		await held.arrived;
		await scene.quote(match, at(1.5));
		held.release();
		await card.getByText('Unmatched: ₹100 at 2.00').waitFor();
		expect(await betsOf(seat)).toEqual([{ price: 2, matchedStake: 0, remainingStake: 100 }]);
	});

	onlyOn('phone', width)(
		'however often it is pressed, one bet is placed, and it counts an in-play delay down',
		async () => {
			const { page, card, match, ...seat } = await begin(width, { betDelaySeconds: 3 });
			await match.market.turnInPlay();
			await scene.quote(match, EVENS);
			await page.locator('.in-play-badge').first().waitFor();
			await stakeOf(card).fill('100');
			// Each second has words of its own, which a slow machine may not show long enough to be waited for.
			await page.evaluate(() => {
				const counted = new Set<string>();
				Object.assign(globalThis, { counted });
				new MutationObserver(() => {
					const left = document.querySelector('[role="timer"]')?.textContent;
					if (left) counted.add(left);
					for (const [words] of (document.body.textContent ?? '').matchAll(/Placing, \d s delay…/g)) counted.add(words);
				}).observe(document, { subtree: true, childList: true, characterData: true });
			});
			const held = await holdCalls(page, PLACE);
			await button(card).dblclick();
			await held.arrived;
			await card.locator('button[aria-busy="true"]').waitFor();
			await stakeOf(card).press('Enter');
			expect(held.count()).toBe(1);
			held.release();
			await card.getByText('Matched: ₹100 at 2.00').waitFor();
			const counted = await page.evaluate(() => [...(globalThis as unknown as { counted: Set<string> }).counted]);
			expect(counted[0]).toBe('Placing, 3 s delay…');
			// A page that is slow for a second leaves one of them out.
			const left = counted.filter((words) => /^[12] s left$/.test(words));
			expect(left.length).toBeGreaterThan(0);
			expect(left).toEqual(['2 s left', '1 s left'].filter((words) => left.includes(words)));
			expect(held.count()).toBe(1);
			expect(await betsOf(seat)).toHaveLength(1);
		},
	);

	it('shows the matched and the resting part, or none, or the refusal with its reference', {
		tags: 'thorough',
	}, async () => {
		const { page, card, match, ...seat } = await begin(width, {}, { back: [[2, 60]], lay: [] });
		await stakeOf(card).fill('100');
		await button(card).click();
		await card.getByText('Part matched: ₹60 at 2.00, ₹40 unmatched').waitFor();
		const [bet] = (await scene.server.result('getUserOpenBets', {}, seat.token)).openBets;
		await card.getByText(`Bet ${bet?.betId}`).waitFor();
		await card.getByRole('button', { name: 'Done' }).click();
		// All at once or nothing: the house offers less.
		await scene.server.result('cancelAll', { clientRequestId: 'all-of-it-back' }, seat.token);
		await scene.quote(match, { back: [[2.1, 60]], lay: [] });
		const killed = await pick(page);
		await stakeOf(killed).fill('100');
		await killed.getByText('More', { exact: true }).click();
		await killed.getByLabel('Fill or kill').check();
		await button(killed).click();
		await killed.getByText('Lapsed: the market moved on').waitFor();
		await killed.getByRole('button', { name: 'Bet again' }).click();
		const held = await holdCalls(page, PLACE);
		await button(killed).click();
		await held.arrived;
		await match.market.suspend();
		held.release();
		await killed.getByRole('alert').filter({ hasText: 'suspended' }).waitFor();
		expect((await betsOf(seat)).map(({ matchedStake }) => matchedStake)).toEqual([60]);
	});

	it('a bet takes the starting price: the slip says what it holds, by keyboard and by touch', {
		tags: 'thorough',
	}, async () => {
		const { page, match, card, ...seat } = await begin(width, { startingPrice: true });
		await card.getByText('More', { exact: true }).press('Enter');
		await card.getByLabel('Place it').selectOption('At the starting price');
		await card.getByText('No price yet').waitFor();
		const [other, third] = [await scene.server.demoPlayer(), await scene.server.demoPlayer()];
		const asked = { marketId: match.marketId, runnerId: match.runnerIds[0] };
		const onClose = (side: 'BACK' | 'LAY', size: number, { token }: { token: string }) =>
			scene.server.result('placeOnClose', { ...asked, side, size, clientRequestId: freshRequestId() }, token);
		await onClose('LAY', 284, other);
		await onClose('BACK', 100, third);
		await card.getByText('3.84 now').waitFor();
		await scene.server.result('cancelAll', { clientRequestId: freshRequestId() }, third.token);
		await card.getByText('No price yet').waitFor();
		await card.getByLabel('Worst price, if any').fill('1.5');
		await stakeOf(card).fill('100');
		await card.getByRole('button', { name: 'Back India at the starting price · risk ₹100' }).waitFor();
		await stakeOf(card).press('Enter');
		await page.getByText('Your bet waits for the starting price.').waitFor();
		await page.goto(`${scene.server.url}/open-bets`);
		await page.getByText('Starting price of 1.50 or more').first().waitFor();
		await match.market.turnInPlay();
		await expect
			.poll(async () => (await scene.server.result('getUserOpenBets', {}, seat.token)).openBets[0]?.averagePrice)
			.toBe(3.84);
	});

	it('a bet waits on the server for its price, and is placed when that is reached', { tags: 'thorough' }, async () => {
		const { page, card, match, ...seat } = await begin(width, {}, { back: [[2, 60]], lay: [] });
		await stakeOf(card).fill('100');
		await card.getByText('More', { exact: true }).press('Enter');
		await card.getByLabel('Place it').selectOption('When the last price rises to');
		await card.getByLabel('Odds to reach').fill('2');
		await card.getByRole('button', { name: /^Back .+ · risk .+ · waits for its price$/ }).click();
		await page.getByText('Your bet is placed when the price is reached.').waitFor();
		const { triggers } = await scene.server.result('getTriggers', {}, seat.token);
		expect(triggers).toMatchObject([{ moves: 'RISES', at: 2, stake: 100, status: 'WAITING' }]);
		// The hub is not there yet as the price is reached.
		let connect = () => {};
		const mayConnect = new Promise<void>((resolve) => (connect = resolve));
		await page.route('**/hub/negotiate**', async (route) => {
			await mayConnect;
			await route.continue();
		});
		await page.goto(`${scene.server.url}/open-bets`);
		const waiting = page.getByRole('region', { name: 'When a price is reached' }).first();
		await waiting.getByText('When the last price rises to 2').waitFor();
		const other = await scene.server.demoPlayer();
		await scene.server.result('placeBetV2', betOn(match, { price: 2, stake: 20 }), other.token);
		await expect.poll(async () => (await scene.server.result('getTriggers', {}, seat.token)).triggers).toEqual([]);
		connect();
		await page.getByText(/^The price was reached: your bet on .+ is placed\.$/).waitFor();
		await waiting.waitFor({ state: 'hidden' });
		expect((await betsOf(seat)).map(({ matchedStake, remainingStake }) => matchedStake + remainingStake)).toEqual([
			100,
		]);
	});

	it('a bet that is not to be matched at once moves to where it waits, and says until when', {
		tags: 'thorough',
	}, async () => {
		const { page, card, ...seat } = await begin(width, {}, { back: [[2, 60]], lay: [] });
		await stakeOf(card).fill('100');
		await card.getByText('More', { exact: true }).press('Enter');
		await card.getByLabel('If it would be matched at once').selectOption('Move its price so that it waits');
		await card.getByLabel('The unmatched part stands').selectOption('For 15 min');
		await card.getByLabel('Cancel the unmatched part').selectOption('Once others have matched ₹10,000');
		await button(card).click();
		await card.getByText('Unmatched: ₹100 at 2.02').waitFor();
		const [bet] = (await scene.server.result('getUserOpenBets', {}, seat.token)).openBets;
		expect(bet).toMatchObject({ price: 2.02, postOnly: 'REPRICE', goodUntilMatched: 10_000 });
		expect(Date.parse(bet?.goodTill ?? '') - Date.parse(bet?.placedAt ?? '')).toBeLessThanOrEqual(900_000);
		await card.getByRole('button', { name: 'Done' }).click();
		await page.goto(`${scene.server.url}/open-bets`);
		await page
			.getByText(/^Stands until .+ · Stands until others have matched ₹10,000 · Is never matched as it arrives$/)
			.first()
			.waitFor();
	});

	it('a bracket is placed from the slip, and stands with its rule until it is cancelled', {
		tags: 'thorough',
	}, async () => {
		const { page, card, ...seat } = await begin(width, {}, { back: [[2, 60]], lay: [] });
		await stakeOf(card).fill('100');
		await card.getByText('More', { exact: true }).press('Enter');
		await card.getByLabel('Place it', { exact: true }).selectOption('Now, and closed at an aim or a stop (bracket)');
		await card.getByLabel('Ticks to aim / to stop').fill('5 /');
		expect(await button(card).isDisabled()).toBe(true);
		await card.getByLabel('Ticks to aim / to stop').fill('5 / 3');
		await button(card).click();
		await page.getByText('Your order is placed, and the server looks after it.').waitFor();
		const { triggers } = await scene.server.result('getTriggers', {}, seat.token);
		expect(triggers).toMatchObject([{ plan: { kind: 'BRACKET', stake: 100, profitTicks: 5, stopTicks: 3 } }]);
		await page.goto(`${scene.server.url}/open-bets`);
		await page.getByText('Bracket of ₹100: aim 5 ticks, stop 3 ticks').first().waitFor();
		await page
			.getByRole('button', { name: /^Cancel the trigger: Back / })
			.first()
			.click();
		await page.getByText('Cancelled.').first().waitFor();
		expect((await scene.server.result('getTriggers', {}, seat.token)).triggers).toEqual([]);
	});

	onlyOn('phone', width)(
		'a market that ends, or is no longer listed, under an open slip takes no bet and loses none',
		{ tags: 'thorough' },
		async () => {
			const { page, card, match, ...seat } = await begin(width);
			await stakeOf(card).fill('100');
			await match.settle(0);
			await card.getByText('This market takes no bets now.').waitFor();
			expect(await button(card).isDisabled()).toBe(true);
			await page.route('**/Market/GetByEventId*', async (route) => {
				const answer = await route.fetch();
				const body = await answer.json();
				await route.fulfill({ response: answer, json: { ...body, result: { ...body.result, markets: [] } } });
			});
			await page.reload();
			await page.getByText('No market is open for this match.').waitFor();
			if (width === 'phone') await page.getByRole('button', { name: /^Bet slip/ }).click();
			await card.getByText('This market is no longer listed.').waitFor();
			expect(await stakeOf(card).inputValue()).toBe('100');
			await stakeOf(card).press('Enter');
			expect(await betsOf(seat)).toEqual([]);
			await card.getByRole('button', { name: 'Remove India from the slip' }).click();
			await card.waitFor({ state: 'detached' });
		},
	);

	onlyOn('phone', width)('a bet whose answer is lost is sent again and placed once', async () => {
		const { page, card, ...seat } = await begin(width);
		await stakeOf(card).fill('100');
		// The server takes the bet; the line breaks before it can say so.
		await page.route(PLACE, async (route) => {
			await route.fetch();
			await route.abort();
			await page.unroute(PLACE);
		});
		await button(card).click();
		await card.getByText('No answer came back.', { exact: false }).waitFor();
		await page.reload();
		if (width === 'phone') await page.getByRole('button', { name: /^Bet slip/ }).click();
		await card.getByRole('button', { name: 'Try again' }).click();
		await card.getByText('Matched: ₹100 at 2.00').waitFor();
		expect(await betsOf(seat)).toHaveLength(1);
	});
});

it('a swipe closes the sheet; one that is too short leaves it', { tags: 'thorough' }, async () => {
	const { page, card } = await begin('phone');
	const sheet = page.getByRole('region', { name: 'Bet slip' });
	const topOf = async () => (await sheet.boundingBox())?.y ?? 0;
	const top = await topOf();
	const width = page.viewportSize()?.width ?? 0;
	await drag(page, { x: width / 2, y: top + 10 }, 40);
	await expect.poll(topOf).toBe(top);
	await drag(page, { x: width / 2, y: top + 10 }, 200);
	await sheet.waitFor({ state: 'detached' });
	expect(new URL(page.url()).pathname).toContain('/markets/');
	await page.getByRole('button', { name: 'Bet slip 1 selections' }).click();
	await card.waitFor();
});
