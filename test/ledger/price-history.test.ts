/** What was traded by the minute: the same after a kill, told to the hub, bounded, and the volume with it. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HubMessages } from '#contract/hub-messages.ts';
import { LocalBus } from '#server/bus.ts';
import { PriceHistory } from '#server/exchange/price-history.ts';
import { CROWD_WALLETS, openCrowd } from '#server/markets/crowd.ts';
import { LAY } from '#values/sides.ts';
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
	await openCrowd(server.running.exchange, ['DEMO', 'PLAY']);
	match = await openTestMatch(server);
});
afterAll(() => server.dispose());

function historyAt(clock: () => number, bus = new LocalBus()): PriceHistory {
	const { fixtures } = server.running;
	return new PriceHistory({ db: server.database.db, bus, fixtures, log: pino({ level: 'silent' }), clock });
}
const trade = (atMs: number, price: number, stake: number, totalMatched: number) => ({
	batchSeq: 1,
	atMs,
	wallets: [],
	bets: [],
	betEvents: [],
	targets: [],
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
	await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(1);
	expect(heard[0]).toMatchObject({ marketId: match.marketId, runners: [{ runnerId: 'IND', volume: 40, price: 2.5 }] });
	await history.stop();
});
