/** UPI payments against the simulator: every outcome of an order, and webhooks of every kind. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { SimulatedProvider } from '#server/money/funds/payments/simulated-provider.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { expectSound } from '../support/audit.ts';
import { mainlyEach } from '../support/main-rows.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer, TOKEN_KEY } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

/** A provider's key before and after it changes. */
const KEYS = { older: 'a secret that many people knew', newer: 'another secret' };
const PAYMENTS = { orderMs: 800, simulatedDelayMs: 20, pollMs: 300 };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: { ...PAYMENTS, webhookKeys: KEYS } });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const generate = (player: Player, amount: number, clientRequestId = freshRequestId()) =>
	server.result('generatePayment', { amount, clientRequestId }, player.token);
const statusOf = async (player: Player, orderId: string) =>
	(await server.result('checkPayment', { orderId }, player.token)).status;
const becomes = (player: Player, orderId: string, status: string) =>
	expect.poll(() => statusOf(player, orderId), { interval: 50 }).toBe(status);
const findings = async () =>
	(
		await server.database.db.query<{ name: string }>(
			`select data ->> 'name' as name from workflow where kind = 'FINDING' order by id`,
		)
	).rows.map(({ name }) => name);

it('generatePayment: success, a link and a QR code, credited at the provider’s word', async () => {
	const player = await signUp(server);
	const order = await generate(player, 500);
	expect(order.upiLink).toMatch(
		/^upi:\/\/pay\?pa=\S+&pn=Backlay&am=500\.00&cu=INR&tn=Deposit%20at%20\S+&tr=BLP[0-9A-Z]{11}&/,
	);
	expect(order.qr).toMatch(/^<svg /);
	expect(order.qr.length).toBeLessThan(20_000);
	await becomes(player, order.orderId, 'SUCCESS');
	expect(server.money(player)).toEqual([20_500, 0]);
	expect((await server.result('checkPayment', { orderId: order.orderId }, player.token)).utr).toMatch(/^\d{12}$/);
});

it('generatePayment: success again with the same request id is the same order, with another amount refused', async () => {
	const player = await signUp(server);
	const [one, other] = await Promise.all([
		generate(player, 500, 'same-request'),
		generate(player, 500, 'same-request'),
	]);
	expect(one.orderId).toBe(other.orderId);
	const another = { amount: 501, clientRequestId: 'same-request' };
	expect((await server.call('generatePayment', another, player.token)).code).toBe('REQUEST_ID_REUSED');
	await becomes(player, one.orderId, 'SUCCESS');
	expect(server.money(player)).toEqual([20_500, 0]);
});

it('generatePayment: refusal of amounts out of range, and past the limit of a day', async () => {
	const player = await signUp(server);
	const code = async (amount: number) =>
		(await server.call('generatePayment', { amount, clientRequestId: freshRequestId() }, player.token)).code;
	expect(await code(99)).toBe('AMOUNT_OUT_OF_RANGE');
	expect(await code(50_001)).toBe('AMOUNT_OUT_OF_RANGE');
	const codes = await Promise.all([code(30_000), code(30_000), code(30_000)]);
	expect(codes.sort()).toEqual(['DEPOSIT_LIMIT', 'DEPOSIT_LIMIT', null].sort());
});

it('generatePayment: not logged in', async () => {
	expect((await server.call('generatePayment', { amount: 500, clientRequestId: freshRequestId() })).status).toBe(401);
});

mainlyEach<[string, number, string, number]>(
	[
		['fails', 500.01, 'FAILED', 0],
		['is not paid in time', 500.02, 'EXPIRED', 0],
		['is paid short, and waits for people', 500.04, 'REVIEW', 0],
		['is told of three times', 500.05, 'SUCCESS', 500.05],
		['is told of with a forged signature only, and found by polling', 500.06, 'SUCCESS', 500.06],
		['is disputed, and the dispute is won', 500.07, 'WON', 500.07],
		['is disputed, and the dispute is lost', 500.08, 'LOST', 0],
		['is disputed in part, and the dispute is lost', 500.1, 'LOST', 450.09],
		['is disputed in part and won, then as a whole and lost', 500.11, 'LOST', 0],
	],
	([, amount]) => ![500.02, 500.07, 500.1, 500.11].includes(amount),
)('checkPayment: success, an order that %s', async (_, amount, status, gained) => {
	const player = await signUp(server);
	const { orderId } = await generate(player, amount);
	await becomes(player, orderId, status);
	expect(server.money(player)).toEqual([20_000 + gained, 0]);
});

it('credits a payment that comes after its order has expired, while the account is open', async () => {
	const player = await signUp(server);
	const { orderId } = await generate(player, 500.03);
	await becomes(player, orderId, 'EXPIRED');
	await becomes(player, orderId, 'SUCCESS');
	expect(server.money(player)).toEqual([20_500.03, 0]);
});

it('keeps a late payment of a frozen account for review', { tags: 'thorough' }, async () => {
	const player = await signUp(server);
	const { orderId } = await generate(player, 500.03);
	await server.running.funds.protection.freeze(player.userId, 'asked', { actor: 'test', address: null });
	await becomes(player, orderId, 'REVIEW');
	expect(server.money(player)).toEqual([20_000, 0]);
});

it('keeps a second payment of a paid order for review, as an order of its own', async () => {
	const player = await signUp(server);
	const { orderId } = await generate(player, 500.09);
	await becomes(player, orderId, 'SUCCESS');
	const reviews = () =>
		server.database.db.query(
			`select 1 from workflow where kind = 'PAYMENT' and state = 'REVIEW' and data ->> 'of' = $1`,
			[orderId],
		);
	await expect.poll(async () => (await reviews()).rowCount).toBe(1);
	expect(server.money(player)).toEqual([20_500.09, 0]);
});

it('checkPayment: refusal of another player’s order, and of an unknown one', async () => {
	const [player, other] = [await signUp(server), await signUp(server)];
	const { orderId } = await generate(player, 500);
	for (const id of [orderId, '999999999', 'abc'])
		expect((await server.call('checkPayment', { orderId: id }, other.token)).code).toBe('NOT_FOUND');
});

it('checkPayment: success, asks the provider once in three seconds however often a player asks', async () => {
	const quiet = await TestServer.start(undefined, {
		payments: { ...PAYMENTS, orderMs: 60_000, pollMs: 3_600_000, webhookKeys: KEYS },
	});
	const lookUp = vi.spyOn(SimulatedProvider.prototype, 'lookUp');
	const now = vi.spyOn(performance, 'now');
	try {
		const player = await signUp(quiet);
		const { orderId } = await quiet.result(
			'generatePayment',
			{ amount: 500.02, clientRequestId: freshRequestId() },
			player.token,
		);
		const ask = () => quiet.result('checkPayment', { orderId }, player.token);
		// The other server asks about orders of its own.
		const lookUps = () => lookUp.mock.calls.filter(([reference]) => reference === referenceOf('BLP', Number(orderId)));
		now.mockReturnValue(performance.now());
		await Promise.all(Array.from({ length: 10 }, ask));
		expect(lookUps()).toHaveLength(1);
		// A fraction more, because a sum of fractions of a second is rounded.
		const laterMs = performance.now() + 3_001;
		now.mockReturnValue(laterMs);
		await ask();
		await ask();
		expect(lookUps()).toHaveLength(2);
	} finally {
		now.mockRestore();
		lookUp.mockRestore();
		await quiet.dispose();
	}
});

it('checkPayment: not logged in', async () => {
	expect((await server.call('checkPayment', { orderId: '1' })).status).toBe(401);
});

const post = (body: string, changes: Record<string, string> = {}, { id, secret } = simulatorKey(TOKEN_KEY)) => {
	const timestamp = changes['x-payment-timestamp'] ?? String(Date.now());
	return server.send('/api/Payment/Webhook', {
		method: 'POST',
		body,
		headers: {
			'Content-Type': 'application/json',
			'x-payment-key-id': id,
			'x-payment-timestamp': timestamp,
			'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
			...changes,
		},
	});
};
const webhook = (eventId: string, word: Record<string, unknown>) => JSON.stringify({ eventId, word });

it('refuses webhooks that are forged, old or unreadable, and stores none of them', async () => {
	const body = webhook('forged-1', { reference: 'BLP', status: 'SUCCESS' });
	expect((await post(body, { 'x-payment-signature': '00' })).code).toBe('FORBIDDEN');
	expect((await post(body, { 'x-payment-key-id': 'another' })).code).toBe('FORBIDDEN');
	expect((await post(body, { 'x-payment-timestamp': String(Date.now() - 3_600_000) })).code).toBe('FORBIDDEN');
	expect((await post('not json')).code).toBe('VALIDATION_FAILED');
	const word = { reference: 'NONE', status: 'SUCCESS', amount: 50_000, currency: 'INR', utr: '500000000001' };
	for (const providerId of ['\0', '\ud800', undefined])
		expect((await post(webhook('forged-1', { ...word, providerId }))).code).toBe('VALIDATION_FAILED');
	const { rowCount } = await server.database.db.query(`select 1 from payment_webhook where event_id = 'forged-1'`);
	expect(rowCount).toBe(0);
});

it('makes a finding of a UTR that was seen before, and of an order that is none of ours', async () => {
	const player = await signUp(server);
	const [paid, other] = [await generate(player, 500), await generate(player, 600.02)];
	await becomes(player, paid.orderId, 'SUCCESS');
	const { utr } = await server.result('checkPayment', { orderId: paid.orderId }, player.token);
	const reference = /tr=(\w+)/.exec(other.upiLink)?.[1];
	const word = { reference, providerId: 'x', status: 'SUCCESS', amount: 60_002, currency: 'INR', utr };
	expect((await post(webhook('seen-1', word))).status).toBe(200);
	expect((await post(webhook('seen-1', word))).status).toBe(200);
	expect((await post(webhook('unknown-1', { ...word, reference: 'ELSEWHERE1' }))).status).toBe(200);
	await expect
		.poll(findings)
		.toEqual(expect.arrayContaining([`utr-seen:${utr}:${other.orderId}`, 'unknown-order:ELSEWHERE1']));
	expect(server.money(player)).toEqual([20_500, 0]);
});

it('continues after a restart: an order that was paid meanwhile is credited', async () => {
	const player = await signUp(server);
	// No webhook tells of it, and its player does not ask.
	await generate(player, 700.06);
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: { ...PAYMENTS, webhookKeys: KEYS } });
	await expect.poll(() => server.money(player)[0]).toBeCloseTo(20_700.06, 6);
});

it('takes webhooks of the provider’s old and new key, and of the old one no more once it is taken away', async () => {
	const word = { reference: 'ROTATED1', providerId: 'x', status: 'FAILED', amount: 1, currency: 'INR', utr: null };
	const postBy = (id: keyof typeof KEYS, eventId: string) => post(webhook(eventId, word), {}, { id, secret: KEYS[id] });
	expect([(await postBy('older', 'rotated-1')).status, (await postBy('newer', 'rotated-2')).status]).toEqual([
		200, 200,
	]);
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: { ...PAYMENTS, webhookKeys: { newer: KEYS.newer } } });
	expect([(await postBy('older', 'rotated-3')).code, (await postBy('newer', 'rotated-4')).status]).toEqual([
		'FORBIDDEN',
		200,
	]);
	const { rows } = await database.db.query<{ id: string }>(
		`select event_id as id from payment_webhook where event_id like 'rotated-%' order by 1`,
	);
	expect(rows.map(({ id }) => id)).toEqual(['rotated-1', 'rotated-2', 'rotated-4']);
});
