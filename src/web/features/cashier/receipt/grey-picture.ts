/** A picture prepared for OCR: grey, dark letters on a light ground, full contrast. */
import { DARK_PICTURE, LONGEST_PICTURE_SIDE } from '#values/picture.ts';
import type { Turn } from '#values/turned-text.ts';

const LEVELS = 256;
/** The share of the lightest and darkest pixels that is ignored. */
const OUTLIERS = 0.01;

/** Luma of a pixel, by the weights of ITU-R BT.601. */
function greyOf(pixels: Uint8ClampedArray): Uint8Array {
	const grey = new Uint8Array(pixels.length / 4);
	for (let at = 0, from = 0; at < grey.length; at++, from += 4) {
		grey[at] = ((pixels[from] ?? 0) * 299 + (pixels[from + 1] ?? 0) * 587 + (pixels[from + 2] ?? 0) * 114 + 500) / 1000;
	}
	return grey;
}

/** Inverts what has light letters, and stretches what is left between its darkest and its lightest to all levels. */
export function clearGrey(grey: Uint8Array): Uint8Array {
	const counts = new Uint32Array(LEVELS);
	let sum = 0;
	for (const level of grey) {
		counts[level] = (counts[level] ?? 0) + 1;
		sum += level;
	}
	const few = grey.length * OUTLIERS;
	const edge = (levels: Iterable<number>): number => {
		let seen = 0;
		for (const level of levels) {
			seen += counts[level] ?? 0;
			if (seen > few) return level;
		}
		return 0;
	};
	const ascending = [...counts.keys()];
	const [darkest, lightest] = [edge(ascending), edge(ascending.toReversed())];
	const isDark = sum / grey.length < DARK_PICTURE;
	const range = Math.max(1, lightest - darkest);
	const clear = Uint8Array.from(counts, (_, level) => {
		const stretched = Math.min(255, Math.max(0, Math.round(((level - darkest) * 255) / range)));
		return isDark ? 255 - stretched : stretched;
	});
	return grey.map((level) => clear[level] ?? 255);
}

/** A file of the format PGM, which costs no encoding: a head and a byte a pixel. */
function pgm(grey: Uint8Array, width: number, height: number): Uint8Array {
	const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
	const file = new Uint8Array(head.length + grey.length);
	file.set(head);
	file.set(grey, head.length);
	return file;
}

/** @throws if the browser cannot decode the picture */
export async function greyPicture(source: ImageBitmapSource, turn: Turn): Promise<Uint8Array> {
	const picture = await createImageBitmap(source, { imageOrientation: 'from-image' });
	const scale = Math.min(1, LONGEST_PICTURE_SIDE / Math.max(picture.width, picture.height));
	const drawn = { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
	const isSideways = turn === 90 || turn === 270;
	const [width, height] = isSideways ? [drawn.height, drawn.width] : [drawn.width, drawn.height];
	const canvas = document.createElement('canvas');
	Object.assign(canvas, { width, height });
	const context = canvas.getContext('2d', { willReadFrequently: true });
	if (!context) throw new Error('There is no canvas to draw on.');
	context.fillStyle = '#fff';
	context.fillRect(0, 0, width, height);
	context.translate(width / 2, height / 2);
	context.rotate((turn * Math.PI) / 180);
	context.drawImage(picture, -drawn.width / 2, -drawn.height / 2, drawn.width, drawn.height);
	picture.close();
	return pgm(clearGrey(greyOf(context.getImageData(0, 0, width, height).data)), width, height);
}
