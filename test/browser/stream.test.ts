/**
 * A match that can be watched: a live stream that answers, and ones that do not.
 *
 * @module-tag thorough
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mainlyOn } from './browser.ts';
import { openPanel } from './match-panel.ts';
import { Scene } from './scene.ts';

let scene: Scene;
let provider: Server;
let address: string;
/** By path; what is not here is not found, what is null is never answered. */
const files = new Map<string, Buffer | null>();

/** Lets it listen; answers its origin. */
async function open(server: Server): Promise<string> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
	scene = await Scene.open();
	provider = createServer((request, response) => {
		const file = files.get(request.url ?? '');
		if (file === null) return;
		response.writeHead(file ? 200 : 404, { 'Access-Control-Allow-Origin': '*' }).end(file);
	});
	address = await open(provider);
});
afterEach(() => scene.leave());
afterAll(async () => {
	await scene?.close();
	provider?.closeAllConnections();
	provider?.close();
});

/** Two seconds of a moving picture, as the browser itself writes one: fragmented MP4, its head first. */
async function film(page: Page): Promise<Buffer> {
	const text = await page.evaluate(async () => {
		const canvas = document.createElement('canvas');
		const pen = canvas.getContext('2d');
		const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/mp4;codecs=avc1.42E01E' });
		const parts: Blob[] = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		const stopped = new Promise((resolve) => {
			recorder.onstop = resolve;
		});
		let at = 0;
		const painting = setInterval(() => {
			at += 5;
			pen?.fillRect(at % 300, 20, 40, 40);
			if (at > 200) recorder.stop();
		}, 50);
		recorder.start();
		await stopped;
		clearInterval(painting);
		const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
		return bytes.reduce((all, byte) => all + String.fromCharCode(byte), '');
	});
	return Buffer.from(text, 'latin1');
}

/** A film as a stream: its head, and the rest as one segment. */
function serve(bytes: Buffer): void {
	let at = 0;
	while (bytes.toString('latin1', at + 4, at + 8) !== 'moof') at += bytes.readUInt32BE(at);
	files.set('/head.mp4', bytes.subarray(0, at));
	files.set('/film.m4s', bytes.subarray(at));
	const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:3', '#EXT-X-MAP:URI="head.mp4"'];
	files.set('/live.m3u8', Buffer.from([...lines, '#EXTINF:2.0,', 'film.m4s', '#EXT-X-ENDLIST', ''].join('\n')));
}

async function watch(width: 'desktop' | 'phone', path: string) {
	const match = await scene.match();
	await scene.server.running.fixtures.setStream(Number(match.eventId), `${address}${path}`);
	const { page } = await scene.playerAt(match, width);
	const panel = await openPanel(page);
	const live = panel.getByRole('button', { name: 'Live', exact: true });
	await live.waitFor();
	if ((await live.getAttribute('aria-expanded')) === 'false') await live.click();
	return { match, page, video: page.getByLabel('Live stream of India v Nepal') };
}

describe.each(['desktop', 'phone'] as const)('on a %s', (width) => {
	it('a stream that answers is played in the page, muted', mainlyOn('phone', width), async () => {
		if (files.size === 0) {
			const page = await scene.visitor('desktop');
			await page.goto('/test');
			serve(await film(page));
		}
		const { page, video } = await watch(width, '/live.m3u8');
		await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2);
		expect(await video.evaluate((element: HTMLVideoElement) => element.muted)).toBe(true);
		expect(await page.getByText('The stream cannot be shown now.').count()).toBe(0);
	});

	it('one that is not there says so, and the prices beside it go on', { tags: 'thorough' }, async () => {
		const { match, page } = await watch(width, '/none.m3u8');
		await page.getByRole('alert').filter({ hasText: 'The stream cannot be shown now.' }).waitFor();
		const late = page.getByText('These pictures may be some seconds late.');
		expect(await late.count()).toBe(0);
		const { brands, exchange } = scene.server.running;
		const choose = (profile: 'uk' | 'play') =>
			brands.chooseProfile('localhost', { profile, fromMs: exchange.now() + 100 }, exchange.now());
		await choose('uk');
		await late.waitFor();
		await scene.quote(match, { back: [[3, 100]], lay: [] });
		await page.getByRole('button', { name: /^Back India 3\.00, / }).waitFor();
		await choose('play');
		await late.waitFor({ state: 'detached' });
	});
});

it('one that never answers holds nothing up, and goes when the operator takes it away', {
	tags: 'thorough',
}, async () => {
	files.set('/silent.m3u8', null);
	const { match, page, video } = await watch('desktop', '/silent.m3u8');
	await video.waitFor();
	await scene.quote(match, { back: [[3, 100]], lay: [] });
	await page.getByRole('button', { name: /^Back India 3\.00, / }).waitFor();
	await scene.server.running.fixtures.setStream(Number(match.eventId), null);
	await video.waitFor({ state: 'detached' });
});

describe('a page', () => {
	let elsewhere: Server;
	let origin: string;
	/** What came through to there, by path. */
	const asked: string[] = [];
	beforeAll(async () => {
		elsewhere = createServer((request) => {
			asked.push(request.url ?? '');
			request.socket.destroy();
		});
		origin = await open(elsewhere);
	});
	afterAll(() => elsewhere?.close());

	/** Whether the page's script gets through to there, by a call and by a WebSocket. */
	async function reaches(page: Page): Promise<[call: boolean, line: boolean]> {
		asked.length = 0;
		await page.evaluate(async (to) => {
			await fetch(`${to}/call`, { mode: 'no-cors' }).catch(() => null);
			await new Promise((ended) => {
				const socket = new WebSocket(`${to.replace('http', 'ws')}/line`);
				socket.onerror = ended;
			}).catch(() => null);
		}, origin);
		return [asked.includes('/call'), asked.includes('/line')];
	}

	const set = (host: string, field: string, value: string) =>
		scene.server.operator('brand-set', { host, field, value });

	it('reaches no origin but those configured when it is loaded: of a stream, or of a hub', {
		tags: 'thorough',
	}, async () => {
		const match = await scene.match();
		const { page } = await scene.playerAt(match, 'desktop');
		expect(await reaches(page)).toEqual([false, false]);
		const { eventId } = match;
		await scene.server.act('stream', { eventId, address: `${origin}/stream.m3u8` });
		await page.reload();
		expect(await reaches(page)).toEqual([true, false]);
		// No stream comes from there; that is said, and prices go on.
		const live = page.getByRole('button', { name: 'Live', exact: true });
		if ((await live.getAttribute('aria-expanded')) === 'false') await live.click();
		await page.getByRole('alert').filter({ hasText: 'The stream cannot be shown now.' }).waitFor();
		await scene.quote(match, { back: [[3, 100]], lay: [] });
		await page.getByRole('button', { name: /^Back India 3\.00, / }).waitFor();
		await scene.server.act('stream', { eventId });
		await page.reload();
		expect(await reaches(page)).toEqual([false, false]);
		await set('royal.localhost', 'hubUrl', `${origin}/hub`);
		await page.goto(scene.server.url.replace('localhost', 'royal.localhost'));
		expect(await reaches(page)).toEqual([true, true]);
	});

	it('that is open plays a new stream of the service its brand names', { tags: 'thorough' }, async () => {
		await set('localhost', 'streamUrl', origin);
		const match = await scene.match();
		const { page } = await scene.playerAt(match, 'desktop');
		await scene.server.act('stream', { eventId: match.eventId, address: `${origin}/later.m3u8` });
		await page.getByLabel('Live stream of India v Nepal').waitFor();
		await expect.poll(() => asked).toContain('/later.m3u8');
	});
});
