/**
 * `npm run bench -- recovery`: the time of a recovery from the tables with 100,000 open bets in 200 markets of 2,000
 * players, a fifth of them matched; then the same with 50,000 ended markets, their million postings, and an open market
 * with a removed runner; and with 100,000 players who have wallets and limits. The limit is reading those bets from PostgreSQL alone. Memory is that of engine and views
 * after a collection. Prints one JSON line.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { pino } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { recover } from '#server/exchange/recovery/recovery.ts';
import { Protection } from '#server/money/funds/protection/protection.ts';
import { UNPROTECTED } from '#server/money/funds/protection/protection-record.ts';
import { Persons } from '#server/people/persons/persons.ts';
import { Journal } from '#server/platform/postgres/journal.ts';
import { LADDER } from '#values/price-ladder.ts';
import { percentile, print, round } from './support/figures.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const OPEN_BETS = 100_000;
const MARKETS = 200;
const PLAYERS = 2_000;
const FIRST_WALLET = 1_000_000;
const RUNS = 5;
const LEDGER_KEY = 'a key for benchmarks';
const sealer = new LedgerSealer(LEDGER_KEY);
const OVER = 50_000;
const THEIR_POSTINGS = 1_000_000;
const AT_ONCE = 2_000;
const MUST = { seconds: 10, withPlayers: { seconds: 3 } };
/** With limits of their own, of stake, loss and deposits. */
const ALL_PLAYERS = 100_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

await withCluster(async (cluster) => {
	await withLedger(cluster, 'recovery', async (db) => {
		await fill(db);
		const { rows } = await db.query<{ open: number; matched: number }>(
			`select count(*)::int as open, count(*) filter (where matched > 0)::int as matched from bet where ended_at is null`,
		);
		const recoveries = await timed(() => recover(db, sealer));
		const memoryMb = await memoryOf(db);
		await addMarketsThatAreOver(db);
		const later = await timed(() => recover(db, sealer));
		const laterMemoryMb = await memoryOf(db);
		const reads = await timed(() => db.query('select * from bet where ended_at is null order by bet_id'));
		await addPlayers(db);
		const withPlayers = await timed(() => recover(db, sealer));
		const protection = await timed(() => protectionOf(db).load());
		print({
			...rows[0],
			markets: MARKETS,
			seconds: round(percentile(recoveries, 0.5) / 1000, 2),
			memoryMb,
			withMarketsOver: { over: OVER, seconds: round(percentile(later, 0.5) / 1000, 2), memoryMb: laterMemoryMb },
			withPlayers: {
				players: ALL_PLAYERS,
				seconds: round((percentile(withPlayers, 0.5) + percentile(protection, 0.5)) / 1000, 2),
				ofWhichLimitsSeconds: round(percentile(protection, 0.5) / 1000, 2),
			},
			rawReadSeconds: round(percentile(reads, 0.5) / 1000, 2),
			ratio: round(percentile(recoveries, 0.5) / percentile(reads, 0.5), 2),
			must: MUST,
		});
	});
});

async function memoryOf(db: pg.Pool): Promise<number> {
	const used = () => {
		collect();
		const { heapUsed, arrayBuffers } = process.memoryUsage();
		return (heapUsed + arrayBuffers) / 1e6;
	};
	const before = used();
	const recovered = await recover(db, sealer);
	const after = used();
	if (recovered.bets.size === 0) throw new Error('No bets were recovered.');
	return round(after - before, 1);
}

/** They change nothing that a recovery compares: the digest leaves ended markets out. */
async function addMarketsThatAreOver(db: pg.Pool): Promise<void> {
	await db.query(
		`insert into market_state (market_id, pools, runners, number_of_winners, commission_bp, min_stake, max_stake,
		   profit_ratio_rule, self_match, status, in_play, version, results, traded, terms, removed)
		 select 1000000 + n, pools, runners, number_of_winners, commission_bp, min_stake, max_stake, profit_ratio_rule,
		   self_match, 'SETTLED', in_play, version, '{WIN,LOSE,LOSE}', traded, terms, removed
		 from market_state, generate_series(1, ${OVER}) as n where market_id = 1`,
	);
	await db.query(
		`insert into posting (batch, line, at, kind, ref, step, pool, debit, debit_owner, credit, credit_owner, amount,
		   wallet_id, cash_after, market_id)
		 select 1, n, 0, 'OF_ANOTHER_MARKET', n, 0, 'DEMO', 'cash', 1, 'exposure', 1, 1, 1, 0, 1000000 + n % ${OVER}
		 from generate_series(1, ${THEIR_POSTINGS}) as n`,
	);
	await db.query('vacuum analyze');
}

/** Every player has a wallet with limits of the exchange, and chose limits of stakes, losses and deposits. */
async function addPlayers(db: pg.Pool): Promise<void> {
	const log = pino({ level: 'silent' });
	const exchange = await openExchange({ db, log, ledgerKey: LEDGER_KEY, onCommitted: () => {} });
	const limits = { maxStake: 1_000_000, maxProfit: 10_000_000, maxExposure: 5_000_000 };
	for (let from = 0; from < ALL_PLAYERS; from += AT_ONCE) {
		const walletIds = Array.from({ length: AT_ONCE }, (_, at) => FIRST_WALLET + from + at);
		const isNew = from >= PLAYERS;
		if (isNew) {
			await Promise.all(walletIds.map((walletId) => exchange.submit({ kind: 'open-wallet', walletId, pool: 'DEMO' })));
		}
		await Promise.all(walletIds.map((walletId) => exchange.submit({ kind: 'set-limits', walletId, limits })));
	}
	await exchange.drain();
	const record = { ...UNPROTECTED, limits: { stake: 100_000, lossDay: 500_000, depositDay: 1_000_000 } };
	await db.query(
		'insert into player_protection (player_id, record) select $1::bigint + n, $2 from generate_series(0, $3::int - 1) as n',
		[FIRST_WALLET, JSON.stringify(record), ALL_PLAYERS],
	);
}

/** Only for loading: nothing is changed through it. */
function protectionOf(db: pg.Pool): Protection {
	const journal = new Journal({ db, ledgerKey: LEDGER_KEY, epoch: 0 });
	return new Protection({
		db,
		throughHistory: db,
		journal,
		persons: new Persons(db, journal),
		onBarred: () => {},
		isShort: () => false,
		settingOf: () => null,
		isDemo: () => false,
		clock: Date.now,
	});
}

async function timed(work: () => Promise<unknown>): Promise<number[]> {
	const took: number[] = [];
	for (let run = 0; run < RUNS; run++) {
		const from = performance.now();
		await work();
		took.push(performance.now() - from);
	}
	return took;
}

/** Plays until that many bets are open: a back rests at the top of the ladder, and every tenth is met by a lay. */
async function fill(db: pg.Pool): Promise<void> {
	const exchange = await openExchange({
		db,
		log: pino({ level: 'silent' }),
		ledgerKey: LEDGER_KEY,
		onCommitted: () => {},
	});
	await openTables(exchange);
	await exchange.submit({ kind: 'remove-runner', marketId: MARKETS, runner: 2, reductionBp: 100 });
	const prices = LADDER.slice(-20);
	for (let placed = 0; placed < OPEN_BETS; placed += AT_ONCE) {
		await Promise.all(
			Array.from({ length: AT_ONCE }, (_, at) => {
				const bet = placed + at;
				const isLay = bet % 10 === 9;
				return exchange.submit({
					kind: 'place-bet',
					walletId: FIRST_WALLET + (bet % PLAYERS),
					marketId: 1 + (Math.floor(bet / 10) % MARKETS),
					runner: Math.floor(bet / 2000) % 2,
					side: isLay ? 1 : 0,
					// The lay matches the previous bet as a whole.
					price: prices[isLay ? 0 : bet % 10 === 8 ? 0 : 1 + (bet % 19)] ?? 0,
					stake: 1_000,
					persist: true,
				});
			}),
		);
	}
	await exchange.drain();
}

async function openTables(exchange: Exchange): Promise<void> {
	const markets = Array.from({ length: MARKETS }, (_, at) =>
		exchange.submit({
			kind: 'open-market',
			marketId: at + 1,
			pools: ['DEMO'],
			runners: 3,
			numberOfWinners: 1,
			commissionBp: 200,
			minStake: 100,
			maxStake: 50_000_000,
			profitRatioRule: true,
			selfMatch: 'REFUSE',
			suspended: false,
			// The last one loses a runner.
			reducible: at === MARKETS - 1,
		}),
	);
	const players = Array.from({ length: PLAYERS }, async (_, at) => {
		const walletId = FIRST_WALLET + at;
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'DEMO' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 10_000_000_000 });
	});
	await Promise.all([...markets, ...players]);
}
