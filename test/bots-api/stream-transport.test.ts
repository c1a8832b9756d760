/** The stream's port over TLS: how lines arrive, who is waited for and for how long, and how many may come. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { StreamHouse } from '#server/doors/bots-api/stream-house.ts';
import { StreamSession } from '#server/doors/bots-api/stream-session.ts';
import { readConfig } from '#server/process/config.ts';
import { openMarketOf, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

const FOLDER = join(import.meta.dirname, '..', 'feeds', 'stand-in');
const FILES = { cert: join(FOLDER, 'localhost.cert.pem'), key: join(FOLDER, 'localhost.key.pem') };
const cert = readFileSync(FILES.cert, 'utf8');
const tls = { cert, key: readFileSync(FILES.key, 'utf8') };
/** The server's own time is 15 s, which no test has to wait for. */
const AUTHENTICATE_MS = 2_000;

let server: TestServer;
let bot: Bot;
let match: TestMatch;
const open: { close(): void }[] = [];
beforeAll(async () => {
	const stream = { port: 0, host: '127.0.0.1', tls, authenticateMs: AUTHENTICATE_MS };
	server = await TestServer.start(undefined, { stream });
	bot = await openBot(server);
	match = await openTestMatch(server);
});
afterAll(() => server.dispose());
afterEach(() => {
	for (const one of open.splice(0)) one.close();
});

const port = () => server.running.streamPort ?? 0;
async function client(): Promise<StreamClient> {
	const made = await StreamClient.openTls(port(), cert);
	open.push(made);
	return made;
}
/** A connection below TLS. */
async function raw(): Promise<Socket> {
	const socket = connect(port(), '127.0.0.1');
	socket.on('error', () => undefined);
	open.push({ close: () => socket.destroy() });
	await once(socket, 'connect');
	return socket;
}
const authentication = (of: Bot) => ({ op: 'authentication', id: 1, appKey: of.appKey, session: of.token });
const subscription = () => ({
	op: 'marketSubscription',
	id: 2,
	marketFilter: { marketIds: [`1.${match.marketId}`] },
	marketDataFilter: { fields: ['EX_ALL_OFFERS'] },
});

it('is encrypted or for this machine alone, and waits 15 s for an authentication', async () => {
	// Reading the configuration makes a key in the data folder.
	const folder = await mkdtemp(join(tmpdir(), 'backlay-stream-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const read = (env: Record<string, string>) =>
		readConfig(['--data-dir', folder], { STREAM_PORT: '4001', ...env }, folder);
	expect(read({ HOST: '0.0.0.0' }).stream).toEqual({
		port: 4001,
		host: '127.0.0.1',
		tls: null,
		authenticateMs: 15_000,
	});
	const encrypted = read({ HOST: '0.0.0.0', STREAM_TLS_CERT: FILES.cert, STREAM_TLS_KEY: FILES.key });
	expect(encrypted.stream).toMatchObject({ host: '0.0.0.0', tls, authenticateMs: 15_000 });
	expect(() => read({ STREAM_TLS_CERT: FILES.cert })).toThrow('STREAM_TLS_KEY');
});

it.each([
	['bytes alone', 1],
	['packets of three bytes', 3],
	['packets of 1,000 bytes', 1_000],
])('reads lines whose ends and letters are split anywhere: %s', async (_, size) => {
	const own = await client();
	const messages = [authentication(bot), subscription(), { op: 'heartbeat', id: 3, note: 'ₓ€ भारत' }];
	const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\r\n\r\n`).join(''));
	for (let at = 0; at < bytes.length; at += size) {
		own.socket.write(bytes.subarray(at, at + size));
		// Leaves the turn, so that no two pieces become one packet.
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(await own.line(({ op, id }) => op === 'status' && id === 3)).toMatchObject({ statusCode: 'SUCCESS' });
	await own.line(({ ct, id }) => ct === 'SUB_IMAGE' && id === 2);
	const { instructionReports } = await result(server, bot, 'placeOrders', {
		marketId: `1.${match.marketId}`,
		instructions: [limit(1, 'BACK', 4, 20)],
	});
	await own.line(({ mc, ct }) => mc && !ct);
	await result(server, bot, 'cancelOrders', {
		marketId: `1.${match.marketId}`,
		instructions: [{ betId: instructionReports[0].betId }],
	});
});

it('hangs up on clients that do not authenticate, however far they came, and on nobody else', async () => {
	const good = await client();
	good.say(authentication(bot));
	await good.line(({ id }) => id === 1);
	const [silent, halfway] = [await client(), await client()];
	halfway.socket.write('{"op":"authentication","id":1,"appKey":"');
	const [untouched, garbage, halfHello] = [await raw(), await raw(), await raw()];
	garbage.write('GET / HTTP/1.1\r\n\r\n');
	// The head of a handshake whose rest never comes.
	halfHello.write(Buffer.from('160301020001', 'hex'));
	for (const late of [silent, halfway]) {
		expect(await late.line(({ op }) => op === 'status')).toMatchObject({
			errorCode: 'TIMEOUT',
			connectionClosed: true,
		});
		await late.end();
	}
	for (const socket of [untouched, garbage, halfHello]) if (!socket.destroyed) await once(socket, 'close');
	good.say({ op: 'heartbeat', id: 9 });
	await good.line(({ id }) => id === 9);
});

it('admits twenty connections of a player, says how many are left, and admits one more when one has gone', async () => {
	const busy = await openBot(server);
	const enter = async () => {
		const own = await client();
		own.say(authentication(busy));
		return { own, status: await own.line(({ op }) => op === 'status') };
	};
	const entered: Awaited<ReturnType<typeof enter>>[] = [];
	for (let at = 0; at < 20; at++) entered.push(await enter());
	expect(entered.map(({ status }) => status.connectionsAvailable)).toEqual(
		Array.from({ length: 20 }, (_, at) => 19 - at),
	);
	const refused = await enter();
	expect(refused.status).toMatchObject({ errorCode: 'MAX_CONNECTION_LIMIT_EXCEEDED', connectionClosed: true });
	await refused.own.end();
	entered[0]?.own.close();
	await expect.poll(async () => (await enter()).status.statusCode).toBe('SUCCESS');
	const other = await client();
	other.say(authentication(bot));
	expect(await other.line(({ id }) => id === 1)).toMatchObject({ statusCode: 'SUCCESS' });
});

it('goes on when the brand changes what no stream shows, and ends when it shows another sport or none', async () => {
	const [kept, revoked] = [await client(), await client()];
	kept.say(authentication(bot));
	kept.say(subscription());
	await kept.line(({ op }) => op === 'mcm');
	const leaving = await openBot(server);
	revoked.say(authentication(leaving));
	await revoked.line(({ id }) => id === 1);
	const set = (field: string, value: string) => server.act('brand-set', { host: 'localhost', field, value });
	await set('description', 'Another one.');
	// One look is about all connections: at the end of the later one the other has been looked at, too.
	await server.result('revokeApiKey', { keyId: leaving.keyId }, leaving.siteToken);
	await revoked.end();
	kept.say({ op: 'heartbeat', id: 3 });
	expect(await kept.line(({ id }) => id === 3)).toMatchObject({ statusCode: 'SUCCESS' });
	await set('football', 'false');
	onTestFinished(async () => void (await set('football', 'true')));
	await kept.end();
	expect(kept.lines.at(-1)).toMatchObject({ errorCode: 'NOT_AUTHORIZED', connectionClosed: true });
});

it('takes a line of 64 KiB, and neither a longer one nor a filter with too many values', async () => {
	const own = await client();
	own.say(authentication(bot));
	await own.line(({ id }) => id === 1);
	const line = JSON.stringify({ op: 'heartbeat', id: 5, note: '' });
	own.say({ op: 'heartbeat', id: 5, note: 'x'.repeat(64 * 1024 - line.length - '\r'.length) });
	expect(await own.line(({ id }) => id === 5)).toMatchObject({ statusCode: 'SUCCESS' });
	own.say({
		...subscription(),
		id: 6,
		marketFilter: { marketIds: Array.from({ length: 1_001 }, (_, at) => `1.${at}`) },
	});
	expect(await own.line(({ id }) => id === 6)).toMatchObject({ errorCode: 'INVALID_INPUT', connectionClosed: false });
	own.say({ op: 'heartbeat', id: 7, note: 'x'.repeat(64 * 1024) });
	await own.end();
	expect(own.lines.at(-1)).toMatchObject({ errorCode: 'INVALID_INPUT', connectionClosed: true });
});

it('counts a client that authenticates again and again like any other', async () => {
	// A thousand times as many in tests.
	const slow = await openBot(server, { callsPerSecond: 1 });
	const own = await client();
	for (let sent = 0; sent < 1_100; sent++) own.say(authentication(slow));
	expect(await own.line(({ statusCode }) => statusCode === 'FAILURE')).toMatchObject({
		errorCode: 'TOO_MANY_REQUESTS',
		connectionClosed: true,
	});
	await own.end();
});

it('cuts off a client that reads no answers to its lines, whether or not it has a subscription', () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	onTestFinished(() => void vi.useRealTimers());
	const destroy = vi.fn();
	const unread = { writableLength: 300 * 1024, writable: true, on: () => unread, write: () => false, destroy };
	const session = new StreamSession(unread as unknown as Socket, {} as StreamHouse, '127.0.0.1');
	session.check();
	vi.advanceTimersByTime(29_000);
	session.check();
	expect(destroy).not.toHaveBeenCalled();
	unread.writableLength = 0;
	session.check();
	unread.writableLength = 300 * 1024;
	vi.advanceTimersByTime(29_000);
	session.check();
	expect(destroy).not.toHaveBeenCalled();
	vi.advanceTimersByTime(31_000);
	session.check();
	expect(destroy).toHaveBeenCalledOnce();
});

it('keeps only the latest for a client that reads nothing, and gives it the book of now', async () => {
	const own = await client();
	own.say(authentication(bot));
	own.say(subscription());
	await own.line(({ ct }) => ct === 'SUB_IMAGE');
	own.socket.pause();
	const of = { marketId: `1.${match.marketId}` };
	for (let round = 0; round < 20; round++) {
		const { instructionReports } = await result(server, bot, 'placeOrders', {
			...of,
			instructions: [limit(1, 'BACK', 3 + round / 20, 20)],
		});
		await result(server, bot, 'cancelOrders', { ...of, instructions: [{ betId: instructionReports[0].betId }] });
	}
	await result(server, bot, 'placeOrders', { ...of, instructions: [limit(1, 'BACK', 5, 33)] });
	own.socket.resume();
	await expect.poll(() => own.ladder(of.marketId, 1, 'atl')).toEqual([[5, 33]]);
	expect(own.ladder(of.marketId, 1, 'atb')).toEqual([]);
});

it('takes a subscription of 1,000 markets with the image of each, and refuses one of 1,001', async () => {
	const many = await openTestMatch(server);
	const openOther = (name: string) =>
		openMarketOf(server, many, {
			name,
			type: 'MATCH_ODDS',
			runners: [
				{ id: 'A', name: 'A' },
				{ id: 'B', name: 'B' },
			],
			betDelaySeconds: 0,
			rules: 'Who wins.',
		});
	await Promise.all(Array.from({ length: 999 }, (_, at) => openOther(`Market ${at}`)));
	const own = await client();
	own.say(authentication(bot));
	const all = { ...subscription(), marketFilter: { eventIds: [many.eventId] }, segmentationEnabled: true };
	own.say({ ...all, id: 3 });
	await own.line(({ id, segmentType }) => id === 3 && segmentType === 'SEG_END');
	expect(own.markets.size).toBe(1_000);
	await openOther('One too many');
	own.say({ ...all, id: 4 });
	expect(await own.line(({ id }) => id === 4)).toMatchObject({
		op: 'status',
		statusCode: 'FAILURE',
		errorCode: 'SUBSCRIPTION_LIMIT_EXCEEDED',
		connectionClosed: false,
	});
	// The subscription before stays, and hears of the book that changes.
	const marketId = `1.${many.marketId}`;
	await result(server, bot, 'placeOrders', { marketId, instructions: [limit(1, 'BACK', 4, 20)] });
	await own.line(({ mc, ct }) => !ct && mc?.some(({ id }: Wire) => id === marketId));
});
