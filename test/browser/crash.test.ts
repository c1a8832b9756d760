/**
 * Crash in the browser: rounds that everybody plays, on a chain that the test knows, at twice their speed.
 * @module-tag thorough
 */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CrashSite } from '../support/crash.ts';
import { closeContexts, demoLogin, openBrowser, openContext, pressTwice, type Width } from './browser.ts';
import { expectFine, expectFineInBothThemes } from './fine-screen.ts';

/** Long enough for presses, short enough for a test. */
const FLIGHT = [170, 230] as const;
/** For bets that cash out at once, in any of many rounds. */
const [ANY_FLIGHT, MANY_ROUNDS] = [[110, 400], 12] as const;
const SPEED = 2;

let site: CrashSite;
let browser: Browser;
let context: BrowserContext | null = null;
beforeAll(async () => {
	[site, browser] = await Promise.all([CrashSite.open(SPEED), openBrowser()]);
});
afterEach(async () => {
	await context?.close();
	context = null;
});
afterAll(async () => {
	await closeContexts(browser);
	await site?.server.dispose();
});

async function seat(
	width: Width,
	flight: readonly [number, number] = FLIGHT,
	ahead?: number,
): Promise<{ page: Page; token: string; userId: number }> {
	const { login, storageState } = await demoLogin(site.server.url);
	await site.seedFor({ token: login.accessToken }, flight, ahead);
	context = await openContext(browser, width, site.server.url, { storageState });
	const page = await context.newPage();
	await page.goto('/casino/crash');
	await slot(page, 1).waitFor();
	return { page, token: login.accessToken, userId: Number(login.user.userId) };
}

const slot = (page: Page, number: 1 | 2): Locator => page.getByRole('region', { name: `Bet ${number}` });
const stage = (page: Page, phase: string): Locator => page.locator(`.crash-stage[data-phase="${phase}"]`);
const reached = (page: Page, phase: string) => stage(page, phase).waitFor({ timeout: 60_000 });
const cash = ({ userId }: { userId: number }) => (site.server.running.exchange.wallet(userId)?.cash ?? 0) / 100;

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('two bets fly: one cashes out by itself, the other by a press, and the round is proven from the strip', async () => {
		const player = await seat(width);
		const { page } = player;
		await slot(page, 2).getByLabel('Cash out at').fill('1.20');
		await reached(page, 'crashed');
		await reached(page, 'betting');
		await slot(page, 1).getByRole('button', { name: 'Bet ₹100' }).click();
		await slot(page, 2).getByRole('button', { name: 'Bet ₹100' }).click();
		await slot(page, 2).getByRole('button', { name: 'Cancel ₹100' }).waitFor();
		await reached(page, 'flying');
		const cashOut = slot(page, 1).getByRole('button', { name: /^Cash out ₹1[1-9]/ });
		await cashOut.waitFor();
		if (width === 'desktop') {
			await page.getByRole('heading', { name: 'Crash' }).click();
			await page.keyboard.press('Space');
		} else await cashOut.dblclick();
		const receipt = slot(page, 1).getByText(/^1\.\d\dx at \d\d:\d\d:\d\d\.\d{3}, written after/);
		await receipt.waitFor();
		const won = Math.round(Number(/^(\d\.\d\d)x/.exec(await receipt.innerText())?.[1]) * 100);
		await expect.poll(() => cash(player)).toBeCloseTo(20_000 - 200 + won + 120, 6);
		await expect.poll(() => page.locator('.crash-stage output').innerText()).toContain('You win');
		await reached(page, 'crashed');
		await expect
			.poll(() => page.locator('.crash-stage output').innerText())
			.toMatch(/^Crashed at \d\.\d\dx\. You win ₹/);
		await page.getByRole('tab', { name: 'Mine' }).click();
		await expect.poll(() => page.locator('.bet-rows tbody tr').count()).toBe(2);
		await expectFineInBothThemes(page, width);
		await page
			.getByRole('button', { name: /crashed at .*: see its proof/ })
			.first()
			.click();
		const proof = page.getByRole('dialog');
		await proof.getByText('✓ The hashes are linked').waitFor();
		await proof.getByText(/^✓ Crash at \d/).waitFor();
		await proof.getByRole('button', { name: /^Walk back/ }).click();
		await proof.getByText(/^✓ \d+ hash(es)? leads? to it|^✓ \d+ hash(es)? lead to it/).waitFor();
		await expectFine(page, width);
	});
});

/** In the page: how often the canvas is drawn in each of N animation frames. */
function drawsOfFrames(frames: number): Promise<number[]> {
	return new Promise((resolve) => {
		const draws: number[] = [];
		const { clearRect } = CanvasRenderingContext2D.prototype;
		CanvasRenderingContext2D.prototype.clearRect = function count(...box) {
			if (draws.length > 0 && this.canvas.closest('.crash-stage')) draws[draws.length - 1] = (draws.at(-1) ?? 0) + 1;
			clearRect.apply(this, box);
		};
		requestAnimationFrame(function next() {
			if (draws.length === frames) {
				CanvasRenderingContext2D.prototype.clearRect = clearRect;
				// The counting began in the middle of a frame, and ends in one.
				resolve(draws.slice(1, -1));
				return;
			}
			draws.push(0);
			requestAnimationFrame(next);
		});
	});
}

it('the flight is drawn once in each frame, whenever the server ticks, and turns no rays where less motion is asked for', async () => {
	const { page } = await seat('phone');
	await reached(page, 'flying');
	expect(await page.locator('.crash-rays').evaluate((rays) => getComputedStyle(rays).animationName)).toBe('none');
	const draws = await page.evaluate(drawsOfFrames, 40);
	expect(draws).toEqual(draws.map(() => 1));
	// What hides it for a moment, such as a screen that loads a part, does not end it.
	await page.locator('.crash-stage canvas').evaluate(async (canvas: HTMLCanvasElement) => {
		canvas.style.display = 'none';
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
		canvas.style.display = '';
	});
	const shown = await page.evaluate(drawsOfFrames, 10);
	expect(shown).toEqual(shown.map(() => 1));
});

const bets = (page: Page) => slot(page, 1).getByRole('button', { name: /^Bet ₹100/ });

/** A button that has just changed takes no press: what cancels the first slot's bet is pressed until it is gone. */
const cancelled = (page: Page) =>
	expect
		.poll(async () => {
			const cancel = slot(page, 1).getByRole('button', { name: /^Cancel/ });
			if (await cancel.isVisible()) await pressTwice(cancel, { timeout: 500 }).catch(() => undefined);
			return await bets(page).isVisible();
		})
		.toBe(true);

it('a double press on the button of a slot bets once, and cancels once', async () => {
	const player = await seat('phone');
	const { page } = player;
	const asked: (string | undefined)[] = [];
	page.on('request', (request) => {
		const act = /Casino\/Crash(Bet|Cancel)$/.exec(request.url());
		if (act) asked.push(act[1]);
	});
	await reached(page, 'crashed');
	await pressTwice(bets(page));
	await slot(page, 1)
		.getByRole('button', { name: /^Cancel/ })
		.waitFor();
	expect(asked).toEqual(['Bet']);
	await cancelled(page);
	expect(asked).toEqual(['Bet', 'Cancel']);
	await expect.poll(() => cash(player)).toBe(20_000);
});

it('a bet pressed in flight waits for the next round, and auto-bet ends by itself', {
	timeout: 180_000,
}, async () => {
	const player = await seat('phone', ANY_FLIGHT, MANY_ROUNDS);
	const { page } = player;
	await reached(page, 'flying');
	await slot(page, 1).getByRole('button', { name: 'Bet ₹100 on the next round' }).click();
	await cancelled(page);
	expect(cash(player)).toBe(20_000);
	await slot(page, 2).getByLabel('Cash out at').fill('1.01');
	await slot(page, 2).getByText('Auto-bet', { exact: true }).click();
	await slot(page, 2).getByLabel('Rounds').fill('2');
	await slot(page, 2).getByRole('button', { name: 'Start auto-bet' }).click();
	await slot(page, 2).getByText('Auto-bet: 1 of 2').waitFor({ timeout: 60_000 });
	await slot(page, 2).getByText('Auto-bet: all rounds placed').waitFor({ timeout: 90_000 });
	await expect.poll(() => cash(player)).toBe(20_002);
});

it('a queued stake that is refused as its round begins is marked, and its field says why', async () => {
	const { page } = await seat('phone');
	for (const number of [1, 2] as const) await slot(page, number).getByLabel('Stake', { exact: true }).fill('15000');
	await reached(page, 'flying');
	for (const number of [1, 2] as const)
		await slot(page, number).getByRole('button', { name: 'Bet ₹15,000 on the next round' }).click();
	const refused = page.locator('.crash-slot input[aria-invalid="true"]');
	await refused.waitFor({ timeout: 60_000 });
	const why = await refused.evaluate((field) => field.getAttribute('aria-describedby') ?? '');
	await expect(page.locator(`[id="${why}"]`).getAttribute('role')).resolves.toBe('alert');
	expect(await page.locator(`[id="${why}"]`).innerText()).toMatch(/balance|funds/i);
	await refused.fill('100');
	await refused.waitFor({ state: 'detached' });
});

it('lost answers to a bet and to a cash-out leave the slot as the table has it: one stake, one payment', async () => {
	const player = await seat('phone');
	const { page } = player;
	let lost = 0;
	await page.route(/Casino\/Crash(Bet|CashOut)$/, async (route) => {
		if (lost++ > 1) return route.continue();
		await route.fetch();
		return route.abort();
	});
	await reached(page, 'crashed');
	await reached(page, 'betting');
	await slot(page, 1).getByRole('button', { name: 'Bet ₹100' }).click();
	await slot(page, 1).getByRole('button', { name: 'Cancel ₹100' }).waitFor();
	await reached(page, 'flying');
	await slot(page, 1)
		.getByRole('button', { name: /^Cash out ₹1[1-9]/ })
		.click();
	await slot(page, 1).getByRole('button', { name: 'Bet ₹100 on the next round' }).waitFor();
	expect(await slot(page, 1).getByRole('button', { name: 'Ask again' }).count()).toBe(0);
	await page.getByRole('tab', { name: 'Mine' }).click();
	const own = page.locator('.bet-rows tbody tr');
	await expect.poll(() => own.count()).toBe(1);
	await expect.poll(() => own.innerText()).toMatch(/\d\.\d\dx/);
	const won = Math.round(Number(/(\d\.\d\d)x/.exec(await own.innerText())?.[1]) * 100);
	await expect.poll(() => cash(player)).toBeCloseTo(19_900 + won, 6);
});

it('auto-bet counts a loss that came while the line was down, and stops at the limit', {
	timeout: 180_000,
}, async () => {
	const player = await seat('phone');
	const { page } = player;
	let isDown = false;
	await page.routeWebSocket(/\/hub/, (line) => {
		if (isDown) return void line.close();
		const server = line.connectToServer();
		server.onMessage((message) => (isDown ? void line.close() : line.send(message)));
	});
	await page.route(/\/hub|GetCrash$/, (route) => (isDown ? route.abort() : route.continue()));
	await page.reload();
	await slot(page, 1).getByText('Auto-bet', { exact: true }).click();
	await slot(page, 1).getByLabel('Stop at a loss of ₹').fill('100');
	await slot(page, 1).getByRole('button', { name: 'Start auto-bet' }).click();
	await expect.poll(() => cash(player), { timeout: 60_000 }).toBe(19_900);
	const { round } = await site.state();
	isDown = true;
	await site.reached('BETTING', Number(round));
	isDown = false;
	await slot(page, 1).getByText('Auto-bet stopped at your loss limit').waitFor({ timeout: 60_000 });
	expect(cash(player)).toBe(19_900);
});

it('auto-bet ends with a message once it is not offered any more, and once its game is switched off', {
	timeout: 180_000,
}, async () => {
	const { page } = await seat('phone');
	let asked = 0;
	page.on('request', (request) => {
		if (request.url().endsWith('Casino/CrashBet')) asked += 1;
	});
	const offer = (value: 'true' | 'false') =>
		site.server.act('brand-set', { host: 'localhost', field: 'autoBet', value });
	const open = (isOpen: boolean) =>
		site.server.act('game-rule-set', { host: 'localhost', game: 'crash', open: isOpen, reason: 'a test' });
	onTestFinished(async () => {
		await offer('true');
		await open(true);
	});
	await slot(page, 2).getByLabel('Cash out at').fill('1.01');
	const begin = async () => {
		await slot(page, 2)
			.getByText(/^Auto-bet/)
			.click();
		await slot(page, 2).getByLabel('Rounds').fill('');
		await slot(page, 2).getByRole('button', { name: 'Start auto-bet' }).click();
	};
	await begin();
	await slot(page, 2).getByText('Auto-bet: 1 placed').waitFor({ timeout: 60_000 });
	await offer('false');
	await slot(page, 2).getByText('Auto-bet stopped: it is not offered any more').waitFor();
	const before = asked;
	expect(before).toBeGreaterThan(0);
	const { round } = await site.state();
	await site.reached('FLYING', Number(round));
	expect(asked).toBe(before);
	await offer('true');
	await begin();
	await slot(page, 2).getByText('Auto-bet: 1 placed').waitFor({ timeout: 60_000 });
	await open(false);
	await slot(page, 2).getByText('Auto-bet stopped: a bet was refused').waitFor({ timeout: 60_000 });
	await slot(page, 2).getByText('This game is under maintenance.', { exact: false }).waitFor();
});
