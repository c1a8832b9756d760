/**
 * `npm run bench:market-frames`: frames a second of a phone's market page on a processor slowed down four times, with
 * the tracker open and then with the chart, while prices move, on the built site and the real server with all simulated
 * sports. `framesPerSecond` is of the whole time, `slowestSecond` of its worst second; `priceChanges` shows that prices
 * moved meanwhile. `load` is the machine's load average, which a slowed-down page feels four times. `ratio` is the
 * required rate to the slower of the two. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import { chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';
import { matchInPlay } from './support/simulated-match.ts';

const SLOWED_DOWN = 4;
const WARM_UP_MS = 3_000;
const MEASURED_SECONDS = 15;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;
const PARTS = { tracker: 'Live', chart: 'Chart' } as const;
const MUST = { framesPerSecond: 55 };

interface Frames {
	framesPerSecond: number;
	slowestSecond: number;
	priceChanges: number;
}

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: true });
	const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
	try {
		const match = await matchInPlay(server.port, 'Football');
		const site = `http://localhost:${server.port}`;
		const context = await browser.newContext({ ...PHONE, baseURL: site, serviceWorkers: 'block' });
		const page = await context.newPage();
		await enterAsDemoPlayer(page, `${site}/markets/${match}`);
		const devtools = await context.newCDPSession(page);
		await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN });
		const tracker = await framesWith(page, PARTS.tracker);
		const chart = await framesWith(page, PARTS.chart);
		print({
			slowedDown: SLOWED_DOWN,
			seconds: MEASURED_SECONDS,
			tracker,
			chart,
			load: round(loadavg()[0] ?? 0, 1),
			ratio: round(MUST.framesPerSecond / Math.min(tracker.framesPerSecond, chart.framesPerSecond), 2),
			must: MUST,
		});
	} finally {
		await browser.close();
		await server.stop();
	}
});

/** Opens a part of the panel and counts frames while it is open. */
async function framesWith(page: Page, part: string): Promise<Frames> {
	await page.locator('.panel-tabs').getByRole('button', { name: part, expanded: false }).click();
	await page.locator('.panel-body svg').first().waitFor();
	await page.waitForTimeout(WARM_UP_MS);
	const { frames, priceChanges } = await page.evaluate(countFrames, MEASURED_SECONDS);
	const slowestSecond = Math.min(...frames);
	const framesPerSecond = round(frames.reduce((sum, count) => sum + count, 0) / frames.length, 1);
	return { framesPerSecond, slowestSecond, priceChanges };
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
