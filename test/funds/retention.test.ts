/** Personal data: encrypted with keys that rotate, erased after the set time, and given to the player as CSV. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const [OLD, NEW] = ['an old key of thirty-two characters', 'the new key of thirty-two characters'];
const DAY_MS = 86_400_000;
let server: TestServer;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start(undefined, { dataKeys: [OLD] });
	player = await signUp(server);
});
afterAll(() => server.dispose());

const restart = async (dataKeys: string[], retentionDays = 1825) => {
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { dataKeys, retentionDays });
};
const picture = async (red: number) => {
	const background = { r: red, g: 100, b: 10 };
	const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
		.png()
		.toBuffer();
	return (await server.running.funds.images.store(player.userId, bytes.toString('base64'))).imageRef;
};
const BANK = { method: 'BANK', accountNumber: '123456789012', ifsc: 'HDFC0001234', holder: 'Asha Rao' } as const;
const details = () => server.running.funds.payoutDetails;
const images = async () =>
	(await server.database.db.query<{ ref: string }>('select image_ref as ref from stored_image order by at')).rows.map(
		({ ref }) => ref,
	);
const age = (table: 'stored_image' | 'payout_details', days: number) =>
	server.database.db.query(`update ${table} set at = at - $1::bigint`, [days * DAY_MS]);

it('seals anew with the present key what an older one sealed, so that the older one can go', async () => {
	const ref = await picture(10);
	const { detailsId } = await details().save(player.userId, BANK);
	await restart([NEW, OLD]);
	const before = await details().of(player.userId);
	await expect
		.poll(async () => (await server.database.db.query('select distinct key_id from stored_image')).rowCount)
		.toBe(1);
	await server.running.funds.retention.run();
	await restart([NEW]);
	expect(await details().reveal(detailsId)).toEqual(BANK);
	expect((await server.result('getImage', { imageRef: ref }, player.token)).type).toBe('image/webp');
	// The same details of another player are still found to be the same.
	const other = await signUp(server);
	expect(await details().save(other.userId, BANK)).toMatchObject({ isShared: true });
	expect((await details().save(player.userId, BANK)).detailsId).toBe(before[0]?.detailsId);
});

it('erases a picture that belongs to no deposit after a day, and one of a deposit after the set time', async () => {
	const [used, unused] = [await picture(60), await picture(110)];
	const asked = { amount: 500, utr: '412345678999', imageRef: used, clientRequestId: freshRequestId() };
	expect((await server.call('createDeposit', asked, player.token)).code).toBeNull();
	// A crash has kept the picture from being marked.
	await server.database.db.query('update stored_image set is_used = false');
	await age('stored_image', 2);
	await server.running.funds.retention.run();
	expect(await images()).toEqual([used]);
	expect(await images()).not.toContain(unused);
	await age('stored_image', 1825);
	await server.running.funds.retention.run();
	expect(await images()).toEqual([]);
});

it('erases bank details to which nothing was withdrawn for the set time, and no others', async () => {
	const used = await details().save(player.userId, { method: 'UPI', upiId: 'asha@bank' });
	const asked = {
		amount: 500,
		details: { method: 'SAVED', id: used.detailsId },
		clientRequestId: freshRequestId(),
	} as const;
	expect((await server.call('createWithdrawal', asked, player.token)).code).toBeNull();
	await age('payout_details', 1826);
	await server.running.funds.retention.run();
	expect((await details().of(player.userId)).map(({ detailsId }) => detailsId)).toEqual([used.detailsId]);
});

it('gives the player everything that is kept, and no secret', async () => {
	const { files } = await server.result('exportData', {}, player.token);
	expect(files.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['account.csv', 'statement.csv', 'payout-details.csv', 'receipts.csv', 'messages.csv']),
	);
	const text = JSON.stringify(files);
	expect(text).not.toContain('asha@bank');
	expect(text).toContain('a••••@bank');
});
