/**
 * `npm run bench -- console`: the console over a large database, which SQL fills with a million players, bets and results
 * of a year. `todayMs` and `searchMs` are calls of a member, `frames` the animation frames of each second while a table
 * of 100,000 rows scrolls, `firstScreenKB` what a browser downloads before the first screen, gzipped. `load` is the
 * machine's load average. Prints one JSON line. Builds the console when it is not built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { connect } from '#server/platform/postgres/connect.ts';
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { percentile, print, round } from './support/figures.ts';
import { fillConsole } from './support/filled-console.ts';
import { type Ask, type OperatorDoors, openDoors } from './support/operator-doors.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const ROWS = 1_000_000;
const CALLS = 40;
const TABLE_ROWS = 100_000;
const SCROLLED_SECONDS = 8;
const MUST = { todayMs: 200, searchMs: 100, frames: 55, firstScreenKB: 220 };
const SEARCHES = { name: 'generated 29999', mobile: '7000029999', id: '5029999' };
const DIST = join(import.meta.dirname, '..', 'dist-console');

if (!existsSync(join(DIST, 'index.html'))) spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir);
	try {
		const doors = await openDoors(server.port, dataDir, 'owner');
		// The server's own cluster is running; this only finds it.
		const db = connect((await startEmbeddedPostgres({ dataDir, isGuest: true })).url('backlay'), { max: 1 });
		await fillConsole(db, ROWS);
		await db.end();
		const todayMs = await latency(doors.asMember, 'today', {});
		const searchMs: Record<string, object> = {};
		for (const [by, query] of Object.entries(SEARCHES))
			searchMs[by] = await latency(doors.asMember, 'player-search', { query });
		const frames = await scroll(server.port, doors);
		doors.close();
		const load = round(loadavg()[0] ?? 0, 1);
		print({
			rows: ROWS,
			todayMs,
			searchMs,
			tableRows: TABLE_ROWS,
			frames,
			firstScreenKB: firstScreenKB(),
			load,
			must: MUST,
		});
	} finally {
		await server.stop();
	}
});

async function latency(ask: Ask, act: string, body: object): Promise<{ p50: number; p99: number }> {
	const took: number[] = [];
	for (let call = 0; call < CALLS; call++) {
		const from = performance.now();
		await ask(act, body);
		took.push(performance.now() - from);
	}
	return { p50: round(percentile(took, 0.5), 1), p99: round(percentile(took, 0.99), 1) };
}

/** A row of the list of events, which the console's table shows. */
function eventRow(at: number) {
	return {
		eventId: String(at),
		event: `Event ${at}`,
		sport: 'cricket',
		competition: 'Bench Cup',
		status: 'UPCOMING',
		startsAt: new Date(at * 1000).toISOString(),
		score: null,
		source: 'bench',
		markets: at % 40,
		open: at % 20,
		waiting: at % 3,
		matched: at * 7,
	};
}

/** @returns the frames of each second of scrolling */
async function scroll(port: number, { member: { name, password } }: OperatorDoors): Promise<number[]> {
	const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
	try {
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
		const result = Array.from({ length: TABLE_ROWS }, (_, at) => eventRow(at));
		const body = JSON.stringify({ success: true, result, error: null });
		await page.route('**/api/events', (route) => route.fulfill({ contentType: 'application/json', body }));
		await page.goto(`http://console.localhost:${port}/markets`);
		await page.getByLabel('Name').fill(name);
		await page.getByLabel('Password').fill(password);
		await page.getByRole('button', { name: 'Log in' }).click();
		await page.getByRole('row').nth(5).waitFor();
		return await framesOf(page);
	} finally {
		await browser.close();
	}
}

/** Scrolls by a screen every few frames, to the end and back. */
function framesOf(page: Page): Promise<number[]> {
	return page.evaluate(
		(seconds) =>
			new Promise<number[]>((resolve) => {
				const table = document.querySelector('.table-body') as HTMLElement;
				const frames = Array.from({ length: seconds }, () => 0);
				const begun = performance.now();
				const next = (now: number) => {
					const second = Math.floor((now - begun) / 1000);
					if (second >= seconds) {
						resolve(frames);
						return;
					}
					frames[Math.max(0, second)] = (frames[Math.max(0, second)] ?? 0) + 1;
					table.scrollTop += 120;
					requestAnimationFrame(next);
				};
				requestAnimationFrame(next);
			}),
		SCROLLED_SECONDS,
	);
}

function firstScreenKB(): number {
	const assets = join(DIST, 'assets');
	const page = readFileSync(join(DIST, 'index.html'), 'utf8');
	const named = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name) && page.includes(name));
	const bytes = named.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);
	return round((bytes + gzipSync(page).length) / 1000, 1);
}
