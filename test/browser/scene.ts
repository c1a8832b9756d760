/**
 * A server in the test's own process whose matches have the prices the test sets, and players who look at them. Nothing
 * moves here unless the test moves it.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { feedParts } from '../support/feed-parts.ts';
import { endMatches, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { signUp } from '../support/sign-up.ts';
import { closeContexts, demoLogin, openBrowser, openContext, storedLogin, type Width } from './browser.ts';
import { givePageBack, type Stored, takePage } from './kept-pages.ts';

/** Price and rupees on offer, best first. */
export type Levels = readonly (readonly [price: number, size: number])[];
export interface Offer {
	/** Offers for a backer. */
	back: Levels;
	/** Offers for a layer. */
	lay: Levels;
}

/** Both runners stand at it unless a test says otherwise. */
export const EVENS: Offer = {
	back: [
		[2, 1000],
		[1.99, 2000],
		[1.98, 3000],
	],
	lay: [
		[2.02, 1000],
		[2.04, 2000],
		[2.06, 3000],
	],
};

const inUnits = (levels: Levels) =>
	levels.map(([price, size]) => ({ price: Math.round(price * 100), size: size * 100 }));

/** A player with his page. */
export interface Seat extends Player {
	page: Page;
}

export class Scene {
	readonly server: TestServer;
	readonly browser: Browser;
	readonly #contexts: BrowserContext[] = [];
	readonly #kept: Page[] = [];
	readonly #isShared: boolean;

	private constructor(server: TestServer, browser: Browser, isShared: boolean) {
		this.#isShared = isShared;
		this.server = server;
		this.browser = browser;
	}

	/**
	 * @param given a server with more than others have; closed with the scene
	 * @param options which browser looks at it
	 */
	static async open(given?: TestServer, options: Parameters<typeof openBrowser>[0] = {}): Promise<Scene> {
		const [server, browser] = await Promise.all([given ?? TestServer.start(), openBrowser(options)]);
		await feedParts(server);
		return new Scene(server, browser, false);
	}

	/** On the server of this worker, where no match of another file is open. */
	static async share(): Promise<Scene> {
		const [server, browser] = await Promise.all([sharedServer(), openBrowser()]);
		await feedParts(server);
		await endMatches(server);
		return new Scene(server, browser, true);
	}

	/** A match on India and Nepal with those prices. */
	async match(changes: Parameters<typeof openTestMatch>[1] = {}, india: Offer = EVENS, nepal: Offer = EVENS) {
		const match = await openTestMatch(this.server, changes);
		await this.quote(match, india, nepal);
		return match;
	}

	/** A fancy of the match on three lines, at the house's rates: 87 and 97 per 100. */
	async openFancy(match: TestMatch): Promise<void> {
		const lines = [41, 42, 43];
		const runners = lines.map((line) => ({ id: String(line), name: String(line) }));
		const terms = {
			name: '6 over runs',
			type: 'POINTS',
			lines,
			runners,
			betDelaySeconds: 0,
			rules: 'Runs in six overs.',
		};
		const market = await openMarketOf(this.server, match, terms);
		const rate = (price: number) => [{ price, size: 50_000_000 }];
		await market.quote(lines.map(() => ({ back: rate(187), lay: rate(197) })));
	}

	/** Resolves when the prices stand in the book; pages hear of them by the hub. */
	async quote({ market }: TestMatch, india: Offer, nepal: Offer = EVENS): Promise<void> {
		await market.quote([india, nepal].map(({ back, lay }) => ({ back: inUnits(back), lay: inUnits(lay) })));
	}

	/**
	 * A page of a visitor's, opened nowhere yet. On the server that files share it is one that other tests had, unless
	 * its browser has options of its own.
	 */
	async visitor(width: Width, options: BrowserContextOptions = {}): Promise<Page> {
		return await this.#page(width, options, { cookies: [], origins: [] });
	}

	async #page(
		width: Width,
		options: BrowserContextOptions,
		storageState: ReturnType<typeof storedLogin>,
	): Promise<Page> {
		if (this.#isShared && Object.keys(options).length === 0) {
			const stored: Stored = storageState.origins.flatMap(({ localStorage }) => localStorage);
			const page = await takePage(this.browser, width, this.server.url, stored);
			this.#kept.push(page);
			return page;
		}
		const context = await openContext(this.browser, width, this.server.url, { storageState, ...options });
		this.#contexts.push(context);
		return await context.newPage();
	}

	/** A fresh demo player who is logged in, as a reloaded page finds him. */
	async player(width: Width, options: BrowserContextOptions = {}): Promise<Seat> {
		const { login, storageState } = await demoLogin(this.server.url);
		const page = await this.#page(width, options, storageState);
		return { page, token: login.accessToken, refreshToken: login.refreshToken, userId: Number(login.user.userId) };
	}

	/** A fresh player who signed up, logged in like the one above. */
	async member(width: Width, options: BrowserContextOptions = {}) {
		const player = await signUp(this.server);
		const user = await this.server.result('getUserInfo', {}, player.token);
		const storageState = storedLogin(this.server.url, { ...player, accessToken: player.token, user });
		return { ...player, page: await this.#page(width, options, storageState) };
	}

	/** A fresh player on the match's page, with its prices shown. */
	async playerAt(match: TestMatch, width: Width, options: BrowserContextOptions = {}): Promise<Seat> {
		const seat = await this.player(width, options);
		await seat.page.goto(`/markets/${match.eventId}`);
		await seat.page.locator('.market-row .price').first().waitFor();
		return seat;
	}

	/** Closes the contexts of the previous test, except pages that others can have. */
	async leave(): Promise<void> {
		await Promise.all([
			...this.#contexts.splice(0).map((context) => context.close()),
			...this.#kept.splice(0).map((page) => givePageBack(page)),
		]);
	}

	async close(): Promise<void> {
		await this.leave();
		await closeContexts(this.browser);
		if (!this.#isShared) await this.server.dispose();
	}
}
