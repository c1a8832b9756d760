/** The accepted pictures of receipts. The site reports a refusal before a picture is sent; the server enforces it. */

export const LARGEST_PICTURE_BYTES = 5 * 1024 * 1024;
/** A phone's camera makes 12 to 50 million; a receipt needs one. */
export const MOST_PICTURE_PIXELS = 40_000_000;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Below it, on average of 0 to 255, a picture has light letters on a dark ground and is inverted before it is read. */
export const DARK_PICTURE = 110;
/** Pixels of the longest side that a picture is read at. */
export const LONGEST_PICTURE_SIDE = 2_000;
/** Pixels of the longest side below which a picture has no room for the twelve digits of a reference. */
export const LEAST_READABLE_SIDE = 60;
/** The limit for reading a picture: elapsed time in browsers and within a call's deadline, else CPU time. */
export const LONGEST_READING_MS = 8_000;

const startsWith = (bytes: Uint8Array, start: readonly number[], at = 0): boolean =>
	start.every((byte, index) => bytes[at + index] === byte);

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/** By its first bytes, regardless of its name; null for a file in none of the accepted formats. */
export function formatOf(bytes: Uint8Array): 'JPEG' | 'PNG' | 'WEBP' | null {
	if (startsWith(bytes, JPEG)) return 'JPEG';
	if (startsWith(bytes, PNG)) return 'PNG';
	return startsWith(bytes, RIFF) && startsWith(bytes, WEBP, 8) ? 'WEBP' : null;
}
