/**
 * What the site shows under the profile of the United Kingdom: the question for limits, and games without a hurry.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rulesAt } from '#contract/rules-at.ts';
import { DAY_MS } from '#values/time.ts';
import { TEXTS } from '#web/texts.ts';
import { goTo } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterAll(() => scene?.close());

async function chooseUk(): Promise<void> {
	const { brands, exchange } = scene.server.running;
	const now = () => exchange.now();
	await brands.chooseProfile('localhost', { profile: 'uk', fromMs: now() + 100 }, now());
	await expect.poll(() => rulesAt(scene.server.brand.setting, now).profile).toBe('uk');
}

it('asks for limits before a deposit, shows time and result beside each game, waits between rounds, and tells of programs', async () => {
	const { page } = await scene.member('phone');
	await page.goto('/casino/crash');
	const autoBet = page.locator('.crash-auto-plan').first();
	await autoBet.waitFor();
	await chooseUk();
	await page.goto('/casino/crash');
	await page.getByRole('button', { name: /^0:00:\d\d 0$/ }).waitFor();
	// In sight on a phone, too, where the button is an icon otherwise.
	expect((await page.locator('.session-figures').boundingBox())?.width).toBeGreaterThan(40);
	expect(await autoBet.count()).toBe(0);
	const question = page.getByRole('dialog', { name: 'Your deposit limit' });
	expect(await question.count()).toBe(0);
	await goTo(page, '/deposit');
	await question.waitFor();
	await expectFine(page, 'phone');
	await question.getByRole('button', { name: 'Go on as it is' }).tap();
	await question.waitFor({ state: 'detached' });
	await page.getByText('This week, from Monday').waitFor();
	await page.getByRole('link', { name: 'Change my limits' }).tap();
	await page.getByText('Deposit limit of a calendar day').waitFor();
	await goTo(page, '/casino/dice');
	await page.getByRole('button', { name: 'Bet ₹100' }).tap();
	await page.getByRole('button', { name: /^Next round in [1-5] s$/, disabled: true }).waitFor();
	await page.getByRole('button', { name: /^0:0\d:\d\d [+−]\d/ }).waitFor();
	await page.getByRole('button', { name: 'Bet ₹100' }).waitFor();
	await goTo(page, '/rules');
	await page.getByRole('heading', { name: 'Programs' }).waitFor();
});

it('reminds a player of the limits six months after the last answer, until the player looks at them or goes on', async () => {
	const { page, userId } = await scene.member('phone');
	await chooseUk();
	const { protection } = scene.server.running.funds;
	await protection.limits.review(userId, { actor: 'player', address: null });
	await page.goto('/casino/dice');
	await page.getByRole('button', { name: 'Bet ₹100' }).waitFor();
	const question = page.getByRole('dialog', { name: 'Your deposit limit' });
	expect(await question.count()).toBe(0);
	protection.of(userId).limitsReviewedAtMs = protection.now() - 190 * DAY_MS;
	await page.reload();
	await question.getByText('It is some months since you looked at your limits.').waitFor();
	await expectFine(page, 'phone');
	await question.getByRole('link', { name: 'See and set my limits' }).tap();
	await page.getByText('Deposit limit of a calendar day').waitFor();
	await page.reload();
	await goTo(page, '/casino/dice');
	await question.getByRole('button', { name: 'Go on as it is' }).tap();
	await question.waitFor({ state: 'detached' });
	await page.reload();
	await page.getByRole('button', { name: 'Bet ₹100' }).waitFor();
	expect(await question.count()).toBe(0);
});

/** In the page: how long after the answer the result of the next round is told. */
function toldAfterMs(): Promise<number> {
	return new Promise((resolve) => {
		const output = document.querySelector('.game-result');
		if (!output) throw new Error('no result');
		new MutationObserver((_, observer) => {
			if (output.textContent === '') return;
			observer.disconnect();
			const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/PlayRound'));
			resolve(performance.now() - ((asked.at(-1) as PerformanceResourceTiming | undefined)?.responseEnd ?? 0));
		}).observe(output, { childList: true, characterData: true, subtree: true });
	});
}

it('a device that asks for less motion makes no round shorter', async () => {
	const { page } = await scene.member('phone', { reducedMotion: 'reduce' });
	await chooseUk();
	await page.goto('/casino/wheel');
	const bet = page.getByRole('button', { name: 'Bet ₹100' });
	await bet.waitFor();
	const told = page.evaluate(toldAfterMs);
	await bet.tap();
	// As long as the wheel turns for others.
	expect(await told).toBeGreaterThanOrEqual(1_800);
});

it('tells below Crash that a slow line is a disadvantage, and links from the home page to the limits', async () => {
	const { page } = await scene.member('phone');
	await page.goto('/casino/crash');
	await page.locator('.pay-table summary').tap();
	await page.getByText('On a slow line it arrives late, which is a disadvantage').waitFor();
	await goTo(page, '/');
	const links = page.getByRole('navigation', { name: TEXTS.brand.links });
	await links.getByRole('link', { name: TEXTS.frame.protection }).tap();
	await page.waitForURL('**/protection');
	await page.getByText(/^Deposit(s in 24 hours| limit of a calendar day)/).waitFor();
});
