/**
 * Reads a receipt in the browser, with the reader and the data that the server uses. It is loaded when a picture was
 * chosen, comes from our own server, and runs in a worker that is ended with its work: the page stays as it is.
 */
import { createWorker, PSM } from 'tesseract.js';
import { greyPicture } from '#web/features/cashier/receipt/grey-picture.ts';

const FOLDER = import.meta.env['OCR_FOLDER'] as string;

/** Worker's messages of loading and reading; loading counts as the first half. */
const STAGES: Readonly<Record<string, (progress: number) => number>> = {
	'loading tesseract core': () => 0.1,
	'loading language traineddata': (progress) => 0.2 + progress * 0.2,
	'recognizing text': (progress) => 0.5 + progress * 0.5,
};

/**
 * The text on a picture.
 * @param onProgress hears how far the reading is, from 0 to 1
 * @throws when the browser cannot run the reader, or its files do not come
 */
export async function readReceipt(
	picture: ImageBitmapSource,
	{ signal, onProgress }: { signal: AbortSignal; onProgress: (progress: number) => void },
): Promise<string> {
	const [grey, worker] = await Promise.all([
		greyPicture(picture),
		createWorker('eng', 1, {
			workerPath: `${FOLDER}/worker.min.js`,
			corePath: `${FOLDER}/core.js`,
			langPath: FOLDER,
			// A worker of a blob would have the page's policy, which lets no WebAssembly run.
			workerBlobURL: false,
			gzip: false,
			// The browser keeps the file by its address already.
			cacheMethod: 'none',
			logger: ({ status, progress }) => {
				const stage = STAGES[status];
				if (stage) onProgress(stage(progress));
			},
		}),
	]);
	const end = () => void worker.terminate();
	signal.addEventListener('abort', end);
	try {
		signal.throwIfAborted();
		await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
		const { data } = await worker.recognize(grey as Uint8Array<ArrayBuffer> & File);
		return data.text;
	} finally {
		signal.removeEventListener('abort', end);
		end();
	}
}
