/**
 * The orientation of the camera, the only metadata of a picture that its pixels need. It is read from Exif with every
 * offset checked, and written as Exif with nothing else.
 */

/** EXIF 2.32, 4.6.4: tag 274 of IFD0, a SHORT from 1 to 8. */
const ORIENTATION = 0x0112;
const SHORT = 3;
const UPRIGHT = 1;
const MOST = 8;
const ENTRY_BYTES = 12;
const IFD_OFFSET = 8;

/** @param tiff the body of Exif from its byte order on. @returns 1 to 8; 1, upright, for malformed data */
export function orientationIn(tiff: Buffer): number {
	const order = tiff.toString('latin1', 0, 2);
	if (tiff.length < IFD_OFFSET || (order !== 'II' && order !== 'MM')) return UPRIGHT;
	const isLittle = order === 'II';
	const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
	const ifd = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
	if (ifd + 2 > tiff.length) return UPRIGHT;
	const count = short(ifd);
	for (let entry = 0; entry < count; entry++) {
		const at = ifd + 2 + entry * ENTRY_BYTES;
		if (at + ENTRY_BYTES > tiff.length) return UPRIGHT;
		if (short(at) !== ORIENTATION) continue;
		const value = short(at + 8);
		return short(at + 2) === SHORT && value >= UPRIGHT && value <= MOST ? value : UPRIGHT;
	}
	return UPRIGHT;
}

/** Exif from its byte order on, with only the orientation. */
export function orientationAlone(orientation: number): Buffer {
	const tiff = Buffer.alloc(IFD_OFFSET + 2 + ENTRY_BYTES + 4);
	tiff.write('II', 'latin1');
	tiff.writeUInt16LE(42, 2);
	tiff.writeUInt32LE(IFD_OFFSET, 4);
	tiff.writeUInt16LE(1, IFD_OFFSET);
	tiff.writeUInt16LE(ORIENTATION, 10);
	tiff.writeUInt16LE(SHORT, 12);
	tiff.writeUInt32LE(1, 14);
	tiff.writeUInt16LE(orientation, 18);
	return tiff;
}
