/** Time at the hub: pings, silence, polls, those who never came, those who went, and the end of a login. */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Login } from '#server/people/players/logins.ts';
import { call, negotiateToken, openBareHub, RawClient, RECORD_END } from './bare-hub.ts';

const HANDSHAKE = `{"protocol":"json","version":1}${RECORD_END}`;
const here = { Browser: 'raw', Domain: 'http://localhost', CurrentPage: '/', Token: 'good' };

it('a client that is sent nothing for 15 s gets a ping', async () => {
	const { url, pass } = await openBareHub();
	const client = await RawClient.open(url);
	pass(15_000);
	expect(await client.next()).toEqual({ type: 6 });
});

it('a client that is silent for 30 s is disconnected, and one that pings is not', async () => {
	const { url, pass, hub } = await openBareHub();
	const [silent, pinging] = [await RawClient.open(url), await RawClient.open(url)];
	pass(20_000);
	pinging.say({ type: 6 }, call('1', 'Unsubscribe', { channels: [] }));
	while ((await pinging.next())['type'] !== 3);
	pass(11_000);
	await silent.closed();
	await expect.poll(() => hub.connections()).toBe(1);
	pinging.say(call('2', 'Unsubscribe', { channels: [] }));
	while ((await pinging.next())['type'] !== 3);
});

it('a connection without a handshake is cut after 15 s', async () => {
	const { url, pass } = await openBareHub();
	const client = new RawClient(`${url}/hub`);
	await new Promise((resolve) => client.socket.on('open', resolve));
	pass(16_000);
	await client.closed();
});

it('a connection that was negotiated and never opened is forgotten after 15 s', async () => {
	const { url, pass, hub } = await openBareHub();
	const token = await negotiateToken(url);
	pass(16_000);
	await expect.poll(() => hub.connections()).toBe(0);
	expect((await fetch(`${url}/hub?id=${token}`)).status).toBe(404);
});

it('a waiting poll keeps its connection, and a missing poll ends it', async () => {
	const { url, pass, hub, bus } = await openBareHub();
	const address = `${url}/hub?id=${await negotiateToken(url)}`;
	await fetch(address);
	await fetch(address, { method: 'POST', body: HANDSHAKE });
	expect(await (await fetch(address)).text()).toBe(`{}${RECORD_END}`);
	const witness = await RawClient.open(url);
	const poll = fetch(address);
	// Time must not pass before the poll is there.
	await fetch(`${url}/healthz`);
	pass(60_000);
	await witness.closed();
	bus.publish('brand.localhost', { code: 'Notice', data: { text: 'still here' } });
	expect(await (await poll).text()).toContain('still here');
	pass(31_000);
	await expect.poll(() => hub.connections()).toBe(0);
});

it('a poll is answered after 90 s, before its client gives it up at 100 s', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	const { url } = await openBareHub();
	// Runs before the hub is closed, which needs its timers.
	onTestFinished(() => void vi.useRealTimers());
	const address = `${url}/hub?id=${await negotiateToken(url)}`;
	await fetch(address);
	await fetch(address, { method: 'POST', body: HANDSHAKE });
	await fetch(address);
	let isAnswered = false;
	const poll = fetch(address).finally(() => {
		isAnswered = true;
	});
	await fetch(`${url}/live`);
	vi.advanceTimersByTime(89_000);
	await fetch(`${url}/live`);
	expect(isAnswered).toBe(false);
	vi.advanceTimersByTime(2_000);
	expect([(await poll).status, await (await poll).text()]).toEqual([200, '']);
});

it('a login that no heartbeat renewed ends its connection, which may reconnect', async () => {
	const { url, pass } = await openBareHub();
	const client = await RawClient.open(url);
	client.say(call('1', 'RegisterClient', here));
	expect(await client.next()).toMatchObject({ type: 3, result: { success: true } });
	const said = async () => {
		let record = await client.next();
		while (record['type'] === 6) record = await client.next();
		return record;
	};
	for (let passed = 25_000; passed < 3_600_000; passed += 25_000) {
		pass(25_000);
		client.say({ type: 6 }, call('2', 'Unsubscribe', { channels: [] }));
		expect(await said()).toMatchObject({ type: 3 });
	}
	pass(25_000);
	expect(await said()).toEqual({ type: 7, error: 'LOGIN_EXPIRED', allowReconnect: true });
	await client.closed();
});

it('a login that ended while messages may have been lost ends its connection, and one that stands keeps it', async () => {
	const { url, bus, hub, logins } = await openBareHub();
	logins.set('other', { ...(logins.get('good') as Login), loginId: 'other login' });
	const [ended, standing] = [await RawClient.open(url), await RawClient.open(url)];
	ended.say(call('1', 'RegisterClient', { ...here, Token: 'other' }));
	standing.say(call('1', 'RegisterClient', here));
	for (const client of [ended, standing]) expect(await client.next()).toMatchObject({ result: { success: true } });
	logins.delete('other');
	hub.refresh(bus);
	expect(await ended.next()).toEqual({ type: 7, error: 'LOGIN_EXPIRED', allowReconnect: true });
	await ended.closed();
	bus.publish('player.7', { code: 'Notice', data: { text: 'still here' } });
	expect(JSON.stringify(await standing.next())).toContain('still here');
});

it('a login that ends between the look at it and the first message about it registers no connection', async () => {
	const { url, bus, logins, hub } = await openBareHub();
	const good = logins.get('good') as Login;
	// At a gateway the answer is on its way while the login ends.
	vi.spyOn(logins, 'get').mockImplementationOnce(() => {
		logins.delete('good');
		bus.publish(`login.${good.loginId}`, { code: 'LoggedOut', data: { reason: 'LOGOUT' } });
		return good;
	});
	const client = await RawClient.open(url);
	client.say(call('1', 'RegisterClient', here));
	expect(await client.next()).toMatchObject({ type: 3, error: 'LOGIN_EXPIRED' });
	expect(await client.next()).toEqual({ type: 7, error: 'LOGIN_EXPIRED', allowReconnect: true });
	await client.closed();
	await expect.poll(() => hub.connections()).toBe(0);
});

it('a stateful connection waits 15 s for its client, and no longer', async () => {
	const { url, pass, hub } = await openBareHub();
	const token = await negotiateToken(url, '&useStatefulReconnect=true');
	const client = await RawClient.open(url, `?id=${token}`, 2);
	client.socket.terminate();
	pass(14_000);
	const again = new RawClient(`${url}/hub?id=${token}`);
	expect(await again.next()).toEqual({ type: 9, sequenceId: 1 });
	again.socket.terminate();
	await expect.poll(() => again.socket.readyState).toBe(3);
	await expect
		.poll(() => {
			pass(16_000);
			return hub.connections();
		})
		.toBe(0);
});

const FAREWELL = { type: 7, error: 'TOO_MANY_CONNECTIONS', allowReconnect: false };

it('one connection too many of an address closes its oldest with a reason, and no other', async () => {
	const { url, hub } = await openBareHub({ perAddress: 3, perPlayer: 20 });
	const clients: RawClient[] = [];
	for (let at = 0; at < 4; at++) clients.push(await RawClient.open(url));
	const [oldest, ...others] = clients;
	expect(await oldest?.next()).toEqual(FAREWELL);
	await oldest?.closed();
	for (const client of others) {
		client.say(call('1', 'Unsubscribe', { channels: [] }));
		expect(await client.next()).toMatchObject({ type: 3, invocationId: '1' });
	}
	expect(hub.connections()).toBe(3);
});

it('one connection too many of a player closes the player’s oldest with a reason, and no visitor at the same address', async () => {
	const { url, hub } = await openBareHub({ perAddress: 200, perPlayer: 2 });
	const visitor = await RawClient.open(url);
	const players: RawClient[] = [];
	for (let at = 0; at < 3; at++) {
		const player = await RawClient.open(url);
		player.say(call('1', 'RegisterClient', here));
		expect(await player.next()).toMatchObject({ type: 3, result: { success: true } });
		players.push(player);
	}
	expect(await players[0]?.next()).toEqual(FAREWELL);
	await players[0]?.closed();
	await expect.poll(() => hub.connections()).toBe(3);
	// Registering again on the same connection counts once.
	players[1]?.say(call('2', 'RegisterClient', here));
	expect(await players[1]?.next()).toMatchObject({ type: 3, invocationId: '2' });
	for (const client of [visitor, ...players.slice(1)]) {
		client.say(call('3', 'Unsubscribe', { channels: [] }));
		expect(await client.next()).toMatchObject({ type: 3, invocationId: '3' });
	}
});
