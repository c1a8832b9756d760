/** Long reads of bots: those of one player follow one another, and keep no other player from theirs. */
import { beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { openBot, rpc, type Wire } from './bot.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

/** Every read of bots' references waits until it is let go. */
async function lockReferences(): Promise<() => Promise<void>> {
	const client = await server.database.db.connect();
	await client.query('begin');
	await client.query('lock table bet_reference in access exclusive mode');
	return async () => {
		await client.query('rollback');
		client.release();
	};
}

async function waitingReads(): Promise<number> {
	const { rows } = await server.database.db.query<{ count: number }>(
		`select count(*)::int as count from pg_stat_activity
		 where datname = current_database() and wait_event_type = 'Lock' and query like '%bet_reference%'`,
	);
	return rows[0]?.count ?? 0;
}

it('reads one history of a player at a time, refuses a crowd of them, and serves others meanwhile', async () => {
	const [bot, other] = [await openBot(server), await openBot(server)];
	const letGo = await lockReferences();
	const refused: string[] = [];
	const reads: Promise<Wire>[] = [];
	try {
		for (let count = 0; count < 30; count++) {
			const read = rpc(server, bot, 'listClearedOrders', { betStatus: 'SETTLED' });
			reads.push(read);
			void read.then(({ error }) => error && refused.push(error.data.APINGException.errorCode));
		}
		await expect.poll(() => refused.length).toBe(9);
		await expect.poll(waitingReads).toBe(1);
		const { code } = await server.raw(
			'getUserBetHistory',
			{ sportId: 3, maxResultCount: 10, skipCount: 0 },
			other.siteToken,
		);
		expect(code).toBeNull();
		expect(await waitingReads()).toBe(1);
	} finally {
		await letGo();
	}
	expect(new Set(refused)).toEqual(new Set(['TOO_MANY_REQUESTS']));
	const answers = await Promise.all(reads);
	expect(answers.filter(({ result }) => result)).toHaveLength(21);
});
