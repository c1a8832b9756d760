import { useEffect, useState } from 'react';
import { savesData } from '#web/features/cashier/receipt/picture-file.ts';

/** What is known of the text on a picture. */
export type Reading =
	| { state: 'none' }
	| { state: 'reading'; progress: number }
	| { state: 'read'; text: string }
	/** The player saves data, or the browser cannot: the player types the reference. */
	| { state: 'unread' };

/** Reads a picture as soon as it is chosen; another picture ends the reading of the one before. */
export function useReading(file: File | null): Reading {
	const [reading, setReading] = useState<{ of: File | null; now: Reading }>({ of: null, now: { state: 'none' } });
	useEffect(() => {
		if (!file || savesData()) return;
		const abort = new AbortController();
		const show = (now: Reading) => {
			if (!abort.signal.aborted) setReading({ of: file, now });
		};
		show({ state: 'reading', progress: 0 });
		const options = {
			signal: abort.signal,
			onProgress: (progress: number) => show({ state: 'reading', progress }),
		};
		import('#web/features/cashier/receipt/read-receipt.ts')
			.then(({ readReceipt }) => readReceipt(file, options))
			.then(
				(text) => show({ state: 'read', text }),
				() => show({ state: 'unread' }),
			);
		return () => abort.abort();
	}, [file]);
	if (!file) return { state: 'none' };
	if (reading.of === file) return reading.now;
	return savesData() ? { state: 'unread' } : { state: 'reading', progress: 0 };
}
