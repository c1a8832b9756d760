/**
 * `npm run bench -- market-frames`: frames a second of a phone's market page while prices move: with a tracker that moves
 * all the time, with the chart, and with all at once, the ladder and its chart in their dialog over the tracker. On the
 * built site and the real server with all simulated sports; see `support/page-frames.ts`. `ratio` is the required rate to
 * the lowest of the measured and the afforded rates. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { print, round } from './support/figures.ts';
import { type Frames, framesOf, lowestRate, MEASURED_SECONDS, SLOWED_DOWN } from './support/page-frames.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { PHONE, type SimulatedSite, withSimulatedSite } from './support/simulated-site.ts';

/** In tennis the ball is never still. */
const TRACKER = { sport: 'Tennis', part: 'Live' } as const;
const CHART = { sport: 'Football', part: 'Chart' } as const;
const MUST = { framesPerSecond: 55 };

await withSimulatedSite(async (site) => {
	const tracker = await framesBeside(site, TRACKER);
	const chart = await framesBeside(site, CHART);
	const together = await framesBeside(site, TRACKER, openLadder);
	print({
		slowedDown: SLOWED_DOWN,
		seconds: MEASURED_SECONDS,
		tracker,
		chart,
		together,
		load: round(loadavg()[0] ?? 0, 1),
		ratio: round(MUST.framesPerSecond / lowestRate([tracker, chart, together]), 2),
		must: MUST,
	});
});

/**
 * Opens a part of a match's panel on a phone of its own, and counts frames while it is open.
 * @param openMore opens what else is on the screen
 */
async function framesBeside(
	{ port, url, browser }: SimulatedSite,
	{ sport, part }: { sport: string; part: string },
	openMore: (page: Page) => Promise<void> = async () => {},
): Promise<Frames> {
	const context = await browser.newContext({ ...PHONE, baseURL: url, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${url}/markets/${await matchInPlay(port, sport)}`);
	await openPart(page, part);
	await openMore(page);
	const frames = await framesOf(page, '.price, .ladder-cell');
	await context.close();
	return frames;
}

/** A phone's panel is folded into the scoreboard at first, and one of its parts is open when it unfolds. */
async function openPart(page: Page, part: string): Promise<void> {
	await page.locator('.panel-toggle[aria-expanded="false"]').click();
	const tab = page.locator('.panel-tabs').getByRole('button', { name: part, exact: true });
	if ((await tab.getAttribute('aria-expanded')) === 'false') await tab.click();
	await page.locator('.panel-body svg').first().waitFor();
}

async function openLadder(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Depth and price history of Match Odds' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.locator('.ladder-cell[data-offer]').first().waitFor();
	await dialog.locator('.uplot canvas').waitFor();
}
