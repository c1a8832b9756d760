/**
 * Pictures as players send them. A file whose first bytes are not those of a JPEG, PNG or WebP is refused unread, and
 * one that is too large before it is decoded. The rest is decoded and encoded anew, which leaves nothing but the
 * pixels.
 */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { Refused } from '#values/error-catalogue.ts';

const LARGEST_BYTES = 5 * 1024 * 1024;
/** A phone's camera makes 12 to 50 million; a receipt needs one. */
const MOST_PIXELS = 40_000_000;
const LONGEST_SIDE = 2_000;
const DECODE_SECONDS = 5;

export interface ImageFile {
	type: 'image/webp';
	bytes: Buffer;
	width: number;
	height: number;
	/** Of the decoded pixels, so the same picture has it under every name and with any metadata. */
	hash: string;
}

const startsWith = (bytes: Buffer, start: readonly number[], at = 0): boolean =>
	start.every((byte, index) => bytes[at + index] === byte);

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

const isPicture = (bytes: Buffer): boolean =>
	startsWith(bytes, JPEG) || startsWith(bytes, PNG) || (startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8));

/** @throws Refused IMAGE_TOO_LARGE, IMAGE_NOT_READABLE */
export async function cleanImage(bytes: Buffer): Promise<ImageFile> {
	if (bytes.length > LARGEST_BYTES) throw new Refused('IMAGE_TOO_LARGE');
	if (!isPicture(bytes)) throw new Refused('IMAGE_NOT_READABLE');
	const picture = () => sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 });
	try {
		const { width, height } = await picture().metadata();
		if (width * height > MOST_PIXELS) throw new Refused('IMAGE_TOO_LARGE');
		// Turned as the camera held it, then without metadata.
		const small = await picture()
			.rotate()
			.resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
			.timeout({ seconds: DECODE_SECONDS })
			.webp({ quality: 88 })
			.toBuffer({ resolveWithObject: true });
		const hash = createHash('sha256').update(small.data).digest('base64url');
		return { type: 'image/webp', bytes: small.data, width: small.info.width, height: small.info.height, hash };
	} catch (error) {
		if (error instanceof Refused) throw error;
		throw new Refused(/pixel limit/i.test(String(error)) ? 'IMAGE_TOO_LARGE' : 'IMAGE_NOT_READABLE');
	}
}
