/**
 * Look-alikes of payment apps' pages, read as the server reads them, against the table of their right readings. What counts
 * in the words of a picture, receipt-text.test.ts shows; to read one costs as much as a page.
 *
 * @module-tag thorough
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { Media } from '#server/platform/media/media.ts';
import { amountIn, type TextLine, utrIn } from '#values/receipt-text.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const NEVER = Number.POSITIVE_INFINITY;
const { path: FOLDER, isPresent } = sharedFolder('vectors/receipts', 'the receipts of payment apps are not read');

/** What is read is shown here, and not how long that may take: other tests have the machine, too. */
const media = new Media({ reading: { longestMs: 25_000 } });
afterAll(() => media.stop());

async function linesOf(file: Buffer): Promise<TextLine[]> {
	const { bytes } = await media.clean(file, NEVER);
	const reading = await media.read(Buffer.from(bytes), NEVER);
	if (reading.state !== 'READ') throw new Error(`The receipt is ${reading.state}.`);
	return reading.lines;
}

interface Row {
	file: string;
	/** Null: nothing on it is a reference. */
	utr: string | null;
	minor: number;
}

/** The rows of the README's table: files, the reference, the amount. */
function rows(): Row[] {
	const table = readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| (.+?\.\w+) \| (.+?) \| ([\d,.]+) \|$/gm);
	return [...table].flatMap(([, files = '', reference = '', amount = '']) =>
		files.split(', ').map((file) => ({
			file,
			utr: /^\d{12}/.exec(reference)?.[0] ?? null,
			minor: Math.round(Number(amount.replaceAll(',', '')) * 100),
		})),
	);
}

describe.runIf(isPresent)('a receipt of a payment app', () => {
	const all = isPresent ? rows() : [];
	it('stands in the table', () => expect(all).toHaveLength(6));
	it.each(all)('shows the reference and the amount: $file', async ({ file, utr, minor }) => {
		const lines = await linesOf(readFileSync(join(FOLDER, file)));
		expect(utrIn(lines)).toBe(utr);
		expect(amountIn(lines, minor)).toBe('FOUND');
		// Its date and its time.
		for (const no of [2_026, 15, 10.15]) expect(amountIn(lines, no * 100)).toBe('NOT_FOUND');
	});
});

it('a page in Hindi shows its reference and its amount, whatever the reader makes of the words', async () => {
	const page = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="900"><rect width="720" height="900" fill="#fff"/>
		<g font-family="Noto Sans Devanagari, sans-serif" fill="#222"><text x="60" y="120" font-size="40">भुगतान सफल रहा</text>
		<text x="60" y="240" font-size="80">₹1,750</text><text x="60" y="340" font-size="32">प्राप्तकर्ता: बैकले ट्रेडर्स</text>
		<text x="60" y="420" font-size="32">यूपीआई संदर्भ संख्या: 626319845533</text>
		<text x="60" y="500" font-size="32">मोबाइल: +919876543210</text><text x="60" y="580" font-size="32">15 नवंबर 2026, 10:15</text></g></svg>`;
	const lines = await linesOf(await sharp(Buffer.from(page)).png().toBuffer());
	expect(utrIn(lines)).toBe('626319845533');
	expect(amountIn(lines, 175_000)).toBe('FOUND');
	expect(amountIn(lines, 202_600)).toBe('NOT_FOUND');
});
