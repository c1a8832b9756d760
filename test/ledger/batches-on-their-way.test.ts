/** While the database writes a batch, the next one is with it already. Each is durable after the one before, or not at all. */
import type pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Receipt } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { EventRow } from '#server/exchange/order/batch-rows.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { openMonths } from '#server/platform/postgres/months.ts';
import { DatabaseGate } from '../faults/support/database-gate.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { codeOf } from './code-of.ts';
import { END_WRITING } from './end-writing.ts';
import { plainBet, plainMarket } from './plain-market.ts';

const MARKET = 1;
const PLAYERS = [1001, 1002] as const;
/** Of the house; its unmatched bets are in no table. */
const MAKER = 11;
const PRICES = [198, 200, 202];
const STEPS = 150;
const SEEDS = [1, 2, 3, 4, 5, 6];
const DEADLINE_MS = 1_300;
const UNWRITABLE = '00000000-0000-4000-8000-000000000001';

/** How many statements wait for the row of the lease. */
const WAITING = `select count(*)::int as count from pg_stat_activity
	where datname = current_database() and wait_event_type = 'Lock'`;
/** Ends the connection whose statement waits for it. */
const END_WAITING = `select pg_terminate_backend(pid) from pg_stat_activity
	where datname = current_database() and wait_event_type = 'Lock'`;

const bet = (walletId: number, side: 0 | 1, price?: number) => plainBet(MARKET, walletId, side, price);

/** Commands of one turn of the event loop share a batch. */
const nextTurn = () => new Promise((resume) => setImmediate(resume));

interface Betting {
	/** Batches are written through a gate. */
	isGated?: boolean;
	/** Standbys may join. */
	commandRows?: boolean;
	/** What a batch tells the systems of brands. */
	eventsOf?: () => readonly EventRow[];
}

/** @returns also `asked`, which settles when the exchange takes a connection for a standby that asks to join */
async function betting({ isGated = false, commandRows = false, eventsOf }: Betting = {}) {
	const database = await freshDatabase();
	const gate = isGated ? await DatabaseGate.open(database.url) : null;
	const ledger = connect(gate?.url ?? database.url, { max: 2 });
	const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
	// A query of the pool takes its connection with a callback.
	const connectAsked = (callback: Parameters<pg.Pool['connect']>[0] | undefined) => {
		if (callback) return database.db.connect(callback);
		ask();
		return database.db.connect();
	};
	const db: pg.Pool = Object.create(database.db, { connect: { value: connectAsked } });
	await openMonths(database.db, Date.now());
	const published: number[] = [];
	const exchange = await openExchange({
		ledgerKey: LEDGER_KEY,
		db,
		ledger,
		commandRows,
		eventsOf,
		log: pino({ level: 'silent' }),
		onCommitted: ({ batchSeq }) => void published.push(batchSeq),
		onStopped: () => {},
	});
	onTestFinished(async () => {
		await exchange.drain();
		await ledger.end();
		await gate?.close();
		await database.drop();
	});
	await exchange.submit(plainMarket(MARKET));
	for (const walletId of PLAYERS) {
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 10_000_000 });
	}
	return { database, exchange, published, gate, asked };
}

/** Holds the lease's row, so that no batch is written until it is given back. */
async function holdLease(db: pg.Pool): Promise<() => Promise<void>> {
	const client = await db.connect();
	await client.query('begin');
	await client.query('select 1 from lease for update');
	return async () => {
		await client.query('commit');
		client.release();
	};
}

const waiting = async (db: pg.Pool): Promise<number> =>
	(await db.query<{ count: number }>(WAITING)).rows[0]?.count ?? 0;

/** A batch waits for the lease's row, and the next one is behind it. */
async function withTwoOnTheirWay({
	withinMs = Number.POSITIVE_INFINITY,
	...more
}: Betting & { withinMs?: number } = {}) {
	const all = await betting(more);
	const { database, exchange } = all;
	const give = await holdLease(database.db);
	const place = (side: 0 | 1) => {
		const untilMs = performance.now() + withinMs;
		return exchange.submit(bet(PLAYERS[side], side), undefined, { untilMs });
	};
	const first = place(0);
	await expect.poll(() => waiting(database.db)).toBe(1);
	const second = place(1);
	await nextTurn();
	await nextTurn();
	return { ...all, give, first, second, place };
}

const seqOf = ({ batchSeq = 0 }: Receipt): number => batchSeq;

it('a batch follows the one that is written, and the next one collects', async () => {
	const { database, published, give, first, second, place } = await withTwoOnTheirWay();
	const later = [place(0), nextTurn().then(() => place(1))];
	await nextTurn();
	await nextTurn();
	const from = published.length;
	await give();
	const [one, two, ...others] = (await Promise.all([first, second, ...later])).map(seqOf);
	expect([two, ...others]).toEqual([Number(one) + 1, Number(one) + 2, Number(one) + 2]);
	expect(published.slice(from)).toEqual([one, two, others[0]]);
	await expectSound(database.db);
});

it('both are written once, in their order, when their connection breaks', async () => {
	const { database, give, first, second } = await withTwoOnTheirWay();
	await database.db.query(END_WAITING);
	await give();
	const [one, two] = (await Promise.all([first, second])).map(seqOf);
	expect(two).toBe(Number(one) + 1);
	const { rows } = await database.db.query('select wallet_id as "walletId" from bet order by bet_id');
	expect(rows.map(({ walletId }) => walletId)).toEqual(PLAYERS);
	await expectSound(database.db);
});

it('both are found when their connection breaks before the answer to the first', async () => {
	const { database, gate, give, first, second } = await withTwoOnTheirWay({ isGated: true });
	const batchOf = async () =>
		(await database.db.query<{ batch: number }>('select batch from lease')).rows[0]?.batch ?? 0;
	const from = await batchOf();
	gate?.fallSilent();
	await give();
	await expect.poll(batchOf).toBe(from + 2);
	gate?.cut();
	gate?.mend();
	expect((await Promise.all([first, second])).map(seqOf)).toEqual([from + 1, from + 2]);
	await expectSound(database.db);
});

it('none follows while a standby asks to join, which begins between two batches', async () => {
	const { database, exchange, asked } = await betting({ commandRows: true });
	const give = await holdLease(database.db);
	const first = exchange.submit(bet(PLAYERS[0], 0));
	await expect.poll(() => waiting(database.db)).toBe(1);
	await database.db.query("insert into follower (name) values ('one that joins')");
	await asked;
	await nextTurn();
	const second = exchange.submit(bet(PLAYERS[1], 1));
	await nextTurn();
	await nextTurn();
	const third = exchange.submit(bet(PLAYERS[0], 0));
	await give();
	const [one, two, three] = (await Promise.all([first, second, third])).map(seqOf);
	expect([two, three]).toEqual([Number(one) + 1, Number(one) + 1]);
	const snapshot = 'select snapshot_batch as batch from follower';
	await expect.poll(async () => (await database.db.query(snapshot)).rows).toEqual([{ batch: two }]);
});

it('both are given up with the deadline of the first, and the ledger says what became of them', async () => {
	const { database, exchange, give, first, second } = await withTwoOnTheirWay({ withinMs: DEADLINE_MS });
	expect(await Promise.all([codeOf(first), codeOf(second)])).toEqual(['OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN']);
	// The database had begun with them, and does them when it can, or the recovery comes first.
	await give();
	await expect.poll(() => codeOf(exchange.submit(bet(PLAYERS[0], 0)))).toBe('done');
	const { rows } = await database.db.query('select wallet_id as "walletId" from bet order by bet_id');
	const became = rows.slice(0, -1).map(({ walletId }) => walletId);
	expect(PLAYERS.slice(0, became.length)).toEqual(became);
	expect(exchange.openBets(PLAYERS[0])).toHaveLength(became.length > 0 ? 2 : 1);
	await expectSound(database.db);
});

it('one that cannot be sealed is refused definitely, and the one that is written before it stands', async () => {
	// No number of this kind can be written as JSON.
	const unwritable: EventRow = { eventId: UNWRITABLE, kind: 'webhook.test', walletId: null, data: { amountMinor: 1n } };
	let events: EventRow[] = [];
	const { database, exchange, published } = await betting({ eventsOf: () => events });
	const give = await holdLease(database.db);
	const first = exchange.submit(bet(PLAYERS[0], 0));
	await expect.poll(() => waiting(database.db)).toBe(1);
	events = [unwritable];
	const refused = codeOf(exchange.submit(bet(PLAYERS[1], 1)));
	await nextTurn();
	await nextTurn();
	events = [];
	await give();
	expect(await refused).toBe('STARTING');
	const { batchSeq } = await first;
	await expect.poll(() => codeOf(exchange.submit(bet(PLAYERS[0], 0)))).toBe('done');
	const { rows } = await database.db.query('select wallet_id as "walletId" from bet order by bet_id');
	expect(rows.map(({ walletId }) => walletId)).toEqual([PLAYERS[0], PLAYERS[0]]);
	expect(published).toContain(batchSeq);
	expect(exchange.openBets(PLAYERS[1])).toEqual([]);
	await expectSound(database.db);
});

onSeeds(SEEDS, 'what is answered is in the ledger, whatever breaks between two batches (seed %i)', async (seed) => {
	const { database, exchange, published } = await betting();
	const numbers = new SeededNumbers(seed);
	await exchange.submit({ kind: 'open-wallet', walletId: MAKER, pool: 'PLAY', quotes: true });
	await exchange.submit({ kind: 'grant-coins', grantId: MAKER, walletId: MAKER, amount: 10_000_000 });
	const answers: Promise<unknown>[] = [];
	const placed = new Set<number>();
	let give: (() => Promise<void>) | null = null;
	const place = async (walletId: number, side: 0 | 1) => {
		const { betId } = await exchange.submit(bet(walletId, side, numbers.from(PRICES)));
		if (betId !== null && walletId !== MAKER) placed.add(betId);
	};
	const acts = [
		...PLAYERS.flatMap((walletId) => ([0, 1] as const).map((side) => () => place(walletId, side))),
		() => place(MAKER, numbers.from([0, 1])),
		() => exchange.submit({ kind: 'cancel-all', walletId: numbers.from([...PLAYERS, MAKER]) }),
	];
	for (let step = 0; step < STEPS; step++) {
		const count = numbers.from([1, 1, 2, 5]);
		for (let at = 0; at < count; at++) answers.push(codeOf(numbers.from(acts)()));
		const what = numbers.from(['turn', 'turn', 'turn', 'end', 'hold', 'give'] as const);
		if (what === 'turn') await nextTurn();
		if (what === 'end') await database.db.query(END_WRITING);
		if (what === 'hold') give ??= await holdLease(database.db);
		if (what === 'give') {
			await give?.();
			give = null;
		}
	}
	await give?.();
	expect(['done', 'SELF_MATCH']).toEqual(expect.arrayContaining([...new Set(await Promise.all(answers))]));
	const { rows } = await database.db.query<{ betId: number }>(
		'select bet_id as "betId" from bet where wallet_id = any($1) order by bet_id',
		[PLAYERS],
	);
	expect(rows.map(({ betId }) => betId)).toEqual([...placed].sort((one, other) => one - other));
	expect(published).toEqual([...published].sort((one, other) => one - other));
	for (const walletId of PLAYERS) {
		const { rows: ledger } = await database.db.query('select cash, exposure from wallet where wallet_id = $1', [
			walletId,
		]);
		expect(exchange.wallet(walletId)).toMatchObject(ledger[0] as object);
	}
	await expectSound(database.db);
});
