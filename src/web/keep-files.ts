/**
 * The service worker, and the files of the build that it keeps for later: one at a time, while this page has nothing else
 * to do. What it has is known by its cache, so the next start goes on where this one ended.
 */
import { inFlightCount } from '#web/api/in-flight.ts';
import { pause } from '#web/pause.ts';

/** A worker that answers nothing for so long is one from before, or has ended. */
const ANSWER_MS = 20_000;
/** Until calls in flight are looked at again, and for browsers that do not say when they are idle. */
const LOOK_MS = 250;

const idle = (): Promise<void> =>
	'requestIdleCallback' in globalThis ? new Promise((resolve) => requestIdleCallback(() => resolve())) : pause(LOOK_MS);

/** Resolves when no answer is awaited and the browser has time. */
async function quiet(): Promise<void> {
	await idle();
	while (inFlightCount() > 0) await pause(LOOK_MS).then(idle);
}

/** @returns how many files are left; null if nothing was kept */
function keepMore(worker: ServiceWorker, keep: readonly string[]): Promise<number | null> {
	const { port1, port2 } = new MessageChannel();
	return new Promise((resolve) => {
		const end = (left: number | null) => {
			clearTimeout(late);
			port1.close();
			resolve(left);
		};
		const late = setTimeout(() => end(null), ANSWER_MS);
		port1.onmessage = ({ data }) => end(typeof data === 'number' ? data : null);
		worker.postMessage({ keep }, [port2]);
	});
}

/** The files that this page has loaded. */
const loaded = (): string[] => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);

let isKeeping = false;

async function keepAllIn(worker: ServiceWorker): Promise<void> {
	let left = await keepMore(worker, loaded());
	while (left) {
		await quiet();
		left = await keepMore(worker, []);
	}
}

async function keepAll(): Promise<void> {
	if (isKeeping) return;
	isKeeping = true;
	const { active } = await navigator.serviceWorker.ready;
	if (active) await keepAllIn(active);
	isKeeping = false;
}

export async function keepFiles(): Promise<void> {
	const { serviceWorker } = navigator;
	// A new build is a new worker, which takes over while the page is open.
	serviceWorker.addEventListener('controllerchange', () => void keepAll());
	const registration = await serviceWorker.register('/service-worker.js').catch(() => null);
	if (registration) await keepAll();
}
