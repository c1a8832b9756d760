/**
 * `npm run bench -- lighthouse`: Lighthouse on the match list and on a market in play, for a logged-in player, on the
 * built site and the real server with all simulated sports, as a desktop and as a phone. Every figure is the median of
 * the runs; each run is reported as it ends, because all together take minutes. `-- --device mobile` and `-- --runs 1`
 * measure a part. `load` is the machine's load average meanwhile: a score taken under load says little. `ratio` is the lowest
 * performance score to the required one. The server and Lighthouse itself yield to the browser, because a player's device
 * shares its cores with neither. Prints one JSON line.
 *
 * Lighthouse makes a fast desk's processor (`benchmarkIndex` 1500 to 2000) a phone's by slowing it down four times. A machine
 * below that is slowed down to less than such a phone; `-- --slowdown calibrated` slows it down in proportion to what it
 * has of 1500, as the documentation of Lighthouse asks (docs/throttling.md there).
 *
 * Lighthouse has a hundred dependencies, so it is not one of ours: npm fetches this exact version into its cache when
 * the bench runs. The Chromium is the tests' own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';
import { matchInPlay } from './support/simulated-match.ts';
import { inYieldingSession } from './support/yielding.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const FLAGS = [...CHROMIUM_ARGUMENTS, '--headless=new'];
const MUST = { desktop: 98, mobile: 95 };
const AIM = { desktop: 100, mobile: 98 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const AUDITS = {
	firstPaintMs: 'first-contentful-paint',
	largestPaintMs: 'largest-contentful-paint',
	blockedMs: 'total-blocking-time',
	layoutShift: 'cumulative-layout-shift',
} as const;
/** How many times a phone is slower than a fast desk, and the index of the slowest fast desk. */
const SLOWDOWN = 4;
const FAST_DESK = 1500;

const DEVICES = ['desktop', 'mobile'] as const;
type Device = (typeof DEVICES)[number];
type Figures = Record<(typeof CATEGORIES)[number] | keyof typeof AUDITS | 'benchmarkIndex', number>;
/** The parts of Lighthouse's answer that are read here. */
interface Report {
	environment: { benchmarkIndex: number };
	categories: Record<string, { score: number | null }>;
	audits: Record<string, { numericValue?: number }>;
}

const { values: asked } = parseArgs({
	options: {
		device: { type: 'string' },
		runs: { type: 'string', default: '3' },
		slowdown: { type: 'string', default: String(SLOWDOWN) },
	},
});
const measured = DEVICES.filter((device) => asked.device === undefined || device === asked.device);
const runs = Number(asked.runs);
if (measured.length === 0) throw new Error(`There is no device ${asked.device}: ${DEVICES.join(', ')}.`);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`${asked.runs} is no number of runs.`);
if (asked.slowdown !== 'calibrated' && !(Number(asked.slowdown) >= 1))
	throw new Error(`${asked.slowdown} is no slowdown: a number from 1, or calibrated.`);

const run = promisify(execFile);
const executablePath = ensureChromium();

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: true, yields: true });
	const profile = await mkdtemp(join(tmpdir(), 'lighthouse-'));
	try {
		const site = `http://localhost:${server.port}`;
		const market = `/markets/${await matchInPlay(server.port, 'Football')}`;
		await logIn(profile, site + market);
		const pages = { matchList: `${site}/matchlist/1`, market: site + market };
		const slowdown = await slowdownOf(profile, pages.matchList);
		const found: Record<string, Partial<Record<Device, Figures>>> = {};
		for (const [name, address] of Object.entries(pages)) {
			found[name] = {};
			for (const device of measured)
				found[name][device] = await median(profile, { name, address }, { device, slowdown });
		}
		const scores = (device: Device) => Object.values(found).map((of) => of[device]?.performance ?? Number.NaN);
		const ratios = measured.map((device) => Math.min(...scores(device)) / MUST[device]);
		print({
			runs,
			slowdown,
			...found,
			load: round(loadavg()[0] ?? 0, 1),
			ratio: round(Math.min(...ratios), 2),
			must: MUST,
			aim: AIM,
		});
	} finally {
		await server.stop();
		await rm(profile, { recursive: true, force: true });
	}
});

async function logIn(profile: string, address: string): Promise<void> {
	const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS });
	await enterAsDemoPlayer(await context.newPage(), address);
	await context.close();
}

/** How many times slower a phone is taken to be than this machine. */
async function slowdownOf(profile: string, address: string): Promise<number> {
	if (asked.slowdown !== 'calibrated') return Number(asked.slowdown);
	const { environment } = await lighthouse(profile, address, { device: 'desktop', slowdown: 1 });
	return round(Math.max(1, SLOWDOWN * Math.min(1, environment.benchmarkIndex / FAST_DESK)), 2);
}

interface Visit {
	device: Device;
	slowdown: number;
}

async function median(
	profile: string,
	{ name: page, address }: { name: string; address: string },
	visit: Visit,
): Promise<Figures> {
	const all: Figures[] = [];
	for (let at = 0; at < runs; at++) {
		const figures = figuresOf(await lighthouse(profile, address, visit));
		all.push(figures);
		console.error(`${page}, ${visit.device}, run ${at + 1} of ${runs}: ${JSON.stringify(figures)}`);
	}
	const names = Object.keys(all[0] ?? {}) as (keyof Figures)[];
	const middle = (name: keyof Figures) => {
		const values = all.map((each) => each[name]);
		return percentile(values, 0.5);
	};
	return Object.fromEntries(names.map((name) => [name, middle(name)])) as Figures;
}

/** The cache is emptied before each run; the player's storage is kept. */
async function lighthouse(profile: string, address: string, { device, slowdown }: Visit): Promise<Report> {
	const output = join(profile, 'report.json');
	const options = ['--quiet', '--output=json', `--output-path=${output}`, `--only-categories=${CATEGORIES.join()}`];
	options.push(device === 'desktop' ? '--preset=desktop' : `--throttling.cpuSlowdownMultiplier=${slowdown}`);
	const flags = [...FLAGS, `--user-data-dir=${profile}`].join(' ');
	const [program = '', ...words] = [...inYieldingSession, 'npx', '--yes', LIGHTHOUSE, address, ...options];
	await run(program, [...words, `--chrome-flags=${flags}`], {
		cwd: tmpdir(),
		env: { ...process.env, CHROME_PATH: executablePath },
	});
	return JSON.parse(await readFile(output, 'utf8')) as Report;
}

function figuresOf({ categories, audits, environment }: Report): Figures {
	const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? Number.NaN) * 100)]);
	const measured = Object.entries(AUDITS).map(([name, audit]) => [
		name,
		round(audits[audit]?.numericValue ?? Number.NaN, audit === AUDITS.layoutShift ? 3 : 0),
	]);
	const index = ['benchmarkIndex', Math.round(environment.benchmarkIndex)];
	return Object.fromEntries([...scores, ...measured, index]) as Figures;
}
