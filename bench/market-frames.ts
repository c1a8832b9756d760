/**
 * `npm run bench:market-frames`: frames a second of a phone's market page on a processor slowed down four times, with a
 * tracker that moves all the time and then with the chart, while prices move, on the built site and the real server
 * with all simulated sports. `framesPerSecond` is of the whole time, `slowestSecond` of its worst second;
 * `priceChanges` shows that prices moved meanwhile.
 *
 * A slowed-down page feels the machine's `load` four times, so its frames say little beside other work.
 * `affordedFrames` are the frames a second that the page's own work leaves time for: the processor time of each task of
 * the main thread at full speed, times four, takes whole frames away. `busyMsPerSecond` is the sum of these tasks.
 * `ratio` is the required rate to the lowest of the measured and the afforded rates. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { print, round } from './support/figures.ts';
import { mainThreadTasks } from './support/main-thread.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { PHONE, type SimulatedSite, withSimulatedSite } from './support/simulated-site.ts';

const SLOWED_DOWN = 4;
const WARM_UP_MS = 3_000;
const MEASURED_SECONDS = 15;
const TRACED_MS = 8_000;
const FRAMES_A_SECOND = 60;
const FRAME_MS = 1000 / FRAMES_A_SECOND;
/** In tennis the ball is never still. */
const PARTS = { tracker: ['Tennis', 'Live'], chart: ['Football', 'Chart'] } as const;
const MUST = { framesPerSecond: 55 };

interface Frames {
	framesPerSecond: number;
	slowestSecond: number;
	priceChanges: number;
	affordedFrames: number;
	busyMsPerSecond: number;
}

await withSimulatedSite(async (site) => {
	const tracker = await framesOf(site, ...PARTS.tracker);
	const chart = await framesOf(site, ...PARTS.chart);
	const rates = [tracker, chart].flatMap(({ framesPerSecond, affordedFrames }) => [framesPerSecond, affordedFrames]);
	print({
		slowedDown: SLOWED_DOWN,
		seconds: MEASURED_SECONDS,
		tracker,
		chart,
		load: round(loadavg()[0] ?? 0, 1),
		ratio: round(MUST.framesPerSecond / Math.min(...rates), 2),
		must: MUST,
	});
});

/** Opens a part of a match's panel on a phone of its own, and counts frames while it is open. */
async function framesOf({ port, url, browser }: SimulatedSite, sport: string, part: string): Promise<Frames> {
	const context = await browser.newContext({ ...PHONE, baseURL: url, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${url}/markets/${await matchInPlay(port, sport)}`);
	await openPart(page, part);
	const devtools = await context.newCDPSession(page);
	await page.waitForTimeout(WARM_UP_MS);
	const tasks = await mainThreadTasks(devtools, () => page.waitForTimeout(TRACED_MS));
	await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN });
	const { frames, priceChanges } = await page.evaluate(countFrames, MEASURED_SECONDS);
	await context.close();
	const lost = tasks.reduce((sum, ms) => sum + Math.floor((ms * SLOWED_DOWN) / FRAME_MS), 0);
	const busyMs = tasks.reduce((sum, ms) => sum + ms, 0);
	const tracedSeconds = TRACED_MS / 1000;
	return {
		framesPerSecond: round(frames.reduce((sum, count) => sum + count, 0) / frames.length, 1),
		slowestSecond: Math.min(...frames),
		priceChanges,
		affordedFrames: round(FRAMES_A_SECOND - lost / tracedSeconds, 1),
		busyMsPerSecond: round(busyMs / tracedSeconds, 1),
	};
}

async function openPart(page: Page, part: string): Promise<void> {
	await page.locator('.panel-tabs').getByRole('button', { name: part, expanded: false }).click();
	await page.locator('.panel-body svg').first().waitFor();
}

/** In the page: the animation frames of each second, and the texts of prices that changed meanwhile. */
function countFrames(seconds: number): Promise<{ frames: number[]; priceChanges: number }> {
	return new Promise((resolve) => {
		let priceChanges = 0;
		const watcher = new MutationObserver((changes) => {
			priceChanges += changes.filter(({ target }) => target.parentElement?.closest('.price')).length;
		});
		watcher.observe(document.body, { subtree: true, characterData: true, childList: true });
		const frames = Array.from({ length: seconds }, () => 0);
		const begun = performance.now();
		const next = (now: number) => {
			const second = Math.floor((now - begun) / 1000);
			if (second >= seconds) {
				watcher.disconnect();
				resolve({ frames, priceChanges });
				return;
			}
			frames[Math.max(0, second)] = (frames[Math.max(0, second)] ?? 0) + 1;
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	});
}
