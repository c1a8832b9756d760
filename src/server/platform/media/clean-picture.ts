/** Decodes a picture and encodes it again, so that only its pixels remain. Runs only in the media process. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { BrokenPicture, pixelParts } from '#server/platform/media/pixel-parts.ts';
import type { CleanPicture, PictureFault } from '#server/platform/media/protocol.ts';
import { MOST_PICTURE_PIXELS } from '#values/picture.ts';

/** @param longestSide of the picture, in pixels; a smaller one stays as it is */
export async function cleanPicture(
	bytes: Buffer,
	longestSide: number,
): Promise<CleanPicture | { fault: PictureFault }> {
	try {
		return await encodedAnew(pixelParts(bytes), longestSide);
	} catch (error) {
		const isTooLarge = !(error instanceof BrokenPicture) && /pixel limit/i.test(String(error));
		return { fault: isTooLarge ? 'IMAGE_TOO_LARGE' : 'IMAGE_NOT_READABLE' };
	}
}

async function encodedAnew(parts: Buffer, longestSide: number): Promise<CleanPicture | { fault: PictureFault }> {
	const picture = () => sharp(parts, { limitInputPixels: MOST_PICTURE_PIXELS, failOn: 'error', pages: 1 });
	const { width, height } = await picture().metadata();
	if (width * height > MOST_PICTURE_PIXELS) return { fault: 'IMAGE_TOO_LARGE' };
	// Rotated according to the camera's orientation.
	const small = await picture()
		.rotate()
		.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
		.webp({ quality: 88 })
		.toBuffer({ resolveWithObject: true });
	const hash = createHash('sha256').update(small.data).digest('base64url');
	return { bytes: small.data, width: small.info.width, height: small.info.height, hash };
}
