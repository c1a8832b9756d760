/**
 * What concerns all bets of a large market is announced in the lease before it is applied, and what is announced ends with
 * it. How long a standby then waits is in standby.test.ts; an hour of it in `bench takeover`.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange, Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { GatedDatabase } from './gated-database.ts';
import { plainMarket } from './plain-market.ts';

const [BACKER, LAYER] = [1001, 1002];
const STAKE = 1_000;
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
	await exchange.submit(plainMarket(marketId));
	await Promise.all(
		Array.from({ length: bets }, (_, at) => {
			const isMatched = at % 3 > 0;
			const walletId = at % 2 === 0 ? BACKER : LAYER;
			return exchange.submit(bet(marketId, walletId, isMatched ? 200 : walletId === BACKER ? 300 : 150));
		}),
	);
}

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

/** The life of a market, with acts left out at random. */
function lifeOf(marketId: number, numbers: SeededNumbers): Request[] {
	const end: Request = numbers.chance(50)
		? { kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] }
		: { kind: 'void-market', marketId };
	const before: Request[] = [
		{ kind: 'turn-in-play', marketId },
		{ kind: 'suspend-market', marketId, lapseUnmatched: true },
		{ kind: 'resume-market', marketId },
		{ kind: 'close-market', marketId },
	];
	return [...before.filter(() => numbers.chance(50)), end];
}

onSeeds([1, 2, 3], 'are announced before they come, in any order of acts (%i)', async (seed) => {
	const numbers = new SeededNumbers(seed);
	const large = [1, 2, 3];
	const markets = [...large, 4, 5, 6];
	for (const marketId of markets) await openMarket(marketId, large.includes(marketId) ? BETS_OF_LARGE : BETS_OF_SMALL);
	await watch();
	const lives = markets.map((marketId) =>
		lifeOf(marketId, numbers).map((act) => ({
			marketId,
			act,
			bets: numbers.below(20),
			walletId: numbers.from([BACKER, LAYER]),
		})),
	);
	const bets: Promise<string>[] = [];
	// Markets wait for no other, so that several may end in one batch, and bets come in between.
	await Promise.all(
		lives.map(async (life) => {
			for (const { marketId, act, bets: count, walletId } of life) {
				const done = exchange.submit(act);
				for (let placed = 0; placed < count; placed++) bets.push(codeOf(exchange.submit(bet(marketId, walletId, 200))));
				await done;
			}
		}),
	);
	for (const code of await Promise.all(bets)) expect(['done', 'MARKET_SUSPENDED', 'MARKET_CLOSED']).toContain(code);
	const turns = await turnsOf(large);
	expect(turns.reduce((sum, turn) => sum + turn.markets, 0)).toBeGreaterThanOrEqual(large.length);
	for (const turn of turns) expect(turn.announcedMs).toBeGreaterThanOrEqual(turn.markets * MATCHED * LEAST_MS_A_BET);
	await expectNothingAnnounced();
	await exchange.drain();
	await expectSound(database.url);
});

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

it('are not announced for a market with few bets', async () => {
	await openMarket(1, BETS_OF_SMALL);
	await watch();
	await exchange.submit({ kind: 'settle-market', marketId: 1, results: ['WIN', 'LOSE'] });
	expect(await turnsOf([1])).toEqual([{ markets: 1, announcedMs: 0 }]);
});

it('come after a suspension that keeps bets out at once, and before the market can be resumed', async () => {
	await openMarket(1, BETS_OF_LARGE);
	await watch();
	const suspended = codeOf(
		exchange.submit({ kind: 'suspend-market', marketId: 1, lapseUnmatched: true, byFeed: true }),
	);
	expect(await codeOf(exchange.submit(bet(1, BACKER, 200)))).toBe('MARKET_SUSPENDED');
	const resumed = codeOf(exchange.submit({ kind: 'resume-market', marketId: 1 }));
	expect(await Promise.all([suspended, resumed])).toEqual(['done', 'done']);
	expect(exchange.market(1)?.status).toBe('OPEN');
	expect(exchange.openBets(BACKER).filter(({ remaining }) => remaining > 0)).toEqual([]);
	const { rows } = await database.db.query<{ ms: number }>('select max(announced_ms) as ms from batch_before');
	expect(rows[0]?.ms).toBeGreaterThanOrEqual(BETS_OF_LARGE * LEAST_MS_A_BET);
	await expectNothingAnnounced();
});

it('are written however long they take, beside a bet whose caller waits no longer', async () => {
	await openMarket(1, BETS_OF_LARGE);
	await openMarket(2, 0);
	const settled = codeOf(exchange.submit({ kind: 'settle-market', marketId: 1, results: ['WIN', 'LOSE'] }));
	// In the batch that announces the settlement; so the bet is in the batch of the settlement itself.
	await exchange.submit({ kind: 'open-wallet', walletId: BACKER, pool: 'PLAY', currency: 'INR' });
	const settling = gated.stop('update lease');
	const untilMs = performance.now() + 1_500;
	const placed = codeOf(exchange.submit(bet(2, BACKER, 200), undefined, { untilMs }));
	await settling.reached;
	expect(await placed).toBe('OUTCOME_UNKNOWN');
	settling.open();
	expect(await settled).toBe('done');
	expect(exchange.isOpen()).toBe(true);
	expect(exchange.openBets(BACKER).map(({ marketId }) => marketId)).toEqual([2]);
	const { rows } = await database.db.query(
		`select distinct batch from posting where market_id = 2 or market_id = 1 and kind = 'MARKET_SETTLED'`,
	);
	expect(rows).toHaveLength(1);
});

it('are not done when the database is lost before they are known', async () => {
	await openMarket(1, BETS_OF_LARGE);
	const announcing = gated.stop('update lease');
	const settled = codeOf(exchange.submit({ kind: 'settle-market', marketId: 1, results: ['WIN', 'LOSE'] }));
	await announcing.reached;
	// Another process leads from here on, so the announcement is not written.
	await database.db.query('update lease set epoch = epoch + 1, batch = batch + 1000');
	announcing.open();
	expect(await settled).toBe('DRAINING');
	const { rows } = await database.db.query('select status from market_state where market_id = 1');
	expect(rows).toEqual([{ status: 'OPEN' }]);
});
