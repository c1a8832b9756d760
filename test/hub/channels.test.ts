/** A connection's channels: changed as often as pages are, limited by their number, and vouched for by heartbeats. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HEARTBEAT_MS } from '#contract/hub-messages.ts';
import { HEARTBEAT_TOPIC, startHeartbeat } from '#server/doors/hub/heartbeat.ts';
import { LocalBus } from '#server/platform/bus/bus.ts';
import { Refused } from '#values/error-catalogue.ts';
import { call, negotiateToken, openBareHub, RawClient, RECORD_END } from './bare-hub.ts';

const here = { Browser: 'raw', Domain: 'http://localhost', CurrentPage: '/', Token: '' };
const markets = (first: number, count: number) => Array.from({ length: count }, (_, at) => `market:${first + at}`);
const notice = (text: string) => ({ code: 'Notice' as const, data: { text } });
const beat = { code: 'Heartbeat' as const, data: { sent: 0 } };

/** The answer of a call; what was sent before it is passed over. */
async function answerOf(client: RawClient, method: string, argument: object): Promise<Record<string, unknown>> {
	client.say(call('1', method, argument));
	for (;;) {
		const record = await client.next();
		if (record['type'] === 3) return record;
	}
}
const follow = async (client: RawClient, channels: string[]) =>
	(await answerOf(client, 'Follow', { channels }))['result'] as { success: boolean; refused: unknown[] };

/** The code and data of the next message. */
async function message(client: RawClient): Promise<[string, unknown]> {
	const [{ Code, Data }] = (await client.next())['arguments'] as [{ Code: string; Data: string }];
	return [Code, JSON.parse(Data)];
}

describe('channels', () => {
	it('change with every page at no cost, while other calls have their limit', async () => {
		const client = await RawClient.open((await openBareHub()).url);
		for (let page = 1; page <= 60; page++) {
			expect((await follow(client, markets(page * 10, 10))).success).toBe(true);
		}
		const heartbeats = [];
		for (let sent = 0; sent < 101; sent++) heartbeats.push(await answerOf(client, 'SendHeartbeat', here));
		expect(heartbeats.map(({ error }) => error)).toEqual([...Array(100), 'THROTTLED']);
		expect((await follow(client, ['sports'])).success).toBe(true);
	});

	it('have limits that RATE_LIMIT_FACTOR multiplies, as those of calls', async () => {
		const client = await RawClient.open((await openBareHub(undefined, 0.02)).url);
		const { refused } = await follow(client, markets(1, 30));
		expect(refused).toEqual(markets(21, 10).map((channel) => ({ channel, code: 'THROTTLED' })));
		expect(await answerOf(client, 'SendHeartbeat', here)).not.toHaveProperty('error');
		expect(await answerOf(client, 'SendHeartbeat', here)).not.toHaveProperty('error');
		expect(await answerOf(client, 'SendHeartbeat', here)).toHaveProperty('error', 'THROTTLED');
	});

	it('are refused by name beyond a hundred, and taken when others are left', async () => {
		const client = await RawClient.open((await openBareHub()).url);
		const { refused } = await follow(client, markets(1, 103));
		expect(refused).toEqual(markets(101, 3).map((channel) => ({ channel, code: 'THROTTLED' })));
		expect(await follow(client, markets(4, 100))).toMatchObject({ success: true, refused: [] });
	});

	it('are exactly those of the last list, and go on without a new image', async () => {
		const { url, bus } = await openBareHub();
		const client = await RawClient.open(url);
		await follow(client, ['market:1', 'market:2']);
		await follow(client, ['market:2', 'market:3']);
		for (const market of [1, 2, 3]) bus.publish(`market.${market}.PLAY`, notice(`of ${market}`));
		expect([await message(client), await message(client)]).toEqual([
			['Notice', { text: 'of 2' }],
			['Notice', { text: 'of 3' }],
		]);
	});
});

describe('a heartbeat', () => {
	it('is sent by a process that leads, and by one that may have been deposed when it knows that it was not', async () => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const bus = new LocalBus();
		let heard = 0;
		bus.subscribe(HEARTBEAT_TOPIC, () => {
			heard += 1;
		});
		let isOpen = true;
		let fresh: Promise<void> | null = null;
		const end = startHeartbeat(bus, { isOpen: () => isOpen, fresh: () => fresh });
		const pass = () => vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
		await pass();
		expect(heard).toBe(1);
		const { promise, resolve } = Promise.withResolvers<void>();
		fresh = promise;
		await pass();
		expect(heard).toBe(1);
		resolve();
		await promise;
		expect(heard).toBe(2);
		fresh = Promise.reject(new Refused('DRAINING'));
		fresh.catch(() => undefined);
		await pass();
		[fresh, isOpen] = [null, false];
		await pass();
		expect(heard).toBe(2);
		isOpen = true;
		await pass();
		expect(heard).toBe(3);
		end();
		await pass();
		expect(heard).toBe(3);
	});

	it('goes to connections with channels, and counts the messages before it', async () => {
		const { url, bus } = await openBareHub();
		const [watching, idle] = [await RawClient.open(url), await RawClient.open(url)];
		await follow(watching, ['sports']);
		for (const text of ['one', 'two']) bus.publish('sports', notice(text));
		bus.publish(HEARTBEAT_TOPIC, beat);
		bus.publish('brand.localhost', notice('to all'));
		bus.publish(HEARTBEAT_TOPIC, beat);
		const heard = [];
		for (let count = 0; count < 5; count++) heard.push(await message(watching));
		expect(heard.filter(([code]) => code === 'Heartbeat')).toEqual([
			['Heartbeat', { sent: 2 }],
			['Heartbeat', { sent: 3 }],
		]);
		expect(await message(idle)).toEqual(['Notice', { text: 'to all' }]);
		expect(await answerOf(idle, 'SendHeartbeat', here)).toHaveProperty('result.success', true);
		expect(idle.records).toEqual([]);
	});

	it('comes to a client that was behind when it has caught up, and not long afterwards', async () => {
		const { url, bus, pass } = await openBareHub();
		const address = `${url}/hub?id=${await negotiateToken(url)}`;
		const post = (text: string) => fetch(address, { method: 'POST', body: text });
		const poll = async () => (await fetch(address)).text();
		await poll();
		await post(`{"protocol":"json","version":1}${RECORD_END}`);
		await poll();
		await post(JSON.stringify(call('1', 'Follow', { channels: ['sports'] })) + RECORD_END);
		expect(await poll()).toContain('"success":true');
		// Between two polls, one message is handed over; the rest waits for the next.
		bus.publish('sports', notice('first'));
		bus.publish(HEARTBEAT_TOPIC, beat);
		expect(await poll()).toMatch(/first.*sent\\":1/s);
		bus.publish('sports', notice('second'));
		bus.publish(HEARTBEAT_TOPIC, beat);
		pass(3000);
		bus.publish('sports', notice('third'));
		const late = await poll();
		expect(late).toContain('third');
		expect(late).not.toContain('Heartbeat');
	});
});

describe('a handshake over long polling', () => {
	it('is read as one stream of bytes, wherever it is split between POSTs', async () => {
		const { url } = await openBareHub();
		const address = `${url}/hub?id=${await negotiateToken(url)}`;
		const handshake = `{"protocol":"json","version":1}${RECORD_END}`;
		await fetch(address);
		const answer = fetch(address).then((response) => response.text());
		const first = JSON.stringify(call('1', 'Unsubscribe', { channels: [] })) + RECORD_END;
		for (const part of [handshake.slice(0, 7), handshake.slice(7, 8), handshake.slice(8) + first]) {
			expect((await fetch(address, { method: 'POST', body: part })).status).toBe(200);
		}
		expect(await answer).toContain(`{}${RECORD_END}`);
	});

	it('has a limit, with and without its end', async () => {
		const { url } = await openBareHub();
		const address = `${url}/hub?id=${await negotiateToken(url)}`;
		await fetch(address);
		for (let part = 0; part < 3; part++) await fetch(address, { method: 'POST', body: 'x'.repeat(500) });
		expect((await fetch(address)).status).toBe(204);
	});
});
