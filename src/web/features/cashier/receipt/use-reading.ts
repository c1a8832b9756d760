import { useEffect, useRef, useState } from 'react';
import type { TextLine } from '#values/receipt-text.ts';
import { savesData } from '#web/features/cashier/receipt/picture-file.ts';
import type { ReceiptReader } from '#web/features/cashier/receipt/read-receipt.ts';

/** The known text of a picture. */
export type Reading =
	| { state: 'none' }
	| { state: 'reading'; progress: number }
	| { state: 'read'; lines: readonly TextLine[] }
	/** The player saves data, or the browser cannot: the player types the reference. */
	| { state: 'unread' }
	/** It took too long here; nothing is reported about the picture. */
	| { state: 'slow' };

/** Reads a picture as soon as it is chosen; a new picture ends the reading of the previous one. */
export function useReading(file: File | null): Reading {
	const [reading, setReading] = useState<{ of: File | null; now: Reading }>({ of: null, now: { state: 'none' } });
	const reader = useRef<ReceiptReader | null>(null);
	useEffect(() => () => reader.current?.close(), []);
	useEffect(() => {
		if (!file || savesData()) return;
		let isWanted = true;
		const show = (now: Reading) => {
			if (isWanted) setReading({ of: file, now });
		};
		show({ state: 'reading', progress: 0 });
		const read = async () => {
			const { ReceiptReader } = await import('#web/features/cashier/receipt/read-receipt.ts');
			if (!isWanted) return null;
			reader.current ??= new ReceiptReader();
			return await reader.current.read(file, (progress) => show({ state: 'reading', progress }));
		};
		read().then(
			(read) => show(read ? { state: 'read', lines: read } : { state: 'slow' }),
			() => show({ state: 'unread' }),
		);
		return () => {
			isWanted = false;
		};
	}, [file]);
	if (!file) return { state: 'none' };
	if (reading.of === file) return reading.now;
	return savesData() ? { state: 'unread' } : { state: 'reading', progress: 0 };
}
