/** A process that reads one picture from standard input, writes its text to standard output, and ends. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { createWorker, PSM } from 'tesseract.js';
import { DARK_PICTURE } from '#values/picture.ts';

const picture = sharp(await buffer(process.stdin)).greyscale();
const { channels } = await picture.stats();
const isDark = (channels[0]?.mean ?? 255) < DARK_PICTURE;
const grey = await (isDark ? picture.negate() : picture).normalise().png().toBuffer();

const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'));
const worker = await createWorker('eng', 1, {
	langPath: join(data, '4.0.0_best_int'),
	cacheMethod: 'none',
	gzip: true,
});
await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
const { data: read } = await worker.recognize(grey);
process.stdout.write(read.text);
await worker.terminate();
