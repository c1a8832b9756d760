/**
 * Random walks over the site: presses on whatever is in sight, keys, typed amounts, back, forward, reloads, a network
 * that is away, another brand. After each step nothing has failed in the page's console, the page is not empty, nothing
 * moved by itself, and the balance and what is held are those of the exchange. `SITE_WALKS` sets how many walks each width
 * takes, `SITE_WALKS_FROM` the first seed.
 *
 * @module-tag thorough
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Draw, randomFrom } from '#sports/random.ts';
import type { TestMatch } from '../support/match.ts';
import type { Width } from './browser.ts';
import { watchShifts } from './layout-shifts.ts';
import { Scene } from './scene.ts';

const FIRST_SEED = Number(process.env['SITE_WALKS_FROM'] ?? 1);
const STEPS = 120;
const WALKS = Number(process.env['SITE_WALKS'] ?? 4);
/** Of a page since it was loaded. */
const MOST_SHIFT = 0.02;

let scene: Scene;
let match: TestMatch;
beforeAll(async () => {
	scene = await Scene.open();
	match = await scene.match();
	await scene.openFancy(match);
});
afterEach(() => scene.leave());
afterAll(() => scene?.close());

interface Target {
	x: number;
	y: number;
	name: string;
	isField: boolean;
}

/** What can be pressed now: in sight, not covered, and of this site. */
const targetsOf = (page: Page): Promise<Target[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>('a[href], button, summary, [role="tab"], input, textarea')].flatMap(
			(element) => {
				const { left, top, width, height } = element.getBoundingClientRect();
				const [x, y] = [left + width / 2, top + height / 2];
				const at = document.elementFromPoint(x, y);
				if (!at || !(element === at || element.contains(at))) return [];
				if (element instanceof HTMLAnchorElement && (element.origin !== location.origin || element.target)) return [];
				if (element instanceof HTMLInputElement && element.type === 'file') return [];
				const isField = element.matches('input:not([type="checkbox"]):not([type="radio"]), textarea');
				const name = (element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40);
				return [{ x, y, name: name || element.className, isField }];
			},
		),
	);

const KEYS = ['Tab', 'Shift+Tab', 'Enter', 'Escape', ' ', 'ArrowUp', 'ArrowDown', '/', 'End', 'Home'] as const;
const TYPED = ['100', '2.5L', '1,000', 'abc', '-5', '०', 'India'] as const;
const PATHS = ['/', '/your-money', '/settings', '/open-bets', '/lobby', '/inplay', '/fairness', '/nowhere'] as const;
const BRANDS = ['localhost', 'monsoon.localhost'] as const;

/** The browser says so itself of each refusal and of each request without a network. */
const SAID_BY_BROWSER = /^Failed to load resource: (the server responded with a status of 4|net::)/;
/** What a page without a network cannot load; it shows that in words. */
const UNREACHED =
	/ERR_INTERNET_DISCONNECTED|WebSocket|Failed to fetch|Unable to preload CSS|dynamically imported module/;

const one = <Item>(items: readonly Item[], draw: Draw): Item => items[Math.floor(draw() * items.length)] as Item;

/**
 * Runs in the page: a step through the history, until the browser is there. Another page ends this one with it. The step
 * after it would otherwise fall into the change of pages, in which a browser refuses even a reload.
 */
async function arrive(way: 'back' | 'forward'): Promise<void> {
	if (!(way === 'back' ? navigation.canGoBack : navigation.canGoForward)) return;
	// The site may go on to elsewhere instead, such as from a dialog that Back closes.
	await navigation[way]().committed?.catch(() => undefined);
}

/** A player's walk on a page of theirs. */
class Walk {
	/** What was done so far, for the message of a failure. */
	readonly steps: string[] = [];
	readonly faults: string[] = [];
	readonly #page: Page;
	readonly #context: BrowserContext;
	readonly #width: Width;
	readonly #draw: Draw;
	#isOffline = false;
	/** What was last asked for without a network: the page may say that it failed when there is one again. */
	readonly #askedOffline = new Set<string>();

	constructor(page: Page, width: Width, draw: Draw) {
		this.#page = page;
		this.#context = page.context();
		this.#width = width;
		this.#draw = draw;
		page.on('pageerror', (error) => this.faults.push(`thrown: ${error.name} ${error.message} ${error.stack}`));
		page.on('console', (message) => {
			if (message.type() !== 'error' || SAID_BY_BROWSER.test(message.text())) return;
			if (this.#isUnreached(message.text())) return;
			this.faults.push(`console: ${message.text()}`);
		});
		page.on('request', (request) => {
			if (this.#isOffline) this.#askedOffline.add(request.url());
			else this.#askedOffline.delete(request.url());
		});
		page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
		this.#context.on('page', (other) => void other.close().catch(() => undefined));
	}

	#isUnreached(said: string): boolean {
		if (!UNREACHED.test(said)) return false;
		return this.#isOffline || [...this.#askedOffline].some((url) => said.includes(url));
	}

	async #press(): Promise<string> {
		await this.#page
			.locator('#root :is(a, button)')
			.first()
			.waitFor({ timeout: 5000 })
			.catch(() => undefined);
		const target = one(await targetsOf(this.#page), this.#draw);
		if (!target) return 'nothing to press';
		if (this.#width === 'phone') await this.#page.touchscreen.tap(target.x, target.y);
		else await this.#page.mouse.click(target.x, target.y);
		if (!target.isField) return `press ${target.name}`;
		const text = one(TYPED, this.#draw);
		await this.#page.keyboard.type(text);
		return `type ${text} into ${target.name}`;
	}

	async #go(path: string, host?: string): Promise<void> {
		const url = new URL(path, scene.server.url);
		url.hostname = host ?? new URL(this.#page.url()).hostname;
		await this.#page.goto(url.href);
	}

	/** Chance says which. Without a network the page is neither reloaded nor left. */
	async #step(): Promise<string> {
		const page = this.#page;
		const kind = this.#draw();
		if (kind < 0.66) return await this.#press();
		if (kind < 0.78) {
			const key = one(KEYS, this.#draw);
			await page.keyboard.press(key);
			return `key ${key}`;
		}
		if (kind < 0.84) {
			// A tab begins at an empty page: going back to it is leaving the site, which is no step of a walk over it.
			await this.#read(arrive, 'back');
			return 'back';
		}
		if (kind < 0.86) {
			await this.#read(arrive, 'forward');
			return 'forward';
		}
		if (kind < 0.9 || this.#isOffline) {
			if (this.#isOffline) {
				await this.#goOnline();
				return 'online';
			}
			this.#isOffline = true;
			await this.#context.setOffline(true);
			return 'offline';
		}
		if (kind < 0.94) {
			await page.reload();
			return 'reload';
		}
		if (kind < 0.98) {
			const path = one(PATHS, this.#draw);
			await this.#go(path);
			return `go to ${path}`;
		}
		const host = one(BRANDS, this.#draw);
		await this.#go(`/markets/${match.eventId}`, host);
		return `brand ${host}`;
	}

	/** @param what is read of the page; a page that is being left has nothing to read */
	async #read<Read, Given>(what: (given: Given) => Read, given: Given): Promise<Awaited<Read> | null> {
		try {
			return await this.#page.evaluate(what as never, given);
		} catch (failure) {
			if (/Execution context was destroyed|navigation|Cannot find context/.test(String(failure))) return null;
			throw failure;
		}
	}

	#fail(what: string): never {
		throw new Error([what, ...this.faults, 'after', ...this.steps].join('\n'));
	}

	/** What holds at once, whatever was done. */
	async #look(): Promise<void> {
		await this.#read(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))), null);
		if (this.faults.length > 0) this.#fail('the page reports a failure');
		const moved = await this.#read(() => (window.layoutShifts.shift > 0 ? window.layoutShifts : null), null);
		if (moved && moved.shift > MOST_SHIFT)
			this.#fail(`it moved by itself by ${moved.shift}: ${moved.moved.join('; ')}`);
	}

	/** What holds once what was asked is answered: the page says something, and its figures are those of the exchange. */
	async #settle(): Promise<void> {
		const page = this.#page;
		const { exchange } = scene.server.running;
		let wrong: string | null = null;
		await expect
			.poll(async () => {
				const seen = await this.#read(
					() => ({
						words: document.querySelector('#root')?.textContent?.trim().length ?? 0,
						figures: [...document.querySelectorAll('[data-figure]')].map(({ textContent }) => textContent),
						user: JSON.parse(localStorage.getItem('userinfo') ?? 'null')?.userId,
						dialogs: document.querySelectorAll('dialog[open]').length,
					}),
					null,
				);
				wrong = null;
				if (!seen) wrong = 'no page';
				else if (seen.words === 0) wrong = 'the page is empty';
				else if (seen.dialogs > 1) wrong = 'two dialogs are open';
				const wallet = seen?.user ? exchange.wallet(Number(seen.user)) : null;
				const amounts = (seen?.figures ?? []).map((text) => Number(text?.replace(/[^\d.]/g, '') || Number.NaN));
				for (const [at, minor] of [wallet?.cash, wallet?.exposure].entries()) {
					const amount = amounts[at] ?? Number.NaN;
					if (minor !== undefined && !Number.isNaN(amount) && Math.round(amount * 100) !== minor)
						wrong = `figure ${at} says ${amount} instead of ${minor / 100}`;
				}
				return wrong;
			})
			.toBe(null)
			.catch(() => this.#fail(`${wrong}, at ${page.url()}`));
	}

	async #goOnline(): Promise<void> {
		await this.#context.setOffline(false);
		this.#isOffline = false;
	}

	/** Without a network and without the service worker the browser has no page; it may say so a step later. */
	async #leaveErrorPage(): Promise<void> {
		if (!this.#page.url().startsWith('chrome-error:')) return;
		await this.#goOnline();
		await this.#go('/', 'localhost');
	}

	async take(count: number): Promise<void> {
		const page = this.#page;
		await watchShifts(page);
		await this.#go(`/markets/${match.eventId}`);
		for (let step = 1; step <= count; step++) {
			this.steps.push(
				await this.#step().catch((failure: unknown) => {
					// A press may begin to load another page while a step is on its way.
					if (/interrupted by another navigation|ERR_ABORTED|context was destroyed/.test(String(failure)))
						return 'left';
					return this.#fail(String(failure));
				}),
			);
			if (page.url() === 'about:blank') this.#fail('the site was left by itself');
			await this.#leaveErrorPage();
			await this.#look();
			if (step % 8 === 0 && !this.#isOffline) await this.#settle();
		}
		await this.#goOnline();
		await this.#leaveErrorPage();
		await this.#settle();
		await this.#go('/');
		await page.getByRole('heading', { level: 1 }).first().waitFor();
		await this.#look();
	}
}

describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
	it('walks meet no failure and no contradiction', { timeout: 600_000 }, async () => {
		for (let seed = FIRST_SEED; seed < FIRST_SEED + WALKS; seed++) {
			const { page } = await scene.player(width);
			const walk = new Walk(page, width, randomFrom(seed));
			await walk.take(STEPS).catch((failure: unknown) => {
				throw new Error(`seed ${seed}: ${String(failure)}`, { cause: failure });
			});
			await scene.leave();
		}
	});
});
