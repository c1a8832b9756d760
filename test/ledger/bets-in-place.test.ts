/** A bet stays in the page where it was placed, and no index follows its changes. Its end is found by a row of its own. */
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { RunnerResult } from '#engine/market-terms.ts';
import { ENDED_BETS } from '#server/exchange/ledger/bet-ends.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import { openMonths } from '#server/platform/postgres/months.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { plainBet, plainMarket } from './plain-market.ts';

const MARKET = 1;
const [BACKER, LAYER] = [1001, 1002];
const BETS_A_SIDE = 5;
const STEPS = 120;
const RESULTS: RunnerResult[][] = [
	['WIN', 'LOSE'],
	['LOSE', 'WIN'],
];

/** Columns of a bet in any index but its key, or in the condition of one, of the table and of each month. */
const INDEXED = `select distinct attname as name from pg_index
	join pg_depend on classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid > 0
	join pg_attribute on attrelid = indrelid and attnum = refobjsubid
	where indrelid = 'bet'::regclass or indrelid in (select inhrelid from pg_inherits where inhparent = 'bet'::regclass)
	order by attname`;
/** The table and the page in it where each bet is. */
const PLACES = `select bet_id as "betId", tableoid::regclass::text as month, split_part(trim('()' from ctid::text), ',', 1) as page
	from bet order by bet_id`;
const BY_END = `select bet_id as "betId", ended_at as "endedAtMs" from ${ENDED_BETS} where wallet_id = $1 order by bet_id`;
const BY_PLAYER = `select bet_id as "betId", ended_at as "endedAtMs" from bet
	where wallet_id = $1 and ended_at is not null order by bet_id`;

const bet = (walletId: number, side: 0 | 1) => plainBet(MARKET, walletId, side);

async function betting() {
	const database = await freshDatabase();
	await openMonths(database.db, Date.now());
	const exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db: database.db,
		log: pino({ level: 'silent' }),
		onCommitted: () => {},
		onStopped: () => {},
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
	const rows = async (sql: string, values: unknown[] = []) => (await database.db.query(sql, values)).rows;
	return { database, exchange, rows };
}

it('no index but its key has a column besides player and market', async () => {
	const { rows } = await betting();
	expect((await rows(INDEXED)).map(({ name }) => name)).toEqual(['bet_id', 'market_id', 'wallet_id']);
});

it('a bet is matched and settled in the page where it was placed', async () => {
	const { exchange, rows } = await betting();
	for (let at = 0; at < BETS_A_SIDE; at++) await exchange.submit(bet(BACKER, 0));
	const placed = await rows(PLACES);
	expect(placed).toHaveLength(BETS_A_SIDE);
	for (let at = 0; at < BETS_A_SIDE; at++) await exchange.submit(bet(LAYER, 1));
	await exchange.submit({ kind: 'settle-market', marketId: MARKET, results: ['WIN', 'LOSE'] });
	await expect.poll(() => rows('select 1 from bet where result is null')).toEqual([]);
	expect((await rows(PLACES)).slice(0, BETS_A_SIDE)).toEqual(placed);
});

it('bets of any history are found by their ends, each once', async () => {
	const { database, exchange, rows } = await betting();
	const numbers = new SeededNumbers(7);
	const bets: { betId: number; walletId: number }[] = [];
	const place = async (walletId: number, side: 0 | 1) => {
		const { betId } = (await exchange.submit(bet(walletId, side))) as { betId: number };
		bets.push({ betId, walletId });
	};
	const acts = [
		() => place(BACKER, 0),
		() => place(LAYER, 1),
		() => exchange.submit({ kind: 'cancel-bet', ...numbers.from(bets) }),
		() => exchange.submit({ kind: 'cancel-bet', ...numbers.from(bets) }),
		() => exchange.submit({ kind: 'settle-market', marketId: MARKET, results: numbers.from(RESULTS) }),
		async () => {
			await exchange.recall(MARKET);
			await reopenMarket(database.db, exchange, MARKET);
		},
		() => exchange.submit({ kind: 'resume-market', marketId: MARKET }),
	];
	const ends = new Set<string>();
	for (const side of [0, 1, 0, 1, 0] as const) await place(side === 0 ? BACKER : LAYER, side);
	for (let step = 0; step < STEPS; step++) {
		// Refused where the market is in another state; the sequence goes on.
		await codeOf(numbers.from(acts)());
		for (const walletId of [BACKER, LAYER]) {
			const found = await rows(BY_END, [walletId]);
			expect(found).toEqual(await rows(BY_PLAYER, [walletId]));
			for (const { betId, endedAtMs } of found) ends.add(`${betId} ${endedAtMs}`);
		}
	}
	await expectSound(database.db);
	// Some ended more than once.
	expect(ends.size).toBeGreaterThan(new Set([...ends].map((end) => end.split(' ')[0])).size);
});
