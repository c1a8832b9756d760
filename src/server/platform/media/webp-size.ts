/** The size of a cleaned picture, read from its first bytes: nothing of it is decoded. */

const SIMPLE = Buffer.from('VP8 ');
/** Where each part begins, in a file without extensions. */
const CHUNK = 12;
const START_CODE = 23;
const SIDES = 26;
/** Two bits of each side say how to scale it. */
const SIDE_BITS = 0x3fff;

/** Pixels; infinity for a file with extensions, such as transparency, whose size stands elsewhere. */
export function longestSideOf(webp: Buffer): number {
	const isSimple = webp.subarray(CHUNK, CHUNK + SIMPLE.length).equals(SIMPLE);
	if (!isSimple || webp.length < SIDES + 4 || webp.readUIntBE(START_CODE, 3) !== 0x9d012a)
		return Number.POSITIVE_INFINITY;
	return Math.max(webp.readUInt16LE(SIDES) & SIDE_BITS, webp.readUInt16LE(SIDES + 2) & SIDE_BITS);
}
