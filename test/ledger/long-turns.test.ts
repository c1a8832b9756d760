/**
 * What concerns all bets of a large market is announced in the lease before it is applied, whatever else happens, and what
 * is announced ends with it. How long a standby then waits is in standby.test.ts; an hour of it in `bench:takeover`.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { Refused } from '#values/error-catalogue.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { GatedDatabase } from './gated-database.ts';

const [BACKER, LAYER] = [1001, 1002];
const STAKE = 1_000;
/** Of a large market; a small one has a tenth. */
const BETS = 1_800;
/** Those that are matched stay until the end. */
const MATCHED = (BETS * 2) / 3;
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
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', currency: 'INR' });
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
	await exchange.submit({
		kind: 'open-market',
		marketId,
		pools: ['PLAY'],
		currency: 'INR',
		runners: 2,
		numberOfWinners: 1,
		commissionBp: 0,
		minStake: 10,
		maxStake: 1_000_000,
		profitRatioRule: false,
		selfMatch: 'REFUSE',
		suspended: false,
	});
	await Promise.all(
		Array.from({ length: bets }, (_, at) => {
			const isMatched = at % 3 > 0;
			const walletId = at % 2 === 0 ? BACKER : LAYER;
			return exchange.submit(bet(marketId, walletId, isMatched ? 200 : walletId === BACKER ? 300 : 150));
		}),
	);
}

const codeOf = async (submission: Promise<unknown>): Promise<string> =>
	await submission.then(
		() => 'done',
		(error: Refused) => error.code,
	);

/** Writes down what the lease announced before each batch, and which batches changed a market other than by suspension. */
const watch = () =>
	database.db.query(`create table batch_before (batch bigint, announced_ms int);
		create table turned (market_id bigint, batch bigint);
		create function announcing() returns trigger language plpgsql as $$ begin
			insert into batch_before values (new.batch, old.announced_ms); return new; end $$;
		create function turning() returns trigger language plpgsql as $$ begin
			insert into turned select new.market_id, batch from lease; return null; end $$;
		create trigger announcing before update on lease for each row execute function announcing();
		create trigger turning after update on market_state for each row
			when (new.status <> 'SUSPENDED' and (new.status, new.in_play) <> (old.status, old.in_play))
			execute function turning();`);

/** What was announced before the turns of these markets, by batch. */
async function turnsOf(markets: readonly number[]): Promise<{ markets: number; announcedMs: number }[]> {
	const { rows } = await database.db.query<{ markets: number; announcedMs: number }>(
		`select count(distinct market_id)::int as markets, announced_ms as "announcedMs"
		 from turned join batch_before using (batch) where market_id = any ($1) group by batch, announced_ms`,
		[markets],
	);
	return rows;
}

it.each([1, 2, 3])('are announced before they come, in any order of acts (%i)', async (seed) => {
	const numbers = new SeededNumbers(seed);
	const [large, small] = [
		[1, 2, 3],
		[4, 5, 6],
	];
	for (const marketId of large) await openMarket(marketId, BETS);
	for (const marketId of small) await openMarket(marketId, BETS / 10);
	await watch();
	/** The life of a market, with acts left out at random. */
	const live = async (marketId: number) => {
		const acts: Request[] = [
			{ kind: 'turn-in-play', marketId },
			{ kind: 'suspend-market', marketId, lapseUnmatched: true },
			{ kind: 'close-market', marketId },
			numbers.below(2)
				? { kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] }
				: { kind: 'void-market', marketId },
		];
		for (const [at, act] of acts.entries()) {
			if (at === acts.length - 1 || numbers.below(2)) await exchange.submit(act);
		}
	};
	const bets = Array.from({ length: 200 }, () =>
		codeOf(exchange.submit(bet(1 + numbers.below(6), numbers.below(2) ? BACKER : LAYER, 200))),
	);
	// Markets wait for no other, so that several may end in one batch.
	await Promise.all([...large, ...small].map(live));
	for (const code of await Promise.all(bets)) expect(['done', 'MARKET_SUSPENDED', 'MARKET_CLOSED']).toContain(code);
	const turns = await turnsOf(large);
	expect(turns.reduce((sum, { markets }) => sum + markets, 0)).toBeGreaterThanOrEqual(large.length);
	for (const { markets, announcedMs } of turns)
		expect(announcedMs).toBeGreaterThanOrEqual(markets * MATCHED * LEAST_MS_A_BET);
	// Nothing is announced any more.
	await exchange.submit({ kind: 'grant-coins', grantId: 1, walletId: BACKER, amount: 1 });
	await exchange.submit({ kind: 'grant-coins', grantId: 2, walletId: BACKER, amount: 1 });
	const { rows } = await database.db.query('select announced_ms from lease');
	expect(rows).toEqual([{ announced_ms: 0 }]);
	await exchange.drain();
	await expectSound(database.url);
});

it('are not announced for a market with few bets', async () => {
	await openMarket(1, BETS / 10);
	await watch();
	await exchange.submit({ kind: 'settle-market', marketId: 1, results: ['WIN', 'LOSE'] });
	expect(await turnsOf([1])).toEqual([{ markets: 1, announcedMs: 0 }]);
});

it('wait behind a suspension, which keeps bets out at once', async () => {
	await openMarket(1, BETS);
	const suspended = codeOf(exchange.submit({ kind: 'suspend-market', marketId: 1, lapseUnmatched: true }));
	expect(await codeOf(exchange.submit(bet(1, BACKER, 200)))).toBe('MARKET_SUSPENDED');
	expect(await suspended).toBe('done');
	expect(exchange.openBets(BACKER).filter(({ remaining }) => remaining > 0)).toEqual([]);
});

it('are written however long they take, beside a bet whose caller waits no longer', async () => {
	await openMarket(1, BETS);
	await openMarket(2, 0);
	const announcing = gated.stop('update lease');
	const settled = codeOf(exchange.submit({ kind: 'settle-market', marketId: 1, results: ['WIN', 'LOSE'] }));
	await announcing.reached;
	// The bet joins the batch in which the market is settled.
	const untilMs = performance.now() + 2_000;
	const placed = codeOf(exchange.submit(bet(2, BACKER, 200), undefined, { untilMs }));
	const settling = gated.stop('update lease');
	announcing.open();
	await settling.reached;
	expect(await placed).toBe('OUTCOME_UNKNOWN');
	settling.open();
	expect(await settled).toBe('done');
	expect(exchange.isOpen()).toBe(true);
	expect(exchange.openBets(BACKER).map(({ marketId }) => marketId)).toEqual([2]);
});
