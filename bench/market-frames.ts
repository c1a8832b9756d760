/**
 * `npm run bench -- market-frames`: frames a second of a phone's market page, with a tracker that moves all the time and
 * then with the chart, while prices move, on the built site and the real server with all simulated sports; see
 * `support/page-frames.ts`. `ratio` is the required rate to the lowest of the measured and the afforded rates. Prints
 * one JSON line.
 */
import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { print, round } from './support/figures.ts';
import { type Frames, framesOf, lowestRate, MEASURED_SECONDS, SLOWED_DOWN } from './support/page-frames.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { PHONE, type SimulatedSite, withSimulatedSite } from './support/simulated-site.ts';

/** In tennis the ball is never still. */
const PARTS = { tracker: ['Tennis', 'Live'], chart: ['Football', 'Chart'] } as const;
const MUST = { framesPerSecond: 55 };

await withSimulatedSite(async (site) => {
	const tracker = await framesBeside(site, ...PARTS.tracker);
	const chart = await framesBeside(site, ...PARTS.chart);
	print({
		slowedDown: SLOWED_DOWN,
		seconds: MEASURED_SECONDS,
		tracker,
		chart,
		load: round(loadavg()[0] ?? 0, 1),
		ratio: round(MUST.framesPerSecond / lowestRate([tracker, chart]), 2),
		must: MUST,
	});
});

/** Opens a part of a match's panel on a phone of its own, and counts frames while it is open. */
async function framesBeside({ port, url, browser }: SimulatedSite, sport: string, part: string): Promise<Frames> {
	const context = await browser.newContext({ ...PHONE, baseURL: url, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${url}/markets/${await matchInPlay(port, sport)}`);
	await openPart(page, part);
	const frames = await framesOf(page, '.price');
	await context.close();
	return frames;
}

async function openPart(page: Page, part: string): Promise<void> {
	await page.locator('.panel-tabs').getByRole('button', { name: part, expanded: false }).click();
	await page.locator('.panel-body svg').first().waitFor();
}
