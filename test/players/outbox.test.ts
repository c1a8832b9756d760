/** How a one-time code reaches a mobile: through a gateway where there is one, otherwise by the reader of the outbox. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';
import { smallRelease } from '../support/small-release.ts';

const PASSWORD = 'kingfisher#7';

async function databaseWithSignUp() {
	const database = await freshDatabase();
	await database.db.query(`insert into brand (host, setting) values ('localhost', '{"allowSignUp": true}')`);
	return database;
}

const form = (userName: string, mobile: string) => ({
	userName,
	mobile,
	password: PASSWORD,
	confirmPassword: PASSWORD,
});

describe('with a gateway', () => {
	let gateway: Server;
	let server: TestServer;
	/** The requests to the gateway, and its next answers. */
	const asked: { authorization: string | undefined; body: { to: string; from: string; text: string } }[] = [];
	let arrived = Promise.withResolvers<void>();
	let status = 202;

	beforeAll(async () => {
		gateway = createServer(async (request: IncomingMessage, response) => {
			asked.push({ authorization: request.headers.authorization, body: JSON.parse(await text(request)) });
			response.writeHead(status).end();
			arrived.resolve();
			arrived = Promise.withResolvers();
		}).listen(0, '127.0.0.1');
		await once(gateway, 'listening');
		const { port } = gateway.address() as AddressInfo;
		const sms = { url: `http://127.0.0.1:${port}/send`, key: 'the gateways key', sender: 'BACKLAY' };
		server = await TestServer.start(await databaseWithSignUp(), { sms });
	});
	afterAll(async () => {
		await server.dispose();
		gateway.close();
	});

	const kept = async (mobile: string) => {
		const sql = 'select text, tries, sent_at as "sentAt" from outbox where mobile = $1';
		return (await server.database.db.query(sql, [`+91${mobile}`])).rows[0];
	};

	it('posts the code, and keeps no text of an accepted message', async () => {
		const sent = arrived.promise;
		await server.result('register', form('gita', '9000000001'));
		await sent;
		expect(asked[0]).toMatchObject({
			authorization: 'Bearer the gateways key',
			body: { to: '+919000000001', from: 'BACKLAY' },
		});
		const otp = /\d{6}/.exec(asked[0]?.body.text ?? '')?.[0] ?? '';
		await expect.poll(() => kept('9000000001')).toMatchObject({ text: '', tries: 1, sentAt: expect.any(Number) });
		const who = { userName: 'gita', mobile: '9000000001', domain: 'localhost', otp };
		expect((await server.call('verificationUser', who)).status).toBe(200);
	});

	it('does not let the player wait for a failing gateway, and loses no message', async () => {
		status = 500;
		const refused = arrived.promise;
		expect((await server.call('register', form('hema', '9000000002'))).status).toBe(200);
		await refused;
		await expect.poll(() => kept('9000000002')).toMatchObject({ tries: 1, sentAt: null });
		status = 202;
		const again = arrived.promise;
		await server.stop();
		const { port } = gateway.address() as AddressInfo;
		const sms = { url: `http://127.0.0.1:${port}/send`, key: '', sender: 'BACKLAY' };
		server = await TestServer.start(server.database, { sms });
		await again;
		expect(asked.at(-1)).toMatchObject({ authorization: undefined, body: { to: '+919000000002' } });
	});
});

describe('without a gateway', () => {
	let server: TestServer;
	beforeAll(async () => {
		server = await TestServer.start(await databaseWithSignUp());
		await server.result('register', form('indra', '9000000003'));
	});
	afterAll(() => server.dispose());

	it('the development page shows the code', async () => {
		const page = await (await fetch(`${server.url}/development/outbox`)).text();
		const otp = /(\d{6}) is your code/.exec(page)?.[1] ?? '';
		const who = { userName: 'indra', mobile: '9000000003', domain: 'localhost', otp };
		expect((await server.call('verificationUser', who)).status).toBe(200);
	});

	it('there is no such page in production', async () => {
		await server.stop();
		server = await TestServer.start(server.database, { production: true, releaseRoot: smallRelease() });
		expect((await fetch(`${server.url}/development/outbox`)).status).toBe(404);
	});
});
