/**
 * How smooth a page is on a processor slowed down four times. `framesPerSecond` is of the whole time, `slowestSecond` of
 * its worst second; `changes` counts the texts in `moving` that changed, so it shows that there was something to draw.
 *
 * A slowed-down page feels the machine's load four times, so its frames say little beside other work. `affordedFrames`
 * are the frames a second that the page's own work leaves time for: the processor time of each task of the main thread
 * at full speed, times four, takes whole frames away. `busyMsPerSecond` is the sum of these tasks.
 */
import type { Page } from 'playwright-core';
import { round } from './figures.ts';
import { mainThreadTasks } from './main-thread.ts';

export const SLOWED_DOWN = 4;
export const MEASURED_SECONDS = 15;
const WARM_UP_MS = 3_000;
const TRACED_MS = 8_000;
const FRAMES_A_SECOND = 60;
const FRAME_MS = 1000 / FRAMES_A_SECOND;

export interface Frames {
	framesPerSecond: number;
	slowestSecond: number;
	changes: number;
	affordedFrames: number;
	busyMsPerSecond: number;
}

/** The lowest of the measured and the afforded rates. */
export const lowestRate = (measured: readonly Frames[]): number =>
	Math.min(...measured.flatMap(({ framesPerSecond, affordedFrames }) => [framesPerSecond, affordedFrames]));

/** @param moving a selector of the changing elements */
export async function framesOf(page: Page, moving: string): Promise<Frames> {
	const devtools = await page.context().newCDPSession(page);
	await page.waitForTimeout(WARM_UP_MS);
	const tasks = await mainThreadTasks(devtools, () => page.waitForTimeout(TRACED_MS));
	await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN });
	const { frames, changes } = await page.evaluate(countFrames, { seconds: MEASURED_SECONDS, moving });
	const lost = tasks.reduce((sum, ms) => sum + Math.floor((ms * SLOWED_DOWN) / FRAME_MS), 0);
	const busyMs = tasks.reduce((sum, ms) => sum + ms, 0);
	const tracedSeconds = TRACED_MS / 1000;
	return {
		framesPerSecond: round(frames.reduce((sum, count) => sum + count, 0) / frames.length, 1),
		slowestSecond: Math.min(...frames),
		changes,
		affordedFrames: round(FRAMES_A_SECOND - lost / tracedSeconds, 1),
		busyMsPerSecond: round(busyMs / tracedSeconds, 1),
	};
}

/** In the page: the animation frames of each second, and the texts in `moving` that changed meanwhile. */
function countFrames({ seconds, moving }: { seconds: number; moving: string }) {
	return new Promise<{ frames: number[]; changes: number }>((resolve) => {
		let changes = 0;
		const watcher = new MutationObserver((mutations) => {
			const places = mutations.map(({ target }) => (target instanceof Element ? target : target.parentElement));
			changes += places.filter((place) => place?.closest(moving)).length;
		});
		watcher.observe(document.body, { subtree: true, characterData: true, childList: true });
		const frames = Array.from({ length: seconds }, () => 0);
		const begun = performance.now();
		const next = (now: number) => {
			const second = Math.floor((now - begun) / 1000);
			if (second >= seconds) {
				watcher.disconnect();
				resolve({ frames, changes });
				return;
			}
			frames[Math.max(0, second)] = (frames[Math.max(0, second)] ?? 0) + 1;
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	});
}
