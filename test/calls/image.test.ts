/** Pictures of receipts: accepted and refused files, the stored pixels, and their readers. */
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { pngOf } from '../support/hostile-pictures.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await sharedServer();
	player = await signUp(server);
});

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'white' } });
const store = (bytes: Buffer, by = player) => server.call('storeImage', { image: bytes.toString('base64') }, by.token);
const stored = async () =>
	(await server.database.db.query<{ count: number }>('select count(*)::int as count from stored_image')).rows[0]?.count;

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
	['100 million pixels', pngOf(10_000, 10_000), 'IMAGE_TOO_LARGE'],
])('storeImage: refusal of %s, and nothing is stored', async (_, bytes, code) => {
	const before = await stored();
	const answer = await store(bytes);
	expect(answer.code).toBe(code);
	expect(await stored()).toBe(before);
});

it.each(['jpeg', 'png', 'webp'] as const)(
	'storeImage: success, a %s is turned as its camera was held',
	async (format) => {
		const turned = await blank(60, 40).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
		expect((await store(turned)).body.result).toMatchObject({ width: 40, height: 60 });
	},
);

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

it('readReceipt: success, proposes the reference and confirms the amount', { tags: 'thorough' }, async () => {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#101418"/>
		<g font-family="sans-serif" fill="white"><text x="40" y="120" font-size="56">Rs 1,250.00</text>
		<text x="40" y="240" font-size="34">UTR 412345678901</text></g></svg>`;
	const imageRef = (await store(await sharp(Buffer.from(svg)).png().toBuffer())).body.result?.imageRef ?? '';
	const reading = [1, 2, 3].map(() => server.call('readReceipt', { imageRef, amount: 1_250 }, player.token));
	const answers = await Promise.all(reading);
	// One of a player's at a time: they would fill the queue in which others' deposits are read.
	expect(answers.map(({ code }) => code).sort()).toEqual(['THROTTLED', 'THROTTLED', null].sort());
	let read = answers.find(({ code }) => code === null)?.body.result;
	// On a busy machine the player asks again.
	while (read?.state === 'TOO_SLOW')
		read = await server.result('readReceipt', { imageRef, amount: 1_250 }, player.token);
	expect(read).toEqual({ state: 'READ', utr: '412345678901', amount: 'FOUND' });
});

it.each([
	['storeImage: not logged in', 'storeImage'],
	['getImage: not logged in', 'getImage'],
	['readReceipt: not logged in', 'readReceipt'],
] as const)('%s', async (_, call) => {
	expect((await server.raw(call, {})).status).toBe(401);
});
