/**
 * `npm run bench -- price-cells`: 600 price cells and 2,000 price changes a second, by the site's own store and price
 * buttons and by direct writes to the same elements, in turns in the same browser. `mainThreadMs` is the work of the
 * page's main thread in the measured time, scripting, style, layout and paint together, as the browser counts it.
 * `ratio` is the median of the rounds' site ÷ direct. `framesPerSecond` are animation frames. Prints one JSON line.
 *
 * `-- --phone` lays the cells out as on a phone, a pair in a row of 390 px, on a processor slowed down four times.
 * There the frames a second count, and `ratio` is the required rate to the measured one. `load` is the machine's load
 * average, which a slowed-down page feels four times.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type Browser, chromium } from 'playwright-core';
import { build } from 'vite';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { percentile, print, round } from './support/figures.ts';
import { type PageWork, workOf } from './support/page-work.ts';

const ROUNDS = 5;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;
const PHONE = process.argv.includes('--phone');
const SLOWED_DOWN = PHONE ? 4 : 1;
const VIEWPORT = PHONE ? { width: 390, height: 844 } : { width: 1440, height: 900 };
const MUST = PHONE ? { framesPerSecond: 50 } : { ratio: 1.3 };
const AIM = PHONE ? { framesPerSecond: 58 } : { ratio: 1.1 };
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

type Cells = 'site' | 'direct';
interface Measured extends PageWork {
	changesPerSecond: number;
}

const folder = mkdtempSync(join(tmpdir(), 'price-cells-'));
await build({
	configFile: false,
	logLevel: 'error',
	plugins: [react(), tailwindcss()],
	build: {
		outDir: folder,
		rolldownOptions: {
			input: join(import.meta.dirname, 'support', 'price-cells-page.ts'),
			output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
		},
	},
});
const server = createServer((request, response) => {
	const name = new URL(request.url ?? '/', 'http://page').pathname.slice(1);
	response.setHeader('content-type', TYPES[extname(name)] ?? 'text/html');
	if (name === 'page.js' || name === 'page.css') response.end(readFileSync(join(folder, name)));
	else
		response.end(
			'<!doctype html><html class="dark"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/page.css"><body><script type="module" src="/page.js"></script>',
		);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });

const rounds: Record<Cells, Measured[]> = { site: [], direct: [] };
for (let at = 0; at < ROUNDS; at++) {
	for (const cells of at % 2 === 0 ? (['site', 'direct'] as const) : (['direct', 'site'] as const))
		rounds[cells].push(await measure(browser, cells));
}
await browser.close();
server.close();
rmSync(folder, { recursive: true, force: true });

const ratios = rounds.site.map((site, at) => site.mainThreadMs / (rounds.direct[at]?.mainThreadMs ?? Number.NaN));
const median = (cells: Cells, of: keyof Measured) =>
	round(
		percentile(
			rounds[cells].map((each) => each[of]),
			0.5,
		),
		0,
	);
const figuresOf = (cells: Cells) => ({
	mainThreadMs: median(cells, 'mainThreadMs'),
	framesPerSecond: median(cells, 'framesPerSecond'),
	changesPerSecond: median(cells, 'changesPerSecond'),
});
print({
	measuredMs: MEASURED_MS,
	site: figuresOf('site'),
	direct: figuresOf('direct'),
	ratios: ratios.map((ratio) => round(ratio, 2)),
	ratio: PHONE
		? round((MUST.framesPerSecond ?? Number.NaN) / median('site', 'framesPerSecond'), 2)
		: round(percentile([...ratios], 0.5), 2),
	load: round(loadavg()[0] ?? 0, 1),
	must: MUST,
	aim: AIM,
});

async function measure(from: Browser, cells: Cells): Promise<Measured> {
	const page = await from.newPage({ viewport: VIEWPORT, hasTouch: PHONE, isMobile: PHONE });
	await page.goto(`http://127.0.0.1:${port}/?cells=${cells}${PHONE ? '&rows' : ''}`);
	await page.locator('.price').nth(599).waitFor({ state: 'attached' });
	const devtools = await page.context().newCDPSession(page);
	await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN });
	await page.waitForTimeout(WARM_UP_MS);
	await devtools.send('Performance.enable');
	const told = () => page.evaluate(() => Number(document.querySelector('main')?.dataset['told']));
	const toldBefore = await told();
	const work = await workOf(page, devtools, MEASURED_MS);
	const changes = (await told()) - toldBefore;
	await page.close();
	return { ...work, changesPerSecond: (changes * 1000) / MEASURED_MS };
}
