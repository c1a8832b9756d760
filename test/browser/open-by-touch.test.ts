/** A match opens when the finger leaves its row; all that is no short press of one finger is left to the browser. */
import type { CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestMatch } from '../support/match.ts';
import { goTo, holdCalls, mainlyOn, type Width } from './browser.ts';
import { Scene } from './scene.ts';

const MATCHES = 12;
/** The page loads what comes after the first screen, and draws matches ahead from then on. */
const LOADED_AHEAD_MS = 3_000;
/** A finger that rests so long gets its match drawn. */
const RESTED_MS = 60;
/** By then a match that is shown counts as painted. */
const PAINTED_MS = 400;
const LINK = '.match-link';

let scene: Scene;
let matches: TestMatch[];
beforeAll(async () => {
	scene = await Scene.share();
	matches = [];
	for (let count = 0; count < MATCHES; count++) matches.push(await scene.match());
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

interface Point {
	x: number;
	y: number;
}
interface Touch extends Point {
	id?: number;
}

/** A finger or a mouse whose times are the test's own: the browser stamps its events with them. */
class Finger {
	readonly #devtools: CDPSession;
	#seconds = Date.now() / 1000;
	/** Held while it is down: 1 is Alt, 2 is Control, 4 is Meta, 8 is Shift. */
	modifiers = 0;

	private constructor(devtools: CDPSession) {
		this.#devtools = devtools;
	}

	static async at(page: Page): Promise<Finger> {
		return new Finger(await page.context().newCDPSession(page));
	}

	#touch(type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', touchPoints: Touch[]): Promise<unknown> {
		const { modifiers } = this;
		return this.#devtools.send('Input.dispatchTouchEvent', { type, touchPoints, modifiers, timestamp: this.#seconds });
	}

	/** Lets time pass. */
	rest(ms: number): void {
		this.#seconds += ms / 1000;
	}

	down(...at: Touch[]): Promise<unknown> {
		return this.#touch('touchStart', at);
	}
	move(at: Point): Promise<unknown> {
		return this.#touch('touchMove', [at]);
	}
	up(): Promise<unknown> {
		return this.#touch('touchEnd', []);
	}

	/** With a mouse. @param count 2 for the second click of a double click */
	async click({ x, y }: Point, count: number): Promise<void> {
		for (const type of ['mousePressed', 'mouseReleased'] as const)
			await this.#devtools.send('Input.dispatchMouseEvent', {
				type,
				x,
				y,
				button: 'left',
				clickCount: count,
				timestamp: this.#seconds,
			});
	}

	async tap(at: Point, restMs = 60): Promise<void> {
		await this.down(at);
		this.rest(restMs);
		await this.up();
	}
}

/** The list, once the page follows the finger itself. */
async function openList(page: Page): Promise<void> {
	const file = page.waitForResponse(/\/open-by-touch-/);
	await page.goto('/matchlist/3');
	await page.locator('.match-row .price:enabled').first().waitFor();
	// It runs once, for the page; what is evaluated is a text, because the test's own imports are the test's.
	await page.evaluate(`import(${JSON.stringify((await file).url())})`);
	await page.evaluate(() => {
		window.ended = [];
		window.clicks = [];
		addEventListener('touchend', ({ defaultPrevented }) => window.ended.push(defaultPrevented));
		addEventListener('click', ({ isTrusted }) => window.clicks.push(isTrusted), { capture: true });
	});
}

declare global {
	interface Window {
		/** For each lifted finger, whether the page took it. */
		ended: boolean[];
		/** For each click, whether it is the browser's own. */
		clicks: boolean[];
	}
}

async function middleOf(target: Locator): Promise<Point> {
	const box = await target.boundingBox();
	if (!box) throw new Error('It is not shown.');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const linkTo = (page: Page, match: TestMatch | undefined): Locator =>
	page.locator(`${LINK}[href="/markets/${match?.eventId}"]`);

type Press = (finger: Finger, at: Point, page: Page) => Promise<unknown>;

/** Each is left to the browser. */
const LEFT: Record<string, Press> = {
	'a finger that moved': async (finger, at) => {
		await finger.down(at);
		await finger.move({ ...at, x: at.x + 40 });
		await finger.move(at);
		await finger.up();
	},
	'a long press': (finger, at) => finger.tap(at, 700),
	'a second finger': async (finger, at) => {
		const one = { ...at, id: 0 };
		await finger.down(one);
		await finger.down(one, { x: at.x, y: at.y + 200, id: 1 });
		await finger.up();
	},
	'a key that is held': async (finger, at) => {
		finger.modifiers = 2;
		await finger.tap(at);
		finger.modifiers = 0;
	},
	'what came to lie over the row': async (finger, at, page) => {
		await finger.down(at);
		const cover = await page.evaluateHandle(() => {
			const element = document.body.appendChild(document.createElement('div'));
			element.setAttribute('style', 'position: fixed; inset: 0; z-index: 1000');
			return element;
		});
		await finger.up();
		await cover.evaluate((element) => element.remove());
	},
	'a list that scrolls while the finger is down': async (finger, at, page) => {
		await finger.down(at);
		await page.evaluate(
			() =>
				new Promise((resolve) => {
					addEventListener('scroll', resolve, { once: true, capture: true });
					scrollBy(0, 1);
				}),
		);
		await finger.up();
	},
	'a star': async (finger, _, page) => finger.tap(await middleOf(page.locator('.match-pin').nth(1))),
	'a price': async (finger, _, page) => finger.tap(await middleOf(page.locator('.match-row .price').nth(4))),
};

it('a short press of one finger opens the match without a click of the browser, and back is where the list was; any other press is left to the browser', async () => {
	const { page } = await scene.player('phone');
	await openList(page);
	const finger = await Finger.at(page);
	// Meanwhile no click of the browser gets anywhere, so that the list stays.
	const stopping = await page.evaluateHandle(() => {
		const controller = new AbortController();
		const stop = (event: Event) => {
			event.preventDefault();
			event.stopImmediatePropagation();
		};
		addEventListener('click', stop, { capture: true, signal: controller.signal });
		return controller;
	});
	const taken: Record<string, boolean[]> = {};
	for (const [name, press] of Object.entries(LEFT)) {
		finger.rest(5_000);
		await press(finger, await middleOf(page.locator(LINK).nth(1)), page);
		taken[name] = await page.evaluate(() => window.ended.splice(0));
	}
	expect(taken).toEqual(
		Object.fromEntries(Object.keys(LEFT).map((name) => [name, name === 'a second finger' ? [false, false] : [false]])),
	);

	await stopping.evaluate((controller) => controller.abort());
	const link = linkTo(page, matches[9]);
	await link.scrollIntoViewIfNeeded();
	const scrolled = await page.evaluate(() => scrollY);
	expect(scrolled).toBeGreaterThan(0);
	await page.evaluate(() => window.clicks.splice(0));
	finger.rest(5_000);
	await finger.tap(await middleOf(link));
	await page.waitForURL(`**/markets/${matches[9]?.eventId}`);
	await page.locator('.market .price:enabled').first().waitFor();
	expect(await page.evaluate(() => ({ ended: window.ended, clicks: window.clicks }))).toEqual({
		ended: [true],
		clicks: [false],
	});
	expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY']);
	await page.goBack();
	await link.waitFor();
	await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
});

/** The list, once the page draws matches ahead; the page's clock stands, and so do its frames. */
async function openListAhead(page: Page): Promise<void> {
	await page.clock.install();
	await openList(page);
	await page.clock.runFor(LOADED_AHEAD_MS);
	await page.locator('.match-ahead').waitFor({ state: 'attached' });
	await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
}

/** A frame of the browser's own, in which it tells of what was scrolled before. */
const frame = (page: Page): Promise<void> =>
	page.evaluate(() => new Promise((resolve) => new IntersectionObserver(() => resolve()).observe(document.body)));

it('a match is drawn while the finger rests, is shown when it leaves, and only then the list is taken out', {
	tags: 'thorough',
}, async () => {
	const { page } = await scene.player('phone');
	await openListAhead(page);
	const finger = await Finger.at(page);
	const ahead = page.locator('.match-ahead');
	const drawn = ahead.locator('.market');
	const link = linkTo(page, matches[9]);
	await link.scrollIntoViewIfNeeded();
	const scrolled = await page.evaluate(() => scrollY);
	const at = await middleOf(link);
	const rest = async () => {
		await frame(page);
		// The page's clock stamps its events, too: this touch is not the end of a scroll or of a double press.
		await page.clock.runFor(1_000);
		const isDown = page.evaluate(
			() => new Promise<void>((resolve) => addEventListener('touchstart', () => resolve(), { once: true })),
		);
		await finger.down(at);
		await isDown;
		await page.clock.runFor(RESTED_MS);
		await drawn.waitFor({ state: 'attached' });
	};

	// Out of sight, and gone with a finger that scrolls.
	await rest();
	expect(await ahead.evaluate(({ ariaHidden, clientHeight }) => ({ ariaHidden, clientHeight }))).toEqual({
		ariaHidden: 'true',
		clientHeight: 0,
	});
	await finger.move({ ...at, x: at.x + 40 });
	await drawn.waitFor({ state: 'detached' });
	await finger.up();

	// Shown before its first frame is painted and its address noted; Back in that moment brings the list back as it was.
	await rest();
	await finger.up();
	await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
	await drawn.locator('.price:enabled').first().waitFor();
	expect(await link.isVisible()).toBe(false);
	expect(new URL(page.url()).pathname).not.toBe(`/markets/${matches[9]?.eventId}`);
	await page.evaluate(() => history.back());
	await page.clock.runFor(PAINTED_MS);
	await drawn.waitFor({ state: 'detached' });
	await link.waitFor();
	await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);

	// Painted, it is the screen, with its address, and the list is gone; another screen takes its place.
	await rest();
	await finger.up();
	await page.clock.runFor(PAINTED_MS);
	await link.waitFor({ state: 'detached' });
	expect(new URL(page.url()).pathname).toBe(`/markets/${matches[9]?.eventId}`);
	await page.locator('.market .price:enabled').first().waitFor();
	await page.goBack();
	await page.clock.runFor(PAINTED_MS);
	await link.waitFor();
	await drawn.waitFor({ state: 'detached' });
});

/** Scrolls the list so that the middle of one of its links is at that height. */
async function linkAtHeight(page: Page, y: number): Promise<Point> {
	const links = await page.locator(LINK).all();
	for (const link of links) {
		const at = await middleOf(link);
		if (at.y < y) continue;
		await page.evaluate((by) => scrollBy(0, by), at.y - y);
		const now = await middleOf(link);
		if (Math.abs(now.y - y) < 2) return { ...now, y };
	}
	throw new Error('No link gets there.');
}

describe.each(['phone', 'desktop'] as const)('on a %s', (width: Width) => {
	it(
		'the second half of a double press takes no price of the match that the first half opened',
		mainlyOn('phone', width),
		async () => {
			const { page } = await scene.player(width);
			await openList(page);
			await goTo(page, `/markets/${matches[0]?.eventId}`);
			const price = page.locator('.market .price:enabled').first();
			await price.waitFor();
			const place = await middleOf(price);
			await page.goBack();
			await page.locator('.match-row .price:enabled').first().waitFor();
			const { y } = await linkAtHeight(page, place.y);
			const at = { x: place.x, y };
			const finger = await Finger.at(page);
			const press = (count: number) => (width === 'phone' ? finger.tap(at) : finger.click(at, count));
			finger.rest(5_000);
			await press(1);
			await price.waitFor();
			finger.rest(100);
			await press(2);
			expect(await page.locator('.price[aria-pressed="true"]').count()).toBe(0);
			// The same press a moment later means the price.
			finger.rest(1_000);
			await press(1);
			await page.locator('.market .price[aria-pressed="true"]').waitFor();
		},
	);
});

describe('the loading line', () => {
	it('shows when a call has taken 150 ms, and goes with its answer', { tags: 'thorough' }, async () => {
		const { page } = await scene.player('phone');
		await page.clock.install();
		await openList(page);
		await page.waitForLoadState('networkidle');
		await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
		const held = await holdCalls(page, '**/Market/GetByEventId**');
		const line = page.locator('.loading-line');
		await goTo(page, `/markets/${matches[0]?.eventId}`);
		await held.arrived;
		await page.clock.runFor(149);
		expect(await line.count()).toBe(0);
		await page.clock.runFor(1);
		await line.waitFor();
		held.release();
		await line.waitFor({ state: 'detached' });
	});
});
