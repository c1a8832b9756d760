/** Browsers that read more slowly than the hub sends: the newest of each kind counts, and a queue has a limit. */
import { describe, expect, it, vi } from 'vitest';
import type { HubMessages, MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import { isOutdated, supersede } from '#server/doors/hub/supersede.ts';
import type { Login } from '#server/people/players/logins.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';
import { call, openBareHub, RawClient } from './bare-hub.ts';

const here = { Browser: 'raw', Domain: 'http://localhost', CurrentPage: '/', Token: 'good' };

const messageOf = (record: Record<string, unknown>) => {
	const [argument] = (record['arguments'] ?? []) as [{ Code: string; Data: string }?];
	return argument ? { code: argument.Code, data: JSON.parse(argument.Data) } : null;
};

const delta = (version: number, size: number): BusMessage<'MarketBook'> => ({
	code: 'MarketBook',
	key: 'book.1001',
	data: {
		kind: 'DELTA',
		marketId: '1001',
		from: version - 1,
		version,
		clock: version,
		runners: [{ runnerId: 'IND', back: Array.from({ length: 60 }, () => ({ price: 2, size })) }],
	},
});

async function watching(url: string): Promise<RawClient> {
	const client = await RawClient.open(url);
	client.say(call('1', 'RegisterClient', here), call('2', 'Subscribe', { channels: ['market:1001'] }));
	while ((await client.next())['invocationId'] !== '2');
	return client;
}

describe('a browser that stopped reading', () => {
	it('gets fewer messages when it reads again, and they still follow one another to the newest', {
		tags: 'thorough',
	}, async () => {
		const { url, bus } = await openBareHub();
		const client = await watching(url);
		client.socket.pause();
		const last = 20_000;
		for (let version = 1; version <= last; version++) {
			bus.publish('market.1001.PLAY', delta(version, version));
			if (version % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		client.socket.resume();
		let version = 0;
		let heard = 0;
		while (version < last) {
			const message = messageOf(await client.next());
			if (message?.code !== 'MarketBook') continue;
			const book = message.data as MarketBookDelta;
			expect(book.from).toBe(version);
			expect(book.runners[0]?.back?.[0]?.size).toBe(book.version);
			version = book.version;
			heard += 1;
		}
		expect(heard).toBeLessThan(last);
	});

	it('is disconnected when more than a mebibyte is queued that nothing supersedes, and others are not', async () => {
		const { url, bus, hub } = await openBareHub();
		const [slow, other] = [await watching(url), await watching(url)];
		slow.socket.pause();
		let published = 0;
		while (hub.connections() === 2 && published < 100_000) {
			bus.publish('player.7', { code: 'Notice', data: { text: `${published} ${'x'.repeat(1000)}` } });
			published += 1;
			if (published % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		expect(hub.connections()).toBe(1);
		for (let heard = 0; heard < published; heard++) {
			const notice = messageOf(await other.next()) as { data: HubMessages['Notice'] };
			expect(notice.data.text).toContain(`${heard} x`);
		}
	});

	it('hears nothing of the player before, whose news still waited when another player registered', async () => {
		const { url, bus, logins, balances } = await openBareHub();
		const seven = logins.get('good') as Login;
		logins.set('other', { ...seven, loginId: 'other login', playerId: 8 });
		balances.set(8, balance(3));
		const client = await watching(url);
		client.socket.pause();
		const fill = () =>
			bus.publish('market.1001.PLAY', { code: 'Notice', data: { text: 'x'.repeat(500_000) }, key: 'fill' });
		// What the system's buffers hold is on its way already.
		for (let turn = 0; turn < 16; turn++) {
			fill();
			await new Promise((resolve) => setImmediate(resolve));
		}
		bus.publish('player.7', balance(90));
		bus.publish('player.7', { code: 'InboxUpdate', data: { ticketId: '1' } });
		const asked = vi.spyOn(balances, 'get');
		client.say(call('3', 'RegisterClient', { ...here, Token: 'other' }));
		await expect.poll(() => asked).toHaveBeenCalledWith(8);
		client.socket.resume();
		const heard: unknown[] = [];
		for (let record = await client.next(); record['invocationId'] !== '3'; record = await client.next()) {
			const message = messageOf(record);
			if (message && message.code !== 'Notice') heard.push(message);
		}
		expect(heard).toEqual([{ code: 'UserBalance', data: balance(3).data }]);
	});
});

const balance = (Version: number): BusMessage<'UserBalance'> => ({
	code: 'UserBalance',
	data: { Balance: Version * 10, Exposure: 0, Version },
	key: 'balance',
});

describe('of two messages', () => {
	const image: MarketBookImage = {
		kind: 'IMAGE',
		marketId: '1001',
		version: 4,
		clock: 0,
		status: 'OPEN',
		inPlay: false,
		totalMatched: 1,
		runners: ['IND', 'NEP'].map((runnerId) => ({
			runnerId,
			status: 'ACTIVE',
			lastPriceTraded: null,
			totalMatched: 0,
			back: [],
			lay: [],
		})),
	};
	const book = (data: MarketBookImage | MarketBookDelta): BusMessage<'MarketBook'> => ({ code: 'MarketBook', data });
	it('an older balance never replaces a newer one, whichever came first', () => {
		expect(supersede(balance(5), balance(6))).toEqual(balance(6));
		expect(supersede(balance(6), balance(5))).toEqual(balance(6));
		expect(isOutdated(balance(5), balance(6))).toBe(true);
		expect(isOutdated(balance(7), balance(6))).toBe(false);
	});

	it('two deltas merge into one that follows where the first did', () => {
		const first: MarketBookDelta = {
			kind: 'DELTA',
			marketId: '1001',
			from: 4,
			version: 5,
			clock: 1,
			totalMatched: 2,
			runners: [{ runnerId: 'IND', back: [{ price: 2, size: 1 }], lastPriceTraded: 2 }],
		};
		const second: MarketBookDelta = {
			kind: 'DELTA',
			marketId: '1001',
			from: 5,
			version: 6,
			clock: 2,
			runners: [
				{ runnerId: 'IND', back: [] },
				{ runnerId: 'NEP', lay: [{ price: 3, size: 7 }] },
			],
		};
		expect(supersede(book(first), book(second)).data).toEqual({
			kind: 'DELTA',
			marketId: '1001',
			from: 4,
			version: 6,
			clock: 2,
			totalMatched: 2,
			runners: [
				{ runnerId: 'IND', back: [], lastPriceTraded: 2 },
				{ runnerId: 'NEP', lay: [{ price: 3, size: 7 }] },
			],
		});
		const newer = supersede(supersede(book(image), book(first)), book(second)).data as MarketBookImage;
		expect(newer).toMatchObject({ kind: 'IMAGE', version: 6, totalMatched: 2 });
		expect(newer.runners[1]?.lay).toEqual([{ price: 3, size: 7 }]);
		expect(newer.runners[0]).toMatchObject({ back: [], lastPriceTraded: 2, status: 'ACTIVE' });
	});

	it('an image replaces everything before it, and an old delta does not change a newer image', () => {
		const old: MarketBookDelta = { kind: 'DELTA', marketId: '1001', from: 2, version: 3, clock: 0, runners: [] };
		expect(supersede(book(old), book(image)).data).toEqual(image);
		expect(supersede(book(image), book(old)).data).toEqual(image);
	});
});
