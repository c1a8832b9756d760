/** Odd streams at hand: what happened to others, each with its right value. Bets are placed before the event. */
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RunningFeed } from '#server/feeds/feed.ts';
import { startRecordedEvents } from '#server/feeds/recorded/recorded-events.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import { audit } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const STREAMS = sharedFolder('vectors/streams-odd', 'the tests that play them are skipped');
const SPEED = 60;
const STAKE = 100;

let server: TestServer;
let feed: RunningFeed | null = null;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());
afterEach(async () => {
	await feed?.stop();
	feed = null;
});

/** The market that the file tells of. */
function marketOf(file: string): MarketListing {
	const { fixtures } = server.running;
	const fixture = fixtures.all().find(({ title }) => title.startsWith(`Case ${file}`));
	const [market] = fixture ? fixtures.markets(fixture.id) : [];
	if (!market) throw new Error(`nothing of ${file} is listed`);
	return market;
}

/** Backs the first runner of the market at that price as soon as the feed offers it. */
async function back(player: Player, marketId: number, runnerId: string, price: number): Promise<void> {
	const best = () => server.running.exchange.book(marketId, 'DEMO')?.runners[0]?.back[0]?.price;
	await expect.poll(best, { interval: 20 }).toBe(Math.round(price * 100));
	const bet = { marketId: String(marketId), runnerId, side: 'BACK' as const, price, stake: STAKE };
	const placed = await server.result('placeBetV2', { ...bet, clientRequestId: freshRequestId() }, player.token);
	expect(placed.matchedStake).toBe(STAKE);
}

it.skipIf(!STREAMS.isPresent)(
	'a factor that is corrected, and factors of a place market, settle at the right prices',
	{ timeout: 60_000 },
	async () => {
		const played = [
			// 3.0 less 22 %, which the stream gave as 0 at first.
			{ file: '1.800000006', asked: 3, settled: 234 },
			// 1 + 0.45 × 0.98
			{ file: '1.800000012', asked: 1.45, settled: 144 },
			// 1 + 0.45 × 0.91 × 0.93 × 0.97 × 0.98, each step to the hundredth
			{ file: '1.800000019', asked: 1.45, settled: 136 },
		];
		const log = pino({ level: 'silent' });
		const recordings = played.map(({ file }) => join(STREAMS.path, file));
		feed = await startRecordedEvents({ ...(await feedParts(server, SPEED)), log, recordings });
		const player = await server.demoPlayer();
		const bets = played.map((one) => ({ market: marketOf(one.file), ...one }));
		await Promise.all(bets.map(({ market, asked }) => back(player, market.id, market.runners[0]?.id ?? '', asked)));
		await expect
			.poll(() => bets.map(({ market }) => server.running.exchange.market(market.id)?.status), { timeout: 40_000 })
			.toEqual(bets.map(() => 'SETTLED'));
		const { rows } = await server.database.db.query<{ marketId: number; price: number; result: string }>(
			`select market_id as "marketId", matched_value / matched as price, result from bet
			 where wallet_id = $1 and matched > 0`,
			[player.userId],
		);
		expect(new Map(rows.map(({ marketId, ...bet }) => [marketId, bet]))).toEqual(
			new Map(bets.map(({ market, settled }) => [market.id, { price: settled, result: 'WON' }])),
		);
		expect((await audit(server.database.url)).code).toBe(0);
	},
);
