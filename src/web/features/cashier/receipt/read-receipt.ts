/**
 * Reads a receipt in the browser, with the same OCR and data as the server. It is loaded after a picture was chosen,
 * from our own server, and runs in a separate worker, so the page stays responsive.
 */
import { createWorker, PSM, type Worker } from 'tesseract.js';
import { LONGEST_READING_MS } from '#values/picture.ts';
import type { TextLine } from '#values/receipt-text.ts';
import { linesOf, type Turn, uprightLines } from '#values/turned-text.ts';
import { greyPicture } from '#web/features/cashier/receipt/grey-picture.ts';

const FOLDER = import.meta.env['OCR_FOLDER'] as string;

/** Worker's messages of loading and reading; loading counts as the first half. */
const STAGES: Readonly<Record<string, (progress: number) => number>> = {
	'loading tesseract core': () => 0.1,
	'loading language traineddata': (progress) => 0.2 + progress * 0.2,
	'recognizing text': (progress) => 0.5 + progress * 0.5,
};

function openWorker(logger: (message: { status: string; progress: number }) => void): Promise<Worker> {
	return createWorker('eng', 1, {
		workerPath: `${FOLDER}/worker.min.js`,
		corePath: `${FOLDER}/core.js`,
		langPath: FOLDER,
		// A worker of a blob would have the page's policy, which lets no WebAssembly run.
		workerBlobURL: false,
		gzip: false,
		// The browser keeps the file by its address already.
		cacheMethod: 'none',
		logger,
	});
}

/** Null after the time limit of a reading. OCR was loaded before, however slow the network is. */
const late = (): Promise<null> => new Promise((resolve) => setTimeout(resolve, LONGEST_READING_MS, null));

/** One worker for all pictures of a visit: opening it takes four times as long as reading. */
export class ReceiptReader {
	#worker: Promise<Worker> | null = null;
	#onProgress: (progress: number) => void = () => undefined;
	/** The reading in progress. */
	#current: object | null = null;

	/**
	 * The lines on a picture, upright; null if reading them takes too long. A new call abandons a reading in progress,
	 * which never settles.
	 * @param onProgress called with the progress from 0 to 1
	 * @throws if the browser cannot run OCR, or its files do not load
	 */
	async read(picture: ImageBitmapSource, onProgress: (progress: number) => void): Promise<TextLine[] | null> {
		if (this.#current) this.close();
		const reading = {};
		this.#current = reading;
		this.#onProgress = onProgress;
		try {
			this.#worker ??= openWorker(({ status, progress }) => {
				const stage = STAGES[status];
				if (stage) this.#onProgress(stage(progress));
			});
			const [grey, worker] = await Promise.all([greyPicture(picture, 0), this.#worker]);
			const turnsUntilMs = performance.now() + LONGEST_READING_MS / 2;
			await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
			const readAt = async (turn: Turn) => {
				const turned = turn === 0 ? grey : await greyPicture(picture, turn);
				const file = turned as Uint8Array<ArrayBuffer> & File;
				return linesOf((await worker.recognize(file, {}, { blocks: true })).data);
			};
			const lines = await Promise.race([uprightLines(readAt, () => performance.now() < turnsUntilMs), late()]);
			if (lines === null) this.close();
			return lines;
		} catch (failure) {
			if (this.#current === reading) this.close();
			throw failure;
		} finally {
			if (this.#current === reading) this.#current = null;
		}
	}

	/** Ends the worker and frees its memory. */
	close(): void {
		this.#worker?.then(
			(worker) => worker.terminate(),
			() => undefined,
		);
		this.#worker = null;
		this.#current = null;
	}
}
