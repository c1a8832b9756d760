/**
 * A market whose bets do not add up, because something other than the exchange wrote a row: its settlement stops with what it
 * cannot pay, operators are told, and everything else goes on, over restarts, too.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { exchangeCheck } from '#server/process/health/work-checks.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { plainMarket } from './plain-market.ts';

const [MARKET, ELSEWHERE, YEN_MARKET] = [1, 2, 3];
const LAYER = 1001;
const BACKERS = [1002, 1003, 1004];
const HOUSE = 3;
const FUNDS = 100_000;
const STAKE = 1_000;
const BETS_A_STEP = 2;
/** Minor units that the last backer's bet seems to win beyond what it does. */
const TOO_MUCH = 300;
const WON: Request = { kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] };

let database: FreshDatabase;
let exchange: Exchange;

async function open(): Promise<void> {
	const log = pino({ level: 'silent' });
	const ours = { db: database.db, log, ledgerKey: LEDGER_KEY, onCommitted: () => {}, betsAStep: BETS_A_STEP };
	exchange = await openExchange({ ...ours, pools: [...HOME_POOLS, 'PLAY-JPY'] });
}

const bet = (
	marketId: number,
	walletId: number,
	side: 0 | 1,
	{ price, stake } = { price: 200, stake: STAKE },
): Request => ({
	kind: 'place-bet',
	walletId,
	marketId,
	runner: 0,
	side,
	price,
	stake,
	persist: false,
});

/** Changes the first backer's bet behind the exchange's back, whose digest is not compared. */
async function rewrite(minor: number): Promise<void> {
	await exchange.drain();
	await database.db.query(
		'update bet set matched_value = matched_value + $1 where bet_id = (select min(bet_id) from bet where side = 0)',
		[minor * 100],
	);
	await database.db.query('update lease set digest_format = 0');
	await open();
}

const uneven = () => exchange.figures().unevenMarkets;
const cash = () => [LAYER, ...BACKERS, HOUSE].map((walletId) => exchange.wallet(walletId)?.cash);

beforeEach(async () => {
	database = await freshDatabase();
	await open();
	for (const marketId of [MARKET, ELSEWHERE]) await exchange.submit(plainMarket(marketId));
	for (const walletId of [LAYER, ...BACKERS, HOUSE]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS });
	}
});

/** The first backer is paid last. */
async function place(...backers: readonly number[]): Promise<void> {
	for (const walletId of backers) {
		await exchange.submit(bet(MARKET, LAYER, 1));
		await exchange.submit(bet(MARKET, walletId, 0));
	}
}
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

/** @param stakesOfLeft how many stakes of unpaid winners are left */
async function expectStopped(stakesOfLeft: number): Promise<void> {
	expect(exchange.market(MARKET)?.status).toBe('SETTLING');
	expect(uneven()).toEqual([MARKET]);
	expect(exchangeCheck(exchange)).toMatchObject({
		state: 'failing',
		words: expect.stringContaining(`market ${MARKET} `),
	});
	expect(await codeOf(exchange.submit(WON))).toBe('MARKET_UNEVEN');
	expect(await codeOf(exchange.settled(MARKET))).toBe('MARKET_UNEVEN');
	expect(await codeOf(exchange.submit({ kind: 'void-market', marketId: MARKET }))).toBe('MARKET_SETTLING');
	expect(exchange.betsIn([MARKET]).reduce((sum, { matched }) => sum + matched, 0)).toBe(stakesOfLeft * STAKE);
	expect(await codeOf(exchange.submit(bet(ELSEWHERE, LAYER, 1)))).toBe('done');
	expect(await codeOf(exchange.submit({ kind: 'cancel-all', walletId: LAYER }))).toBe('done');
}

it.each([
	['a player', [...BACKERS, HOUSE, HOUSE, HOUSE]],
	['a wallet of the house, in parts', [HOUSE, HOUSE, HOUSE, ...BACKERS]],
])('the settlement stops at %s that wins too much, and ends when the row is mended', async (_, backers) => {
	await place(...backers);
	await rewrite(TOO_MUCH);
	expect(await codeOf(exchange.submit(WON))).toBe('MARKET_UNEVEN');
	await expectStopped(1);
	await exchange.drain();
	await open();
	await expect.poll(uneven).toEqual([MARKET]);
	await expectStopped(1);
	await rewrite(-TOO_MUCH);
	await exchange.settled(MARKET);
	expect(exchange.market(MARKET)?.status).toBe('SETTLED');
	expect(cash()).toEqual([FUNDS - 6 * STAKE, ...BACKERS.map(() => FUNDS + STAKE), FUNDS + 3 * STAKE]);
	expect(uneven()).toEqual([]);
	await exchange.drain();
	await expectSound(database.db);
});

it('the settlement stops with money in the pot when a winner wins too little', async () => {
	await place(...BACKERS, HOUSE, HOUSE, HOUSE);
	await rewrite(-TOO_MUCH);
	expect(await codeOf(exchange.submit(WON))).toBe('MARKET_UNEVEN');
	await expectStopped(0);
	const { rows } = await database.db.query(
		`select balance from house_account where kind = 'pot' and owner = ${MARKET}`,
	);
	expect(rows).toEqual([{ balance: TOO_MUCH }]);
});

it('settles a market in yen to its end that an earlier release left, with one count of roundings for all pools', async () => {
	const [layer, ...backers] = [2001, 2002, 2003] as const;
	await exchange.submit(plainMarket(YEN_MARKET, { pools: ['PLAY-JPY'] }));
	for (const walletId of [layer, ...backers]) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY-JPY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS });
	}
	// Each backer wins half of 91 yen, and the layer loses all 91.
	const asked = { price: 191, stake: 10_000 };
	for (const walletId of backers) {
		await exchange.submit(bet(YEN_MARKET, layer, 1, asked));
		await exchange.submit(bet(YEN_MARKET, walletId, 0, asked));
	}
	await rewrite(TOO_MUCH * 10);
	const won: Request = { kind: 'settle-market', marketId: YEN_MARKET, results: ['HALF_WIN', 'HALF_LOSE'] };
	expect(await codeOf(exchange.submit(won))).toBe('MARKET_UNEVEN');
	await exchange.drain();
	const counted = await database.db.query(
		`update market_state set terms = terms || '{"roundingLeft": 2}' where market_id = ${YEN_MARKET}
		   and terms -> 'roundingLeft' = '[{"pool": "PLAY-JPY", "coins": 2}]'`,
	);
	expect(counted.rowCount).toBe(1);
	// Its digest is that of the last batch.
	await open();
	await expect.poll(uneven).toEqual([YEN_MARKET]);
	await rewrite(-TOO_MUCH * 10);
	await exchange.settled(YEN_MARKET);
	expect(exchange.market(YEN_MARKET)?.status).toBe('SETTLED');
	expect([layer, ...backers].map((walletId) => exchange.wallet(walletId)?.cash)).toEqual(
		[-9_100, 4_500, 4_500].map((net) => FUNDS + net),
	);
	await exchange.drain();
	await expectSound(database.db);
});
