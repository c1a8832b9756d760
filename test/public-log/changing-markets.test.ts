/** Markets that change while the public log looks at them. */
import type pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { MarketLeaves } from '#server/exchange/views/log-markets.ts';
import { plainMarket } from '../ledger/plain-market.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

const MARKET = 1;

it('a market of an earlier process gets its leaf after looks that failed at any of their questions', async () => {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const log = pino({ level: 'silent' });
	const exchange = await openExchange({ db: database.db, log, ledgerKey: LEDGER_KEY, onCommitted: () => {} });
	await exchange.submit(plainMarket(MARKET));
	await exchange.submit({ kind: 'close-market', marketId: MARKET });
	await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
	await exchange.drain();
	const client = await database.db.connect();
	onTestFinished(() => client.release());
	// As of a process that starts now.
	const leaves = new MarketLeaves();
	for (const failing of [1, 2, 3]) {
		let asked = 0;
		const broken = {
			query: async (text: string, values: unknown[]) => {
				asked++;
				if (asked === failing) throw new Error('the database is away');
				return await client.query(text, values);
			},
		};
		await expect(leaves.take(broken as unknown as pg.PoolClient, null)).rejects.toThrow('is away');
		expect(leaves.isWaiting(null)).toBe(true);
	}
	expect((await leaves.take(client, null)).leaves).toMatchObject([{ ref: `${MARKET}`, body: { status: 'SETTLED' } }]);
});

it('a market that is settled while it is read as closed gets its leaf with the next look', async () => {
	const database = await freshDatabase();
	onTestFinished(database.drop);
	const leaves = new MarketLeaves();
	const log = pino({ level: 'silent' });
	const exchange = await openExchange({
		db: database.db,
		log,
		ledgerKey: LEDGER_KEY,
		onCommitted: leaves.onCommitted,
	});
	onTestFinished(() => exchange.drain());
	await exchange.submit(plainMarket(MARKET));
	const client = await database.db.connect();
	onTestFinished(() => client.release());
	await leaves.take(client, null);
	await exchange.submit({ kind: 'close-market', marketId: MARKET });
	let isSettled = false;
	const meanwhile = {
		query: async (text: string, values: unknown[]) => {
			const answer = await client.query(text, values);
			if (!isSettled) await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
			isSettled = true;
			return answer;
		},
	};
	expect((await leaves.take(meanwhile as unknown as pg.PoolClient, null)).leaves).toEqual([]);
	expect((await leaves.take(client, null)).leaves).toMatchObject([{ ref: `${MARKET}`, body: { status: 'SETTLED' } }]);
});
