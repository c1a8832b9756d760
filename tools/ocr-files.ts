/**
 * Copies the browser's OCR beside the site: the worker, Tesseract's WebAssembly and the English data. They are not
 * among the build's assets, because every visitor's service worker caches those; these four megabytes are only for
 * players who choose a picture. Their folder name carries the versions, so that a file never changes under its name.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));
const versionOf = (name: string): string =>
	(JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')) as { version: string }).version;

const OCR = 'tesseract.js';
const CORE = 'tesseract.js-core';
const DATA = '@tesseract.js-data/eng';

const FOLDER = `ocr/${[OCR, CORE, DATA].map(versionOf).join('-')}`;

export const ocrFiles: Plugin = {
	name: 'ocr-files',
	config: () => ({ define: { 'import.meta.env.OCR_FOLDER': JSON.stringify(`/${FOLDER}`) } }),
	generateBundle() {
		const packed = readFileSync(join(folderOf(DATA), '4.0.0_best_int', 'eng.traineddata.gz'));
		const files: Record<string, Buffer> = {
			'worker.min.js': readFileSync(join(folderOf(OCR), 'dist', 'worker.min.js')),
			'core.js': readFileSync(join(folderOf(CORE), 'tesseract-core-simd-lstm.js')),
			// The name that `core.js` requests.
			'tesseract-core-simd-lstm.wasm': readFileSync(join(folderOf(CORE), 'tesseract-core-simd-lstm.wasm')),
			// The server sends the compressed one, and the browser decompresses it.
			'eng.traineddata': gunzipSync(packed),
			'eng.traineddata.gz': packed,
		};
		for (const [name, source] of Object.entries(files)) {
			this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source });
		}
	},
};
