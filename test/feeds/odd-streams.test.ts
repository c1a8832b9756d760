/** Odd streams at hand: what happened to others, each with its right value. Bets are placed before the event. */
import { join } from 'node:path';
import { pino } from 'pino';
import type * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { ProposalView } from '#server/operators/proposal-rows.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { RunningFeed } from '#server/world/feeds/feed.ts';
import { startRecordedEvents } from '#server/world/feeds/recorded/recorded-events.ts';
import { readRecordedFiles } from '#server/world/feeds/recorded/recorded-files.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { expectSound } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const STREAMS = sharedFolder('vectors/streams-odd', 'the tests that play them are skipped');
/** Seconds of a stream in one; bets are placed in the first 400 of them. */
const SPEED = 120;
/** Where a price has to be met. */
const CAREFUL_SPEED = 60;
const STAKE = 100;
const MEMBER = { name: 'checker', password: 'Correct-horse-9' };

type Today = v.InferOutput<(typeof OPERATOR_CALLS)['today']['response']>;

let server: TestServer;
let feed: RunningFeed | null = null;
let member: ConsoleClient;
beforeAll(async () => {
	server = await TestServer.start();
	const passwordHash = await hashPassword(MEMBER.password);
	await server.running.staff.directory.add(
		{ name: MEMBER.name, passwordHash, roles: ['owner'], brands: null },
		{ actor: 'test', address: null },
	);
	member = new ConsoleClient(server.url);
	await member.result('log-in', MEMBER);
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

async function play(files: readonly string[], speed = SPEED): Promise<void> {
	const log = pino({ level: 'silent' });
	const recordings = files.map((file) => join(STREAMS.path, file));
	feed = await startRecordedEvents({ ...(await feedParts(server, speed)), log, recordings });
}

/** What the player won or lost in a market and its bets came to, minor units. */
async function netOf({ userId }: Player, { id }: MarketListing): Promise<number | null> {
	const { rows } = await server.database.db.query<{ net: number }>(
		'select net from player_settlement where wallet_id = $1 and market_id = $2',
		[userId, id],
	);
	return rows[0]?.net ?? null;
}

async function findingsOf({ id }: MarketListing): Promise<string[]> {
	const { findings } = await member.result<Today>('today', {});
	return findings.filter(({ marketId }) => marketId === String(id)).map(({ words }) => words);
}

it.skipIf(!STREAMS.isPresent)(
	'more winners than places are held until the tied ones are named; a result that is taken back waits as another one',
	{ timeout: 60_000, tags: 'thorough' },
	async () => {
		await play(['1.800000001', '1.800000008', '1.800000014-bom']);
		const [places, match] = [marketOf('1.800000001'), marketOf('1.800000008')];
		const player = await server.demoPlayer();
		const bets = [places, match].map(async (market) => {
			const [first] = market.runners;
			const best = () => server.running.exchange.book(market.id, 'DEMO')?.runners[0]?.back[0]?.price;
			await expect.poll(best, { interval: 20 }).toBeGreaterThan(0);
			const bet = { marketId: String(market.id), runnerId: first?.id ?? '', side: 'BACK' as const, stake: STAKE };
			const price = (best() ?? 0) / 100;
			await server.result('placeBetV2', { ...bet, price, clientRequestId: freshRequestId() }, player.token);
			return price;
		});
		const [placePrice = 0, matchPrice = 0] = await Promise.all(bets);

		await expect
			.poll(() => findingsOf(places), { timeout: 30_000 })
			.toEqual([expect.stringContaining('more winners than places, 4 for 3')]);
		expect(server.running.exchange.market(places.id)?.status).toBe('SUSPENDED');
		expect(await netOf(player, places)).toBeNull();
		const names = places.runners.map(({ name }) => name);
		const named = { marketId: String(places.id), winners: names.slice(2, 4), tied: names.slice(0, 2) };
		await server.operator('settle', named);
		// Half of the stake wins at the full price, the other half is lost.
		expect(await netOf(player, places)).toBe(Math.round((STAKE * 100 * (placePrice - 2)) / 2));
		expect(await findingsOf(places)).toEqual([]);

		await expect.poll(() => netOf(player, match), { timeout: 30_000 }).toBe(Math.round(STAKE * 100 * (matchPrice - 1)));
		await expect
			.poll(() => findingsOf(match), { timeout: 30_000 })
			.toEqual([
				'The feed takes its result back, by which the market was paid.',
				'The feed gives another result than the one that was paid.',
			]);
		const marketId = String(match.id);
		const proposed = () => member.result<ProposalView[]>('proposals', { marketId });
		await expect.poll(async () => (await proposed()).length).toBe(1);
		const [proposal] = await proposed();
		expect(proposal).toMatchObject({ act: 'resettle', isOfFeed: true });
		expect(proposal?.preview.lines).toContainEqual(
			expect.objectContaining({ who: String(player.userId), what: 'result changes by', amount: -STAKE * matchPrice }),
		);
		await member.result('confirm', { proposalId: proposal?.proposalId });
		expect(await netOf(player, match)).toBe(-STAKE * 100);
		const { findings } = await member.result<Today>('today', {});
		for (const { findingId } of findings) await member.result('close-finding', { findingId });
		expect(await findingsOf(match)).toEqual([]);
		await expect
			.poll(() => server.running.exchange.market(marketOf('1.800000014').id)?.status, { timeout: 30_000 })
			.toBe('SETTLED');
		await expectSound(server.database.db);
	},
);

it.skipIf(!STREAMS.isPresent)('a market that is not for places is listed with one winner alone', async () => {
	const { events, remarks } = await readRecordedFiles(
		['1.800000013', '1.800000014-bom'].map((file) => join(STREAMS.path, file)),
	);
	expect(events.map(({ title }) => title)).toEqual(['Case 1.800000014']);
	expect(remarks).toEqual([expect.stringMatching(/1\.800000013.*announces 0 winners.*has one/)]);
});

it.skipIf(!STREAMS.isPresent)(
	'a factor that is corrected, and factors of a place market, settle at the right prices',
	{ tags: 'thorough', timeout: 60_000 },
	async () => {
		const played = [
			// 3.0 less 22 %, which the stream gave as 0 at first.
			{ file: '1.800000006', asked: 3, settled: 234 },
			// 1 + 0.45 × 0.98
			{ file: '1.800000012', asked: 1.45, settled: 144 },
			// 1 + 0.45 × 0.91 × 0.93 × 0.97 × 0.98, each step to the hundredth
			{ file: '1.800000019', asked: 1.45, settled: 136 },
		];
		await play(
			played.map(({ file }) => file),
			CAREFUL_SPEED,
		);
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
		await expectSound(server.database.db);
	},
);
