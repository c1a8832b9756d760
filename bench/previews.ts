/**
 * `npm run bench -- previews`: the longest turn of the event loop while the effect of a result, a void and a removal is
 * computed for a market of 100,000 matched bets, in which no bet of another market is taken. Prints one JSON line;
 * `-- --bets 1000000` for a larger market.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { Request } from '#server/exchange/exchange.ts';
import { openExchange } from '#server/exchange/open-exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { removalPreview, settlementPreview, voidPreview } from '#server/operators/result-previews.ts';
import { print, round } from './support/figures.ts';
import { writeLargeMarket } from './support/large-market.ts';
import { withCluster, withLedger } from './support/scratch.ts';

const { values } = parseArgs({ options: { bets: { type: 'string', default: '100000' } } });
const BETS = Number(values.bets);
const FIRST_WALLET = 1_000_000;
const BETS_OF_A_PLAYER = 50;
const PLAYERS = Math.round(BETS / BETS_OF_A_PLAYER);
const FUNDS = 1_000_000_000;
const MARKET = 1;
const MUST = { longestTurnMs: 25 };
const listing = { id: MARKET, name: 'Match Odds', runners: [{ name: 'India' }, { name: 'Nepal' }] } as MarketListing;

function* tables(): Generator<Request> {
	yield {
		kind: 'open-market',
		marketId: MARKET,
		pools: ['PLAY'],
		runners: 2,
		numberOfWinners: 1,
		commissionBp: 200,
		minStake: 1,
		maxStake: FUNDS,
		profitRatioRule: false,
		selfMatch: 'REFUSE',
		suspended: true,
	};
	for (let walletId = FIRST_WALLET; walletId < FIRST_WALLET + PLAYERS; walletId++) {
		yield { kind: 'open-wallet', walletId, pool: 'PLAY' };
		yield { kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS };
	}
}

/** The longest turn and the duration of some work, milliseconds. */
async function turnsOf(work: () => Promise<unknown>) {
	const turns = monitorEventLoopDelay({ resolution: 1 });
	turns.enable();
	await delay(20);
	turns.reset();
	// The first tick after a reset is not counted.
	await delay(20);
	const from = performance.now();
	await work();
	const tookMs = Math.round(performance.now() - from);
	await delay(5);
	turns.disable();
	return { longestTurnMs: round(turns.max / 1e6, 1), tookMs };
}

await withCluster(async (cluster) => {
	await withLedger(cluster, 'previews', async (db) => {
		const open = () =>
			openExchange({ db, log: pino({ level: 'silent' }), ledgerKey: 'a key for benchmarks', onCommitted: () => {} });
		const fixture = await open();
		await Promise.all([...tables()].map((request) => fixture.submit(request)));
		await fixture.drain();
		const about = { marketId: MARKET, bets: BETS, firstWallet: FIRST_WALLET, wallets: PLAYERS };
		await writeLargeMarket(db, { ...about, stake: 1_000, prices: [198, 204, 310] });
		const exchange = await open();
		const parts = { exchange, db, fixtures: { fixture: () => null } };
		const nothing = await turnsOf(() => delay(500));
		const listed = await turnsOf(async () => exchange.betsIn([MARKET]));
		const settle = await turnsOf(async () => settlementPreview(parts, listing, { results: ['WIN', 'LOSE'] }));
		const voids = await turnsOf(async () => voidPreview(parts, listing));
		const removal = await turnsOf(async () => removalPreview(parts, listing, { runner: 1, reduction: 10 }));
		await exchange.drain();
		print({ bets: BETS, players: PLAYERS, nothing, listed, settle, void: voids, removal, must: MUST });
	});
});
