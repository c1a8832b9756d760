/**
 * `npm run bench -- ladder-frames`: the ladders of six runners side by side, as the cockpit opens them in a window of
 * their own, while 2,000 prices a second change over the hub's real wire, on the built site and the real server. `direct`
 * is the same page as the site left it, without its scripts: a bare socket of the same hub, and direct writes to the same
 * cells. `mainThreadMs` is the work of the page's main thread in the measured time, scripting, style, layout and paint
 * together, as the browser counts it; `ratio` is the median of the rounds' site ÷ direct. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { readConfig } from '#server/process/config.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { startServer } from '#server/process/start.ts';
import { findFixture } from '#server/world/fixtures/find-fixture.ts';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { openMarket } from '#server/world/markets/open-market.ts';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { percentile, print, round } from './support/figures.ts';
import { LadderPrices } from './support/ladder-prices.ts';
import { type PageWork, workOf } from './support/page-work.ts';
import { withDataDir } from './support/scratch.ts';

const RUNNERS = ['Amber', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir'].map((name) => ({ id: name.toUpperCase(), name }));
const CHANGES_PER_SECOND = 2_000;
const ROUNDS = 3;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 6_000;
/** Six ladders beside each other. */
const WINDOW = { width: 2_000, height: 900 };
const MUST = { framesPerSecond: 58, ratio: 1.1 };
/** The page of direct writes is the bench's own answer, which the browser otherwise takes for one of another network. */
const DRAWN_PAGE = '--disable-features=LocalNetworkAccessChecks';
const WAYS = ['site', 'direct'] as const;
type Way = (typeof WAYS)[number];

interface Opened {
	eventId: string;
	marketId: string;
}

await withDataDir(async (dataDir) => {
	const options = ['--no-feeds', '--port', '0', '--host', '127.0.0.1', '--log-level', 'error', '--data-dir', dataDir];
	const running = await startServer(readConfig(options, { RATE_LIMIT_FACTOR: '100000' }, dataDir), (error) => {
		throw error;
	});
	const browser = await chromium.launch({
		executablePath: ensureChromium(),
		args: [...CHROMIUM_ARGUMENTS, DRAWN_PAGE],
	});
	try {
		print(await measured(running, browser));
	} finally {
		await browser.close();
		await running.stop();
	}
});

async function measured(running: RunningServer, browser: Browser) {
	const prices = new LadderPrices(running.bus, CHANGES_PER_SECOND);
	const opened = await openSixRunners(running, prices);
	const context = await browser.newContext({ viewport: WINDOW, baseURL: running.url, serviceWorkers: 'block' });
	const first = await context.newPage();
	await enterAsDemoPlayer(first, `/markets/${opened.eventId}`);
	const direct = await pageOfDirectWrites(first, opened);
	await context.route('**/direct-ladders', (route) => route.fulfill({ contentType: 'text/html', body: direct }));
	await first.close();
	const address: Record<Way, string> = { site: laddersOf(opened), direct: '/direct-ladders' };
	const rounds: Record<Way, PageWork[]> = { site: [], direct: [] };
	const changes: number[] = [];
	for (let at = 0; at < ROUNDS; at++) {
		for (const way of at % 2 === 0 ? WAYS : WAYS.toReversed()) {
			const { work, changesPerSecond } = await watched(context, address[way], prices);
			rounds[way].push(work);
			changes.push(changesPerSecond);
		}
	}
	const ratios = rounds.site.map(
		({ mainThreadMs }, at) => mainThreadMs / (rounds.direct[at]?.mainThreadMs ?? Number.NaN),
	);
	const median = (way: Way, of: keyof PageWork) =>
		percentile(
			rounds[way].map((each) => each[of]),
			0.5,
		);
	const figures = (way: Way) => ({
		mainThreadMs: round(median(way, 'mainThreadMs'), 0),
		framesPerSecond: round(median(way, 'framesPerSecond'), 1),
	});
	return {
		ladders: RUNNERS.length,
		measuredMs: MEASURED_MS,
		changesPerSecond: round(Math.min(...changes), 0),
		site: figures('site'),
		direct: figures('direct'),
		ratios: ratios.map((ratio) => round(ratio, 2)),
		ratio: round(percentile([...ratios], 0.5), 2),
		load: round(loadavg()[0] ?? 0, 1),
		must: MUST,
	};
}

async function openSixRunners({ exchange, fixtures }: RunningServer, prices: LadderPrices): Promise<Opened> {
	await openMarketMakers(exchange);
	const fixture = await findFixture(fixtures, {
		sportId: 1,
		title: 'Six Runners',
		competition: 'Bench Cup',
		startsAtMs: Date.now() + 3_600_000,
		status: 'UPCOMING',
		source: 'bench',
		sourceRef: 'ladders',
		hasTv: false,
		scoreLine: null,
	});
	const market = await openMarket({ exchange, fixtures }, fixture, {
		name: 'Match Odds',
		type: 'MATCH_ODDS',
		runners: RUNNERS,
		betDelaySeconds: 0,
		rules: 'Who wins.',
	});
	const opened = { eventId: String(fixture.id), marketId: String(market.listing.id) };
	await prices.begin(
		opened.marketId,
		RUNNERS.map(({ id }) => id),
		(quotes) => market.quote(quotes),
	);
	return opened;
}

function laddersOf({ eventId, marketId }: Opened): string {
	return `/ladders/${eventId}/${marketId}`;
}

/** The site's page as it stands, with the script of direct writes in place of the site's own. */
async function pageOfDirectWrites(page: Page, opened: Opened): Promise<string> {
	await openLadders(page, laddersOf(opened));
	const drawn = await page.evaluate(() => {
		for (const element of document.querySelectorAll('script, link[rel="modulepreload"]')) element.remove();
		return document.documentElement.outerHTML;
	});
	const [bundle] = [
		await build({
			configFile: false,
			logLevel: 'error',
			build: {
				write: false,
				rolldownOptions: { input: join(import.meta.dirname, 'support', 'ladder-direct-page.ts') },
			},
		}),
	].flat() as Rolldown.RolldownOutput[];
	const code = bundle?.output[0].code ?? '';
	const facts = JSON.stringify({ marketId: opened.marketId, runnerIds: RUNNERS.map(({ id }) => id) });
	return `<!doctype html>${drawn.replace('</body>', () => `<script type="module">globalThis.ladders = ${facts};${code}</script></body>`)}`;
}

/** Resolves when every ladder shows three prices on either side that can be bet on. */
async function openLadders(page: Page, address: string): Promise<void> {
	await page.goto(address);
	await page
		.locator('.ladder-cell[data-offer]')
		.nth(RUNNERS.length * 6 - 1)
		.waitFor();
	await page
		.locator('.ladder:not([data-closed])')
		.nth(RUNNERS.length - 1)
		.waitFor();
}

/** Opens a page, lets prices move, and looks at the end whether it shows the last ones. */
async function watched(context: BrowserContext, address: string, prices: LadderPrices) {
	const page = await context.newPage();
	await openLadders(page, address);
	const devtools = await context.newCDPSession(page);
	await devtools.send('Performance.enable');
	const stop = prices.move();
	await page.waitForTimeout(WARM_UP_MS);
	const changesBefore = prices.changes;
	const work = await workOf(page, devtools, MEASURED_MS);
	const changesPerSecond = ((prices.changes - changesBefore) * 1000) / MEASURED_MS;
	stop();
	for (const label of prices.lastLabels()) await page.locator(`.ladder-cell[aria-label="${label}"]`).first().waitFor();
	await page.close();
	return { work, changesPerSecond };
}
