/** Clients that connect and then say little or nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultyServer } from './support/faulty-server.ts';
import { byForm } from './support/form.ts';
import { demoPlayer } from './support/player-client.ts';
import { RawClient } from './support/raw-clients.ts';

const CLIENTS = byForm(100, 1_000);

let server: FaultyServer;
beforeAll(async () => {
	server = await FaultyServer.start({ args: ['--no-feeds'] });
});
afterAll(() => server?.dispose());

it('other players are served while many sockets stay silent', async () => {
	const silent = await Promise.all(Array.from({ length: CLIENTS }, () => RawClient.open(server.port)));
	expect(await demoPlayer(server)).toEqual(expect.any(String));
	for (const client of silent) client.abort();
	await Promise.all(silent.map(({ closed }) => closed));
});
