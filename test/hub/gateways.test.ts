/**
 * Three processes behind one address: the one with the engine and two gateways, with NATS between them. They serve as
 * one, and losses between them are repaired.
 */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { previewsOver } from '#server/doors/gateway/site-facts.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { gatewaysAnswerAlike } from './gateway-calls.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { hubServes } from './hub-behaviour.ts';
import { EVERY_WAY, HubClient, nameOfWay } from './hub-client.ts';
import { startNatsServer } from './nats-server.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';

const program = findNatsServer();

/** A client that has the market's book. */
async function watching(url: string, token: string, match: TestMatch): Promise<HubClient> {
	const client = await HubClient.connect(url, token);
	onTestFinished(() => client.stop());
	await client.subscribe(`market:${match.marketId}`);
	await client.message('MarketBook');
	return client;
}

describe.skipIf(program === null)('several processes', () => {
	let nats: Awaited<ReturnType<typeof startNatsServer>>;
	let server: TestServer;
	let gateways: GatewayProcess[];
	let proxy: NodeProxy;
	beforeAll(async () => {
		nats = await startNatsServer(program as string);
		server = await TestServer.start(undefined, { natsUrl: nats.url, nodeId: 'engine' });
		gateways = await Promise.all(['east', 'west'].map((nodeId) => startGatewayProcess({ natsUrl: nats.url, nodeId })));
		const ports = gateways.map(({ port }) => port);
		proxy = await startNodeProxy(
			new Map([
				['engine', Number(new URL(server.url).port)],
				['east', ports[0] as number],
				['west', ports[1] as number],
			]),
		);
	});
	afterAll(async () => {
		await proxy.stop();
		await Promise.all(gateways.map((gateway) => gateway.stop()));
		await server.dispose();
		await nats.stop();
	});

	// What a way needs of one process, `hub.test.ts` shows. What it needs of several, requests show that each come to another
	// process.
	for (const way of EVERY_WAY) {
		const isExtreme = way.transport === 'LongPolling' && way.protocol === 'messagepack';
		describe(`over ${nameOfWay(way)}`, { tags: isExtreme ? [] : ['thorough'] }, () => {
			hubServes(way, () => ({ server, hubUrl: proxy.url }));
		});
	}

	it('share the connections', () => {
		expect([...proxy.negotiated.keys()].sort()).toEqual(['east', 'engine', 'west']);
	});

	it('reach a player at every process', async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const urls = [server.url, ...gateways.map(({ url }) => url)];
		const clients = await Promise.all(urls.map((url) => HubClient.connect(url, token)));
		await server.result('placeBetV2', betOn(match, { price: 40, stake: 150 }), token);
		for (const client of clients) {
			expect((await client.message('UserBalance', ({ Exposure }) => Exposure === 150)).Balance).toBe(19_850);
		}
		const closed = clients.map((client) => client.closed());
		await server.result('logout', {}, token);
		await Promise.all(closed);
	});

	it('refuse at a gateway whatever the process with the engine refuses', async () => {
		const [gateway] = gateways as [GatewayProcess, GatewayProcess];
		const visitor = await HubClient.connect(gateway.url);
		await expect(visitor.register('made.1.up')).rejects.toThrow('LOGIN_EXPIRED');
		expect(await visitor.subscribe('market:424242')).toEqual({
			success: false,
			unknown: ['market:424242'],
			refused: [],
		});
		await visitor.stop();
	});

	it('show at a gateway the drafts that members look at, of their host alone, and have no door for operators', async () => {
		const about = { name: 'a designer', passwordHash: 'none', roles: ['owner'], brands: null };
		const { directory, sessions } = server.running.staff;
		const { staffId } = await directory.add(about, { actor: 'test', address: null });
		const designer = new ConsoleClient(server.url);
		const visit = { address: '127.0.0.1', userAgent: '' };
		designer.cookies.set('console-session', await sessions.begin(staffId, visit, true));
		const changes = [{ field: 'domainTitle', value: 'Drawn' }];
		const { secret } = await designer.result<{ secret: string }>('brand-preview', { host: 'localhost', changes });
		// As the gateway asks: its page needs the built site.
		const bus = await NatsBus.connect(nats.url, pino({ level: 'silent' }));
		onTestFinished(() => bus.close());
		const preview = previewsOver(bus);
		expect(await preview('localhost', secret)).toMatchObject({ domain: 'localhost', domainTitle: 'Drawn' });
		expect([await preview('127.0.0.1', secret), await preview('localhost', `${secret}x`)]).toEqual([null, null]);
		// Previews of settlements and voids are the engine's: the proxy sends operators there.
		const [{ url }] = gateways as [GatewayProcess, GatewayProcess];
		const asked = { method: 'POST', body: '{}', headers: server.operatorHeaders };
		for (const act of ['preview', 'brand-list'])
			expect((await fetch(`${url}/operator/api/${act}`, asked)).status).toBe(404);
	});

	describe('calls:', () => {
		gatewaysAnswerAlike(() => ({ server, gatewayUrl: gateways[0]?.url ?? '' }));
	});

	it('lose NATS, which ends the heartbeats, and is repaired when it is back: every client gets new images', async () => {
		const [gateway] = gateways as [GatewayProcess, GatewayProcess];
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const client = await watching(gateway.url, token, match);
		const leaver = await server.demoPlayer();
		const left = (await HubClient.connect(gateway.url, leaver.token)).closed();
		await client.message('Heartbeat');
		await nats.stop();
		await server.result('logout', {}, leaver.token);
		client.received.length = 0;
		await server.result('placeBetV2', betOn(match, { price: 5, stake: 70 }), token);
		// An answer is waited for longer than from one heartbeat to the next, and nothing vouches for prices meanwhile.
		await expect(client.subscribe('sports')).rejects.toThrow('STARTING');
		expect(client.received).toEqual([]);
		nats = await startNatsServer(program as string, nats.port);
		await client.message('MarketBook', (book) => book.runners[0]?.lay?.[0]?.size === 70);
		await client.message('UserBalance', ({ Exposure }) => Exposure === 70);
		expect((await left)?.message).toContain('LOGIN_EXPIRED');
		const images = client.received.length;
		expect((await client.message('Heartbeat')).sent).toBeGreaterThanOrEqual(images);
	});

	// These two end the gateways, so they come last.
	it('lose the connections of a gateway that is killed, and keep those of others', async () => {
		const [, west] = gateways as [GatewayProcess, GatewayProcess];
		const lost = await HubClient.connect(west.url);
		const kept = await HubClient.connect(server.url);
		onTestFinished(() => kept.stop());
		const closed = lost.closed();
		await west.kill();
		await closed;
		expect(await kept.subscribe('sports')).toMatchObject({ success: true });
	});

	it('lose none when a gateway is stopped: it closes its connections first', async () => {
		const [east] = gateways as [GatewayProcess, GatewayProcess];
		const client = await HubClient.connect(east.url);
		const closed = client.closed();
		expect(await east.stop()).toBe(0);
		expect((await closed)?.message).toContain('The server is being restarted.');
	});
});

describe.skipIf(program === null)('a loss', () => {
	/** An engine, a gateway and NATS that go when the test is over, however it ends. */
	async function open() {
		const nats = await startNatsServer(program as string);
		onTestFinished(() => nats.stop());
		const server = await TestServer.start(undefined, { natsUrl: nats.url });
		onTestFinished(() => server.dispose());
		const gateway = await startGatewayProcess({ natsUrl: nats.url, nodeId: 'east' });
		onTestFinished(() => gateway.kill());
		return { nats, server, gateway };
	}

	it('of the engine’s process is repaired when another replaces it', { tags: 'thorough' }, async () => {
		const { nats, server, gateway } = await open();
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const client = await watching(gateway.url, token, match);
		const ready = async () => (await fetch(`${gateway.url}/ready`)).status;
		expect(await ready()).toBe(200);
		await server.stop();
		expect([await ready(), (await fetch(`${gateway.url}/live`)).status]).toEqual([503, 200]);
		client.received.length = 0;
		const next = await TestServer.start(server.database, { natsUrl: nats.url });
		onTestFinished(() => next.stop());
		await client.message('MarketBook', ({ kind }) => kind === 'IMAGE');
		expect(await ready()).toBe(200);
		await next.result('placeBetV2', betOn(match, { price: 5, stake: 70 }), token);
		await client.message('UserBalance', ({ Exposure }) => Exposure === 70);
	});
});

it('a gateway without an address of NATS does not start', async () => {
	await expect(startGatewayProcess({ natsUrl: 'http://127.0.0.1:1', nodeId: 'east' })).rejects.toThrow('ended with 1');
});
