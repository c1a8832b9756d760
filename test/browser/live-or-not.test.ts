/**
 * Walks from page to page on a slow phone with a bad line, while prices move, beside a client with a good one: what is
 * coloured is equal, and what is not equal is grey.
 * @module-tag thorough
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type HubEnvelope, LIVE_AGE_MS, type MarketBookImage } from '#contract/hub-messages.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { type Draw, randomFrom } from '#sports/random.ts';
import { connectionOf } from '../hub/hub-client.ts';
import { feedParts } from '../support/feed-parts.ts';
import { openMarketOf, openTestMatch, quotesAround } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { type Engine, type EngineDriver, SIZES } from './engines/engine-driver.ts';
import { EnginePage } from './engines/engine-page.ts';
import { openLossyLine } from './engines/lossy-line.ts';
import { CHROMIUM, FIREFOX } from './engines/puppeteer-driver.ts';
import { WEBKIT } from './engines/webkit-driver.ts';

/** One way; a call and its answer take twice as long. */
const DELAY_MS = 200;
const LOSS_SHARE = 0.05;
const SLOWER = 4;
/** What is shown may be as old as a live channel, and as the line and a slow phone make it. */
const LATEST_MS = LIVE_AGE_MS + 2 * DELAY_MS + 1000;

let server: TestServer;
beforeAll(async () => {
	// One, so that the hub's own limits count.
	server = await TestServer.start(undefined, { rateLimitFactor: 1 });
	await feedParts(server);
});
afterAll(() => server?.dispose());

interface Page {
	title: string;
	address: string;
	markets: FixtureMarket[];
}

/** A match with N markets, which are named apart. */
async function openPage(title: string, marketCount: number): Promise<Page> {
	const match = await openTestMatch(server, { title });
	const markets = [match.market];
	while (markets.length < marketCount) {
		const { runners, type, rules, betDelaySeconds } = match.market.listing;
		const name = `${title}, market ${markets.length}`;
		markets.push(await openMarketOf(server, match, { name, type, runners, rules, betDelaySeconds }));
	}
	return { title, address: `/markets/${match.eventId}`, markets };
}

/** Moves prices by bursts until the test is over: a market that stood still for a while may move, or stay. */
function movePrices(pages: readonly Page[], shown: () => Page, draw: Draw): () => Promise<void> {
	const over = new AbortController();
	const work = (async () => {
		while (!over.signal.aborted) {
			const moved = pages.flatMap((page) => page.markets.filter(() => draw() < (page === shown() ? 0.1 : 0.02)));
			await Promise.all(
				moved.map((market) => market.quote([0, 1].map(() => quotesAround(200 + 2 * Math.floor(draw() * 40))))),
			);
			await pause(100);
		}
	})();
	return async () => {
		over.abort();
		await work;
	};
}

/** Market → the prices for backers of its first runner, as a client with a good line had them, and from when. */
type Had = Map<string, { price: string; atMs: number }[]>;

/** Watches all markets over a line that loses nothing. */
async function watchBeside(pages: readonly Page[]): Promise<Had> {
	const had: Had = new Map();
	const connection = connectionOf(server.url);
	onTestFinished(() => connection.stop());
	connection.on('Message', ({ Code, Data }: HubEnvelope) => {
		if (Code !== 'MarketBook') return;
		const { marketId, runners } = JSON.parse(Data) as MarketBookImage;
		const best = runners.find(({ runnerId }) => runnerId === 'IND')?.back?.[0];
		if (!best) return;
		const prices = had.get(marketId) ?? [];
		had.set(marketId, prices);
		prices.push({ price: best.price.toFixed(2), atMs: Date.now() });
	});
	await connection.start();
	await connection.invoke('RegisterClient', { Browser: 'Test 1', Domain: '', CurrentPage: '', Token: '' });
	const channels = pages.flatMap(({ markets }) => markets.map(({ listing }) => `market:${listing.id}`));
	expect(await connection.invoke('Follow', { channels })).toMatchObject({ refused: [] });
	return had;
}

/** What the page showed of one market at a moment. */
interface Shown {
	atMs: number;
	title: string;
	market: string;
	price: string;
	coloured: boolean;
}

declare global {
	interface Window {
		shown: Shown[];
	}
}

/** Runs in the page, so it uses nothing of this file. */
function lookEvery(ms: number): void {
	window.shown = [];
	setInterval(() => {
		const title = document.querySelector('h1')?.textContent ?? '';
		for (const market of document.querySelectorAll('.market')) {
			const best = market.querySelector<HTMLButtonElement>('.price[data-side="BACK"][data-level="1"]');
			if (!best) continue;
			window.shown.push({
				atMs: Date.now(),
				title,
				market: market.ariaLabel ?? market.getAttribute('aria-label') ?? '',
				price: best.querySelector('b')?.textContent ?? '',
				coloured: !best.disabled && !best.closest('[data-paused]'),
			});
		}
	}, ms);
}

const goTo = (driver: EngineDriver, address: string) => driver.read((to) => history.pushState(null, '', to), address);

/** Coloured prices that the client with the good line had not, so long before. */
function unequal(looks: readonly Shown[], pages: readonly Page[], had: Had): string[] {
	return looks.flatMap(({ atMs, title, market, price, coloured }) => {
		if (!coloured) return [];
		const listing = pages
			.find((page) => page.title === title)
			?.markets.find((one) => one.listing.name === market)?.listing;
		const prices = had.get(String(listing?.id)) ?? [];
		const isEqual = prices.some(
			(one, at) => one.price === price && one.atMs <= atMs && (prices[at + 1]?.atMs ?? atMs) >= atMs - LATEST_MS,
		);
		return isEqual ? [] : [`${title}, ${market}: ${price} at ${atMs}, of ${JSON.stringify(prices.slice(-4))}`];
	});
}

/** A price that no burst comes to. */
const LAST_PRICE = 290;

interface Way {
	pages: number;
	/** Of each page. */
	markets: number;
	/** How often it goes over all pages: what was kept of an earlier visit is old. */
	rounds: number;
	stayMs: number;
}

/** @returns what was seen on the way */
async function walk(engine: Engine, { pages: pageCount, markets: marketCount, rounds, stayMs }: Way) {
	const draw = randomFrom(1);
	const names = Array.from({ length: pageCount }, (_, at) => `${engine.name} ${pageCount} page ${at + 1}`);
	const pages = await Promise.all(names.map((name) => openPage(name, marketCount)));
	let current = pages[0] as Page;
	const had = await watchBeside(pages);
	const stop = movePrices(pages, () => current, draw);
	onTestFinished(stop);
	const line = await openLossyLine(server.url, { delayMs: DELAY_MS, lossShare: LOSS_SHARE, chance: draw });
	onTestFinished(() => line.close());
	const driver = await engine.start('dark');
	onTestFinished(() => driver.close());
	const page = new EnginePage(driver);
	await driver.resize(SIZES.phone);
	await driver.open(`${line.url}${current.address}`);
	await page.see({ css: 'h1', words: current.title });
	await page.see({ css: '.market .price' });
	await driver.read(lookEvery, 100);
	await driver.slowDown?.(SLOWER);
	line.worsen();
	for (let round = 0; round < rounds; round++) {
		for (current of pages) {
			await goTo(driver, current.address);
			await pause(stayMs);
		}
	}
	await stop();
	// The last page follows its prices, however many pages there were and whatever is lost.
	await current.markets[0]?.quote([quotesAround(LAST_PRICE), quotesAround(LAST_PRICE)]);
	await page.see({ css: '.market:not([data-paused]) .price:enabled b', words: (LAST_PRICE / 100).toFixed(2) });
	const looks = await driver.read(() => window.shown);
	return { looks, unequal: unequal(looks, pages, had), lost: line.lostCount() };
}

const ENGINES: readonly Engine[] = [CHROMIUM, FIREFOX, WEBKIT];

describe.each(ENGINES.map((engine) => [engine.name, engine] as const))('on a slow phone in %s', (_, engine) => {
	it.skipIf(!engine.isInstalled)(
		'five pages in a hurry: what is coloured is equal, and the last follows its prices',
		async () => {
			const seen = await walk(engine, { pages: 5, markets: 15, rounds: 1, stayMs: 500 });
			expect(seen.unequal).toEqual([]);
		},
	);

	it.skipIf(!engine.isInstalled)(
		'thirty pages in thirty seconds: what is coloured is equal, and not all is grey',
		async () => {
			const seen = await walk(engine, { pages: 10, markets: 6, rounds: 3, stayMs: 1000 });
			expect(seen.unequal).toEqual([]);
			expect(seen.lost).toBeGreaterThan(0);
			const coloured = new Set(seen.looks.flatMap((look) => (look.coloured ? [look.title] : [])));
			expect(coloured.size).toBeGreaterThan(3);
		},
	);
});
