/**
 * `npm run bench:market-click`: the time from the press on a match in the list until its prices are painted, on the
 * built site and the real server with all simulated sports, at both widths. The site is warm, but has shown none of
 * these matches, so each press asks the server; the press follows the pointer at once, so nothing is loaded ahead.
 * Medians and the slowest tenth in ms; `load` is the machine's load average. `ratio` is the slower median to the
 * required one. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';
import { matchInPlay } from './support/simulated-match.ts';

/** Over all sports; the first matches warm the site up. */
const LIST = '/matchlist/0';
const WARM_UP_CLICKS = 3;
const MUST = { ms: 150 };
const AIM = { ms: 80 };
const WIDTHS = {
	desktop: { viewport: { width: 1440, height: 900 } },
	phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const;
type Width = keyof typeof WIDTHS;
/** The pause between two presses, in which late work of the previous page ends. */
const REST_MS = 500;

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: true });
	const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
	try {
		const match = await matchInPlay(server.port, 'Football');
		const site = `http://localhost:${server.port}`;
		const desktop = await clicks(browser, site, match, 'desktop');
		const phone = await clicks(browser, site, match, 'phone');
		print({
			desktop,
			phone,
			load: round(loadavg()[0] ?? 0, 1),
			ratio: round(Math.max(desktop.medianMs, phone.medianMs) / MUST.ms, 2),
			must: MUST,
			aim: AIM,
		});
	} finally {
		await browser.close();
		await server.stop();
	}
});

async function clicks(from: Browser, site: string, match: string, width: Width) {
	const context = await from.newContext({ ...WIDTHS[width], baseURL: site, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${site}/markets/${match}`);
	await page.goto(LIST);
	const matches = await priced(page);
	const taken: number[] = [];
	for (const [at, address] of matches.entries()) {
		const ms = await clickToPaint(page, address);
		if (at >= WARM_UP_CLICKS) taken.push(ms);
		await page.goBack();
		await page.waitForTimeout(REST_MS);
	}
	await context.close();
	return {
		clicks: taken.length,
		medianMs: round(percentile(taken, 0.5), 0),
		slowMs: round(percentile(taken, 0.9), 0),
	};
}

/** The addresses of the matches in the list that have prices. */
async function priced(page: Page): Promise<string[]> {
	const rows = page.locator('.match-row').filter({ has: page.locator('.price:enabled') });
	await rows.first().waitFor();
	return await rows.locator('.match-link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

/** The time between the press, as the browser stamped it, and the paint after the first price stands in the grid. */
async function clickToPaint(page: Page, address: string): Promise<number> {
	const link = page.locator(`.match-link[href="${address}"]`).first();
	await link.scrollIntoViewIfNeeded();
	const painted = page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				const isPriced = () => document.querySelector('.market .price:not([data-empty])') !== null;
				document.addEventListener(
					'click',
					({ timeStamp }) => {
						const look = () => {
							if (!isPriced()) return void requestAnimationFrame(look);
							// A message sent in a frame arrives after that frame was painted.
							const { port1, port2 } = new MessageChannel();
							port1.onmessage = () => resolve(performance.now() - timeStamp);
							port2.postMessage(null);
						};
						requestAnimationFrame(look);
					},
					{ once: true, capture: true },
				);
			}),
	);
	await link.click({ position: { x: 20, y: 20 } });
	return await painted;
}
