/** What a brand's system is told, by a server and a receiver on this machine: every kind of event, signed, by brand. */
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SUBSCRIBED_KINDS, WebhookBody } from '#contract/webhook-events.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { StepRequest } from '#server/exchange/order/workflow.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';
import { WebhookEndpoints } from '#server/operators/webhooks/webhook-endpoints.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';
import { PaymentDesk, QUIET_PAYMENTS } from '../funds/payment-desk.ts';
import { GatedDatabase } from '../ledger/gated-database.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer, TOKEN_KEY } from '../support/server.ts';
import { PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';
import { signaturesOf, WebhookReceiver } from './webhook-receiver.ts';

const HOST = 'localhost';
let server: TestServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
	receiver = await WebhookReceiver.open();
	server = await TestServer.start(undefined, { payments: QUIET_PAYMENTS });
});
afterAll(async () => {
	await server.dispose();
	receiver.close();
});
beforeEach(async () => {
	for (const host of [HOST, '127.0.0.1'])
		for (const { endpointId } of await server.act<{ endpointId: string }[]>('webhook-list', { host }))
			await server.act('webhook-remove', { host, endpointId });
	receiver.received.length = 0;
	receiver.answer = () => 200;
	receiver.headers = {};
});

interface Added {
	endpointId: string;
	secret: string;
}

async function add(events: readonly string[], { host = HOST, path = '/hook' } = {}): Promise<Added> {
	const asked = { host, url: receiver.url(path), events };
	const { endpointId } = await server.act<{ endpointId: string }>('webhook-add', asked);
	const { secret } = await server.act<{ secret: string }>('webhook-rotate', { host, endpointId });
	return { endpointId, secret };
}

const kinds = () => receiver.bodies().map(({ type }) => type);
const test = (endpointId: string) =>
	server.act<{ eventId: string; sequence: number }>('webhook-test', { host: HOST, endpointId });
const deliveries = (endpointId: string) =>
	server.act<{ sequence: number; state: string; tries: number; status: number | null; reason: string | null }[]>(
		'webhook-deliveries',
		{ host: HOST, endpointId },
	);

interface Transferred<Kind extends TransferKind> {
	walletId: number;
	workflow: Kind;
	to: string;
	data: DataOf<Kind>;
	id?: number;
	from?: string;
}

/** A step of a workflow, as funds submit it. @returns its id */
async function step<Kind extends TransferKind>({ walletId, ...asked }: Transferred<Kind>): Promise<number> {
	const one = { from: null, isOpen: true, actor: 'test', moves: [], ...asked } as StepRequest;
	const { workflows: [made] = [] } = await server.running.exchange.submit({
		kind: 'transfer',
		walletId,
		pool: 'PLAY',
		steps: [one],
	});
	return made?.id ?? 0;
}

const withdrawal = { amount: 700_00, method: 'UPI', detailsId: null, masked: 'a…@bank', doubts: [] } as const;

it('tells each kind of event once, signed, in the shape of the contract and with no personal data', async () => {
	const { secret } = await add(SUBSCRIBED_KINDS);
	const desk = new PaymentDesk(() => server);
	const player = await signUp(server);
	const playerId = String(player.userId);
	const utr = desk.freshUtr();
	const { reference } = await desk.order(player, 500);
	await desk.hear({ reference, status: 'SUCCESS', utr });
	const receipt = await desk.receipt(player, desk.freshUtr(), 400);
	expect(await desk.decide('DEPOSIT', receipt.id, 'approve')).toBe('APPROVED');
	expect(await desk.byTwo('DEPOSIT', receipt.id, 'reverse')).toBe('REVERSED');
	const { userId: walletId } = player;
	const refused = await step({ walletId, workflow: 'WITHDRAWAL', to: 'REQUESTED', data: withdrawal });
	await step({ walletId, workflow: 'WITHDRAWAL', id: refused, from: 'REQUESTED', to: 'REJECTED', data: withdrawal });
	await step({ walletId, workflow: 'WITHDRAWAL', to: 'PAID', data: { ...withdrawal, utr } });
	await step({ walletId, workflow: 'FINDING', to: 'OPEN', data: { name: `receipt-displaced:${utr}` } });
	const match = await openTestMatch(server);
	const layer = await server.playPlayer();
	for (const [{ token }, side] of [
		[player, 'BACK'],
		[layer, 'LAY'],
	] as const)
		await server.result('placeBetV2', betOn(match, { side, price: 2, stake: 100 }), token);
	await match.settle(0);
	const leaver = await signUp(server);
	await server.result('takeTimeOut', { hours: 24 }, player.token);
	await server.result('excludeSelf', { months: 6, password: PASSWORD }, player.token);
	await server.result('closeAccount', { password: PASSWORD }, leaver.token);
	await expect
		.poll(() => kinds().toSorted())
		.toEqual(
			[
				'deposit.credited',
				'deposit.credited',
				'deposit.reversed',
				'finding.raised',
				'market.settled',
				'player.closed',
				'player.excluded',
				'player.market-settled',
				'player.market-settled',
				'player.registered',
				'player.registered',
				'player.registered',
				'player.timed-out',
				'withdrawal.paid',
				'withdrawal.refused',
			].toSorted(),
		);
	const told = receiver.bodies();
	for (const body of told) expect(v.safeParse(WebhookBody, body).issues).toBeUndefined();
	for (const webhook of receiver.received) expect(signaturesOf(webhook, secret)).toContain(true);
	expect(told.map(({ sequence }) => sequence).toSorted((one, other) => one - other)).toEqual(
		told.map((_, at) => at + 1),
	);
	expect(new Set(receiver.ids()).size).toBe(told.length);
	const dataOf = (kind: string) => told.filter(({ type }) => type === kind).map(({ data }) => data);
	expect(dataOf('deposit.credited')).toContainEqual(
		expect.objectContaining({ playerId, method: 'PAYMENT', amountMinor: 500_00 }),
	);
	expect(dataOf('withdrawal.refused')).toEqual([
		{ playerId, withdrawalId: String(refused), outcome: 'REJECTED', amountMinor: 700_00, currency: 'INR' },
	]);
	expect(dataOf('market.settled')).toEqual([{ marketId: match.marketId, status: 'SETTLED', results: ['WIN', 'LOSE'] }]);
	// ₹100 at 2.00, and the commission of the brand's markets on it.
	expect(dataOf('player.market-settled')).toContainEqual(expect.objectContaining({ playerId, netMinor: 100_00 }));
	expect(dataOf('finding.raised')).toMatchObject([{ finding: 'receipt-displaced' }]);
	const texts = receiver.received.map(({ body }) => body).join();
	for (const secretOfPlayer of [player.userName, player.mobile.slice(3), utr, 'bank'])
		expect(texts).not.toContain(secretOfPlayer);
});

it('tells what a lost chargeback took of a deposit, and of a refused withdrawal all that came back', async () => {
	await add(['deposit.reversed', 'deposit.credited', 'withdrawal.refused']);
	const desk = new PaymentDesk(() => server, 600_000_000_000);
	const player = await signUp(server);
	const { id, reference } = await desk.order(player, 500);
	await desk.hear({ reference, status: 'SUCCESS', utr: desk.freshUtr() });
	await desk.hear({ reference, status: 'DISPUTED' });
	await desk.hear({ reference, status: 'DISPUTE_LOST' });
	const { userId: walletId } = player;
	const tax = { name: 'tax', base: 1_000_00, amount: 300_00 };
	const refused: number[] = [];
	for (const yearEndsAtMs of [Date.now() + 60_000, Date.now() - 60_000]) {
		const data = { ...withdrawal, tax: { ...tax, yearEndsAtMs } };
		const asked = { walletId, workflow: 'WITHDRAWAL' as const, data };
		const made = await step({ ...asked, to: 'REQUESTED' });
		refused.push(await step({ ...asked, id: made, from: 'REQUESTED', to: 'REJECTED' }));
	}
	const told = () =>
		receiver.bodies().map(({ type, data }) => {
			const { depositId, withdrawalId, amountMinor } = data as Record<string, unknown>;
			return [type, depositId ?? withdrawalId, amountMinor];
		});
	const [now, late] = refused.map(String);
	await expect
		.poll(() => told().toSorted())
		.toEqual([
			['deposit.credited', String(id), 500_00],
			['deposit.reversed', String(id), 500_00],
			['withdrawal.refused', now, 1_000_00],
			['withdrawal.refused', late, 700_00],
		]);
});

it('tells a brand of its own players alone, and costs bets no row', async () => {
	await add(SUBSCRIBED_KINDS);
	const stranger = await signUpElsewhere(server, '+919811111111');
	const demo = await server.demoPlayer();
	const own = await signUp(server);
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match), demo.token);
	await expect.poll(kinds).toEqual(['player.registered']);
	expect(receiver.bodies()[0]).toMatchObject({ brand: HOST, data: { playerId: String(own.userId) } });
	expect(stranger.userId).not.toBe(own.userId);
	expect((await server.database.db.query('select from webhook_event')).rowCount).toBe(0);
});

it('stores nothing of what no endpoint subscribed to', async () => {
	await add(['player.closed']);
	const { userId: walletId } = await server.playPlayer();
	await step({ walletId, workflow: 'WITHDRAWAL', to: 'PAID', data: withdrawal });
	const stored = 'select kind from webhook_event union all select kind from webhook_delivery';
	expect((await server.database.db.query(stored)).rows).toEqual([]);
});

it('tells an endpoint that another process added since, whichever process makes the deliveries', async () => {
	const known = await add(['player.registered']);
	const keys = new DataKeys([TOKEN_KEY]);
	const successor = new WebhookEndpoints({ db: server.database.db, keys, clock: Date.now });
	await successor.load();
	const since = { brand: HOST, url: receiver.url('/since'), kinds: ['player.registered'] } as const;
	const endpointId = await successor.add(since);
	try {
		const { userId } = await signUp(server);
		const told = async (to: string): Promise<string[]> => {
			const { rows } = await server.database.db.query<{ data: { playerId: string } }>(
				'select data from webhook_delivery where endpoint_id = $1',
				[to],
			);
			return rows.map(({ data }) => data.playerId);
		};
		await expect.poll(() => told(known.endpointId)).toEqual([String(userId)]);
		expect(await told(endpointId)).toEqual([String(userId)]);
	} finally {
		await successor.remove(successor.named(HOST, endpointId));
	}
});

it('forgets an endpoint that is removed while the endpoints are read for another act', async () => {
	const { endpointId } = await add(['player.closed']);
	const gated = new GatedDatabase(server.database.db);
	const keys = new DataKeys([TOKEN_KEY]);
	const endpoints = new WebhookEndpoints({ db: gated.asDatabase(), keys, clock: Date.now });
	await endpoints.load();
	const { reached, open } = gated.stop('from webhook_endpoint order by', 'after');
	const reading = endpoints.load();
	await reached;
	await endpoints.remove(endpoints.named(HOST, endpointId));
	open();
	await reading;
	expect([endpoints.ofBrand(HOST), endpoints.isSubscribed('player.closed')]).toEqual([[], false]);
});

it('has no more than five endpoints of a brand, however many are added at once', async () => {
	const urls = Array.from({ length: 8 }, (_, at) => receiver.url(`/at-once-${at}`));
	const codes = await Promise.all(
		urls.map(
			async (url) => (await server.operator('webhook-add', { host: HOST, url, events: ['player.closed'] })).code,
		),
	);
	expect(codes.filter((code) => code === null)).toHaveLength(5);
	expect(codes.filter((code) => code === 'TOO_MANY_ENDPOINTS')).toHaveLength(3);
	expect(await server.act('webhook-list', { host: HOST })).toHaveLength(5);
});

it('signs with both secrets after a rotation, and keeps neither in the clear', async () => {
	const { endpointId, secret } = await add(['player.closed']);
	const { secret: next } = await server.act<{ secret: string }>('webhook-rotate', { host: HOST, endpointId });
	await test(endpointId);
	await expect.poll(kinds).toEqual(['webhook.test']);
	const [webhook] = receiver.received as [(typeof receiver.received)[number]];
	expect([signaturesOf(webhook, next), signaturesOf(webhook, secret)]).toEqual([
		[true, false],
		[false, true],
	]);
	const { rows } = await server.database.db.query<{ secret: Buffer }>('select secret from webhook_endpoint');
	expect(rows[0]?.secret.includes(Buffer.from(next.slice('whsec_'.length), 'base64'))).toBe(false);
});

it('follows no redirection, and takes no answer but a success for one', async () => {
	const { endpointId } = await add(['player.closed'], { path: '/moved' });
	receiver.answer = (path) => (path === '/moved' ? 307 : 200);
	receiver.headers = { Location: receiver.url('/elsewhere') };
	await test(endpointId);
	const refused = { state: 'WAITING', tries: 1, status: 307, reason: 'it answered 307' };
	await expect.poll(() => deliveries(endpointId)).toMatchObject([refused]);
	expect(receiver.received).toHaveLength(1);
});

it('a paused endpoint gets what happened meanwhile when it goes on', async () => {
	const { endpointId } = await add(['player.registered']);
	await server.act('webhook-pause', { host: HOST, endpointId, isPaused: true });
	await server.playPlayer();
	await expect.poll(() => deliveries(endpointId)).toMatchObject([{ state: 'WAITING', tries: 0 }]);
	await server.act('webhook-pause', { host: HOST, endpointId, isPaused: false });
	await expect.poll(kinds).toEqual(['player.registered']);
});

it('replays a delivery under its id, for the brand of the endpoint alone', async () => {
	const { endpointId } = await add(['player.closed']);
	const { eventId, sequence } = await test(endpointId);
	await expect.poll(async () => (await deliveries(endpointId))[0]?.state).toBe('DELIVERED');
	expect(await server.act('webhook-replay', { host: HOST, endpointId, sequence })).toEqual({ replayed: 1 });
	await expect.poll(() => receiver.ids()).toEqual([eventId, eventId]);
	expect(await server.act('webhook-replay', { host: HOST, endpointId })).toEqual({ replayed: 0 });
	expect((await server.operator('webhook-test', { host: '127.0.0.1', endpointId })).code).toBe('NOT_FOUND');
});

it('refuses a sixth endpoint, what is no web address, and what is no brand', async () => {
	for (let count = 0; count < 5; count++) await add(['player.closed']);
	const asked = { host: HOST, events: ['player.closed'], url: receiver.url() };
	expect((await server.operator('webhook-add', asked)).code).toBe('TOO_MANY_ENDPOINTS');
	const elsewhere = { ...asked, host: '127.0.0.1', url: 'ftp://example.com/hook' };
	expect((await server.operator('webhook-add', elsewhere)).code).toBe('UNSAFE_ADDRESS');
	expect((await server.operator('webhook-add', { ...asked, host: 'no.such.brand' })).code).toBe('UNKNOWN_DOMAIN');
});

interface Listed {
	failingSince: string | null;
	waiting: number;
}

const listed = async () => (await server.act<Listed[]>('webhook-list', { host: HOST }))[0];

/** Findings about a player, each a transfer of its own. */
async function raise(count: number): Promise<void> {
	const { userId: walletId } = await server.playPlayer();
	const data = { name: 'receipt-displaced' };
	await Promise.all(Array.from({ length: count }, () => step({ walletId, workflow: 'FINDING', to: 'OPEN', data })));
}

it('loses none of 1,000 events while the receiver is dead, also over a restart, and sends none twice after', {
	tags: 'thorough',
}, async () => {
	const { endpointId } = await add(['finding.raised']);
	receiver.answer = () => 'no answer';
	await raise(500);
	await expect.poll(async () => (await listed())?.failingSince).toEqual(expect.any(String));
	const { database } = server;
	await server.stop();
	server = await TestServer.start(database, { payments: QUIET_PAYMENTS });
	await raise(500);
	await expect.poll(async () => (await listed())?.waiting).toBe(1_000);
	receiver.received.length = 0;
	receiver.answer = () => 200;
	// An operator ends the pauses that follow failures; what was refused last waits for some seconds by itself.
	await server.act('webhook-pause', { host: HOST, endpointId, isPaused: false });
	await expect.poll(async () => (await listed())?.waiting, { timeout: 60_000 }).toBe(0);
	expect([receiver.ids().length, new Set(receiver.ids()).size]).toEqual([1_000, 1_000]);
	const sequences = receiver.bodies().map(({ sequence }) => sequence);
	expect(sequences.toSorted((one, other) => one - other)).toEqual(sequences.map((_, at) => at + 1));
	expect((await listed())?.failingSince).toBe(null);
});

it('gives up what was refused for days, which is an alarm until it is replayed or removed', async () => {
	const { endpointId } = await add(['player.closed']);
	receiver.answer = () => 400;
	await test(endpointId);
	await expect.poll(async () => (await deliveries(endpointId))[0]?.tries).toBe(1);
	const aged = 'update webhook_delivery set at = at - 4 * 86400000::bigint, tries = 11, next_at = 0';
	await server.database.db.query(aged);
	await expect.poll(() => deliveries(endpointId)).toMatchObject([{ state: 'DEAD', tries: 12, status: 400 }]);
	const check = async () => {
		const checks = await server.act<{ name: string; state: string }[]>('doctor', {});
		return checks.find(({ name }) => name === 'webhooks')?.state;
	};
	expect(await check()).toBe('failing');
	receiver.answer = () => 200;
	expect(await server.act('webhook-replay', { host: HOST, endpointId })).toEqual({ replayed: 1 });
	await expect.poll(check).toBe('ok');
});

it('opens secrets by the new data key alone, once they were sealed again', async () => {
	const { endpointId, secret } = await add(['player.closed']);
	const endpointsWith = (...keys: string[]) =>
		new WebhookEndpoints({ db: server.database.db, keys: new DataKeys(keys), clock: Date.now });
	const both = endpointsWith('the new key', TOKEN_KEY);
	await both.load();
	await both.sealAnew();
	const after = endpointsWith('the new key');
	await after.load();
	const [own] = after.secretsOf(after.named(HOST, endpointId));
	expect(`whsec_${own?.toString('base64')}`).toBe(secret);
});
