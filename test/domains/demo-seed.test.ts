/** A release with another demo seed, started on the database of the one before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

it('brings demo brands up to date but for those that an operator changed, and keeps a demo player’s login and open bets', async () => {
	const player = await server.demoPlayer();
	const { betId } = await server.result('placeBetV2', betOn(await openTestMatch(server)), player.token);
	const { db } = server.database;
	const { rows: seeded } = await db.query<{ host: string }>('select host from brand where from_seed order by host');
	const changed = seeded.find(({ host }) => host !== 'localhost')?.host ?? '';
	await server.act('brand-set', { host: changed, field: 'domainTitle', value: 'Ours' });
	await server.stop();
	// As the seed of an earlier release left it.
	await db.query(`update brand set setting = '{"domainTitle":"Earlier"}' where host = 'localhost'`);
	server = await TestServer.start(server.database);
	const { rows } = await db.query<{ title: string }>(
		`select setting ->> 'domainTitle' as title from brand where host in ('localhost', $1) order by host = 'localhost'`,
		[changed],
	);
	expect(rows.map(({ title }) => title)).toEqual(['Ours', 'Backlay']);
	const { openBets, balance } = await server.result('getUserOpenBets', {}, player.token);
	expect(openBets.map((bet) => bet.betId)).toEqual([betId]);
	expect(balance).toBe(19_900);
});
