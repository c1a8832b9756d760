/**
 * A standby beside an exchange, in one process: a day of betting on markets of every kind, followed from the command rows.
 * How long it waits is in standby-silence.test.ts; takeovers of real processes are in test/faults/takeover.test.ts.
 */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange } from '#server/exchange/exchange.ts';
import { COMMAND_FORMAT, decodeCommands, encodeCommands } from '#server/exchange/ledger/command-rows.ts';
import { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import type { Recovered } from '#server/exchange/recovery/recovery.ts';
import { Followers } from '#server/exchange/standby/followers.ts';
import { Silence } from '#server/exchange/standby/silence.ts';
import { Standby } from '#server/exchange/standby/standby.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import { openReadOnly } from '#server/process/open-database.ts';
import { rehearse } from '#server/process/rehearse.ts';
import { Day } from '../crashes/day.ts';
import { expectSound } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { LEDGER_KEY, TestServer, testConfig } from '../support/server.ts';
import { plainMarket } from './plain-market.ts';

const log = pino({ level: 'silent' });
const EXCHANGE = { log, ledgerKey: LEDGER_KEY, commandRows: true, onCommitted: () => {} };
const PATIENT_MS = 60_000;
const STEPS = 60;

let database: FreshDatabase;
let stops: (() => Promise<void>)[];
beforeEach(async () => {
	database = await freshDatabase();
	stops = [];
});
afterEach(async () => {
	for (const stop of stops.reverse()) await stop();
	await database.drop();
});

async function openDay(seed: number, faultPercent = 0): Promise<Day> {
	const day = new Day(seed, database, faultPercent, EXCHANGE);
	stops.push(async () => await day.exchange?.drain());
	await day.open();
	return day;
}

/** A standby that follows, and how it ends. */
function follow(silenceMs = PATIENT_MS, output = log) {
	const patience = { silenceMs, goneMs: silenceMs / 2 };
	const standby = new Standby({ db: database.db, log: output, sealer: new LedgerSealer(LEDGER_KEY), ...patience });
	const ended = standby.run();
	ended.catch(() => undefined);
	stops.push(async () => {
		standby.stop();
		await ended.catch(() => undefined);
	});
	return { standby, ended };
}

const lease = async () =>
	(await database.db.query<{ epoch: number; batch: number; digest: string }>('select * from lease')).rows[0];

interface Status {
	exchange: { writesHeartbeats: boolean };
	standbys: { name: string; state: string; batchesBehind: number; difference: string | null }[];
}

/** Resolves when the standby has applied the batches of this moment. */
async function caughtUp(standby: Standby): Promise<void> {
	const now = await lease();
	await expect.poll(() => standby.position?.batch ?? 0, { timeout: 30_000 }).toBeGreaterThanOrEqual(now?.batch ?? 0);
}

/** The bets of each wallet are counted as the tables have them, and no quote stands. */
async function expectCounted(taken: Recovered | null | undefined): Promise<void> {
	const { bets } = taken ?? expect.unreachable();
	const { rows } = await database.db.query<{ walletId: number; count: number }>(
		'select wallet_id as "walletId", count(*)::int as count from bet where ended_at is null group by wallet_id',
	);
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.map(({ walletId }) => ({ walletId, count: bets.countOf(walletId) }))).toEqual(rows);
	expect(bets.size).toBe(rows.reduce((sum, { count }) => sum + count, 0));
	expect(bets.quotedMarkets()).toEqual([]);
}

it('comes to the same digest after every batch, and goes on where the exchange ended', async () => {
	const day = await openDay(1);
	const { standby, ended } = follow(2_000);
	for (let step = 0; step < STEPS; step++) await day.step();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	for (let step = 0; step < STEPS; step++) await day.step();
	expect(day.quotes).toBeGreaterThan(10);
	await caughtUp(standby);
	const before = await lease();
	await day.exchange?.drain();
	const taken = (await ended) ?? undefined;
	expect(taken?.engine.hash()).toBe((await lease())?.digest);
	expect(taken?.epoch).toBeGreaterThan(before?.epoch ?? 0);
	await expectCounted(taken);

	day.exchange = await openExchange({ ...EXCHANGE, db: database.db, recovered: taken });
	for (let step = 0; step < STEPS; step++) await day.step();
	await day.exchange.drain();
	await expectSound(database.db);
});

it('knows the last price of a trade between wallets of the house, with which a new trigger is compared', async () => {
	const exchange = await openExchange({ ...EXCHANGE, db: database.db });
	stops.push(() => exchange.drain());
	const [maker, crowd, player, marketId] = [2, 5, 1001, 7];
	for (const walletId of [maker, crowd, player]) {
		const quotes = walletId === player ? {} : { quotes: true as const };
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', ...quotes });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 });
	}
	await exchange.submit(plainMarket(marketId));
	const bet = { marketId, runner: 0, side: 0, stake: 1000 } as const;
	for (const price of [200, 210]) {
		await exchange.submit({ kind: 'place-bet', ...bet, walletId: maker, price, persist: true });
		await exchange.submit({ kind: 'take-quotes', ...bet, walletId: crowd, side: 1, price });
		// With another row of its market, the tables have the first of the two prices.
		if (price === 200) await exchange.submit({ kind: 'change-terms', marketId, terms: { minStake: 200 } });
	}
	const { standby } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const rises = { persist: false, watches: 'LAST_TRADED', moves: 'RISES', at: 206, trail: null } as const;
	await exchange.submit({ kind: 'place-trigger', ...bet, ...rises, walletId: player, price: 300, marketVersion: null });
	await expect.poll(() => exchange.triggers(player)).toEqual([]);
	await caughtUp(standby);
	const { rows } = await database.db.query('select difference from follower');
	expect(rows).toEqual([{ difference: null }]);
});

it('writes what the crowd takes with the next batch where a bet lapses with the volume, which a restart has to know', async () => {
	const exchange = await openExchange({ ...EXCHANGE, db: database.db });
	stops.push(() => exchange.drain());
	const [maker, crowd, player, marketId] = [2, 5, 1001, 7];
	for (const walletId of [maker, crowd, player]) {
		const quotes = walletId === player ? {} : { quotes: true as const };
		await exchange.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', ...quotes });
		await exchange.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 });
	}
	await exchange.submit(plainMarket(marketId));
	const bet = { marketId, runner: 0, side: 0, stake: 1000, persist: true } as const;
	const terms = { postOnly: null, expiresAtMs: null, selfMatch: null, untilMatched: 2000 };
	await exchange.submit({ kind: 'place-bet', ...bet, walletId: player, price: 400, terms });
	await exchange.submit({ kind: 'place-bet', ...bet, walletId: maker, price: 200 });
	await exchange.submit({ kind: 'take-quotes', ...bet, walletId: crowd, side: 1, price: 200 });
	await exchange.submit({ kind: 'grant-coins', grantId: 99, walletId: player, amount: 1 });
	const { rows } = await database.db.query('select traded from market_state where market_id = $1', [marketId]);
	expect(rows).toEqual([{ traded: [['PLAY', 0, 200, 1000]] }]);
});

/** A bet that lapses with the volume of its runner is the same state for the standby, which therefore knows the volume. */
async function expectSameVolume(
	exchange: Exchange,
	standby: Standby,
	walletId: number,
	marketId: number,
): Promise<void> {
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const terms = { postOnly: null, expiresAtMs: null, selfMatch: null, untilMatched: 2000 };
	const bet = { marketId, walletId, runner: 0, side: 0, price: 400, stake: 1000, persist: true } as const;
	await exchange.submit({ kind: 'place-bet', ...bet, terms });
	await caughtUp(standby);
	const { rows } = await database.db.query('select difference from follower');
	expect(rows).toEqual([{ difference: null }]);
}

it('knows what was traded by the history of prices, which a restart reads beside the tables', async () => {
	const [player, marketId] = [1001, 7];
	const before = await openExchange({ ...EXCHANGE, db: database.db });
	await before.submit({ kind: 'open-wallet', walletId: player, pool: 'PLAY' });
	await before.submit({ kind: 'grant-coins', grantId: player, walletId: player, amount: 1_000_000 });
	await before.submit(plainMarket(marketId));
	await before.drain();
	const traded = () => [{ pool: 'PLAY' as const, runner: 0, lastPriceTraded: 210, totalMatched: 3_000 }];
	const exchange = await openExchange({ ...EXCHANGE, db: database.db, traded });
	stops.push(() => exchange.drain());
	expect(exchange.book(marketId, 'PLAY')?.totalMatched).toBe(3_000);
	await expectSameVolume(exchange, follow().standby, player, marketId);
});

it('knows what the crowd traded before another standby took over', async () => {
	const first = await openExchange({ ...EXCHANGE, db: database.db });
	const [maker, crowd, player, marketId] = [2, 5, 1001, 7];
	for (const walletId of [maker, crowd, player]) {
		const quotes = walletId === player ? {} : { quotes: true as const };
		await first.submit({ kind: 'open-wallet', walletId, pool: 'PLAY', ...quotes });
		await first.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 });
	}
	await first.submit(plainMarket(marketId));
	const { standby, ended } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const bet = { marketId, runner: 0, stake: 1000, price: 210 } as const;
	await first.submit({ kind: 'place-bet', ...bet, walletId: maker, side: 0, persist: true });
	await first.submit({ kind: 'take-quotes', ...bet, walletId: crowd, side: 1 });
	// With a batch that is written.
	await first.submit({ kind: 'grant-coins', grantId: 99, walletId: player, amount: 1 });
	await caughtUp(standby);
	await first.drain();
	const exchange = await openExchange({ ...EXCHANGE, db: database.db, recovered: (await ended) ?? undefined });
	stops.push(() => exchange.drain());
	expect(exchange.book(marketId, 'PLAY')?.totalMatched).toBe(1_000);
	await expectSameVolume(exchange, follow().standby, player, marketId);
});

it('forgets the markets that the exchange forgot, so that one of them is read to be opened again', async () => {
	const first = await openExchange({ ...EXCHANGE, db: database.db });
	const [backer, layer, marketId] = [1001, 1002, 7];
	for (const walletId of [backer, layer]) {
		await first.submit({ kind: 'open-wallet', walletId, pool: 'PLAY' });
		await first.submit({ kind: 'grant-coins', grantId: walletId, walletId, amount: 1_000_000 });
	}
	await first.submit(plainMarket(marketId));
	const { standby, ended } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const bet = { kind: 'place-bet', marketId, runner: 0, stake: 1000, price: 210, persist: false } as const;
	await first.submit({ ...bet, walletId: backer, side: 0 });
	await first.submit({ ...bet, walletId: layer, side: 1 });
	await first.submit({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE'] });
	first.forgetMarkets(() => false);
	await first.submit({ kind: 'grant-coins', grantId: 99, walletId: backer, amount: 1 });
	expect(first.market(marketId)).toBeNull();
	await caughtUp(standby);
	await first.drain();
	const exchange = await openExchange({ ...EXCHANGE, db: database.db, recovered: (await ended) ?? undefined });
	stops.push(() => exchange.drain());
	expect(exchange.market(marketId)).toBeNull();
	await reopenMarket(database.db, exchange, marketId);
	expect(exchange.market(marketId)?.status).toBe('CLOSED');
	expect(exchange.openBets(backer)).toMatchObject([{ matched: 1000 }]);
});

it('takes over at once from an exchange that stops, whatever silence it would wait for', async () => {
	const day = await openDay(5);
	const { standby, ended } = follow(PATIENT_MS);
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	for (let step = 0; step < STEPS; step++) await day.step();
	const before = await lease();
	await day.exchange?.drain();
	const taken = (await ended) ?? undefined;
	expect(taken?.engine.hash()).toBe((await lease())?.digest);
	expect(taken?.epoch).toBeGreaterThan(before?.epoch ?? 0);
	expect(await lease()).toMatchObject({ released: false });
});

it('takes over by reading the tables when the exchange is silent before it has joined', async () => {
	const day = await openDay(4);
	for (let step = 0; step < STEPS; step++) await day.step();
	await day.exchange?.drain();
	const last = await lease();
	const taken = await follow(150).ended;
	expect(taken?.engine.hash()).toBe(last?.digest);
	expect(taken?.epoch).toBeGreaterThan(last?.epoch ?? 0);
	await expectCounted(taken);
});

it('takes a lease that none has held yet at once, and another standby follows', async () => {
	const standbys = [follow(), follow()];
	const first = await Promise.race(standbys.map(async (each) => ({ ...each, taken: await each.ended })));
	const exchange = await openExchange({ ...EXCHANGE, db: database.db, recovered: first.taken ?? undefined });
	stops.push(() => exchange.drain());
	const other = standbys.find(({ standby }) => standby !== first.standby)?.standby;
	await expect.poll(() => other?.position?.epoch ?? 0, { timeout: 30_000 }).toBe(first.taken?.epoch);
});

it('waits for an exchange that writes no heartbeats, because it may be idle', async () => {
	const idle = await openExchange({ ...EXCHANGE, db: database.db, commandRows: false });
	stops.push(() => idle.drain());
	const before = await lease();
	const warned = Promise.withResolvers<void>();
	const warnings = pino({ level: 'warn' }, { write: () => warned.resolve() });
	follow(150, warnings);
	await warned.promise;
	expect(await lease()).toEqual(before);
	await idle.submit({ kind: 'open-wallet', walletId: 1001, pool: 'PLAY' });
});

it('joins again when the exchange was rebuilt', async () => {
	const day = await openDay(2, 10);
	const { standby } = follow();
	for (let step = 0; step < STEPS; step++) await day.step();
	expect(day.rebuilt).toBeGreaterThan(0);
	await expect.poll(async () => standby.position?.epoch === (await lease())?.epoch, { timeout: 30_000 }).toBe(true);
});

/** Changes the rows as they are written, before any standby reads them. */
const plant = (commands: string) =>
	database.db.query(`create function plant() returns trigger language plpgsql as $$ begin
			new.commands := ${commands}; return new; end $$;
		create trigger plant before insert on batch_command for each row execute function plant()`);

it.each([
	[
		'another stake',
		`regexp_replace(new.commands, '^([[]0(,[0-9]+){7}),', '\\1,1', 'n')`,
		'place-bet: the exchange posted',
	],
	[
		'a bet that is missing',
		`regexp_replace(new.commands, '^[[]0,', '[2,', 'n')`,
		'the exchange accepted it, the standby does not',
	],
])('stops at the batch and the command when it reads %s, and leaves the exchange alone', async (_, commands, alarm) => {
	const day = await openDay(3);
	const { standby, ended } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const before = (await lease())?.epoch;
	await plant(commands);
	for (let step = 0; step < STEPS; step++) await day.step();
	await expect(ended).rejects.toThrow(new RegExp(`^Batch \\d+, command \\d+ of \\d+, .*${alarm}`));
	const { rows } = await database.db.query<{ difference: string }>('select difference from follower');
	expect(rows[0]?.difference).toContain(alarm);
	expect((await lease())?.epoch).toBe(before);
});

it('shows operators how far each standby is', async () => {
	const server = await TestServer.start(database, { commandRows: true });
	stops.push(() => server.stop());
	const { standby } = follow();
	await expect.poll(() => standby.position, { timeout: 30_000 }).not.toBeNull();
	const status = async () => (await server.operator<Status>('standby-status', {})).body.result;
	await expect.poll(async () => (await status())?.standbys[0]?.state, { timeout: 30_000 }).toBe('follows');
	const { exchange, standbys } = (await status()) ?? expect.unreachable();
	expect(exchange.writesHeartbeats).toBe(true);
	expect(standbys).toMatchObject([{ name: standby.name, difference: null }]);
	expect(standbys[0]?.batchesBehind).toBeLessThan(100);
	// One that was killed leaves its row.
	await database.db.query(
		`insert into follower (name, epoch, batch, seen_at) values ('!killed', 1, 1, clock_timestamp() - interval '11 s')`,
	);
	expect((await status())?.standbys.map(({ state }) => state)).toEqual(['silent', 'follows']);
});

it('answers nothing from memory as soon as another process may lead', async () => {
	const server = await TestServer.start(database, { commandRows: true });
	stops.push(() => server.stop());
	const { token } = await server.demoPlayer();
	let answeredAtMs = performance.now();
	const asking = (async () => {
		for (;;) {
			const { code } = await server.call('getUserOpenBets', {}, token);
			if (code !== null) return code;
			answeredAtMs = performance.now();
		}
	})();
	// A batch that is blocked on the lease's row is not confirmed, and the process cannot know that it was deposed.
	const taking = await database.db.connect();
	stops.push(async () => taking.release());
	await taking.query('begin; update lease set epoch = epoch + 1, batch = batch + 1000');
	await expect.poll(() => performance.now() - answeredAtMs).toBeGreaterThan(300);
	await taking.query('commit');
	expect(await asking).toBe('DRAINING');
});

it('rehearses its takeover without writing anything, and may write over the same connections afterwards', async () => {
	const server = await TestServer.start(database, { commandRows: true });
	stops.push(() => server.stop());
	const player = await server.demoPlayer();
	const restoredFrom = async () => {
		const { rows } = await database.db.query('select epoch, sealed_from, last_bet_id from lease');
		// The server that runs reads the hashes of its tables meanwhile.
		const ofGames = `act in ('outcomes-read', 'games-live')`;
		const journal = await database.db.query(`select max(seq) from journal where not ${ofGames}`);
		return { lease: rows, journal: journal.rows, fence: (await database.db.query('select * from journal_fence')).rows };
	};
	const before = await restoredFrom();
	const views = new DurableViews();
	const wallet = server.running.exchange.wallet(player.userId) ?? expect.unreachable();
	views.setWallet(wallet);
	const started = new AsyncDisposableStack();
	stops.push(() => started.disposeAsync());
	const stage = openReadOnly({ databaseUrl: database.url, most: 4 }, started);
	await rehearse(testConfig(database.url), stage.database, views);
	expect(await restoredFrom()).toEqual(before);
	expect(server.running.exchange.isOpen()).toBe(true);
	const { db, ledger } = stage.database;
	const write = 'update lease set heir = null';
	const all = () => [...Array.from({ length: 8 }, () => db), ledger].map((pool) => pool.query(write));
	const refused = (await Promise.allSettled(all())).map((each) => each.status === 'rejected' && each.reason.code);
	expect(new Set(refused)).toEqual(new Set(['25006']));
	await stage.allowWrites();
	await Promise.all(all());
	expect(db.totalCount).toBe(4);
});

it('keeps the command rows that a standby still needs, but for no longer than ten minutes', async () => {
	const nowMs = 1_000 * 60_000;
	const followers = new Followers({ db: database.db, log, clock: () => nowMs, onWithdrawn: async () => {} });
	stops.push(() => followers.stop());
	const minutesAgo = [11, 9, 3, 2, 0.5];
	await database.db.query(
		`insert into batch_command (batch, part, epoch, previous, digest, at, format, commands)
		 select batch, 0, 1, batch - 1, '', $1 - minutes * 60000, 1, ''
		 from unnest($2::float8[]) with ordinality as row (minutes, batch)`,
		[nowMs, minutesAgo],
	);
	await database.db.query(
		`insert into follower (name, epoch, batch, seen_at, difference) values
			('behind', 1, 2, now(), null), ('ahead', 1, 5, now(), null), ('differs', 1, 1, now(), 'Batch 2'),
			('gone', 1, 1, now() - interval '11 minutes', null)`,
	);
	const kept = async () => {
		await followers.prune();
		const { rows } = await database.db.query<{ batch: number }>('select batch from batch_command order by batch');
		return rows.map(({ batch }) => batch);
	};
	expect(await kept()).toEqual([3, 4, 5]);
	const { rows } = await database.db.query<{ name: string }>('select name from follower order by name');
	expect(rows.map(({ name }) => name)).toEqual(['ahead', 'behind', 'differs']);
	await database.db.query(`update follower set batch = 5 where name = 'behind'`);
	// The last minute stays for a standby that is about to join.
	expect(await kept()).toEqual([5]);
});

it('counts no silence in which it could not look', () => {
	const silence = new Silence(500);
	silence.sawNothing(0);
	silence.sawNothing(10);
	expect(silence.ms).toBe(10);
	// The process was stopped.
	silence.sawNothing(60_000);
	expect(silence.ms).toBeLessThan(150);
	// The database could not be reached.
	silence.restart();
	silence.sawNothing(120_000);
	expect(silence.ms).toBe(0);
});

it('reads every input as it was written', () => {
	const inputs: EngineInput[] = [
		{
			kind: 'place-bet',
			atMs: 5,
			betId: 1,
			walletId: 2,
			marketId: 3,
			runner: 0,
			side: 1,
			price: 200,
			stake: 100,
			persist: false,
		},
		{
			kind: 'place-bet',
			atMs: 5,
			betId: 2,
			walletId: 2,
			marketId: 3,
			runner: 0,
			side: 1,
			price: 200,
			stake: 100,
			persist: true,
			fillOrKill: true,
			minFill: 0,
			marketVersion: 7,
		},
		{
			kind: 'place-bet',
			atMs: 5,
			betId: 3,
			walletId: 2,
			marketId: 3,
			runner: 0,
			side: 1,
			price: 200,
			stake: 100,
			persist: true,
			terms: { postOnly: 'REPRICE', expiresAtMs: 9, selfMatch: 'LAPSE_TAKING', untilMatched: 500 },
		},
		{ kind: 'cancel-bet', atMs: 6, betId: 2, size: 3 },
		{ kind: 'set-cash-out-target', atMs: 7, walletId: 2, marketId: 3, target: null },
		{ kind: 'begin-settlement', atMs: 8, marketId: 3, results: ['WIN', 'LOSE'] },
		{ kind: 'settle-bets', atMs: 9, marketId: 3, walletId: 2, bets: [1] },
		{ kind: 'turn-in-play', atMs: 9, marketId: 3, inSteps: true },
		{ kind: 'change-bets', atMs: 9, marketId: 3, walletId: 2, bets: [1] },
		{ kind: 'change-wallets', atMs: 9, marketId: 3, wallets: [1, 2], isLast: true },
		{ kind: 'settle-wallets', atMs: 10, marketId: 3, wallets: [1, 2] },
		{ kind: 'begin-reversal', atMs: 11, marketId: 3, betCount: 2, paidSinceMs: 10, nextStep: 3, next: null },
		{
			kind: 'reverse-wallets',
			atMs: 11,
			marketId: 3,
			wallets: [{ walletId: 2, bets: [], payment: { net: -100, commission: 0 }, part: { isLast: true, exact: '-9' } }],
		},
		{ kind: 'void-reversed', atMs: 11, marketId: 3, count: 1 },
		{ kind: 'forget-market', marketId: 3 },
		{ kind: 'name-bet', betId: 2, orderRef: 'a\n"b"', strategyRef: null },
	];
	for (let format = 1; format <= COMMAND_FORMAT; format++)
		expect(decodeCommands(format, encodeCommands(inputs))).toEqual(inputs);
	expect(() => decodeCommands(COMMAND_FORMAT + 1, [])).toThrow(`format ${COMMAND_FORMAT + 1}`);
});
