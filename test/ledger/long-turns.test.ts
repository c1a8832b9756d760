/**
 * A settlement of a large market that is taken back is announced in the lease before it is applied, and what is announced
 * ends with it. How long a standby then waits is in standby.test.ts; an hour of it in `bench takeover`.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { settlementOf } from '#server/exchange/ledger/paid-settlement.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [BACKER, LAYER] = [1001, 1002];
const STAKE = 1_000;
const LARGE = [1, 2, 3];
const SMALL = 4;
const BETS_OF_LARGE = 300;
const BETS_OF_SMALL = 30;
/** Those that are matched stay until the end. */
const MATCHED = (BETS_OF_LARGE * 2) / 3;
/** A bet's share of a turn that is announced, at least. */
const LEAST_MS_A_BET = 0.02;

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
beforeEach(async () => {
	database = await freshDatabase();
	gated = new GatedDatabase(database.db);
	exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: gated.asDatabase(),
		log: pino({ level: 'silent' }),
		onCommitted: () => {},
	});
	for (const walletId of [BACKER, LAYER]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000_000 });
	}
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

const bet = (marketId: number, walletId: number, price: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side: walletId === BACKER ? 0 : 1,
	price,
	stake: STAKE,
	persist: false,
});

/** A market where two thirds of the bets are matched. */
async function openMarket(marketId: number, bets: number): Promise<void> {
	await exchange.submit(plainMarket(marketId));
	await Promise.all(
		Array.from({ length: bets }, (_, at) => {
			const isMatched = at % 3 > 0;
			const walletId = at % 2 === 0 ? BACKER : LAYER;
			return exchange.submit(bet(marketId, walletId, isMatched ? 200 : walletId === BACKER ? 300 : 150));
		}),
	);
}

/** Writes down what the lease announced before each batch. */
const watch = () =>
	database.db.query(`create table batch_before (batch bigint, announced_ms int);
		create function announcing() returns trigger language plpgsql as $$ begin
			insert into batch_before values (new.batch, old.announced_ms); return new; end $$;
		create trigger announcing before update on lease for each row execute function announcing();`);

/** What was announced before the batches that reopened these markets. */
async function announcedFor(markets: readonly number[]): Promise<{ marketId: number; announcedMs: number }[]> {
	const { rows } = await database.db.query<{ marketId: number; announcedMs: number }>(
		`select distinct market_id as "marketId", announced_ms as "announcedMs" from posting join batch_before using (batch)
		 where kind = 'MARKET_REOPENED' and market_id = any ($1) order by market_id`,
		[markets],
	);
	return rows;
}

const settle = (marketId: number) => exchange.submit({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] });
const reopen = async (marketId: number) =>
	await exchange.submit({ kind: 'reopen-market', marketId, ...(await settlementOf(database.db, marketId)) });
const resettle = async (marketId: number) => {
	const settlement = await settlementOf(database.db, marketId);
	return await exchange.submit({ kind: 'resettle-market', marketId, results: ['LOSE', 'WIN'], ...settlement });
};

/** Some batches after a long turn still announce it. */
async function expectNothingAnnounced(): Promise<void> {
	let grantId = 0;
	const announced = async () => {
		await exchange.submit({ kind: 'grant-coins', grantId: ++grantId, walletId: BACKER, amount: 1 });
		const { rows } = await database.db.query<{ announced_ms: number }>('select announced_ms from lease');
		return rows[0]?.announced_ms;
	};
	await expect.poll(announced).toBe(0);
}

it('are announced before they come, several at once, and not for a market with few bets', async () => {
	for (const marketId of LARGE) await openMarket(marketId, BETS_OF_LARGE);
	await openMarket(SMALL, BETS_OF_SMALL);
	for (const marketId of [...LARGE, SMALL]) await settle(marketId);
	await watch();
	await Promise.all([
		reopen(SMALL),
		...LARGE.map((marketId, at) => (at === 0 ? resettle(marketId) : reopen(marketId))),
	]);
	const announced = new Map((await announcedFor([...LARGE, SMALL])).map((each) => [each.marketId, each.announcedMs]));
	for (const marketId of LARGE) expect(announced.get(marketId)).toBeGreaterThanOrEqual(MATCHED * LEAST_MS_A_BET);
	await expectNothingAnnounced();
	await exchange.drain();
	await expectSound(database.url);
});

it('are not announced for a market with few bets alone', async () => {
	await openMarket(SMALL, BETS_OF_SMALL);
	await settle(SMALL);
	await watch();
	await reopen(SMALL);
	expect(await announcedFor([SMALL])).toEqual([{ marketId: SMALL, announcedMs: 0 }]);
});

it('are written however long they take, beside a bet whose caller waits no longer', async () => {
	await openMarket(1, BETS_OF_LARGE);
	await openMarket(2, 0);
	await settle(1);
	const settlement = await settlementOf(database.db, 1);
	const reopened = codeOf(exchange.submit({ kind: 'reopen-market', marketId: 1, ...settlement }));
	// In the batch that announces the reopening; so the bet is in the batch of the reopening itself.
	await exchange.submit({ kind: 'open-wallet', walletId: BACKER, pool: 'PLAY' });
	const reopening = gated.stop('update lease');
	const untilMs = performance.now() + 1_500;
	const placed = codeOf(exchange.submit(bet(2, BACKER, 200), undefined, { untilMs }));
	await reopening.reached;
	expect(await placed).toBe('OUTCOME_UNKNOWN');
	reopening.open();
	expect(await reopened).toBe('done');
	expect(exchange.isOpen()).toBe(true);
	expect(exchange.openBets(BACKER).some(({ marketId }) => marketId === 2)).toBe(true);
	const { rows } = await database.db.query(
		`select distinct batch from posting where market_id = 2 or market_id = 1 and kind = 'MARKET_REOPENED'`,
	);
	expect(rows).toHaveLength(1);
});

it('are not done when the database is lost before they are known', async () => {
	await openMarket(1, BETS_OF_LARGE);
	await settle(1);
	const announcing = gated.stop('update lease');
	const reopened = codeOf(reopen(1));
	await announcing.reached;
	// Another process leads from here on, so the announcement is not written.
	await database.db.query('update lease set epoch = epoch + 1, batch = batch + 1000');
	announcing.open();
	expect(await reopened).toBe('DRAINING');
	const { rows } = await database.db.query('select status from market_state where market_id = 1');
	expect(rows).toEqual([{ status: 'SETTLED' }]);
});
