/**
 * Random walks in Chromium, Firefox and WebKit, over the few acts that all three can be told: presses on what is in sight,
 * typed text, keys, back, reloads, other screens. After each step nothing was thrown and one dialog is open at most; the
 * page says something, and its figures are those of the exchange. site-walks.test.ts does more, in Chromium alone.
 * `ENGINE_WALKS_FROM` sets the seed.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Draw, randomFrom } from '#sports/random.ts';
import { feedParts } from '../support/feed-parts.ts';
import { openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { demoLogin } from './browser.ts';
import { type Engine, type EngineDriver, SIZES } from './engines/engine-driver.ts';
import { CHROMIUM, FIREFOX } from './engines/puppeteer-driver.ts';
import { WEBKIT } from './engines/webkit-driver.ts';

const ENGINES: readonly Engine[] = [CHROMIUM, FIREFOX, WEBKIT];
const SEED = Number(process.env['ENGINE_WALKS_FROM'] ?? 1);
const STEPS = 80;

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await TestServer.start();
	await feedParts(server);
	match = await openTestMatch(server);
	await match.market.quote([quotesAround(200), quotesAround(210)]);
});
afterAll(() => server?.dispose());

const TYPED = ['100', '2.5L', '1,000', 'abc', '3/2', '०', 'India'] as const;
const PATHS = ['/', '/your-money', '/settings', '/open-bets', '/lobby', '/inplay', '/fairness', '/nowhere'] as const;
const one = <Item>(items: readonly Item[], draw: Draw): Item => items[Math.floor(draw() * items.length)] as Item;

interface Spot {
	x: number;
	y: number;
	name: string;
	isField: boolean;
}

/** In the page: what can be pressed, is in sight, is not covered, and stays on the site. */
function spotsInSight(): Spot[] {
	return [...document.querySelectorAll<HTMLElement>('a[href], button, summary, [role="tab"], input, textarea')].flatMap(
		(element) => {
			const { left, top, width, height } = element.getBoundingClientRect();
			const [x, y] = [left + width / 2, top + height / 2];
			const at = document.elementFromPoint(x, y);
			if (!at || !element.contains(at)) return [];
			if (element instanceof HTMLAnchorElement && (element.origin !== location.origin || element.target)) return [];
			if (element.matches('input[type="file"], select')) return [];
			const isField = element.matches('input:not([type="checkbox"]):not([type="radio"]), textarea');
			return [{ x, y, isField, name: (element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40) }];
		},
	);
}

/** In the page: keeps what is thrown from now on; a page that was loaded again begins again. */
function listen(): void {
	const kept = globalThis as { thrown?: string[] };
	if (kept.thrown) return;
	kept.thrown = [];
	addEventListener('error', ({ message }) => kept.thrown?.push(message));
	addEventListener('unhandledrejection', ({ reason }) => kept.thrown?.push(String(reason?.stack ?? reason)));
}

/** In the page: what a look at it shows. */
const seen = () => ({
	words: document.querySelector('#root')?.textContent?.trim().length ?? 0,
	figures: [...document.querySelectorAll('[data-figure]')].map(({ textContent }) => textContent ?? ''),
	user: JSON.parse(localStorage.getItem('userinfo') ?? 'null')?.userId as string | undefined,
	dialogs: document.querySelectorAll('dialog[open]').length,
	thrown: (globalThis as { thrown?: string[] }).thrown ?? [],
});

class Walk {
	readonly steps: string[] = [];
	readonly #driver: EngineDriver;
	readonly #draw: Draw;

	constructor(driver: EngineDriver, draw: Draw) {
		this.#driver = driver;
		this.#draw = draw;
	}

	/** Logs a demo player in: what a browser keeps of it stands in the storage before the page is loaded. */
	async begin(): Promise<void> {
		const { storageState } = await demoLogin(server.url);
		await this.#driver.open(`${server.url}/error-404`);
		const stored = storageState.origins.flatMap(({ localStorage: items }) => items);
		await this.#driver.read((items) => {
			for (const { name, value } of items) localStorage.setItem(name, value);
		}, stored);
		await this.#driver.open(`${server.url}/markets/${match.eventId}`);
	}

	async #press(): Promise<string> {
		const spots = await this.#driver.read(spotsInSight);
		if (spots.length === 0) return 'nothing to press';
		const { x, y, name, isField } = one(spots, this.#draw);
		await this.#driver.click(x, y);
		if (!isField) return `press ${name}`;
		const text = one(TYPED, this.#draw);
		await this.#driver.type(text);
		return `type ${text} into ${name}`;
	}

	async #step(): Promise<string> {
		const kind = this.#draw();
		if (kind < 0.72) return await this.#press();
		if (kind < 0.82) {
			const key = kind < 0.77 ? 'Enter' : 'Escape';
			await this.#driver.pressKey(key);
			return `key ${key}`;
		}
		if (kind < 0.9) {
			// The router numbers its entries: before its first one is another page, to which no walk goes.
			await this.#driver.read(() => {
				if ((history.state?.__TSR_index ?? 0) > 0) history.back();
			});
			return 'back';
		}
		const path = kind < 0.94 ? await this.#driver.read(() => location.pathname) : one(PATHS, this.#draw);
		await this.#driver.open(server.url + path);
		return `load ${path}`;
	}

	/** What is wrong with the page once its calls are answered; null for nothing. */
	async #wrong(): Promise<string | null> {
		const { words, figures, user, dialogs, thrown } = await this.#driver.read(seen);
		if (thrown.length > 0) return thrown.join('\n');
		if (words === 0) return 'the page is empty';
		if (dialogs > 1) return 'two dialogs are open';
		const wallet = user ? server.running.exchange.wallet(Number(user)) : null;
		const amounts = figures.map((text) => Number(text.replace(/[^\d.]/g, '') || Number.NaN));
		const differs = [wallet?.cash, wallet?.exposure].findIndex((minor, at) => {
			const amount = amounts[at] ?? Number.NaN;
			return minor !== undefined && !Number.isNaN(amount) && Math.round(amount * 100) !== minor;
		});
		return differs < 0 ? null : `figure ${differs} says ${figures[differs]}`;
	}

	/** A page that is being left has nothing to read, and is read again. */
	async look(): Promise<void> {
		const wrong = () => this.#wrong().catch((failure: unknown) => `no page: ${String(failure)}`);
		await this.#driver.read(listen).catch(() => undefined);
		await expect.poll(wrong).toBeNull();
	}

	async take(count: number): Promise<void> {
		await this.begin();
		await this.look();
		for (let step = 0; step < count; step++) {
			this.steps.push(await this.#step().catch((failure: unknown) => `left: ${String(failure).slice(0, 80)}`));
			await this.look();
		}
	}
}

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('in %s', (_, engine) => {
	it.skipIf(!engine.isInstalled).each(['desktop', 'phone'] as const)(
		'a walk on a %s meets no failure and no contradiction',
		{ timeout: 600_000 },
		async (width) => {
			const driver = await engine.start('dark');
			const walk = new Walk(driver, randomFrom(SEED));
			try {
				await driver.resize(SIZES[width]);
				await walk.take(STEPS);
			} catch (failure) {
				throw new Error([`seed ${SEED}: ${String(failure)}, after`, ...walk.steps].join('\n'), { cause: failure });
			} finally {
				await driver.close();
			}
		},
	);
});
