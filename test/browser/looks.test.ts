/**
 * What the site looks like as a whole: the badge of its sports, and what moves when a bet is matched or a goal falls.
 *
 * @module-tag thorough
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quotesAround, type TestMatch } from '../support/match.ts';
import { hideTab, mainlyOn } from './browser.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
	scene = await Scene.open();
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

/** Gives the match a football card: India's goals, and its state. */
function scorer({ eventId }: TestMatch) {
	let version = 0;
	return async (goals: number, state: 'IN_PLAY' | 'FINISHED'): Promise<void> => {
		version += 1;
		const side = { yellowCards: 0, redCards: 0 };
		const card = {
			sport: 'football' as const,
			eventId,
			version,
			state,
			note: '',
			half: 1 as const,
			minute: 10,
			addedMinute: 0,
			teams: [
				{ name: 'India', goals, ...side },
				{ name: 'Nepal', goals: 0, ...side },
			],
			incidents: [],
		};
		await scene.server.running.fixtures.setScore(Number(eventId), card, `${goals}-0`);
	};
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('says once that its sports are simulated, and in no row', mainlyOn('desktop', width), async () => {
		await scene.match();
		const page = await scene.visitor(width);
		await page.goto('/matchlist/3');
		await page.locator('.match-row').first().waitFor();
		await page.locator('footer').waitFor();
		const badges = page.locator('.site-badge').filter({ visible: true });
		await expect.poll(() => badges.allTextContents()).toEqual(['Simulated']);
		expect(
			await page
				.locator('.match-row')
				.filter({ hasText: /simulated/i })
				.count(),
		).toBe(0);
	});

	it.each([
		[
			'no-preference',
			[
				['Goal!', 'India'],
				['Finished', ''],
			],
		],
		['reduce', []],
	] as const)(
		'a goal and the end take the panel over for a moment; where motion is %s: %j',
		mainlyOn('phone', width),
		async (reducedMotion, expected) => {
			const match = await scene.match({ sportId: 1, status: 'IN_PLAY' });
			const card = scorer(match);
			await card(0, 'IN_PLAY');
			const { page } = await scene.playerAt(match, width, { reducedMotion });
			await page.locator('.board-figure').getByText('0 – 0').waitFor();
			// The takeover is a file of its own, loaded last.
			await page.waitForLoadState('networkidle');
			await page.evaluate(() => {
				const taken: string[][] = [];
				Object.assign(window, { taken });
				new MutationObserver(() => {
					const shown = document.querySelector('.takeover');
					const words = [...(shown?.children ?? [])].map(({ textContent }) => textContent ?? '');
					if (shown && taken.at(-1)?.join() !== words.join()) taken.push(words);
				}).observe(document.body, { childList: true, subtree: true });
			});
			const taken = () => page.evaluate(() => (window as unknown as { taken: string[][] }).taken);
			await card(1, 'IN_PLAY');
			await page.locator('.board-figure').getByText('1 – 0').waitFor();
			await page.locator('.takeover').waitFor({ state: 'detached' });
			await expect.poll(taken).toEqual(expected.slice(0, 1));
			await card(1, 'FINISHED');
			await expect.poll(taken).toEqual(expected);
			await page.locator('.takeover').waitFor({ state: 'detached' });
		},
	);

	it.each([
		['no-preference', 1],
		['reduce', 0],
	] as const)(
		'a matched bet slides to the open bets; where motion is %s: %i',
		{ tags: 'thorough' },
		async (reducedMotion, flights) => {
			const match = await scene.match();
			const { page } = await scene.playerAt(match, width, { reducedMotion });
			await page.evaluate(() => {
				const flights: string[][] = [];
				Object.assign(window, { flights });
				new MutationObserver((changes) => {
					for (const { addedNodes } of changes)
						for (const node of addedNodes) {
							if (!(node instanceof HTMLElement && node.matches('.flying'))) continue;
							const frames = node.getAnimations().flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes());
							const moved = new Set(frames.flatMap((frame) => Object.keys(frame)));
							for (const name of ['offset', 'computedOffset', 'easing', 'composite']) moved.delete(name);
							flights.push([...moved].sort());
						}
				}).observe(document.body, { childList: true });
			});
			await page
				.getByRole('button', { name: /^Back India 2\.00, / })
				.last()
				.click();
			await page.getByLabel('Stake', { exact: true }).fill('100');
			await page.getByLabel('Stake', { exact: true }).press('Enter');
			await page.locator('.slip-card').getByText('Matched: ₹100 at 2.00').waitFor();
			const seen = () => page.evaluate(() => (window as unknown as { flights: string[][] }).flights);
			await expect.poll(seen).toEqual(Array.from({ length: flights }, () => ['opacity', 'transform']));
			await page.locator('.flying').waitFor({ state: 'detached' });
		},
	);
});

it('scrolled away, the scoreboard leaves a strip of 44 pixels with the score and the best prices', {
	tags: 'thorough',
}, async () => {
	const runners = ['India', 'Nepal', 'The Draw'].map((name) => ({ id: name, name }));
	const match = await scene.match({ sportId: 1, status: 'IN_PLAY', runners });
	await match.market.quote(runners.map(() => quotesAround(200)));
	await scorer(match)(1, 'IN_PLAY');
	const { page } = await scene.playerAt(match, 'phone');
	await page.locator('.board-figure').getByText('1 – 0').waitFor();
	const strip = page.locator('.board-strip');
	expect(await strip.isVisible()).toBe(false);
	await page.setViewportSize({ width: 320, height: 400 });
	const widest = () =>
		page
			.locator('.market, .match-panel, .scoreboard')
			.evaluateAll((boxes) => Math.max(...boxes.map((box) => box.getBoundingClientRect().right)));
	await expect.poll(widest).toBeLessThanOrEqual(320);
	// Past the scoreboard, and not past the markets that the strip stays with.
	await page.mouse.wheel(0, 160);
	await page.locator('.board-strip[data-shown] .strip-line').waitFor();
	const box = await page.locator('.strip-line').boundingBox();
	const header = await page.locator('.top-header').boundingBox();
	expect(box?.height).toBe(44);
	expect(Math.round(box?.y ?? 0)).toBe(Math.round((header?.y ?? 0) + (header?.height ?? 0)));
	expect(await page.locator('.strip-score').innerText()).toContain('1 – 0');
	expect(await page.locator('.strip-price').count()).toBe(3);
});

it('a goal that the hub told of is not taken back by an answer from before it', { tags: 'thorough' }, async () => {
	const match = await scene.match({ sportId: 1, status: 'IN_PLAY' });
	const card = scorer(match);
	await card(0, 'IN_PLAY');
	const { page } = await scene.playerAt(match, 'phone');
	const figure = page.locator('.board-figure');
	await figure.getByText('0 – 0').waitFor();
	await page.locator('.market-row .price:not(:disabled)').first().waitFor();
	const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	await page.route('**/Sport/GetScoreCard**', async (route) => {
		const answer = await route.fetch();
		asked.resolve();
		await gate.promise;
		await route.fulfill({ response: answer });
	});
	// It asks again when its tab comes to the front.
	await hideTab(page, false);
	await asked.promise;
	await card(1, 'IN_PLAY');
	await figure.getByText('1 – 0').waitFor();
	const late = page.waitForResponse('**/Sport/GetScoreCard**');
	gate.resolve();
	await (await late).finished();
	for (let frame = 0; frame < 5; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
	expect(await figure.innerText()).toContain('1 – 0');
});
