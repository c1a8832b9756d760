/** The wallets of the house that quote are granted their play money once, however often and late a server starts. */
import { expect, it, onTestFinished } from 'vitest';
import { housePools } from '#server/world/markets/market-pools.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const RUNNERS = ['India', 'Nepal'];

async function priceBookmaker(server: TestServer): Promise<void> {
	const { eventId } = await openTestMatch(server);
	const about = { eventId, name: 'Bookmaker', runners: RUNNERS };
	const { marketId, version } = await server.act<{ marketId: string; version: number }>('open-bookmaker', about);
	await server.act('price-bookmaker', { marketId, seenVersion: version, runner: 'India', back: 100, lay: 101 });
}

it('a bookmaker is priced after a restart that comes when the requests of the first day are forgotten', async () => {
	const first = await TestServer.start();
	await priceBookmaker(first);
	await first.stop();
	const { db } = first.database;
	await db.query('delete from request_key');
	const server = await TestServer.start(first.database);
	onTestFinished(() => server.dispose());
	await priceBookmaker(server);
	const { rows } = await db.query<{ grants: number }>(
		`select count(*)::int as grants from posting where kind = 'GRANT' group by wallet_id`,
	);
	expect(new Set(rows.map(({ grants }) => grants))).toEqual(new Set([1]));
});

it('an engine of real money has no player of the house: it opens no market against the house, and grants the house nothing', async () => {
	const server = await TestServer.start(undefined, { pools: ['REAL'] });
	onTestFinished(() => server.dispose());
	const { exchange } = server.running;
	const { marketId, eventId } = await openTestMatch(server);
	expect(exchange.market(Number(marketId))?.status).toBe('OPEN');
	const about = { eventId, name: 'Bookmaker', runners: RUNNERS };
	expect((await server.operator('open-bookmaker', about)).code).toBe('OTHER_POOL');
	expect(housePools(exchange)).toEqual([]);
	const { rows } = await server.database.db.query('select wallet_id from wallet where wallet_id < $1', [
		FIRST_PLAYER_ID,
	]);
	expect(rows).toEqual([]);
});
