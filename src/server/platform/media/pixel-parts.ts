/**
 * The parts of a picture that its pixels need. The rest, such as texts, colour profiles, thumbnails and trailing data,
 * is dropped before anything is decoded, because decoders unpack some of it to any length. Nothing is unpacked here;
 * lengths are compared with the file.
 */
import { crc32 } from 'node:zlib';
import { orientationAlone, orientationIn } from '#server/platform/media/orientation.ts';
import { formatOf } from '#values/picture.ts';

/** The file violates its format. */
export class BrokenPicture extends Error {}

const EXIF_NAME = Buffer.from('Exif\0\0', 'latin1');

/** @throws BrokenPicture */
export function pixelParts(bytes: Buffer): Buffer {
	const format = formatOf(bytes);
	if (format === 'PNG') return ofPng(bytes);
	if (format === 'JPEG') return ofJpeg(bytes);
	if (format === 'WEBP') return ofWebp(bytes);
	throw new BrokenPicture('The file begins like no JPEG, PNG or WebP.');
}

/** A part of the file. @throws BrokenPicture when the file ends before it */
function part(bytes: Buffer, from: number, to: number): Buffer {
	if (to > bytes.length) throw new BrokenPicture(`The file ends before byte ${to}.`);
	return bytes.subarray(from, to);
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const PNG_FRAME_BYTES = 12;
/** Header, palette, transparency, pixels, end. Animation chunks are dropped, so the first picture remains. */
const PNG_KEPT: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

function ofPng(bytes: Buffer): Buffer {
	const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
	for (let at = SIGNATURE_BYTES, type = ''; type !== 'IEND'; ) {
		const length = part(bytes, at, at + 8).readUInt32BE();
		type = bytes.toString('latin1', at + 4, at + 8);
		const chunk = part(bytes, at, at + PNG_FRAME_BYTES + length);
		if (PNG_KEPT.has(type)) kept.push(chunk);
		if (type === 'eXIf') kept.push(pngChunk(type, orientationAlone(orientationIn(chunk.subarray(8, -4)))));
		at += chunk.length;
	}
	return Buffer.concat(kept);
}

function pngChunk(type: string, data: Buffer): Buffer {
	const chunk = Buffer.alloc(PNG_FRAME_BYTES + data.length);
	chunk.writeUInt32BE(data.length);
	chunk.write(type, 4, 'latin1');
	data.copy(chunk, 8);
	chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
	return chunk;
}

const FILL = 0xff;
const [SOI, EOI, SOS, COMMENT] = [0xd8, 0xd9, 0xda, 0xfe];
const [APP0, APP1, APP14, APP15] = [0xe0, 0xe1, 0xee, 0xef];
/** Cameras write at most a dozen. Each scan of a progressive picture passes over all of its pixels. */
const MOST_SCANS = 64;

/** Restart markers and escaped bytes belong to the pixels. */
const isInScan = (marker: number): boolean => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
/** Of the application segments, decoders need the one that defines the colour space. */
const isKept = (marker: number): boolean =>
	marker === APP0 || marker === APP14 || ((marker < APP0 || marker > APP15) && marker !== COMMENT);

function ofJpeg(bytes: Buffer): Buffer {
	const kept: Buffer[] = [Buffer.of(FILL, SOI)];
	let scans = 0;
	let hasOrientation = false;
	for (let at = 2; ; ) {
		if (part(bytes, at, at + 2)[0] !== FILL) throw new BrokenPicture(`There is no marker at byte ${at}.`);
		const marker = bytes[at + 1] as number;
		if (marker === FILL) {
			at += 1;
			continue;
		}
		if (marker === EOI) return Buffer.concat([...kept, Buffer.of(FILL, EOI)]);
		if (isInScan(marker)) throw new BrokenPicture(`There are pixels at byte ${at} before their header.`);
		const length = part(bytes, at + 2, at + 4).readUInt16BE();
		const end = at + 2 + length;
		const segment = part(bytes, at, end);
		if (marker === SOS && ++scans > MOST_SCANS) throw new BrokenPicture('There are too many scans.');
		const next = marker === SOS ? endOfScan(bytes, end) : end;
		if (isKept(marker)) kept.push(bytes.subarray(at, next));
		if (marker === APP1 && !hasOrientation && segment.subarray(4, 10).equals(EXIF_NAME)) {
			hasOrientation = true;
			kept.push(jpegExif(orientationAlone(orientationIn(segment.subarray(10)))));
		}
		at = next;
	}
}

/** The position of the marker after the pixels of a scan. */
function endOfScan(bytes: Buffer, from: number): number {
	for (let at = bytes.indexOf(FILL, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(FILL, at + 1)) {
		const marker = bytes[at + 1] as number;
		if (marker !== FILL && !isInScan(marker)) return at;
	}
	throw new BrokenPicture('The file ends within its pixels.');
}

function jpegExif(tiff: Buffer): Buffer {
	const head = Buffer.of(FILL, APP1, 0, 0);
	head.writeUInt16BE(2 + EXIF_NAME.length + tiff.length, 2);
	return Buffer.concat([head, EXIF_NAME, tiff]);
}

const RIFF_HEAD_BYTES = 12;
/** Type and length before a chunk's data. */
const WEBP_HEAD_BYTES = 8;
/** The frame of the file, transparency, pixels. Of an animation the first frame is kept. */
const WEBP_KEPT: ReadonlySet<string> = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L', 'ANIM', 'ANMF']);
/** Bits of VP8X that promise a colour profile, Exif and XMP. */
const [HAS_PROFILE, HAS_EXIF, HAS_XMP] = [0x20, 0x08, 0x04];

function ofWebp(bytes: Buffer): Buffer {
	const chunks: { type: string; bytes: Buffer }[] = [];
	let orientation: Buffer | null = null;
	const end = WEBP_HEAD_BYTES + part(bytes, 0, RIFF_HEAD_BYTES).readUInt32LE(4);
	for (let at = RIFF_HEAD_BYTES; at < end; ) {
		const type = part(bytes, at, at + WEBP_HEAD_BYTES).toString('latin1', 0, 4);
		const length = bytes.readUInt32LE(at + 4);
		const chunk = part(bytes, at, at + WEBP_HEAD_BYTES + length);
		const isFirst = type !== 'ANMF' || !chunks.some((earlier) => earlier.type === type);
		if (WEBP_KEPT.has(type) && isFirst) chunks.push({ type, bytes: chunk });
		if (type === 'EXIF') orientation = orientationAlone(orientationIn(webpExif(chunk)));
		// Data of odd length is followed by a padding byte.
		at += chunk.length + (length % 2);
	}
	const frame = chunks.find(({ type }) => type === 'VP8X');
	if (frame) {
		frame.bytes = Buffer.from(frame.bytes);
		const flags = part(frame.bytes, 0, WEBP_HEAD_BYTES + 1)[WEBP_HEAD_BYTES] as number;
		frame.bytes[WEBP_HEAD_BYTES] = (flags & ~(HAS_PROFILE | HAS_EXIF | HAS_XMP)) | (orientation ? HAS_EXIF : 0);
	}
	if (frame && orientation) chunks.push({ type: 'EXIF', bytes: webpChunk('EXIF', orientation) });
	return webpFile(chunks.map((chunk) => chunk.bytes));
}

/** Some programs prepend the marker that JPEG needs. */
function webpExif(chunk: Buffer): Buffer {
	const data = chunk.subarray(WEBP_HEAD_BYTES);
	return data.subarray(0, EXIF_NAME.length).equals(EXIF_NAME) ? data.subarray(EXIF_NAME.length) : data;
}

function webpChunk(type: string, data: Buffer): Buffer {
	const head = Buffer.alloc(WEBP_HEAD_BYTES);
	head.write(type, 'latin1');
	head.writeUInt32LE(data.length, 4);
	return Buffer.concat([head, data]);
}

function webpFile(chunks: readonly Buffer[]): Buffer {
	const body = chunks.flatMap((chunk) => (chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)]));
	return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...body]));
}
