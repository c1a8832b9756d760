/** A bet is taken out of the tables while the exchange runs: its settlement does not make it up from memory. */
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { plainMarket } from './plain-market.ts';

const MARKET = 1;
const [BACKER, LAYER] = [1001, 1002];
const bet = (walletId: number, side: 0 | 1): Request => ({
	kind: 'place-bet',
	walletId,
	marketId: MARKET,
	runner: 0,
	side,
	price: 200,
	stake: 1_000,
	persist: false,
});

it('writes nothing of a settlement when the tables lack one of its bets, and stops the exchange', async () => {
	const database = await freshDatabase();
	const stopped = Promise.withResolvers<Error>();
	const exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		log: pino({ level: 'silent' }),
		onCommitted: () => {},
		onStopped: stopped.resolve,
	});
	onTestFinished(async () => {
		await exchange.drain();
		await database.drop();
	});
	for (const walletId of [BACKER, LAYER]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000 });
	}
	await exchange.submit(plainMarket(MARKET));
	await exchange.submit(bet(BACKER, 0));
	await exchange.submit(bet(LAYER, 1));
	await database.db.query('delete from bet where wallet_id = $1', [LAYER]);
	const settled = exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
	expect(await codeOf(settled)).toBe('OUTCOME_UNKNOWN');
	// The digest of what the tables hold is another one.
	await stopped.promise;
	const { rows } = await database.db.query(
		`select wallet_id as "walletId", result from bet union all select wallet_id, 'PAID' from player_settlement`,
	);
	expect(rows).toEqual([{ walletId: BACKER, result: null }]);
});
