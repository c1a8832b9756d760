/**
 * Pictures as players send them. A file whose first bytes are not those of a JPEG, PNG or WebP is refused unread, and
 * one that is too large before it is decoded. The rest is decoded and encoded anew, which leaves nothing but the
 * pixels.
 */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { Refused } from '#values/error-catalogue.ts';
import { isPicture, LARGEST_PICTURE_BYTES, LONGEST_PICTURE_SIDE, MOST_PICTURE_PIXELS } from '#values/picture.ts';

const DECODE_SECONDS = 5;

export interface ImageFile {
	type: 'image/webp';
	bytes: Buffer;
	width: number;
	height: number;
	/** Of the decoded pixels, so the same picture has it under every name and with any metadata. */
	hash: string;
}

/** @throws Refused IMAGE_TOO_LARGE, IMAGE_NOT_READABLE */
export async function cleanImage(bytes: Buffer): Promise<ImageFile> {
	if (bytes.length > LARGEST_PICTURE_BYTES) throw new Refused('IMAGE_TOO_LARGE');
	if (!isPicture(bytes)) throw new Refused('IMAGE_NOT_READABLE');
	const picture = () => sharp(bytes, { limitInputPixels: MOST_PICTURE_PIXELS, failOn: 'error', pages: 1 });
	try {
		const { width, height } = await picture().metadata();
		if (width * height > MOST_PICTURE_PIXELS) throw new Refused('IMAGE_TOO_LARGE');
		// Turned as the camera held it, then without metadata.
		const small = await picture()
			.rotate()
			.resize({ width: LONGEST_PICTURE_SIDE, height: LONGEST_PICTURE_SIDE, fit: 'inside', withoutEnlargement: true })
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
