/** The list of matches: on a wide screen a line each with columns for its outcomes, on a phone its prices below. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { goTo, WIDTHS, type Width } from './browser.ts';
import { expectFine } from './fine-screen.ts';
import { EVENS, type Offer, Scene } from './scene.ts';

const FOOTBALL = 1;
const TENNIS = 2;
const CRICKET = 3;
const [KABADDI, HORSE_RACING] = [25, 26];

let scene: Scene;
let football: TestMatch;
let cricket: TestMatch;

beforeAll(async () => {
	scene = await Scene.share();
	football = await openTestMatch(scene.server, {
		sportId: FOOTBALL,
		title: 'Kerala v Goa',
		runners: [
			{ id: 'home', name: 'Kerala' },
			{ id: 'away', name: 'Goa' },
			{ id: 'draw', name: 'The Draw' },
		],
	});
	await quote(football, EVENS, EVENS, EVENS);
	cricket = await scene.match();
	for (let more = 0; more < 5; more++) await scene.match();
});
// A test that failed leaves its page anywhere.
afterEach(({ task }) => (task.result?.state === 'fail' ? leave() : undefined));
afterAll(() => scene?.close());

async function quote({ market }: TestMatch, ...offers: Offer[]): Promise<void> {
	const units = (levels: Offer['back']) =>
		levels.map(([price, size]) => ({ price: Math.round(price * 100), size: size * 100 }));
	await market.quote(offers.map(({ back, lay }) => ({ back: units(back), lay: units(lay) })));
}

const sidesOf = (title: string) => title.split(' v ').map((name, at) => ({ id: `side${at}`, name }));

const rowOf = (page: Page, { eventId }: TestMatch): Locator =>
	page.locator('.match-row', { has: page.locator(`.match-link[href="/markets/${eventId}"]`) });

const visitors = new Map<Width, Page>();

async function leave(): Promise<void> {
	visitors.clear();
	await scene.leave();
}

/** A list with its prices. One visitor for each kind of device goes from list to list, in windows of any size. */
async function list(sport: number, size: Size): Promise<Page> {
	const width = size.width < 600 ? 'phone' : 'desktop';
	const known = visitors.get(width);
	const page = known ?? (await scene.visitor(width));
	visitors.set(width, page);
	await page.setViewportSize(size);
	if (known) {
		// Nothing of the list before is there any more.
		await goTo(page, '/rules');
		await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
		await goTo(page, `/matchlist/${sport}`);
	} else await page.goto(`/matchlist/${sport}`);
	await page.locator('.match-row .price:not([data-empty])').first().waitFor();
	await page.evaluate(() => scrollTo(0, 0));
	return page;
}

interface Size {
	width: number;
	height: number;
}
const WIDE: Size = WIDTHS.desktop.viewport;
const TABLET: Size = { width: 768, height: 1024 };
const PHONE: Size = WIDTHS.phone.viewport;
const SMALL_PHONE: Size = { width: 320, height: 640 };

/** Left and right edge in whole pixels. */
const edges = (part: Locator): Promise<number[][]> =>
	part.evaluateAll((elements) =>
		elements.map((element) => {
			const { left, right } = element.getBoundingClientRect();
			return [Math.round(left), Math.round(right)];
		}),
	);

/** Where the rows, their names, stars and prices stand. */
const places = (page: Page): Promise<string[]> =>
	page.locator('.match-row, .match-row :is(.match-info, .match-names, .match-pin, .price)').evaluateAll((elements) =>
		elements.map((element) => {
			const { x, y, width, height } = element.getBoundingClientRect();
			return [element.className, ...[x, y, width, height].map(Math.round)].join(' ');
		}),
	);

/** Heights of the rows in pixels: as all are drawn, and as those count that were never in sight. */
const heights = (page: Page): Promise<Record<'drawn' | 'unseen', number[]>> =>
	page.locator('.match-row').evaluateAll((elements) => {
		const rows = elements.filter((element) => element instanceof HTMLElement);
		const heightsWith = (style: Partial<CSSStyleDeclaration>) =>
			rows.map((row) => {
				Object.assign(row.style, style);
				return row.getBoundingClientRect().height;
			});
		const drawn = heightsWith({ contentVisibility: 'visible' });
		// The browser remembers the height of a row that was in sight.
		for (const row of rows)
			row.style.containIntrinsicBlockSize = getComputedStyle(row).containIntrinsicBlockSize.replace('auto ', '');
		const unseen = heightsWith({ contentVisibility: 'hidden' });
		heightsWith({ contentVisibility: '', containIntrinsicBlockSize: '' });
		return { drawn, unseen };
	});

/** A test that holds in every window: `npm test` runs it in one of that size, `npm run test:all` in the others, too. */
const mainlyIn = (wanted: Size, size: Size) => (wanted === size ? {} : ({ tags: 'thorough' } as const));

describe.each([
	['a desktop', WIDE],
	['a small desktop', { width: 1024, height: 768 }],
	['a tablet', TABLET],
])('on %s', (_, size) => {
	it('a match is one line: its names, its star, and under 1, X and 2 a pair of prices each', {
		tags: 'thorough',
	}, async () => {
		const page = await list(FOOTBALL, size);
		const row = rowOf(page, football);
		const heads = page.locator('.match-pair-head');
		expect(await heads.allTextContents()).toEqual(['Back1Lay', 'BackXLay', 'Back2Lay']);
		expect(await edges(row.locator('.match-pair'))).toEqual(await edges(heads));
		const tops = await row
			.locator('.price')
			.evaluateAll((prices) => [...new Set(prices.map((price) => price.getBoundingClientRect().top))]);
		expect(tops).toHaveLength(1);
		expect(await row.locator('.price > .unseen').allTextContents()).toEqual(
			['Kerala', 'The Draw', 'Goa'].flatMap((name) => [
				`Back ${name} 2.00, 1,000 available`,
				`Lay ${name} 2.02, 1,000 available`,
			]),
		);
		const [home, away] = await row.locator('.match-side').all();
		expect((await away?.boundingBox())?.y).toBeGreaterThan((await home?.boundingBox())?.y ?? 0);
		await expectFine(page, 'desktop');
	});

	it('a sport without draws has no column for one, and its rows are 56 pixels high', { tags: 'thorough' }, async () => {
		const page = await list(CRICKET, size);
		const heads = page.locator('.match-pair-head');
		expect(await heads.allTextContents()).toEqual(['Back1Lay', 'Back2Lay']);
		expect(await edges(rowOf(page, cricket).locator('.match-pair'))).toEqual(await edges(heads));
		const heights = await page
			.locator('.match-rows > .match-row:first-child')
			.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
		expect(new Set(heights)).toEqual(new Set([56]));
	});

	it('one head covers all groups and stays in sight, and ended matches take one row', {
		tags: 'thorough',
	}, async () => {
		const ended = await scene.match({ title: 'Delhi v Pune', status: 'FINISHED' });
		const page = await list(CRICKET, size);
		expect(await page.locator('.match-head').count()).toBe(1);
		expect(await rowOf(page, ended).count()).toBe(0);
		const results = page.locator('.results');
		await results.getByText('Finished').click();
		await results.getByRole('link', { name: 'Delhi v Pune' }).first().waitFor();
		await page.setViewportSize({ ...size, height: 400 });
		await page.mouse.move(size.width / 2, 300);
		await page.mouse.wheel(0, 300);
		const header = page.locator('.top-header');
		await expect
			.poll(async () => Math.round((await page.locator('.match-head').boundingBox())?.y ?? 0))
			.toBe(Math.round((await header.boundingBox())?.height ?? 0));
	});
});

describe.each([
	['a desktop', WIDE],
	['a phone', PHONE],
])('around the list on %s', (_, size) => {
	it('the highlights’ controls cover none of their cards, and beside a short page there is no empty strip', {
		tags: 'thorough',
	}, async () => {
		const page = await list(FOOTBALL, size);
		const controls = await page.locator('.slider-controls').boundingBox();
		const cards = await page.locator('.slides').boundingBox();
		expect((cards?.x ?? 0) + (cards?.width ?? 0)).toBeLessThanOrEqual(controls?.x ?? 0);
		const colours = await page.evaluate(() =>
			['html', '.top-header'].map((part) => getComputedStyle(document.querySelector(part) as Element).backgroundColor),
		);
		expect(new Set(colours).size).toBe(1);
	});

	it('the biggest match in play stands above the list with its score and prices, stays while it is played, and opens', {
		tags: 'thorough',
	}, async () => {
		const { token } = await scene.server.demoPlayer();
		const kabaddi = (title: string) =>
			scene.match({ sportId: KABADDI, title, status: 'IN_PLAY', scoreLine: '42-33', runners: sidesOf(title) });
		const [small, big] = [await kabaddi('Patna v Surat'), await kabaddi('Ahmedabad Lions v Bengaluru Comets')];
		onTestFinished(async () => void (await Promise.all([small, big].map((match) => match.settle(0)))));
		const bet = (match: TestMatch, stake: number) =>
			scene.server.result('placeBetV2', betOn(match, { price: 1.5, stake }), token);
		await bet(big, 300);
		// Visitors see the other pool, in which nothing was matched.
		const { page } = await scene.player(size.width < 600 ? 'phone' : 'desktop');
		await page.goto(`/matchlist/${KABADDI}`);
		const hero = page.locator('.hero');
		await hero.and(page.getByRole('article', { name: 'Ahmedabad Lions v Bengaluru Comets' })).waitFor();
		expect(await hero.locator('.hero-figure').innerText()).toContain('42');
		const names = hero.locator('.hero-side > bdi');
		expect(await names.evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth).length)).toBe(0);
		await bet(small, 900);
		await quote(big, { back: [[3.4, 1000]], lay: [[3.5, 1000]] }, EVENS);
		await hero.getByRole('button', { name: /^Back Ahmedabad Lions 3\.40, / }).waitFor();
		expect(await hero.getAttribute('aria-label')).toBe('Ahmedabad Lions v Bengaluru Comets');
		expect(await hero.locator('.hero-chart').count()).toBe(size.width < 600 ? 0 : 1);
		await hero.getByRole('link', { name: 'Ahmedabad Lions v Bengaluru Comets' }).click({ position: { x: 10, y: 10 } });
		await page.waitForURL(`**/markets/${big.eventId}`);
	});

	it('a score is whole in its row, beside any volume and any text', { tags: 'thorough' }, async () => {
		const score = '6-7 (5-7) 7-5 5-4 (40-30)';
		const tennis = await scene.match({ sportId: TENNIS, status: 'IN_PLAY', scoreLine: score });
		const { token } = await scene.server.demoPlayer();
		await scene.server.result('placeBetV2', betOn(tennis, { price: 1.5, stake: 500 }), token);
		const page = await list(TENNIS, size);
		const row = rowOf(page, tennis);
		await row.locator('.match-score').getByText('6-7 (5-7) 7-5 5-4').waitFor();
		await row.locator('.match-note').getByText('40-30').waitFor();
		const cut = await row
			.locator('.match-score, .match-note, .match-state')
			.evaluateAll((parts) => parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
		expect(cut).toBe(0);
	});
});

/** In the page, from its start: the rows that waited at once, the heights of the list meanwhile, and formatters of the browser. */
function watchFirstList(): void {
	const seen = { waited: 0, heights: [] as number[], formatters: 0 };
	Object.assign(globalThis, { seen });
	for (const name of ['DateTimeFormat', 'NumberFormat'] as const) {
		Object.assign(Intl, {
			[name]: new Proxy(Intl[name], {
				construct(made, options) {
					seen.formatters++;
					return Reflect.construct(made, options);
				},
			}),
		});
	}
	new MutationObserver(() => {
		const list = document.querySelector<HTMLElement>('.match-table:has(.match-row)');
		if (!list) return;
		seen.waited = Math.max(seen.waited, list.querySelectorAll('.match-row:empty').length);
		if (seen.heights.at(-1) !== list.offsetHeight) seen.heights.push(list.offsetHeight);
	}).observe(document, { childList: true, subtree: true });
}

describe('on a phone', () => {
	it('the first list is drawn from its top, in the height that it keeps, and makes no formatter of the browser', async () => {
		for (let more = 0; more < 3; more++) await scene.match();
		const page = await scene.visitor('phone');
		await page.addInitScript(watchFirstList);
		await page.goto(`/matchlist/${CRICKET}`);
		await page.locator('.match-row .price').first().waitFor();
		await expect.poll(() => page.locator('.match-row:empty').count()).toBe(0);
		const seen = await page.evaluate(() => (globalThis as unknown as { seen: Record<string, unknown> }).seen);
		expect(seen).toEqual({ waited: expect.any(Number), heights: [expect.any(Number)], formatters: 0 });
		expect(seen['waited']).toBeGreaterThan(0);
	});

	it('the first view has five matches, each with all its prices', { tags: 'thorough' }, async () => {
		const page = await list(CRICKET, PHONE);
		const bar = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox();
		const whole = await page
			.locator('.match-row')
			.evaluateAll((rows, end) => rows.filter((row) => row.getBoundingClientRect().bottom <= end).length, bar?.y ?? 0);
		expect(whole).toBeGreaterThanOrEqual(5);
		await expectFine(page, 'phone');
	});

	describe.each([PHONE, SMALL_PHONE])('of $width px', (size) => {
		it('prices are below the names, as wide as a finger, under 1, X and 2', mainlyIn(SMALL_PHONE, size), async () => {
			const page = await list(FOOTBALL, size);
			const row = rowOf(page, football);
			expect(await edges(row.locator('.match-pair'))).toEqual(await edges(page.locator('.match-pair-head')));
			const names = await row.locator('.match-info').boundingBox();
			for (const price of await row.locator('.price').all()) {
				const box = await price.boundingBox();
				expect(box?.y).toBeGreaterThanOrEqual((names?.y ?? 0) + (names?.height ?? 0));
				expect(box?.width).toBeGreaterThanOrEqual(44);
				expect(box?.height).toBeGreaterThanOrEqual(48);
			}
			await expectFine(page, 'phone');
		});
	});
});

describe.each([
	['a desktop', WIDE],
	['a phone', PHONE],
])('on %s', (_, size) => {
	it('no row moves or grows: not by prices, gaps, a suspension or a longer figure', mainlyIn(PHONE, size), async () => {
		const page = await list(FOOTBALL, size);
		const row = rowOf(page, football);
		const before = await places(page);
		const best = row.locator('.price').first();
		for (const [offer, written] of [
			[{ back: [[1000, 500_000]], lay: [] }, '1000'],
			[{ back: [], lay: [] }, '–'],
			[{ back: [[1.01, 12_400]], lay: [[1.02, 15]] }, '1.01'],
			[EVENS, '2.00'],
		] as const) {
			await quote(football, offer, EVENS, offer);
			await best.getByText(written, { exact: true }).waitFor();
			expect(await places(page), written).toEqual(before);
		}
		await football.market.suspend();
		await row.locator('.match-cover').waitFor();
		expect(await places(page)).toEqual(before);
		await football.market.resume();
		await row.locator('.match-cover').waitFor({ state: 'detached' });
	});

	it(
		'a row that was never in sight is as high as when it is drawn, so that Back finds the list where it was',
		mainlyIn(PHONE, size),
		async () => {
			const horses = ['Comet', 'Dawn', 'Ember', 'Frost', 'Glow', 'Haze', 'Iris'].map((name) => ({ id: name, name }));
			for (const count of [4, 7]) {
				const race = await scene.match({
					sportId: HORSE_RACING,
					title: `Pune, ${count}`,
					runners: horses.slice(0, count),
				});
				await quote(race, ...Array<Offer>(count).fill(EVENS));
			}
			for (const sport of [FOOTBALL, HORSE_RACING]) {
				const { drawn, unseen } = await heights(await list(sport, size));
				expect(drawn[0]).toBeGreaterThan(50);
				expect(unseen).toEqual(drawn);
			}
		},
	);

	it('a suspension covers the prices of its own row and nothing else', { tags: 'thorough' }, async () => {
		const page = await list(CRICKET, size);
		const row = rowOf(page, cricket);
		await cricket.market.suspend();
		const cover = row.locator('.match-cover');
		await cover.getByText('Suspended').waitFor();
		expect(await page.locator('.match-cover').count()).toBe(1);
		const [over, prices] = [await cover.boundingBox(), await row.locator('.match-columns').boundingBox()];
		expect(over).toEqual(prices);
		expect(await row.locator('.price:enabled').count()).toBe(0);
		const pin = row.getByRole('button', { name: 'Add India v Nepal to favourites' });
		await pin.click();
		await row.getByRole('button', { name: 'Remove India v Nepal from favourites' }).waitFor();
		await cricket.market.resume();
		await cover.waitFor({ state: 'detached' });
		await row.locator('.match-link').click();
		await page.waitForURL(`**/markets/${cricket.eventId}`);
	});

	it('the Tab key goes as one reads: the match, its star, its prices from left to right', {
		tags: 'thorough',
	}, async () => {
		const page = await list(FOOTBALL, size);
		const row = rowOf(page, football);
		await row.locator('.price:enabled').first().waitFor();
		await row.locator('.match-link').focus();
		const passed: string[] = [];
		for (let stop = 0; stop < 8; stop++) {
			passed.push(
				await page.evaluate(
					() => document.activeElement?.ariaLabel ?? document.activeElement?.children[0]?.textContent ?? '',
				),
			);
			await page.keyboard.press('Tab');
		}
		expect(passed.map((name) => name.replace(/ [\d.]+, .*/, ''))).toEqual([
			'Kerala v Goa',
			'Add Kerala v Goa to favourites',
			'Back Kerala',
			'Lay Kerala',
			'Back The Draw',
			'Lay The Draw',
			'Back Goa',
			'Lay Goa',
		]);
	});
});
