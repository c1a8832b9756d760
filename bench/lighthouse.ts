/**
 * `npm run bench -- lighthouse`: Lighthouse on the match list and on a market in play, for a logged-in player, on the
 * built site and the real server with all simulated sports, as a desktop and as a phone. Every figure is the median of
 * the runs. `load` is the machine's load average meanwhile: a score taken under load says little. `ratio` is the lowest
 * performance score to the required one. Prints one JSON line.
 *
 * Lighthouse has a hundred dependencies, so it is not one of ours: npm fetches this exact version into its cache when
 * the bench runs. The Chromium is the tests' own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { enterAsDemoPlayer } from './support/demo-player.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';
import { matchInPlay } from './support/simulated-match.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 3;
const FLAGS = [...CHROMIUM_ARGUMENTS, '--headless=new'];
const MUST = { desktop: 98, mobile: 90 };
const AIM = { desktop: 100, mobile: 95 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const AUDITS = {
	firstPaintMs: 'first-contentful-paint',
	largestPaintMs: 'largest-contentful-paint',
	blockedMs: 'total-blocking-time',
	layoutShift: 'cumulative-layout-shift',
} as const;

type Device = 'desktop' | 'mobile';
type Figures = Record<(typeof CATEGORIES)[number] | keyof typeof AUDITS, number>;
/** The parts of Lighthouse's answer that are read here. */
interface Report {
	categories: Record<string, { score: number | null }>;
	audits: Record<string, { numericValue?: number }>;
}

const run = promisify(execFile);
const executablePath = ensureChromium();

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: true });
	const profile = await mkdtemp(join(tmpdir(), 'lighthouse-'));
	try {
		const site = `http://localhost:${server.port}`;
		const market = `/markets/${await matchInPlay(server.port, 'Football')}`;
		await logIn(profile, site + market);
		const pages = { matchList: `${site}/matchlist/1`, market: site + market };
		const found: Record<string, Record<Device, Figures>> = {};
		for (const [name, address] of Object.entries(pages)) {
			found[name] = {
				desktop: await median(profile, address, 'desktop'),
				mobile: await median(profile, address, 'mobile'),
			};
		}
		const worst = (device: Device) => Math.min(...Object.values(found).map((of) => of[device].performance));
		const ratios = (['desktop', 'mobile'] as const).map((device) => worst(device) / MUST[device]);
		print({
			runs: RUNS,
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

async function median(profile: string, address: string, device: Device): Promise<Figures> {
	const all: Figures[] = [];
	for (let at = 0; at < RUNS; at++) all.push(figuresOf(await lighthouse(profile, address, device)));
	const names = Object.keys(all[0] ?? {}) as (keyof Figures)[];
	const middle = (name: keyof Figures) => {
		const values = all.map((each) => each[name]);
		return percentile(values, 0.5);
	};
	return Object.fromEntries(names.map((name) => [name, middle(name)])) as Figures;
}

/** The cache is emptied before each run; the player's storage is kept. */
async function lighthouse(profile: string, address: string, device: Device): Promise<Report> {
	const output = join(profile, 'report.json');
	const options = ['--quiet', '--output=json', `--output-path=${output}`, `--only-categories=${CATEGORIES.join()}`];
	if (device === 'desktop') options.push('--preset=desktop');
	const flags = [...FLAGS, `--user-data-dir=${profile}`].join(' ');
	await run('npx', ['--yes', LIGHTHOUSE, address, ...options, `--chrome-flags=${flags}`], {
		cwd: tmpdir(),
		env: { ...process.env, CHROME_PATH: executablePath },
	});
	return JSON.parse(await readFile(output, 'utf8')) as Report;
}

function figuresOf({ categories, audits }: Report): Figures {
	const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? Number.NaN) * 100)]);
	const measured = Object.entries(AUDITS).map(([name, audit]) => [
		name,
		round(audits[audit]?.numericValue ?? Number.NaN, audit === AUDITS.layoutShift ? 3 : 0),
	]);
	return Object.fromEntries([...scores, ...measured]) as Figures;
}
