/** A picture that a player chose: whether it is accepted, and how it is sent. */
import { formatOf, LARGEST_PICTURE_BYTES, MOST_PICTURE_PIXELS } from '#values/picture.ts';

export type PictureFault = 'type' | 'size' | 'pixels' | 'broken';

const HEAD_BYTES = 16;

/** Width and height, which a browser knows before it decodes the picture. */
function pixelsOf(url: string): Promise<number> {
	return new Promise((resolve, reject) => {
		const image = new Image();
		image.decoding = 'async';
		image.onload = () => resolve(image.naturalWidth * image.naturalHeight);
		image.onerror = () => reject(new Error('The picture cannot be read.'));
		image.src = url;
	});
}

/** The error of a file, checked in the server's order; null if it is accepted. @param url of the same file */
export async function faultOf(file: File, url: string): Promise<PictureFault | null> {
	if (file.size > LARGEST_PICTURE_BYTES) return 'size';
	if (formatOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())) === null) return 'type';
	try {
		return (await pixelsOf(url)) > MOST_PICTURE_PIXELS ? 'pixels' : null;
	} catch {
		return 'broken';
	}
}

/** The file in the form for the call. */
export function base64Of(file: File): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
		reader.onerror = () => reject(new Error('The picture cannot be read.'));
		reader.readAsDataURL(file);
	});
}

/** Players who save data load no OCR. */
export function savesData(): boolean {
	const { connection } = navigator as { connection?: { saveData?: boolean } };
	return connection?.saveData ?? false;
}
