/** Files that harm what decodes them carelessly: each a few kilobytes, made when they are asked for. */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ErrorCode } from '#values/error-catalogue.ts';

const MEGABYTE = 1024 * 1024;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const END = chunk('IEND', Buffer.alloc(0));

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'white' } });

/** A zlib stream of zeros, as long as asked, without its length in memory: one block, over and over. */
function zeros(megabytes: number): Buffer {
	const block = deflateRawSync(Buffer.alloc(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH });
	const adler = Buffer.alloc(4);
	adler.writeUInt16BE((megabytes * MEGABYTE) % 65_521, 0);
	adler.writeUInt16BE(1, 2);
	const blocks = Array.from({ length: megabytes }, () => block);
	return Buffer.concat([Buffer.of(0x78, 0x9c), ...blocks, Buffer.of(3, 0), adler]);
}

function chunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(content), 4);
	return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

function header(width: number, height: number): Buffer {
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 2, 0, 0, 0], 8);
	return chunk('IHDR', head);
}

/** A PNG of three bytes a pixel, which is black where the pixels are zeros; `more` stands before the pixels. */
export function pngOf(
	width: number,
	height: number,
	pixels: Buffer = deflateSync(Buffer.alloc(1_000)),
	...more: Buffer[]
): Buffer {
	return Buffer.concat([SIGNATURE, header(width, height), ...more, chunk('IDAT', pixels), END]);
}

/** Ten pixels by ten, and chunks beside them. */
const small = (...more: Buffer[]) => pngOf(10, 10, deflateSync(Buffer.alloc(10 * 31)), ...more);
const named = (start: string, rest: Buffer) => Buffer.concat([Buffer.from(start), rest]);

function segment(marker: number, data: Buffer): Buffer {
	const head = Buffer.of(0xff, marker, 0, 0);
	head.writeUInt16BE(data.length + 2, 2);
	return Buffer.concat([head, data]);
}

/** A JPEG with segments after its beginning. */
const jpegWith = (jpeg: Buffer, ...more: Buffer[]) => Buffer.concat([jpeg.subarray(0, 2), ...more, jpeg.subarray(2)]);

/** A progressive JPEG whose last scan comes again and again. */
async function endlessJpeg(): Promise<Buffer> {
	const whole = await blank(2_000, 2_000).jpeg({ progressive: true }).toBuffer();
	const [body, end] = [whole.subarray(0, -2), whole.subarray(-2)];
	const scan = body.subarray(body.lastIndexOf(Buffer.of(0xff, 0xda)));
	return Buffer.concat([body, ...Array.from({ length: 5_000 }, () => scan), end]);
}

/** Exif whose directory says that it has many entries, or begins where it ends, or at itself. */
function exifOf(ifd: number, entries: number): Buffer {
	const tiff = Buffer.alloc(64);
	tiff.write('II', 'latin1');
	tiff.writeUInt16LE(42, 2);
	tiff.writeUInt32LE(ifd, 4);
	tiff.writeUInt16LE(entries, 8);
	return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
}

/** An animation of many frames, as GIF programs make it. */
const animation = (frames: number): Promise<Buffer> =>
	sharp(Buffer.alloc(8 * 8 * frames * 3), { raw: { width: 8, height: 8 * frames, channels: 3, pageHeight: 8 } })
		.webp({ loop: 0 })
		.toBuffer();

/** A RIFF file that says how long it is, and what it holds. */
function riff(length: number, ...chunks: Buffer[]): Buffer {
	const head = Buffer.from('RIFF....WEBP', 'latin1');
	head.writeUInt32LE(length, 4);
	return Buffer.concat([head, ...chunks]);
}

export interface HostilePicture {
	name: string;
	bytes: Buffer;
	/** Null: the picture within is taken. */
	code: ErrorCode | null;
}

/** All of them, by what is wrong. */
export async function hostilePictures(): Promise<HostilePicture[]> {
	const jpeg = await blank(40, 30).jpeg().toBuffer();
	const webp = await blank(40, 30).webp().toBuffer();
	const bomb = zeros(50);
	const script = Buffer.from('<script>alert(1)</script>');
	const taken: [string, Buffer][] = [
		['zTXt of 50 MB', small(chunk('zTXt', named('note\0\0', bomb)))],
		['iTXt of 50 MB', small(chunk('iTXt', named('note\0\x01\0\0\0', bomb)))],
		['iCCP of 50 MB', small(chunk('iCCP', named('profile\0\0', bomb)))],
		['twenty zTXt of 50 MB', small(...Array.from({ length: 20 }, () => chunk('zTXt', named('note\0\0', bomb))))],
		['pixels that go on for 50 MB', pngOf(10, 10, bomb)],
		['ten thousand text chunks', small(...Array.from({ length: 10_000 }, () => chunk('tEXt', Buffer.from('a\0b'))))],
		['an Exif chunk that points outside', small(chunk('eXIf', exifOf(0xffffffff, 1).subarray(6)))],
		['an animated PNG', small(chunk('acTL', Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0, 0])))],
		['a PNG and a page of HTML', Buffer.concat([small(), script])],
		['a PNG and a PDF', Buffer.concat([small(), Buffer.from('%PDF-1.7\n1 0 obj')])],
		['a PNG and a ZIP', Buffer.concat([small(), Buffer.from('PK\x03\x04')])],
		['a JPEG with HTML in a comment', jpegWith(jpeg, segment(0xfe, script))],
		['a JPEG with a text of XMP', jpegWith(jpeg, segment(0xe1, named('http://ns.adobe.com/xap/1.0/\0', script)))],
		['Exif with 65,535 entries', jpegWith(jpeg, segment(0xe1, exifOf(8, 65_535)))],
		['Exif that points outside', jpegWith(jpeg, segment(0xe1, exifOf(0xffffffff, 1)))],
		['Exif that points at itself', jpegWith(jpeg, segment(0xe1, exifOf(0, 1)))],
		[
			'a JPEG with 75 thumbnails of 64 kB',
			jpegWith(jpeg, ...Array.from({ length: 75 }, () => segment(0xe2, Buffer.alloc(65_000)))),
		],
		['a JPEG and a page of HTML', Buffer.concat([jpeg, script])],
		['a WebP and what follows it', Buffer.concat([webp, script])],
		['an animation of 500 frames', await animation(500)],
	];
	const refused: [string, Buffer, ErrorCode][] = [
		['100 million pixels', pngOf(10_000, 10_000), 'IMAGE_TOO_LARGE'],
		['400 million pixels that are there', pngOf(20_000, 20_000, zeros(1_145)), 'IMAGE_TOO_LARGE'],
		['a side of two thousand million', pngOf(2_000_000_000, 10), 'IMAGE_NOT_READABLE'],
		['five megabytes and a byte', Buffer.concat([small(), Buffer.alloc(5 * MEGABYTE)]), 'IMAGE_TOO_LARGE'],
		['scans that never end', await endlessJpeg(), 'IMAGE_NOT_READABLE'],
		['half a JPEG', jpeg.subarray(0, jpeg.length >> 1), 'IMAGE_NOT_READABLE'],
		['the beginning of a JPEG', jpeg.subarray(0, 20), 'IMAGE_NOT_READABLE'],
		['half a PNG', small().subarray(0, 50), 'IMAGE_NOT_READABLE'],
		['a PNG without pixels', Buffer.concat([SIGNATURE, header(10, 10), END]), 'IMAGE_NOT_READABLE'],
		['a chunk of four gigabytes', Buffer.concat([SIGNATURE, Buffer.alloc(8, 0xff), small()]), 'IMAGE_NOT_READABLE'],
		['half a WebP', webp.subarray(0, webp.length >> 1), 'IMAGE_NOT_READABLE'],
		['a WebP that is none', riff(4), 'IMAGE_NOT_READABLE'],
		['a WebP of four gigabytes', riff(0xffffffff, webp.subarray(12)), 'IMAGE_NOT_READABLE'],
		['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'IMAGE_NOT_READABLE'],
		['a PDF of objects within objects', Buffer.from(`%PDF-1.7\n${'<<'.repeat(50_000)}`), 'IMAGE_NOT_READABLE'],
		['a GIF', Buffer.from('GIF89a and what follows it'), 'IMAGE_NOT_READABLE'],
	];
	return [
		...taken.map(([name, bytes]) => ({ name, bytes, code: null })),
		...refused.map(([name, bytes, code]) => ({ name, bytes, code })),
	];
}
