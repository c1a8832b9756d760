/** Trades by the minute: the same after a kill, sent to the hub, bounded, with their volume. */
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HubMessages } from '#contract/hub-messages.ts';
import { PriceHistory } from '#server/exchange/views/price-history.ts';
import {
	pruneTradeHours,
	readTradeHours,
	type TradedBar,
	writeTradeHours,
} from '#server/exchange/views/trade-hours.ts';
import { LocalBus } from '#server/platform/bus/bus.ts';
import { CROWD_WALLETS, openCrowd } from '#server/world/markets/crowd.ts';
import { LAY } from '#values/sides.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { feedParts } from '../support/feed-parts.ts';
import { openTestMatch, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const MINUTE = 60_000;
const START = 1_700_000_040_000;

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await TestServer.start();
	await feedParts(server);
	await openCrowd(server.running.exchange);
	match = await openTestMatch(server);
});
afterAll(() => server.dispose());

function historyAt(clock: () => number, bus = new LocalBus(), speed = 1): PriceHistory {
	const { fixtures } = server.running;
	return new PriceHistory({ db: server.database.db, bus, fixtures, log: pino({ level: 'silent' }), clock, speed });
}
const trade = (atMs: number, price: number, stake: number, totalMatched: number) => ({
	batchSeq: 1,
	atMs,
	wallets: [],
	bets: [],
	betEvents: [],
	targets: [],
	triggers: [],
	workflows: [],
	settlements: [],
	postings: [],
	markets: [],
	trades: [{ marketId: 77, pool: 'DEMO' as const, runner: 0, price, stake, takerSide: 0, atMs }],
	books: [
		{
			marketId: 77,
			pool: 'DEMO' as const,
			version: 1,
			totalMatched,
			runners: [{ runner: 0, lastPriceTraded: price, totalMatched, back: [], lay: [] }],
		},
	],
});
const volume = (history: PriceHistory) => history.of(77, 'DEMO', 0).reduce((sum, { stake }) => sum + stake, 0);

it('joins the trades of a minute, and old minutes to longer stretches, without losing volume', () => {
	const history = historyAt(() => START);
	const sums: number[] = [];
	for (let minute = 0; minute < 2_000; minute++) {
		const at = START + minute * MINUTE;
		for (const seconds of [1, 59]) history.onCommitted(trade(at + seconds * 1000, 200 + (minute % 5), 1_000, 0));
		sums.push(history.of(77, 'DEMO', 0).length);
		expect(volume(history)).toBe(2_000 * (minute + 1));
	}
	expect(sums.slice(0, 3)).toEqual([1, 2, 3]);
	expect(Math.max(...sums)).toBe(180);
	const bars = history.of(77, 'DEMO', 0);
	expect(bars.map(({ atMs }) => atMs)).toEqual(bars.map(({ atMs }) => atMs).toSorted((one, other) => one - other));
	expect(bars.at(-1)).toMatchObject({ atMs: START + 1_999 * MINUTE + 1000, stake: 2_000 });
});

it('continues after a stop within the same minute as if there had been none', async () => {
	const { db } = server.database;
	await db.query(
		`insert into market_state (market_id, pools, runners, number_of_winners, commission_bp, min_stake, max_stake,
		   profit_ratio_rule, self_match, status, in_play, version, traded, terms, removed)
		 select 77, pools, runners, number_of_winners, commission_bp, min_stake, max_stake, profit_ratio_rule, self_match,
		   status, in_play, version, traded, terms, removed from market_state where market_id = $1`,
		[Number(match.marketId)],
	);
	const first = historyAt(() => START + 2_000);
	await first.open([]);
	first.onCommitted(trade(START - 10_000, 210, 500, 500));
	first.onCommitted(trade(START + 1_000, 200, 300, 800));
	await first.stop();
	const second = historyAt(() => START + 3_000);
	await second.open([]);
	expect(second.tradedIn(77)).toEqual([{ pool: 'DEMO', runner: 0, lastPriceTraded: 200, totalMatched: 800 }]);
	second.onCommitted(trade(START + 4_000, 190, 100, 900));
	expect(second.of(77, 'DEMO', 0)).toMatchObject([
		{ stake: 500 },
		{ atMs: START + 1_000, stake: 400, low: 190, high: 200, last: 190 },
	]);
	await second.stop();
	const third = historyAt(() => START + 10 * MINUTE);
	await third.open([]);
	expect(third.of(77, 'DEMO', 0)).toEqual(second.of(77, 'DEMO', 0));
	await third.stop();
	await db.query('delete from market_state where market_id = 77');
	await db.query('delete from trade_hour where market_id = 77');
});

/** Minor units; more than a runner trades in an hour. */
const TEN_CRORE = 10_000_000_000;
const bar = fc.record({
	pool: fc.constantFrom('DEMO', 'PLAY', 'REAL'),
	runner: fc.nat(40),
	atMs: fc.integer({ min: START, max: START + 60 * MINUTE }),
	last: fc.integer({ min: 101, max: 100_000 }),
	low: fc.integer({ min: 101, max: 100_000 }),
	high: fc.integer({ min: 101, max: 100_000 }),
	stake: fc.maxSafeNat().map((drawn) => drawn % TEN_CRORE),
	value: fc.maxSafeNat().map((drawn) => drawn % (TEN_CRORE * 100_000)),
	total: fc.maxSafeNat().map((drawn) => drawn % (TEN_CRORE * 100_000)),
}) satisfies fc.Arbitrary<TradedBar>;
/** Runner by runner, each in the order of time. */
const inOrder = (bars: readonly TradedBar[]) =>
	bars.toSorted((one, other) => one.pool.localeCompare(other.pool) || one.runner - other.runner);

it('reads every bar of an hour as it was written', async () => {
	const { db } = server.database;
	const hours = fc.array(bar, { maxLength: 300 }).map((bars) => bars.toSorted((one, other) => one.atMs - other.atMs));
	const check = async (bars: TradedBar[]) => {
		await writeTradeHours(db, [{ marketId: 77, hour: START, bars }]);
		const [read] = await readTradeHours(db, [77]);
		expect(read?.bars).toEqual(inOrder(bars));
	};
	await fc.assert(fc.asyncProperty(hours, check), { numRuns: 30 });
	await db.query('delete from trade_hour where market_id = 77');
});

it('takes some ten bytes for what a runner of a busy market trades in a minute', async () => {
	const { db } = server.database;
	const numbers = new SeededNumbers(1);
	const bars = Array.from({ length: 360 }, (_, at): TradedBar => {
		const [runner, minute] = [at % 6, Math.floor(at / 6)];
		const last = 200 + runner * 100 + 2 * numbers.below(10);
		const stake = 10_000 * (1 + numbers.below(300));
		const atMs = START + minute * MINUTE + numbers.below(MINUTE);
		return { pool: 'DEMO', runner, atMs, last, low: last, high: last, stake, value: stake * last, total: 0 };
	});
	await writeTradeHours(db, [{ marketId: 77, hour: START, bars }]);
	const { rows } = await db.query('select octet_length(bars) as bytes from trade_hour where market_id = 77');
	expect(rows[0].bytes / bars.length).toBeLessThan(14);
	await db.query('delete from trade_hour where market_id = 77');
});

it('writes an hour while it goes on, so that a crash takes its last five minutes at most', {
	tags: 'thorough',
}, async () => {
	const { db } = server.database;
	// A minute lasts a second.
	const history = historyAt(() => START, new LocalBus(), 60);
	await history.open([]);
	history.onCommitted(trade(START, 200, 100, 100));
	history.onCommitted(trade(START + 500, 200, 50, 150));
	const stored = async () => (await readTradeHours(db, [77])).flatMap(({ bars }) => bars.map(({ stake }) => stake));
	history.onCommitted(trade(START + 1_500, 200, 25, 175));
	await expect.poll(stored).toEqual([150, 25]);
	await history.stop();
});

it('deletes what was traded in markets that no call can name any more', async () => {
	const { db } = server.database;
	const week = 7 * 24 * 60 * MINUTE;
	const hourOf = (marketId: number, hour: number) => ({ marketId, hour, bars: [] });
	const hours = [hourOf(78, START), hourOf(79, START), hourOf(79, START - week - MINUTE)];
	await writeTradeHours(db, hours);
	await pruneTradeHours(db, START, [79, Number(match.marketId)]);
	const { rows } = await db.query(
		'select market_id::int as "marketId", hour from trade_hour where market_id in (77, 78, 79)',
	);
	expect(rows).toEqual([{ marketId: 79, hour: START }]);
	await pruneTradeHours(db, START, [Number(match.marketId)]);
});

it('the volume of the crowd outlives a restart of the server, and the hub hears of its prices', async () => {
	const { exchange } = server.running;
	const marketId = Number(match.marketId);
	const quotes = { back: [{ price: 200, size: 500_000 }], lay: [{ price: 204, size: 500_000 }] };
	await match.market.quote([quotes, quotes]);
	const order = { walletId: CROWD_WALLETS.DEMO, marketId, runner: 1, side: LAY, price: 204, stake: 120_000 } as const;
	await exchange.submit({ kind: 'take-quotes', ...order });
	expect(exchange.book(marketId, 'DEMO')?.totalMatched).toBe(120_000);
	await server.stop();
	server = await TestServer.start(server.database);
	const book = server.running.exchange.book(marketId, 'DEMO');
	expect(book?.runners[1]).toMatchObject({ lastPriceTraded: 204, totalMatched: 120_000 });
	const player = await server.demoPlayer();
	const { runners } = await server.result('getPriceHistory', { marketId: match.marketId }, player.token);
	expect(runners[1]?.points).toMatchObject([{ price: 2.04, volume: 1_200 }]);
});

it('tells subscribers the last point of what was traded', async () => {
	const bus = new LocalBus();
	const heard: HubMessages['PriceHistory'][] = [];
	const marketId = Number(match.marketId);
	bus.subscribe(`market.${marketId}.DEMO`, ({ data }) => heard.push(data as HubMessages['PriceHistory']));
	const history = historyAt(() => Date.now(), bus);
	await history.open([]);
	const made = trade(Date.now(), 250, 4_000, 4_000);
	const ofMatch = <T extends { marketId: number }>(rows: T[]) => rows.map((row) => ({ ...row, marketId }));
	history.onCommitted({ ...made, trades: ofMatch(made.trades), books: ofMatch(made.books) });
	await expect.poll(() => heard.length).toBe(1);
	expect(heard[0]).toMatchObject({ marketId: match.marketId, runners: [{ runnerId: 'IND', volume: 40, price: 2.5 }] });
	await history.stop();
});
