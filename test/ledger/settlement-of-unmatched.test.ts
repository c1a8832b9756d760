/**
 * The settlement of a market with unmatched bets alone. Quotes may go while it is under way, so that nothing is left that a
 * step could name: the market still ends. Bets of players lapse with their wallet's step and by nothing else.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const MARKET = 1;
const MAKER = 3;
const PLAYERS = [1001, 1002, 1003, 1004];
const BETS_A_STEP = 2;
const VOID: Request = { kind: 'void-market', marketId: MARKET };

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
let exchanges: Exchange[];
let batches: Committed[];

async function open(): Promise<void> {
	const log = pino({ level: 'silent' });
	const ledger = gated.asDatabase();
	const onCommitted = (batch: Committed) => void batches.push(batch);
	const ours = { db: database.db, ledger, log, ledgerKey: LEDGER_KEY, onCommitted, betsAStep: BETS_A_STEP };
	exchange = await openExchange(ours);
	exchanges.push(exchange);
}

const back = (walletId: number, price: number): Request => ({
	kind: 'place-bet',
	walletId,
	marketId: MARKET,
	runner: 0,
	side: 0,
	price,
	stake: 100,
	persist: false,
});

async function quote(quotes: number): Promise<void> {
	for (let at = 0; at < quotes; at++) await exchange.submit(back(MAKER, 1000 + at * 50));
}

beforeEach(async () => {
	database = await freshDatabase();
	gated = new GatedDatabase(database.db);
	[exchanges, batches] = [[], []];
	await open();
	for (const walletId of [MAKER, ...PLAYERS]) {
		const quotes = walletId === MAKER ? { quotes: true as const } : {};
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', ...quotes });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 100_000 });
	}
	await exchange.submit(plainMarket(MARKET));
});
afterEach(async () => {
	for (const each of exchanges) await each.drain();
	await database.drop();
});

async function expectVoided(): Promise<void> {
	expect(exchange.market(MARKET)?.status).toBe('VOIDED');
	for (const walletId of PLAYERS) expect(exchange.wallet(walletId)).toMatchObject({ cash: 100_000, exposure: 0 });
	await exchange.drain();
	await expectSound(database.db);
}

it('ends when there is nothing but quotes, more than a step takes', async () => {
	await quote(2 * BETS_A_STEP);
	await exchange.submit(VOID);
	await expectVoided();
});

it('is ended by the process that recovers when nothing but quotes was left', async () => {
	await quote(2 * BETS_A_STEP);
	const begun = gated.stop('update lease', 'after');
	void codeOf(exchange.submit(VOID));
	await begun.reached;
	gated = new GatedDatabase(database.db);
	await open();
	begun.open();
	await exchange.settled(MARKET);
	await expectVoided();
});

it('leaves nothing to lapse for a site that is suspended meanwhile', async () => {
	for (const walletId of PLAYERS) await exchange.submit(back(walletId, 2000));
	expect(exchange.walletsWithUnmatchedBets(() => true)).toEqual(new Set(PLAYERS));
	const walk = exchange.submit(VOID);
	await expect.poll(() => exchange.market(MARKET)?.status, { interval: 1 }).toBe('SETTLING');
	const step = gated.stop('update lease');
	await step.reached;
	expect(exchange.betsIn([MARKET]).length).toBeGreaterThan(0);
	expect(exchange.walletsWithUnmatchedBets(() => true)).toEqual(new Set());
	step.open();
	await walk;
	await expectVoided();
});
