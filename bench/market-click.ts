/**
 * `npm run bench -- market-click`: the time from the press on a match in the list until its prices are painted, on the
 * built site and the real server with all simulated sports, at both widths, and on a phone whose processor is slowed down
 * four times. The site is warm, but has shown none of these matches, so each press asks the server. On the desktop the
 * press follows the pointer at once; a phone is pressed by a finger, which rests on it for a moment, and the time counts
 * from when it is lifted, by the browser's stamp. Nothing in the page looks on but the clock of this bench. Medians and the slowest tenth in ms; `load` is the machine's load average,
 * which a slowed-down page feels four times. `ratio` is the worst of the medians to their limits. Prints one JSON line.
 */
import { loadavg } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { percentile, print, round } from './support/figures.ts';
import { SLOWED_DOWN } from './support/page-frames.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { DESKTOP, PHONE, type SimulatedSite, withSimulatedSite } from './support/simulated-site.ts';

/** A sport with many matches in play and to come; its first matches warm the site up. */
const LIST = '/matchlist/1';
const WARM_UP_CLICKS = 3;
const MEASURED_CLICKS = 12;
/**
 * A press without a painted price within this time, because its market is suspended, counts as unpriced and not as
 * slow.
 */
const MOST_MS = 5_000;
const MUST = { desktop: 150, phone: 150, slowPhone: 100 };
const AIM = { desktop: 80, phone: 80, slowPhone: 80 };
const DEVICES = {
	desktop: { screen: DESKTOP, slowedDown: 1 },
	phone: { screen: PHONE, slowedDown: 1 },
	slowPhone: { screen: PHONE, slowedDown: SLOWED_DOWN },
} as const;
type Device = keyof typeof DEVICES;
/** The pause between two presses, in which late work of the previous page ends. */
const REST_MS = 500;
/** A short tap; most rest longer. */
const FINGER_MS = 60;
/** Pixels from the link's corner. */
const INTO_LINK = 20;

await withSimulatedSite(async (site) => {
	const match = await matchInPlay(site.port, 'Football');
	const figures = {
		desktop: await clicks(site, match, 'desktop'),
		phone: await clicks(site, match, 'phone'),
		slowPhone: await clicks(site, match, 'slowPhone'),
	};
	const ratios = (Object.keys(figures) as Device[]).map((device) => figures[device].medianMs / MUST[device]);
	print({
		slowedDown: SLOWED_DOWN,
		...figures,
		load: round(loadavg()[0] ?? 0, 1),
		ratio: round(Math.max(...ratios), 2),
		must: MUST,
		aim: AIM,
	});
});

async function clicks({ browser, url }: SimulatedSite, match: string, device: Device) {
	const { screen, slowedDown } = DEVICES[device];
	const context = await browser.newContext({ ...screen, baseURL: url, serviceWorkers: 'block' });
	const page = await context.newPage();
	await enterAsDemoPlayer(page, `${url}/markets/${match}`);
	await page.goto(LIST);
	const matches = await priced(page);
	const devtools = await context.newCDPSession(page);
	const press = 'hasTouch' in screen ? touch(devtools) : ({ x, y }: Point) => page.mouse.click(x, y);
	await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowedDown });
	const taken: number[] = [];
	let unpriced = 0;
	for (const [at, address] of matches.slice(0, WARM_UP_CLICKS + MEASURED_CLICKS).entries()) {
		const ms = await clickToPaint(page, address, press);
		if (ms === null) unpriced++;
		else if (at >= WARM_UP_CLICKS) taken.push(ms);
		// The browser notes the address of a match that was drawn ahead when it has painted it.
		await page.waitForURL((url) => url.pathname !== LIST);
		await page.goBack();
		await page.locator('.match-row').first().waitFor();
		await page.waitForTimeout(REST_MS);
	}
	await context.close();
	return {
		clicks: taken.length,
		unpriced,
		medianMs: round(percentile(taken, 0.5), 0),
		slowMs: round(percentile(taken, 0.9), 0),
	};
}

interface Point {
	x: number;
	y: number;
}

/** Presses as a finger does. */
function touch(devtools: CDPSession): (at: Point) => Promise<void> {
	return async (at) => {
		await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
		await new Promise((resolve) => setTimeout(resolve, FINGER_MS));
		await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
	};
}

/** The addresses of the matches in the list that have prices. */
async function priced(page: Page): Promise<string[]> {
	const rows = page.locator('.match-row').filter({ has: page.locator('.price:enabled') });
	await rows.first().waitFor();
	return await rows.locator('.match-link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
}

/**
 * The time between the end of the press, as the browser stamped it, and the paint after the first price is in the grid; null if
 * that exceeds the limit.
 */
async function clickToPaint(page: Page, address: string, press: (at: Point) => Promise<void>): Promise<number | null> {
	const link = page.locator(`.match-link[href="${address}"]`).first();
	await link.scrollIntoViewIfNeeded();
	const painted = page.evaluate(
		(mostMs) =>
			new Promise<number | null>((resolve) => {
				setTimeout(() => resolve(null), mostMs);
				let liftedAt: number | undefined;
				document.addEventListener('touchend', (event) => (liftedAt = event.timeStamp), { once: true, capture: true });
				// A match that is drawn ahead is not seen before it is opened.
				const isPriced = () => document.querySelector('.market:not([aria-hidden] *) .price:not([data-empty])') !== null;
				document.addEventListener(
					'click',
					({ timeStamp }) => {
						const look = () => {
							if (!isPriced()) return void requestAnimationFrame(look);
							// A message sent in a frame arrives after that frame was painted.
							const { port1, port2 } = new MessageChannel();
							port1.onmessage = () => resolve(performance.now() - (liftedAt ?? timeStamp));
							port2.postMessage(null);
						};
						requestAnimationFrame(look);
					},
					{ once: true, capture: true },
				);
			}),
		MOST_MS,
	);
	const { x, y } = (await link.boundingBox()) ?? { x: 0, y: 0 };
	await press({ x: x + INTO_LINK, y: y + INTO_LINK });
	return await painted;
}
