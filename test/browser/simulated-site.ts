/** The simulated sports of a real server, and browsers that look at them. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { TestServer, testConfig } from '../support/server.ts';
import { closeContexts, openBrowser, openContext, type Width } from './browser.ts';

export const SPORTS = ['Football', 'Tennis', 'Cricket', 'Kabaddi', 'Horse Racing', 'Trade'] as const;
export type SportName = (typeof SPORTS)[number];

interface ListedMatch {
	id: string;
	status: 'IN_PLAY' | 'UPCOMING' | 'FINISHED';
}

export class SimulatedSite {
	readonly url: string;
	readonly #server: TestServer;
	readonly #browser: Browser;
	readonly #contexts: BrowserContext[] = [];

	private constructor(server: TestServer, browser: Browser) {
		this.url = server.url;
		this.#server = server;
		this.#browser = browser;
	}

	static async open(): Promise<SimulatedSite> {
		const feeds = { ...testConfig('').feeds, simulatedSports: true };
		const server = await TestServer.start(undefined, { feeds });
		return new SimulatedSite(server, await openBrowser());
	}

	/** A page in a browser of its own, opened nowhere yet. */
	async page(width: Width, options: BrowserContextOptions = {}): Promise<Page> {
		const context = await openContext(this.#browser, width, this.url, options);
		this.#contexts.push(context);
		return await context.newPage();
	}

	/** The answer of a call without a body. */
	async answer<Result>(path: string): Promise<Result> {
		const { result } = (await (await fetch(`${this.url}${path}`)).json()) as { result: Result };
		return result;
	}

	/** The sport's first match that is wanted; there is one, or one is about to be. */
	async match(sport: SportName, wanted: (match: ListedMatch) => boolean | Promise<boolean>) {
		type Tree = { id: number; name: string; events: ListedMatch[] }[];
		const find = async (): Promise<{ sportId: number; address: string } | null> => {
			const found = (await this.answer<Tree>('/Event/TreeSportWithEvent')).find(({ name }) => name === sport);
			for (const match of found?.events ?? []) {
				if (found && (await wanted(match))) return { sportId: found.id, address: `/markets/${match.id}` };
			}
			return null;
		};
		let found = await find();
		await expect
			.poll(
				async () => {
					found ??= await find();
					return found;
				},
				{ timeout: 60_000 },
			)
			.not.toBeNull();
		if (!found) throw new Error(`There is no such match of ${sport}.`);
		return found;
	}

	/** Closes the pages of the previous test. */
	async leave(): Promise<void> {
		await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
	}

	async close(): Promise<void> {
		await this.leave();
		await closeContexts(this.#browser);
		await this.#server.dispose();
	}
}
