/**
 * Reads the text on a cleaned picture, with one reader for all pictures of the process. Runs only in the media process.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { DARK_PICTURE } from '#values/picture.ts';
import type { TextLine } from '#values/receipt-text.ts';
import { linesOf, type Turn, uprightLines } from '#values/turned-text.ts';

let opened: Promise<Worker> | null = null;

async function openWorker(): Promise<Worker> {
	const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
	const worker = await createWorker('eng', 1, {
		langPath: join(data, '4.0.0_best_int'),
		cacheMethod: 'none',
		gzip: true,
	});
	await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
	return worker;
}

/** The CPU time of this process and its threads. */
function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
}

/**
 * @param withinMs the limit of CPU time for all of it
 * @returns null if that is too short to determine the orientation
 */
export async function readPicture(bytes: Buffer, withinMs: number): Promise<TextLine[] | null> {
	const turnsUntilMs = cpuMs() + withinMs / 2;
	const picture = sharp(bytes).greyscale();
	const { channels } = await picture.stats();
	const isDark = (channels[0]?.mean ?? 255) < DARK_PICTURE;
	const grey = await (isDark ? picture.negate() : picture).normalise().png().toBuffer();
	opened ??= openWorker();
	const worker = await opened;
	const readAt = async (turn: Turn) => {
		const turned = turn === 0 ? grey : await sharp(grey).rotate(turn).png().toBuffer();
		return linesOf((await worker.recognize(turned, {}, { blocks: true })).data);
	};
	return await uprightLines(readAt, () => cpuMs() < turnsUntilMs);
}
