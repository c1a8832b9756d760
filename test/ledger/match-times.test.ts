/** A match has a time of its own: a bet that waited out an in-play delay was matched after it, not when it was placed. */
import { beforeAll, expect, it } from 'vitest';
import { voidBets } from '#server/operators/void-bets.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';
import { freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const DELAY_MS = 1000;
const PATIENT = { timeout: 20_000 };
let server: TestServer;
let market: FixtureMarket;
let backer: Player;
let placedAtMs: number;

beforeAll(async () => {
	server = await sharedServer();
	market = await openMarketOf(server, await openTestMatch(server), {
		name: 'Completed match',
		type: 'COMPLETED_MATCH',
		runners: [
			{ id: 'Y', name: 'Yes' },
			{ id: 'N', name: 'No' },
		],
		betDelaySeconds: DELAY_MS / 1000,
		rules: '',
	});
	await market.turnInPlay();
	backer = await server.demoPlayer();
});

async function bet({ token }: Player, side: 'BACK' | 'LAY') {
	const body = { marketId: String(market.listing.id), runnerId: 'Y', side, price: 2, stake: 100 };
	return await server.result('placeBetV2', { ...body, clientRequestId: freshRequestId() }, token);
}
const voidIn = (from: number, to: number) =>
	voidBets(server.running, {
		marketId: String(market.listing.id),
		from: new Date(from).toISOString(),
		to: new Date(to).toISOString(),
	});

it('a bet that would match in play is delayed first', async () => {
	const layer = await server.demoPlayer();
	// What meets nothing goes straight in; what would match waits out the delay.
	await bet(layer, 'LAY');
	const { status, betId, placedAt } = await bet(backer, 'BACK');
	expect(status).toBe('PENDING');
	placedAtMs = Date.parse(placedAt);
	await expect.poll(() => server.running.exchange.bet(Number(betId))?.matched, PATIENT).toBe(10_000);
});

it('the price history has it at its match time', async () => {
	const which = { marketId: String(market.listing.id), runnerId: 'Y' };
	const points = (await server.result('getPriceHistory', which, backer.token)).runners[0]?.points ?? [];
	expect(points).toHaveLength(1);
	expect(Date.parse(points[0]?.at ?? '')).toBeGreaterThanOrEqual(placedAtMs + DELAY_MS);
});

it('a period that ends before the match does not void it, although the bet was placed in it', async () => {
	await expect(voidIn(placedAtMs - 1, placedAtMs + DELAY_MS - 1)).rejects.toMatchObject({ code: 'ORDER_NOT_ACTIVE' });
});

it('a period that contains the match voids it, although the bet was placed before', async () => {
	const later = placedAtMs + 60_000;
	expect(await voidIn(placedAtMs + DELAY_MS, later)).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 100 }] });
	expect(server.running.exchange.wallet(backer.userId)).toMatchObject({ cash: 2_000_000, exposure: 0 });
});

it('a match without a time of its own counts as made when its taker was placed', async () => {
	const layer = await server.demoPlayer();
	await bet(layer, 'LAY');
	const { betId, placedAt } = await bet(backer, 'BACK');
	await expect.poll(() => server.running.exchange.bet(Number(betId))?.matched, PATIENT).toBe(10_000);
	const { db } = server.database;
	const setTime = (at: number | null) => db.query('update bet_match set at = $2 where taker_bet_id = $1', [betId, at]);
	const { rows } = await db.query<{ at: number }>('select at from bet_match where taker_bet_id = $1', [betId]);
	await setTime(null);
	const at = Date.parse(placedAt);
	expect(await voidIn(at, at)).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 100 }] });
	// Other files find the match as it was sealed.
	await setTime(rows[0]?.at ?? null);
});
