/** The trading floor: figures of every match, and the bets as they come, against sums by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import type { Committed } from '#server/exchange/committed.ts';
import { BetTicker } from '#server/operators/bet-ticker.ts';
import type { Pool } from '#values/pools.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

type Match = ResultOf<'floor'>[number];
type Bets = ResultOf<'bets-taken'>;

let server: TestServer;
let match: TestMatch;
let [asha, bela]: Player[] = [];
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server, { title: 'India v Nepal' });
	[asha, bela] = [await server.demoPlayer(), await server.demoPlayer()];
});

const place = async (player: Player | undefined, changes: Record<string, unknown>, on = match) => {
	const { body } = await server.call('placeBetV2', betOn(on, changes), player?.token ?? '');
	if (!body.result) throw new Error(JSON.stringify(body.error));
	return body.result.betId;
};

it('shows what a match took in the last minute, and the largest loss of a player', async () => {
	await place(asha, { side: 'LAY', price: 3, stake: 500 });
	await place(bela, { side: 'BACK', price: 3, stake: 200 });
	const rows = await server.act<Match[]>('floor', { sport: 'cricket' });
	expect(rows.find(({ eventId }) => eventId === match.eventId)).toMatchObject({
		event: 'India v Nepal',
		open: 1,
		suspended: 0,
		matchedLastMinute: [{ currency: 'INR', amount: 200 }],
		// The layer of 200 at 3.
		largest: [{ currency: 'INR', amount: -400 }],
		house: [],
		feedAge: null,
	});
	const ofFootball = await server.act<Match[]>('floor', { sport: 'football' });
	expect(ofFootball.map(({ eventId }) => eventId)).not.toContain(match.eventId);
});

it('shows bets newest first, with those of a player, a market or a size alone, and marks large ones', async () => {
	const other = await openTestMatch(server, { sportId: 1 });
	const small = await place(asha, { price: 1.5, stake: 10 }, other);
	// A tenth of the largest stake of an exchange market, 500,000.
	await server.act('add-money', { ...(await nameOf(bela)), amount: 100_000, grantId: 1_000_000 + (bela?.userId ?? 0) });
	const large = await place(bela, { price: 1.5, stake: 50_000 }, other);
	const ids = async (asked: object) => (await server.act<Bets>('bets-taken', asked)).map(({ betId }) => betId);
	expect((await ids({})).slice(0, 2)).toEqual([large, small]);
	expect((await ids({ sport: 'football' })).slice(0, 2)).toEqual([large, small]);
	expect(await ids({ eventId: other.eventId, playerId: String(asha?.userId) })).toEqual([small]);
	expect(await ids({ marketId: other.marketId, least: 11 })).toEqual([large]);
	expect(await ids({ brand: 'no.brand' })).toEqual([]);
	const marks = (await server.act<Bets>('bets-taken', { sport: 'football' })).map(({ isLarge }) => isLarge);
	expect(marks.slice(0, 2)).toEqual([true, false]);
});

async function nameOf(player: Player | undefined): Promise<{ userName: string; host: string }> {
	const { userName } = server.running.players.user(player?.userId ?? 0);
	return { userName, host: 'localhost' };
}

describe('the sums of a minute', () => {
	it('are those of the trades of its sixty seconds, whatever pauses lie between them', () => {
		const numbers = new SeededNumbers(8);
		const ticker = new BetTicker();
		const trades: { marketId: number; pool: Pool; stake: number; atMs: number }[] = [];
		let atMs = 1_700_000_000_000;
		for (let turn = 0; turn < 500; turn++) {
			atMs += numbers.from([0, 300, 1_000, 20_000, 61_000, 200_000]);
			const pool = numbers.from(['PLAY', 'PLAY-JPY'] as const);
			const trade = { marketId: numbers.from([1, 2]), pool, stake: numbers.from([100, 250]) };
			trades.push({ ...trade, atMs });
			ticker.onCommitted({ bets: [], betEvents: [], trades: [trade], atMs } as unknown as Committed);
			const now = Math.floor(atMs / 1000);
			for (const marketId of [1, 2]) {
				const byHand = trades
					.filter((one) => one.marketId === marketId && one.pool === pool && now - Math.floor(one.atMs / 1000) < 60)
					.reduce((sum, { stake }) => sum + stake, 0);
				expect([turn, marketId, ticker.matchedLastMinute(marketId, pool, atMs)]).toEqual([turn, marketId, byHand]);
			}
		}
	});
});
