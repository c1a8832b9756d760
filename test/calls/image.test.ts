/** Pictures of receipts: accepted and refused files, the stored pixels, and their readers. */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReceiptReader } from '#server/funds/receipts/read-receipt.ts';
import { amountIn, utrIn } from '#values/receipt-text.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const MEGABYTE = 1024 * 1024;

let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	player = await signUp(server);
});
afterAll(() => server.dispose());

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'white' } });
const store = (bytes: Buffer, by = player) => server.call('storeImage', { image: bytes.toString('base64') }, by.token);
const stored = async () =>
	(await server.database.db.query<{ count: number }>('select count(*)::int as count from stored_image')).rows[0]?.count;

/** A zlib stream of zeros, as long as asked, without its length in memory: one block, over and over. */
function zeros(megabytes: number): Buffer {
	const block = deflateRawSync(Buffer.alloc(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH });
	const adler = Buffer.alloc(4);
	adler.writeUInt16BE((megabytes * MEGABYTE) % 65_521, 0);
	adler.writeUInt16BE(1, 2);
	return Buffer.concat([
		Buffer.of(0x78, 0x9c),
		...Array.from({ length: megabytes }, () => block),
		Buffer.of(3, 0),
		adler,
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(content), 4);
	return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

/** A PNG of three bytes a pixel, which is black where the pixels are zeros; `more` stands before the pixels. */
function pngOf(
	width: number,
	height: number,
	pixels: Buffer = deflateSync(Buffer.alloc(1_000)),
	...more: Buffer[]
): Buffer {
	const head = Buffer.alloc(13);
	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 2, 0, 0, 0], 8);
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	const end = chunk('IEND', Buffer.alloc(0));
	return Buffer.concat([signature, chunk('IHDR', head), ...more, chunk('IDAT', pixels), end]);
}

/** A progressive JPEG whose last scan comes again and again. */
async function endlessJpeg(): Promise<Buffer> {
	const whole = await blank(2_000, 2_000).jpeg({ progressive: true }).toBuffer();
	const [body, end] = [whole.subarray(0, -2), whole.subarray(-2)];
	const scan = body.subarray(body.lastIndexOf(Buffer.of(0xff, 0xda)));
	return Buffer.concat([body, ...Array.from({ length: 5_000 }, () => scan), end]);
}

it('storeImage: success, the stored picture has the pixels and nothing else', async () => {
	const photo = await blank(400, 300)
		.withExif({ IFD0: { Copyright: 'the photographer' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
		.jpeg()
		.toBuffer();
	expect(photo.includes('the photographer')).toBe(true);
	const { body } = await store(Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]));
	const imageRef = body.result?.imageRef ?? '';
	const { type, image } = await server.result('getImage', { imageRef }, player.token);
	const bytes = Buffer.from(image, 'base64');
	const { width, height, exif } = await sharp(bytes).metadata();
	expect([type, width, height, exif]).toEqual(['image/webp', 400, 300, undefined]);
	expect(bytes.includes('script')).toBe(false);
	const { rows } = await server.database.db.query<{ bytes: Buffer }>('select bytes from stored_image');
	expect(rows.some((row) => row.bytes.includes('WEBP'))).toBe(false);
});

it.each([
	['a text', Buffer.from('no picture at all, but long enough'), 'IMAGE_NOT_READABLE'],
	['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'IMAGE_NOT_READABLE'],
	['a GIF', Buffer.from('GIF89a and what follows it'), 'IMAGE_NOT_READABLE'],
	['the beginning of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), 'IMAGE_NOT_READABLE'],
	['100 million pixels', pngOf(10_000, 10_000), 'IMAGE_TOO_LARGE'],
	['a side of two thousand million', pngOf(2_000_000_000, 10), 'IMAGE_NOT_READABLE'],
	['five megabytes and a byte', Buffer.concat([pngOf(10, 10), Buffer.alloc(5 * 1024 * 1024)]), 'IMAGE_TOO_LARGE'],
])('storeImage: refusal of %s, and nothing is stored', async (_, bytes, code) => {
	const before = await stored();
	const answer = await store(bytes);
	expect(['IMAGE_NOT_READABLE', 'IMAGE_TOO_LARGE']).toContain(answer.code);
	if (code === 'IMAGE_TOO_LARGE') expect(answer.code).toBe(code);
	expect(await stored()).toBe(before);
});

/** How far the process grows meanwhile, in bytes. */
async function growth(work: () => Promise<void>): Promise<number> {
	const before = process.memoryUsage.rss();
	let most = before;
	const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
	await work();
	clearInterval(timer);
	return Math.max(most, process.memoryUsage.rss()) - before;
}

it('storeImage: refusal of pictures that inflate to gigabytes or never end, in bounded memory', async () => {
	const before = await stored();
	const bombs: [Buffer, string][] = [
		[pngOf(20_000, 20_000, zeros(1_145)), 'IMAGE_TOO_LARGE'],
		[await endlessJpeg(), 'IMAGE_NOT_READABLE'],
	];
	const grown = await growth(async () => {
		for (const [bomb, code] of bombs) expect((await store(bomb)).code).toBe(code);
	});
	expect(grown).toBeLessThan(300 * MEGABYTE);
	expect(await stored()).toBe(before);
});

it('storeImage: success, what inflates to a gigabyte beside the pixels is neither inflated nor kept', async () => {
	const bomb = zeros(1_100);
	const pixels = deflateSync(Buffer.alloc(10 * 31));
	const named = (start: string) => Buffer.concat([Buffer.from(start), bomb]);
	const pictures = [
		pngOf(10, 10, bomb),
		pngOf(10, 10, pixels, chunk('zTXt', named('note\0\0'))),
		pngOf(10, 10, pixels, chunk('iTXt', named('note\0\x01\0\0\0'))),
		pngOf(10, 10, pixels, chunk('iCCP', named('profile\0\0'))),
	];
	const refs: string[] = [];
	const grown = await growth(async () => {
		for (const picture of pictures) refs.push((await store(picture)).body.result?.imageRef ?? '');
	});
	expect(grown).toBeLessThan(300 * MEGABYTE);
	for (const imageRef of refs) {
		const { image } = await server.result('getImage', { imageRef }, player.token);
		expect(Buffer.from(image, 'base64').length).toBeLessThan(1_000);
	}
});

it('getImage: refusal of another player’s picture', async () => {
	const other = await signUp(server);
	const imageRef = (await store(await blank(50, 50).png().toBuffer(), other)).body.result?.imageRef ?? '';
	expect((await server.call('getImage', { imageRef }, player.token)).code).toBe('NOT_FOUND');
	expect((await server.call('readReceipt', { imageRef }, player.token)).code).toBe('NOT_FOUND');
	expect((await server.result('getImage', { imageRef }, other.token)).type).toBe('image/webp');
});
it('getImage: success for its owner', async () => {
	const imageRef = (await store(await blank(50, 50).png().toBuffer())).body.result?.imageRef ?? '';
	expect((await server.result('getImage', { imageRef }, player.token)).type).toBe('image/webp');
});
it('readReceipt: refusal of a picture there is none of', async () => {
	expect((await server.call('readReceipt', { imageRef: 'none' }, player.token)).code).toBe('NOT_FOUND');
});

it('readReceipt: success, proposes the reference and confirms the amount', async () => {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#101418"/>
		<g font-family="sans-serif" fill="white"><text x="40" y="120" font-size="56">Rs 1,250.00</text>
		<text x="40" y="240" font-size="34">UTR 412345678901</text></g></svg>`;
	const imageRef = (await store(await sharp(Buffer.from(svg)).png().toBuffer())).body.result?.imageRef ?? '';
	const reading = [1, 2, 3].map(() => server.call('readReceipt', { imageRef, amount: 1_250 }, player.token));
	const answers = await Promise.all(reading);
	// One of a player's at a time: they would fill the queue in which others' deposits are read.
	expect(answers.map(({ code }) => code).sort()).toEqual(['THROTTLED', 'THROTTLED', null].sort());
	const read = answers.find(({ code }) => code === null)?.body.result;
	expect(read).toEqual({ utr: '412345678901', amount: 'FOUND' });
});

it.each([
	['storeImage: not logged in', 'storeImage'],
	['getImage: not logged in', 'getImage'],
	['readReceipt: not logged in', 'readReceipt'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, {})).status).toBe(401);
});

it('kills OCR that takes too long or too much memory, and reads the next picture', async () => {
	const picture = await blank(300, 100).png().toBuffer();
	expect(await new ReceiptReader({ longestMs: 1 }).read(picture)).toBeNull();
	expect(await new ReceiptReader({ mostBytes: 1 }).read(picture)).toBeNull();
	expect(await new ReceiptReader().read(Buffer.from('no picture'))).toBeNull();
	expect(await new ReceiptReader().read(picture)).toEqual(expect.any(String));
});

it('takes an amount with one odd digit in front for ambiguous: the rupee sign is read as a digit', () => {
	expect(amountIn('Paid 31,000 to Backlay', 100_000)).toBe('AMBIGUOUS');
	expect(amountIn('Paid 1,000.00', 100_000)).toBe('FOUND');
	expect(amountIn('Paid 2,000', 100_000)).toBe('NOT_FOUND');
	expect(utrIn('UTR 412345678901 Txn 412345678902')).toBeNull();
	expect(utrIn('UTR: 412345678901.')).toBe('412345678901');
	expect(utrIn('card 4123456789012345')).toBeNull();
});
