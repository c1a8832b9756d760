/**
 * A game that finds its own rows broken stops, and the others go on.
 *
 * @module-tag thorough
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HealthCheck } from '#server/process/health/check.ts';
import { CrashSite, TABLE_SPEED } from '../support/crash.ts';
import { TestServer } from '../support/server.ts';
import { Table } from '../support/tables.ts';

let server: TestServer;
beforeAll(async () => {
	server = (await CrashSite.open()).server;
});
afterAll(() => server.dispose());

const roundsOf = async (game: string): Promise<number> => {
	const { rows } = await server.database.db.query<{ last: number }>(
		'select coalesce(max(round), 0)::int as last from table_round where game = $1',
		[game],
	);
	return rows[0]?.last ?? 0;
};

it('a game whose chain cannot be read plays no round, and other games do', { tags: 'thorough' }, async () => {
	await server.stop();
	await server.database.db.query(`update game_chain set secret = decode(repeat('00', 60), 'hex') where game = 'crash'`);
	const before = await roundsOf('crash');
	server = await TestServer.start(server.database, { tableSpeed: TABLE_SPEED });
	const wheel = new Table(server, 'roulette');
	const { round } = await wheel.reached('BETTING');
	await wheel.reached('BETTING', Number(round));
	const player = await server.demoGambler();
	const bet = { slot: 1 as const, stake: 10, autoCents: null, clientRequestId: randomUUID() };
	const refused = await server.call('placeCrashBet', bet, player.token);
	expect([refused.code, await roundsOf('crash')]).toEqual(['TABLE_CLOSED', before]);
	const asked = { game: 'dice', bets: [{ bet: 'under-5000', stake: 10 }], clientRequestId: randomUUID() };
	const checks = await server.act<HealthCheck[]>('doctor', {});
	expect(checks.find(({ name }) => name === 'games')).toMatchObject({
		state: 'failing',
		words: 'An error ended the rounds of crash.',
	});
	expect((await server.result('playRound', asked, player.token)).round.state).toBe('SETTLED');
});
