/** The page with the one-time codes of all players: for the developer's own machine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getUnder } from '../support/raw-request.ts';
import { TestServer } from '../support/server.ts';

const PATH = '/development/outbox';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
	await server.database.db.query(
		`insert into brand (host, setting) values ('play.example', '{}'), ('royal.localhost', '{}') on conflict do nothing`,
	);
	await server.stop();
	server = await TestServer.start(server.database);
});
afterAll(() => server.dispose());

describe('the outbox of a development server', () => {
	it.each(['localhost', 'localhost:3000', 'royal.localhost'])('is shown under %s, and never cached', async (host) => {
		const { status, headers, body } = await getUnder(server.url, host, PATH);
		expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
		expect(body).toContain('<h1>Outbox</h1>');
	});

	it.each(['play.example', '127.0.0.1', '[::1]', 'localhost.play.example'])(
		'does not exist under %s, which may lead here from elsewhere',
		async (host) => {
			const { status, body } = await getUnder(server.url, host, PATH);
			expect(status).toBe(404);
			expect(body).not.toContain('Outbox');
		},
	);

	it.each([
		'X-Forwarded-For: 203.0.113.1',
		'X-Forwarded-Host: localhost',
		'Forwarded: for=203.0.113.1',
		'Via: 1.1 proxy',
	])('does not exist for requests that a proxy on this machine forwards: %s', async (header) => {
		expect((await getUnder(server.url, 'localhost', PATH, [header])).status).toBe(404);
	});

	it('does not exist for another machine', async () => {
		// The machine's own address outside loopback stands for another machine's.
		const { networkInterfaces } = await import('node:os');
		const outside = Object.values(networkInterfaces())
			.flatMap((addresses) => addresses ?? [])
			.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
		if (outside === undefined) return;
		const open = await TestServer.start(server.database, { host: '0.0.0.0' });
		try {
			const { request } = await import('node:http');
			const status = await new Promise<number | undefined>((resolve, reject) => {
				const options = { host: outside, port: new URL(open.url).port, path: PATH, headers: { host: 'localhost' } };
				request(options, (response) => {
					response.resume();
					resolve(response.statusCode);
				})
					.on('error', reject)
					.end();
			});
			expect(status).toBe(404);
		} finally {
			await open.stop();
		}
	});
});
