/**
 * Puts what reads receipts in the browser beside the site: the worker, Tesseract's WebAssembly and the English data. They
 * are not among the build's assets, because those are kept by every visitor's service worker; four megabytes are for
 * players who choose a picture. Their folder carries the versions, so that they never change under their names.
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
			// Under the name that `core.js` asks for.
			'tesseract-core-simd-lstm.wasm': readFileSync(join(folderOf(CORE), 'tesseract-core-simd-lstm.wasm')),
			// The server sends the packed one, and the browser unpacks it.
			'eng.traineddata': gunzipSync(packed),
			'eng.traineddata.gz': packed,
		};
		for (const [name, source] of Object.entries(files)) {
			this.emitFile({ type: 'asset', fileName: `${FOLDER}/${name}`, source });
		}
	},
};
