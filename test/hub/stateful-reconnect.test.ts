/** Stateful reconnect: a connection that loses its line goes on over the next, and everything is said and done once. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { MarketBookDelta } from '#contract/hub-messages.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { call, negotiateToken, openBareHub, RawClient } from './bare-hub.ts';
import { HubClient } from './hub-client.ts';
import { startNodeProxy } from './node-proxy.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start(undefined, { nodeId: 'only' });
});
afterAll(() => server.dispose());

describe.each(['json', 'messagepack'] as const)('the official client with %s', (protocol) => {
	it('does not notice a connection that breaks repeatedly: every delta follows, every call is answered', async () => {
		const proxy = await startNodeProxy(new Map([['only', Number(new URL(server.url).port)]]));
		onTestFinished(() => proxy.stop());
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const client = await HubClient.connect(proxy.url, token, { stateful: true, protocol });
		onTestFinished(() => client.stop());
		let isClosed = false;
		client.connection.onclose(() => {
			isClosed = true;
		});
		await client.subscribe(`market:${match.marketId}`);
		const first = await client.message('MarketBook');
		let staked = 0;
		for (let round = 1; round <= 6; round++) {
			proxy.cut();
			const answer = client.subscribe('sports');
			staked += round * 10;
			await server.result('placeBetV2', betOn(match, { price: 5, stake: round * 10 }), token);
			expect(await answer).toMatchObject({ success: true });
			await client.message('MarketBook', (book) => book.runners[0]?.lay?.[0]?.size === staked);
		}
		expect(isClosed).toBe(false);
		const books = client.received.filter(({ code }) => code === 'MarketBook').slice(1);
		let version = (first as { version: number }).version;
		for (const { data } of books) {
			expect((data as MarketBookDelta).from).toBe(version);
			version = (data as MarketBookDelta).version;
		}
		const placed = client.received.filter(({ code, data }) => code === 'BetUpdate' && 'event' in data);
		expect(placed).toHaveLength(6);
	});
});

describe('the counting', () => {
	const nothing = { channels: [] };
	const answers = async (client: RawClient, count: number): Promise<unknown[]> => {
		const ids: unknown[] = [];
		while (ids.length < count) {
			const record = await client.next();
			if (record['type'] === 3) ids.push(record['invocationId']);
		}
		return ids;
	};

	it('acknowledges received messages, resends unacknowledged ones, and runs none twice', async () => {
		const { url } = await openBareHub();
		const token = await negotiateToken(url, '&useStatefulReconnect=true');
		const client = await RawClient.open(url, `?id=${token}`, 2);
		client.say(call('a', 'Unsubscribe', nothing), call('b', 'Unsubscribe', nothing));
		expect(await answers(client, 2)).toEqual(['a', 'b']);
		expect(await client.next()).toEqual({ type: 8, sequenceId: 2 });
		client.say({ type: 8, sequenceId: 1 }, call('c', 'Unsubscribe', nothing));
		expect(await answers(client, 1)).toEqual(['c']);
		client.socket.terminate();

		const again = new RawClient(`${url}/hub?id=${token}`);
		expect(await again.next()).toEqual({ type: 9, sequenceId: 2 });
		expect(await answers(again, 2)).toEqual(['b', 'c']);
		// What comes before the sequence message is not counted; b and c were done; d is new.
		again.say(call('early', 'Unsubscribe', nothing), { type: 9, sequenceId: 2 });
		again.say(call('b', 'Unsubscribe', nothing), call('c', 'Unsubscribe', nothing), call('d', 'Unsubscribe', nothing));
		expect(await answers(again, 1)).toEqual(['d']);
	});

	it('ends a connection that skips messages', async () => {
		const { url } = await openBareHub();
		const token = await negotiateToken(url, '&useStatefulReconnect=true');
		const client = await RawClient.open(url, `?id=${token}`, 2);
		client.socket.terminate();
		const again = new RawClient(`${url}/hub?id=${token}`);
		expect(await again.next()).toEqual({ type: 9, sequenceId: 1 });
		again.say({ type: 9, sequenceId: 5 });
		expect(await again.next()).toMatchObject({ type: 7, allowReconnect: false });
		await again.closed();
	});

	it('holds messages back until the client acknowledges, and then continues', async () => {
		const { url, bus } = await openBareHub();
		const token = await negotiateToken(url, '&useStatefulReconnect=true');
		const client = await RawClient.open(url, `?id=${token}`, 2);
		const say = (text: string) => bus.publish('brand.localhost', { code: 'Notice', data: { text } });
		for (let notice = 1; notice <= 150; notice++) say(`${notice} ${'x'.repeat(1000)}`);
		client.say(call('a', 'Unsubscribe', nothing));
		// About 100,000 bytes of notices, of about 1,080 bytes each, come without an acknowledgement.
		let heard = 0;
		let last = await client.next();
		for (; last['type'] === 1; last = await client.next()) heard += 1;
		expect(heard).toBeGreaterThan(80);
		expect(heard).toBeLessThan(110);
		expect(last).toEqual({ type: 8, sequenceId: 1 });
		client.say({ type: 8, sequenceId: heard });
		let rest = 0;
		for (let record = await client.next(); record['type'] === 1; record = await client.next()) rest += 1;
		expect(heard + rest).toBe(150);
	});

	it('does not apply to a client that negotiated it and uses version 1', async () => {
		const { url, hub } = await openBareHub();
		const token = await negotiateToken(url, '&useStatefulReconnect=true');
		const client = await RawClient.open(url, `?id=${token}`, 1);
		client.socket.terminate();
		await expect.poll(() => hub.connections()).toBe(0);
	});
});
