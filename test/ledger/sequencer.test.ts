/** The sequencer's races: commands of one turn, look-ups beside forgetting, draining beside recovery, frozen look-ups. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Exchange } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { ClockSource } from '#server/exchange/order/exchange-clock.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { DAY_MS } from '#values/time.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [MARKET, PLAYER] = [7, 1001];

let database: FreshDatabase;
let gated: GatedDatabase;
let exchange: Exchange;
/** How many bets each batch placed. */
let placed: number[];
beforeEach(async () => {
	database = await freshDatabase();
	placed = [];
	gated = new GatedDatabase(database.db);
	exchange = await open();
	await exchange.submit({ kind: 'open-wallet', walletId: PLAYER, pool: 'PLAY' });
	await exchange.submit({ kind: 'grant-coins', grantId: 1, walletId: PLAYER, amount: 1_000_000 });
});
afterEach(async () => {
	await exchange.drain();
	await database.drop();
});

const open = (commandRows = false, clock?: ClockSource) =>
	openExchange({
		...(clock ? { clock } : {}),
		ledgerKey: LEDGER_KEY,
		db: gated.asDatabase(),
		log: pino({ level: 'silent' }),
		commandRows,
		backOff: { firstMs: 1, longestMs: 1 },
		onCommitted: ({ betEvents }) => placed.push(betEvents.filter(({ event }) => event === 'PLACED').length),
	});

const openMarket = () => exchange.submit(plainMarket(MARKET));
const bet = {
	kind: 'place-bet',
	walletId: PLAYER,
	marketId: MARKET,
	runner: 0,
	side: 0,
	price: 200,
	stake: 1000,
} as const;
const placeBet = () => exchange.submit({ ...bet, persist: true });
it('applies commands on a market in the order of one turn, the opening first', async () => {
	const codes = [codeOf(openMarket()), codeOf(placeBet()), codeOf(placeBet())];
	expect(await Promise.all(codes)).toEqual(['done', 'done', 'done']);
});

it('finds a market that leaves memory while its command waits for a look-up', async () => {
	await openMarket();
	await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
	const { reached, open } = gated.stop('void_match');
	const matches = [{ batch: 1, rowNumber: 0, takerBetId: 1, makerBetId: 2, price: 200, stake: 1000 }];
	const voided = codeOf(exchange.submit({ kind: 'void-matches', marketId: MARKET, matches }));
	await reached;
	exchange.forgetMarkets(() => false);
	expect(exchange.market(MARKET)).toBeNull();
	open();
	// The market is known, and settled.
	expect(await voided).toBe('WRONG_MARKET_STATE');
	expect(exchange.market(MARKET)?.status).toBe('SETTLED');
});

it('suspends at once while a batch takes unusually long, before the bets that wait for it', async () => {
	await openMarket();
	const { reached, open } = gated.stop('update lease');
	const first = codeOf(placeBet());
	await reached;
	const from = performance.now();
	await expect.poll(() => performance.now() - from).toBeGreaterThan(1_000);
	const waiting = codeOf(placeBet());
	const suspended = codeOf(exchange.submit({ kind: 'suspend-market', marketId: MARKET, lapseUnmatched: false }));
	open();
	expect(await Promise.all([first, waiting, suspended])).toEqual(['done', 'MARKET_SUSPENDED', 'done']);
});

it('looks through all markets for a standby that joins, and not with every batch', async () => {
	await exchange.drain();
	const settledMarkets = vi.spyOn(DurableViews.prototype, 'settledMarkets');
	const ours = { ledgerKey: LEDGER_KEY, db: database.db, log: pino({ level: 'silent' }), commandRows: true };
	exchange = await openExchange({ ...ours, onCommitted: () => {} });
	await openMarket();
	for (let batch = 0; batch < 20; batch++) await placeBet();
	expect(settledMarkets).not.toHaveBeenCalled();
	settledMarkets.mockRestore();
});

it('writes requests of two days that meet in one batch, each with those of its day', async () => {
	await openMarket();
	await exchange.drain();
	const midnight = Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS;
	let nowMs = midnight - 1;
	const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
	exchange = await open(false, clock);
	const { reached, open: openGate } = gated.stop('update lease');
	const first = placeBet();
	await reached;
	const ordered = async (clientRequestId: string) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const key = { walletId: PLAYER, clientRequestId, body: 'bet' };
		const answer = exchange.submit({ ...bet, persist: true }, key, { admit: () => resolve() });
		await promise;
		return { answer };
	};
	const evening = await ordered('evening');
	nowMs = midnight;
	const morning = await ordered('morning');
	openGate();
	const batches = (await Promise.all([evening.answer, morning.answer])).map(({ batchSeq }) => batchSeq);
	await first;
	expect(batches[0]).toBe(batches[1]);
	const { rows } = await database.db.query(
		'select client_request_id as id, tableoid::regclass::text as part from request_key order by id',
	);
	expect(rows).toEqual([
		{ id: 'evening', part: `request_key_${(midnight / DAY_MS + 4) % 5}` },
		{ id: 'morning', part: `request_key_${(midnight / DAY_MS) % 5}` },
	]);
});

const leases = async () =>
	(await database.db.query<{ epoch: number; released: boolean }>('select epoch, released from lease')).rows;

/** The ledger takes no batch any more; a recovery still gets the lease. */
async function refuseBatches(): Promise<void> {
	await database.db.query(
		`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
	);
	await database.db.query(
		`create trigger refusing before update on lease for each row
		 when (new.batch > old.batch and new.epoch = old.epoch) execute function refuse()`,
	);
}

it('lets no batch come between commands that are given together, though a batch takes unusually long', async () => {
	await openMarket();
	const { reached, open } = gated.stop('update lease');
	const first = placeBet();
	await reached;
	const from = performance.now();
	await expect.poll(() => performance.now() - from).toBeGreaterThan(1_000);
	const together = exchange.submitTogether(Array.from({ length: 3 }, () => ({ ...bet, persist: true })));
	open();
	await first;
	const tooLarge = { ...bet, persist: true, stake: 10_000_000 };
	expect((await together).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
	const next = await exchange.submitTogether([{ ...bet, persist: true }, tooLarge, { ...bet, persist: true }]);
	expect(next.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
	expect(placed.filter((bets) => bets > 0)).toEqual([1, 3, 2]);
});

/** A bet that rests, and another player's bet that matches it in a batch that the database takes when the gate opens. */
async function matchedBehindGate(): Promise<{ betId: number; matching: Promise<string>; open: () => void }> {
	await openMarket();
	await exchange.submit({ kind: 'open-wallet', walletId: 1002, pool: 'PLAY' });
	await exchange.submit({ kind: 'grant-coins', grantId: 2, walletId: 1002, amount: 1_000_000 });
	const { betId } = await placeBet();
	const { reached, open } = gated.stop('update lease');
	const matching = codeOf(exchange.submit({ ...bet, walletId: 1002, side: 1, persist: true }));
	await reached;
	return { betId: betId as number, matching, open };
}
const cancel = (betId: number) => codeOf(exchange.submit({ kind: 'cancel-bet', walletId: PLAYER, betId }));

it('refuses a cancellation that comes too late for a match only when the match is durable', async () => {
	const { betId, matching, open } = await matchedBehindGate();
	let isAnswered = false;
	const refused = cancel(betId).finally(() => {
		isAnswered = true;
	});
	// A command that is applied after it is answered no earlier.
	const next = placeBet();
	for (let turn = 0; turn < 20; turn++) await new Promise((resume) => setImmediate(resume));
	expect(isAnswered).toBe(false);
	open();
	expect([await matching, await refused]).toEqual(['done', 'ORDER_NOT_ACTIVE']);
	await next;
	// Nothing waits now, so a refusal writes no batch.
	const { batch } = exchange.figures();
	expect(await cancel(betId)).toBe('ORDER_NOT_ACTIVE');
	expect(exchange.figures().batch).toBe(batch);
});

it('does not refuse a cancellation by a match that is lost: the bet rests again, and is cancelled', async () => {
	const { betId, matching, open } = await matchedBehindGate();
	const refused = cancel(betId);
	await refuseBatches();
	open();
	expect([await matching, await refused]).toEqual(['STARTING', 'STARTING']);
	await database.db.query('drop function refuse cascade');
	await expect.poll(() => exchange.isOpen()).toBe(true);
	expect(await cancel(betId)).toBe('done');
});

it('stays closed when it is drained while it recovers', async () => {
	await refuseBatches();
	// The last statement of a recovery.
	const { reached, open } = gated.stop('target from auto_cash_out');
	expect(await Promise.race([codeOf(openMarket()), reached.then(() => 'recovers')])).toBe('recovers');
	await exchange.drain();
	await database.db.query('drop function refuse cascade');
	const first = codeOf(exchange.submit({ kind: 'open-wallet', walletId: 1002, pool: 'PLAY' }));
	open();
	expect(await first).toBe('STARTING');
	// The recovery ends within these turns of the event loop: nothing after its last statement waits for input.
	for (let turn = 0; turn < 20; turn++) await new Promise((resume) => setImmediate(resume));
	expect(await codeOf(openMarket())).toBe('STARTING');
});

it('releases the lease that a recovery takes while it is drained, so that a standby needs no silence', async () => {
	await exchange.drain();
	exchange = await open(true);
	const [before] = await leases();
	await refuseBatches();
	const { reached, open: openGate } = gated.stop('target from auto_cash_out');
	await reached;
	const drained = exchange.drain();
	openGate();
	await drained;
	const [after] = await leases();
	expect(after).toEqual({ epoch: expect.any(Number), released: true });
	expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0);
});

it('refuses commands that are given together once it has closed, and waits for none of its batches', async () => {
	await openMarket();
	const { reached, open } = gated.stop('update lease');
	const first = codeOf(placeBet());
	await reached;
	const from = performance.now();
	await expect.poll(() => performance.now() - from).toBeGreaterThan(1_000);
	const drained = exchange.drain();
	const results = await exchange.submitTogether(Array.from({ length: 2 }, () => ({ ...bet, persist: true })));
	open();
	const refused = { status: 'rejected', reason: { code: 'DRAINING' } };
	expect(results).toMatchObject([refused, refused]);
	expect(await first).toBe('done');
	await drained;
});

it('gives up a batch by its deadline when the lease row cannot be read', async () => {
	await openMarket();
	const { reached, open } = gated.stop('update lease', 'after');
	// The fence lets no batch of another epoch through.
	await database.db.query('update lease set epoch = epoch + 1');
	const answer = codeOf(exchange.submit({ ...bet, persist: true }, undefined, { untilMs: performance.now() + 2_000 }));
	await reached;
	const locking = await database.db.connect();
	await locking.query('begin; lock table lease in access exclusive mode');
	open();
	expect(await answer).toBe('OUTCOME_UNKNOWN');
	await expect.poll(() => exchange.isOpen(), { timeout: 20_000 }).toBe(false);
	await locking.query('rollback');
	locking.release();
});
