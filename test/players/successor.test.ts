/** Players whom a process makes while another takes over from it. */
import { expect, it, onTestFinished } from 'vitest';
import { TestServer } from '../support/server.ts';

it('a deposed process makes no player whom its successor would not know', async () => {
	const server = await TestServer.start();
	onTestFinished(() => server.dispose());
	const { db } = server.database;
	await server.demoPlayer();
	const players = async () => (await db.query('select player_id from player order by 1')).rows;
	const before = await players();
	// A successor takes the journal first, and then reads the players.
	await db.query('update journal_fence set epoch = epoch + 1');
	expect((await server.call('loginAsDemoUser', {})).body.error?.code).toBe('DRAINING');
	expect(await players()).toEqual(before);
	await db.query('update journal_fence set epoch = epoch - 1');
	await server.demoPlayer();
	expect(await players()).toHaveLength(before.length + 1);
});
