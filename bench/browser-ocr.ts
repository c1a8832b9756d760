/**
 * `npm run bench -- browser-ocr`: from the choice of a receipt's picture until the site has read it, in the browser, on the built
 * site: rendered receipts, light and dark, with and without the rupee sign. The first reading, which also loads four
 * megabytes of reader, is named apart. `references` counts those that were filled in rightly, of all, and those that were
 * filled in wrongly. `ratio` is the median to what it must be; `load` is how many programs wanted a core. One JSON line.
 */
import { loadavg } from 'node:os';
import { chromium, type Page } from 'playwright-core';
import { receiptPicture } from '../test/support/receipt.ts';
import { CHROMIUM_ARGUMENTS, ensureChromium } from '../tools/chromium.ts';
import { percentile, print, round } from './support/figures.ts';
import { withDataDir } from './support/scratch.ts';
import { startServerChild } from './support/server-child.ts';

const RECEIPTS = 20;
const MUST = { medianMs: 1_000 };
/** A demo brand where a new player needs no code. */
const BRAND = 'monsoon.localhost';
const FIRST_UTR = 412_345_670_000;

interface Read {
	ms: number;
	isRight: boolean;
	isWrong: boolean;
}

await withDataDir(async (dataDir) => {
	const server = await startServerChild(dataDir, { feeds: false });
	const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGUMENTS] });
	try {
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
		await signUp(page, `http://${BRAND}:${server.port}`);
		await page.getByRole('tab', { name: 'Receipt' }).click();
		const reads: Read[] = [];
		for (let number = 0; number <= RECEIPTS; number++) reads.push(await read(page, number));
		const [first, ...warm] = reads;
		const times = warm.map(({ ms }) => ms);
		const medianMs = percentile(times, 0.5);
		print({
			medianMs: round(medianMs, 0),
			p90Ms: round(percentile(times, 0.9), 0),
			firstMs: round(first?.ms ?? 0, 0),
			references: {
				right: warm.filter(({ isRight }) => isRight).length,
				wrong: warm.filter(({ isWrong }) => isWrong).length,
				of: warm.length,
			},
			load: round(loadavg()[0] ?? 0, 1),
			ratio: round(medianMs / MUST.medianMs, 2),
			must: MUST,
		});
	} finally {
		await browser.close();
		await server.stop();
	}
});

/** A demo player does not deposit. */
async function signUp(page: Page, site: string): Promise<void> {
	await page.goto(`${site}/?ref=BENCH`);
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Username').fill('bench-player');
	await dialog.getByLabel('Mobile number').fill('9000000001');
	await dialog.getByLabel('Password', { exact: true }).fill('a long enough Passw0rd!');
	await dialog.getByLabel('Confirm password').fill('a long enough Passw0rd!');
	// The invitation opened the form, and no player has that code.
	await dialog.getByLabel(/^Referral code/).fill('');
	await dialog.getByRole('button', { name: 'Sign Up', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.goto(`${site}/deposit`);
}

/** One receipt, different in each run. */
async function read(page: Page, number: number): Promise<Read> {
	const utr = String(FIRST_UTR + number * 7_919);
	const sign = number % 4 < 2 ? '₹' : 'Rs ';
	const buffer = await receiptPicture({
		amount: `${number + 1},250`,
		utr,
		sign,
		isDark: number % 2 === 1,
		width: 1080,
	});
	const since = performance.now();
	await page
		.getByLabel('Drop, paste or choose a picture')
		.setInputFiles({ name: 'receipt.png', mimeType: 'image/png', buffer });
	await page.getByText(/reference was found|No single reference/).waitFor();
	const ms = performance.now() - since;
	const found = await page.getByLabel('Reference (UTR)').inputValue();
	await page.getByRole('button', { name: 'Another picture' }).click();
	await page.getByLabel('Drop, paste or choose a picture').waitFor();
	return { ms, isRight: found === utr, isWrong: found !== '' && found !== utr };
}
