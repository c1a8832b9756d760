/**
 * `npm run bench -- crash-frames`: frames a second of a phone that watches Crash, through flights, crashes and the time
 * between, on the built site and the real server; see `support/page-frames.ts`. `ratio` is the required rate to the lower
 * of the measured and the afforded rates. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { print, round } from './support/figures.ts';
import { framesOf, lowestRate, MEASURED_SECONDS, SLOWED_DOWN } from './support/page-frames.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { PHONE, withSimulatedSite } from './support/simulated-site.ts';

const MUST = { framesPerSecond: 55 };

await withSimulatedSite(async ({ port, url, browser }) => {
	const context = await browser.newContext({ ...PHONE, baseURL: url, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${url}/markets/${await matchInPlay(port, 'Football')}`);
	await page.goto(`${url}/casino/crash`);
	await page.locator('.crash-stage[data-phase="flying"]').waitFor({ timeout: 60_000 });
	const crash = await framesOf(page, '.crash-stage');
	print({
		slowedDown: SLOWED_DOWN,
		seconds: MEASURED_SECONDS,
		crash,
		load: round(loadavg()[0] ?? 0, 1),
		ratio: round(MUST.framesPerSecond / lowestRate([crash]), 2),
		must: MUST,
	});
});
