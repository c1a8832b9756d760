/** Questions of gateways while an exchange is handed over: the process that does not lead any more answers none. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askedOver } from '#server/doors/hub/questions.ts';
import type { Login } from '#server/people/players/logins.ts';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { TestServer } from '../support/server.ts';
import { startNatsServer } from './nats-server.ts';

const program = findNatsServer();

describe.skipIf(program === null)('questions of gateways', () => {
	let nats: Awaited<ReturnType<typeof startNatsServer>>;
	let server: TestServer;
	beforeAll(async () => {
		nats = await startNatsServer(program as string);
		server = await TestServer.start(undefined, { natsUrl: nats.url, commandRows: true });
	});
	afterAll(async () => {
		await server.dispose();
		await nats.stop();
	});
	const busOf = async (): Promise<NatsBus> => {
		const bus = await NatsBus.connect(nats.url, pino({ level: 'silent' }));
		onTestFinished(() => bus.close());
		return bus;
	};

	it('are the successor’s to answer after a hand-over, also when it listens a little later', async () => {
		const { token } = await server.demoPlayer();
		const gateway = askedOver(await busOf());
		const login = await gateway.findLogin(token, 'localhost');
		expect(login).toMatchObject({ isDemo: true });
		// Its lease is another process's: it serves on for a while, and knows no log-in of since.
		await server.running.exchange.drain();
		const early = gateway.findLogin('made since', 'localhost');
		const successor = await busOf();
		const made = { ...(login as Login), loginId: 'made since' };
		successor.answer('hub.findLogin', async ([asked]) => (asked === 'made since' ? made : null));
		expect(await early).toEqual(made);
		for (let count = 0; count < 20; count++)
			expect([count, await gateway.findLogin('made since', 'localhost')]).toEqual([count, made]);
	});
});
