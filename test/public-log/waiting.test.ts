/** Each row that is to be a leaf is seen by the question whether any waits, and where none does the question is all that is asked. */
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchLeaves } from '#server/exchange/ledger/log-batches.ts';
import { MarketLeaves } from '#server/exchange/views/log-markets.ts';
import { pairLeaves } from '#server/money/casino/log-pairs.ts';
import { rulesSource } from '#server/money/casino/log-rules.ts';
import { roundLeaves } from '#server/money/casino/tables/log-rounds.ts';
import { treeLeaves } from '#server/money/liabilities/log-trees.ts';
import type { LeafSource } from '#server/platform/public-log/leaf-source.ts';
import { journalLeaves } from '#server/platform/public-log/log-journal.ts';
import { receiptLeaves } from '#server/platform/public-log/log-receipts.ts';
import { PublicLog } from '#server/platform/public-log/public-log.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';

let database: FreshDatabase;
let log: PublicLog;
const markets = new MarketLeaves();
beforeAll(async () => {
	database = await freshDatabase();
	log = new PublicLog({
		db: database.db,
		ledgerKey: LEDGER_KEY,
		sources: [
			rulesSource(),
			pairLeaves,
			roundLeaves,
			batchLeaves,
			markets,
			journalLeaves,
			receiptLeaves,
			treeLeaves,
		] as LeafSource[],
		logger: pino({ level: 'silent' }),
		clock: Date.now,
	});
	while ((await log.append()) > 0);
});
afterAll(() => database.drop());

const ROUND =
	'insert into table_round (game, round, chain, position, phase, opened_at, beacon_round, is_announced) values';

it.each([
	[
		'pair',
		`insert into game_seed_pair (wallet_id, number, rule, commitment, announced_at) values (1, 1, 2, 'a commitment', 0)`,
	],
	[
		'chain',
		`insert into game_chain (game, number, commitment, length, salt, return_percent, is_development, key_id, secret,
			first_round, owner, begun_at) values ('crash', 1, 'a commitment', 1, 'salt', 99, false, 'key', '', 1, 'nothing', 0)`,
	],
	['betting', `${ROUND} ('crash', 1, 1, 1, 'BETTING', 0, 7, false)`],
	['round', `${ROUND} ('crash', 2, 1, 2, 'ENDED', 0, 7, true)`],
	['round', `${ROUND} ('crash', 3, 1, 3, 'VOID', 0, null, false)`],
	[
		'batch',
		`insert into batch_seal (batch, part, key_id, entries, chain) values (1, 0, 'key', sha256(''), sha256('')),
			(1, 1, 'key', sha256(''), sha256(''))`,
	],
	[
		'batch',
		`insert into batch_seal (batch, part, key_id, entries, chain) values (1, 2, 'key', sha256(''), sha256(''))`,
	],
	[
		'batch',
		`insert into batch_seal (batch, part, key_id, entries, chain) values (2, 0, 'key', sha256(''), sha256(''))`,
	],
	[
		'journal',
		`insert into journal (seq, at, actor, act, subject, outcome, chain) values (1, 0, 'a', 'b', 'c', 'OK', sha256(''))`,
	],
	[
		'journal',
		`insert into journal (seq, at, actor, act, subject, outcome, chain) values (2, 0, 'a', 'b', 'c', 'OK', sha256(''))`,
	],
	['receipts', `insert into receipt_root (id, size, root, at) values ('a root', 1, sha256(''), 0)`],
	[
		'liabilities',
		`insert into sum_tree (pool, day, batch, size, root, cash, held, bonus, shortfall, pots)
			values ('PLAY', 1, 1, 1, sha256(''), 0, 0, 0, 0, 0)`,
	],
])('a row of %s is taken by the next turn: %s', async (type, row) => {
	expect(await log.append()).toBe(0);
	await database.db.query(row);
	expect(await log.append()).toBeGreaterThan(0);
	const { rows } = await database.db.query('select type from public_log_entry order by entry desc limit 1');
	expect(rows).toEqual([{ type }]);
});

it('a batch that this process hears of later moves the mark of its markets, too', async () => {
	markets.onCommitted({ batchSeq: 5, markets: [] } as unknown as Parameters<typeof markets.onCommitted>[0]);
	await log.append();
	const { rows } = await database.db.query(`select cursors -> 'market' ->> 'through' as through from public_log`);
	expect(rows).toEqual([{ through: '5' }]);
});

it('asks one statement while nothing waits', async () => {
	const asked: string[] = [];
	const query = database.db.query.bind(database.db);
	const counting = new Proxy(database.db, {
		get(pool, name) {
			if (name === 'query') return (asking: pg.QueryConfig) => (asked.push(asking.text), query(asking));
			if (name === 'connect') asked.push('a connection');
			return Reflect.get(pool, name) as unknown;
		},
	});
	const idle = new PublicLog({
		db: counting,
		ledgerKey: LEDGER_KEY,
		sources: [pairLeaves, batchLeaves] as LeafSource[],
		logger: pino({ level: 'silent' }),
		clock: Date.now,
	});
	expect(await idle.append()).toBe(0);
	expect(asked).toEqual([expect.stringMatching(/^select /)]);
});
