/** Pictures of a brand: uploaded in the console, cleaned, served by name, replaced and removed. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PictureField, picturePath } from '#contract/brand-picture.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { DAY_MS } from '#values/time.ts';
import { hostilePictures } from '../support/hostile-pictures.ts';
import { AGENT } from '../support/plain-request.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const HOST = 'royal.localhost';
const OTHER = 'dune.localhost';

let server: TestServer;
let member: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	const about = { name: 'maker', passwordHash: await hashPassword(PASSWORD), roles: ['owner'], brands: null };
	await server.running.staff.directory.add(about, { actor: 'test', address: null });
	member = await maker();
});
afterAll(() => server.dispose());

async function maker(): Promise<ConsoleClient> {
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name: 'maker', password: PASSWORD });
	return client;
}

let shade = 0;
/** A picture that no other one equals. */
const pictureOf = (width: number, height: number) =>
	sharp({ create: { width, height, channels: 3, background: { r: (shade += 5) % 256, g: 80, b: 40 } } })
		.png()
		.toBuffer();

const upload = (field: PictureField, bytes: Buffer, host = HOST) =>
	member.call('brand-picture', { host, field, image: bytes.toString('base64') });

async function uploaded(field: PictureField, bytes: Buffer): Promise<string> {
	const { body } = await upload(field, bytes);
	return (body.result as { value: string }).value;
}

const shown = (field: PictureField): string => server.running.brands.byHost(HOST)?.setting[field] ?? '';

/** Asks a brand's host. */
async function ask(
	path: string,
	host = HOST,
): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
	const asked = request(server.url + path, { agent: AGENT, headers: { host } }).end();
	const [answer] = (await once(asked, 'response')) as [IncomingMessage];
	const parts: Buffer[] = [];
	for await (const part of answer) parts.push(part as Buffer);
	return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) };
}

const stored = async (): Promise<string[]> => {
	const { rows } = await server.database.db.query<{ name: string }>('select name from brand_picture where host = $1', [
		HOST,
	]);
	return rows.map(({ name }) => name);
};

it('is shown and served to its own brand for a year, made smaller, as WebP and under a name that tells its size', async () => {
	const path = await uploaded('mainLogo', await pictureOf(1_600, 400));
	expect(path).toMatch(/^\/pictures\/[\w-]{43}-800x200\.webp$/);
	expect(shown('mainLogo')).toBe(path);
	const answer = await ask(path);
	expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
	expect(answer.headers['content-type']).toBe('image/webp');
	const { format, width, height } = await sharp(answer.bytes).metadata();
	expect([format, width, height]).toEqual(['webp', 800, 200]);
	expect((await ask(path, OTHER)).status).toBe(404);
	expect((await ask(path.replace('800x200', '801x200'))).status).toBe(404);
});

it('names the installed app’s icon by its type and size', async () => {
	const path = await uploaded('favicon', await pictureOf(192, 192));
	const { icons } = JSON.parse(String((await ask('/manifest.webmanifest')).bytes)) as { icons: object[] };
	expect(icons).toEqual([{ src: path, type: 'image/webp', sizes: '192x192', purpose: 'any' }]);
	expect((await upload('favicon', await pictureOf(192, 100))).body.error?.code).toBe('VALIDATION_FAILED');
	expect(shown('favicon')).toBe(path);
});

it('stays under its old name when it was replaced or removed, and the site’s own mark takes its place', async () => {
	const first = await uploaded('authLogoImage', await pictureOf(50, 20));
	const second = await uploaded('authLogoImage', await pictureOf(50, 20));
	await member.result('brand-picture-remove', { host: HOST, field: 'authLogoImage' });
	expect(shown('authLogoImage')).toBe('/brands/default/logo.svg');
	expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 200]);
});

it('leaves when nothing has shown it for thirty days, and cannot be shown again', async () => {
	const old = await uploaded('authLogoImage', await pictureOf(30, 30));
	const kept = await uploaded('authLogoImage', await pictureOf(30, 30));
	await server.database.db.query('update brand_picture set at = at - $1', [31 * DAY_MS]);
	await server.database.db.query('update brand_version set replaced_at = replaced_at - $1', [31 * DAY_MS]);
	await uploaded('heroImage', await pictureOf(30, 30));
	const names = await stored();
	expect(names).not.toContain(old.split('/').at(-1));
	// It is shown since before that time.
	expect(names).toContain(kept.split('/').at(-1));
	const back = { host: HOST, field: 'authLogoImage', value: old };
	expect(await member.code('brand-set', back)).toBe('VALIDATION_FAILED');
	expect(shown('authLogoImage')).toBe(kept);
});

it('stays while a scheduled change needs it, and goes live with it', async () => {
	const { db } = server.database;
	const waiting = await uploaded('authLogoImage', await pictureOf(31, 31));
	const now = await uploaded('authLogoImage', await pictureOf(31, 31));
	const at = new Date(Date.now() + DAY_MS).toISOString();
	const schedule = (value: string) => ({ host: HOST, at, changes: [{ field: 'authLogoImage', value }] });
	const { scheduleId } = await member.result<{ scheduleId: string }>('brand-schedule', schedule(waiting));
	await db.query('update brand_picture set at = at - $1', [31 * DAY_MS]);
	await db.query('update brand_version set replaced_at = replaced_at - $1', [31 * DAY_MS]);
	await uploaded('heroImage', await pictureOf(30, 30));
	expect(await stored()).toEqual(expect.arrayContaining([waiting, now].map((path) => path.split('/').at(-1))));
	await db.query('update brand_schedule set at = 0 where schedule_id = $1', [scheduleId]);
	await server.stop();
	server = await TestServer.start(server.database);
	await expect.poll(() => shown('authLogoImage'), { timeout: 20_000 }).toBe(waiting);
	expect((await ask(waiting)).status).toBe(200);
	member = await maker();
	// A picture that the brand has no more is refused at once, and not at its instant.
	const gone = picturePath({ hash: 'x'.repeat(43), width: 31, height: 31 });
	expect(await member.code('brand-schedule', schedule(gone))).toBe('VALIDATION_FAILED');
});

it('two uploads at once are both kept, and the one whose version is higher is shown', async () => {
	const versionBefore = server.running.brands.byHost(HOST)?.setting.version ?? 0;
	const pictures = await Promise.all([pictureOf(40, 40), pictureOf(41, 41), pictureOf(42, 42)]);
	const answers = await Promise.all(pictures.map((bytes) => upload('heroImage', bytes)));
	const made = answers.map(({ body }) => body.result as { value: string; version: number });
	const versions = made.map(({ version }) => version).sort((one, other) => one - other);
	expect(versions).toEqual([1, 2, 3].map((more) => versionBefore + more));
	expect(shown('heroImage')).toBe(made.find(({ version }) => version === versionBefore + 3)?.value);
	const names = await stored();
	for (const { value } of made) expect(names).toContain(value.split('/').at(-1));
});

it('is refused, and nothing changes, when it is no picture, harmful, or not what its type says', async () => {
	const before = server.running.brands.byHost(HOST)?.setting.version;
	const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
	const refused = (await hostilePictures()).filter(({ code }) => code !== null);
	const files = [{ name: 'an SVG with a script', bytes: script, code: 'IMAGE_NOT_READABLE' }, ...refused];
	const said = [];
	for (const { name, bytes } of files) said.push([name, (await upload('mainLogo', bytes)).body.error?.code]);
	expect(said).toEqual(files.map(({ name, code }) => [name, code]));
	expect(server.running.brands.byHost(HOST)?.setting.version).toBe(before);
});

it('is one still picture without what stood beside its pixels', async () => {
	const taken = (await hostilePictures()).filter(
		({ name }) => name === 'a PNG and a page of HTML' || name.includes('animation'),
	);
	expect(taken).toHaveLength(2);
	for (const { bytes } of taken) {
		const { bytes: served } = await ask(await uploaded('mainLogo', bytes));
		expect((await sharp(served).metadata()).pages ?? 1).toBe(1);
		expect(served.includes('script')).toBe(false);
	}
});

it('is refused when the brand has a hundred that were shown lately', async () => {
	const { db } = server.database;
	const count = (await stored()).length;
	const fill = Array.from({ length: 100 - count }, (_, at) => `filler-${at}`);
	await db.query(
		'insert into brand_picture (host, name, bytes, at) select $1, name, $3, $4 from unnest($2::text[]) name',
		[HOST, fill, Buffer.of(1), Date.now()],
	);
	const before = shown('mainLogo');
	expect((await upload('mainLogo', await pictureOf(9, 9))).body.error?.code).toBe('PICTURES_FULL');
	expect(shown('mainLogo')).toBe(before);
	await db.query('delete from brand_picture where name = any ($1)', [fill]);
});

it('is in the journal by its name, without its bytes, and can be taken back', async () => {
	const before = shown('mainLogo');
	const after = await uploaded('mainLogo', await pictureOf(60, 60));
	const { history } = await member.result<{ history: { seq: number; field: string; before: string; after: string }[] }>(
		'brand-show',
		{ host: HOST },
	);
	expect(history[0]).toMatchObject({ field: 'mainLogo', before, after });
	const { rows } = await server.database.db.query<{ details: object }>(
		`select details from journal where act = 'brand-picture' order by seq desc limit 1`,
	);
	expect(rows[0]?.details).toEqual({ host: HOST, field: 'mainLogo' });
	await member.result('brand-roll-back', { host: HOST, seq: history[0]?.seq, field: 'mainLogo' });
	expect(shown('mainLogo')).toBe(before);
});

it('of another brand, or one that was never uploaded, is not shown', async () => {
	const path = picturePath({ hash: 'A'.repeat(43), width: 10, height: 10 });
	expect(await member.code('brand-set', { host: HOST, field: 'mainLogo', value: path })).toBe('VALIDATION_FAILED');
	const own = await uploaded('mainLogo', await pictureOf(70, 70));
	expect(await member.code('brand-set', { host: OTHER, field: 'mainLogo', value: own })).toBe('VALIDATION_FAILED');
});
