/** Paid markets put right from the ledger: settled again, or with single bets taken out; across restarts, audit holds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reopenMarket } from '#server/operators/reopen-market.ts';
import { voidBets } from '#server/operators/void-bets.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
let backer: Player;
let layer: Player;
let second: Player;
const START = 20_000;

beforeAll(async () => {
	server = await TestServer.start();
	[backer, layer, second] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
});
afterAll(() => server.dispose());

/** The first player backs 100 at 3, the third 50; the second lays both. */
async function betAndSettle(winner: number): Promise<void> {
	match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 150 }), layer.token);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 50 }), second.token);
	await match.settle(winner);
}
const id = () => Number(match.marketId);
const parts = () => server.running;
const reopen = () => reopenMarket(server.database.db, server.running.exchange, id());
const settle = (winner: number) =>
	server.running.exchange.submit({
		kind: 'settle-market',
		marketId: id(),
		results: [0, 1].map((runner) => (runner === winner ? 'WIN' : 'LOSE')),
	});

/** Changes of cash and exposure in rupees, whole minor units. */
async function gains(before: number[][]): Promise<number[][]> {
	const now = await balances();
	return now.map((amounts, player) =>
		amounts.map((amount, at) => Math.round((amount - (before[player]?.[at] ?? 0)) * 100) / 100),
	);
}
const balances = async () => [backer, layer, second].map((player) => server.money(player));
async function restart(): Promise<void> {
	await server.stop();
	server = await TestServer.start(server.database);
}

it('a wrong result is reversed and the right one settled, with a restart between', async () => {
	const before = await balances();
	expect(before[0]).toEqual([START, 0]);
	await betAndSettle(0);
	// 200 less 2 % for the first, 100 less 2 % for the third.
	expect(await gains(before)).toEqual([
		[196, 0],
		[-300, 0],
		[98, 0],
	]);
	await reopen();
	expect(await gains(before)).toEqual([
		[-100, 100],
		[-300, 300],
		[-50, 50],
	]);
	await expectSound(server.database.db);
	await restart();
	expect((await server.result('getUserOpenBets', {}, backer.token)).openBets).toHaveLength(1);
	await settle(1);
	expect(await gains(before)).toEqual([
		[-100, 0],
		[147, 0],
		[-50, 0],
	]);
	await expectSound(server.database.db);
	await restart();
});

it('a bet is voided after its market was settled; the others are settled as before', async () => {
	const before = await balances();
	await betAndSettle(0);
	const { items } = await server.result('getUserBetHistory', { maxResultCount: 1, skipCount: 0 }, backer.token);
	const voided = await voidBets(parts(), { marketId: match.marketId, betId: items[0]?.betId ?? '' });
	expect(voided).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 100 }] });
	expect(await gains(before)).toEqual([
		[0, 0],
		[-100, 0],
		[98, 0],
	]);
	const { items: after } = await server.result('getUserBetHistory', { maxResultCount: 1, skipCount: 0 }, backer.token);
	expect(after[0]).toMatchObject({ status: 'VOIDED', voidedStake: 100 });
	await expectSound(server.database.db);
	await restart();
});

it('a resting bet whose matches are void is as it was after a restart', async () => {
	const before = await balances();
	match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 40 }), layer.token);
	await voidBets(parts(), { marketId: match.marketId, runner: 'India' });
	const waits = [
		[-60, 60],
		[0, 0],
		[0, 0],
	];
	expect(await gains(before)).toEqual(waits);
	await restart();
	expect(await gains(before)).toEqual(waits);
	const { openBets } = await server.result('getUserOpenBets', {}, backer.token);
	expect(openBets[0]).toMatchObject({ matchedStake: 0, remainingStake: 60, averagePrice: null });
	await expectSound(server.database.db);
});

it('a bet is voided although a runner was removed since, in an open and in a settled market', async () => {
	const before = await balances();
	match = await openTestMatch(server);
	const market = await openMarketOf(server, match, {
		name: 'Win',
		type: 'WIN',
		runners: ['A', 'B', 'C'].map((id) => ({ id, name: `Horse ${id}` })),
		betDelaySeconds: 0,
		rules: '',
	});
	const race = { ...match, marketId: String(market.listing.id), runnerIds: ['A', 'B'] as const };
	const bet = (side: string, runnerId: string, stake: number, { token }: Player) =>
		server.result('placeBetV2', betOn(race, { side, runnerId, price: 3, stake, persistence: 'PERSIST' }), token);
	await bet('LAY', 'A', 150, layer);
	await bet('BACK', 'A', 100, backer);
	const { betId } = await bet('BACK', 'A', 50, second);
	await bet('LAY', 'C', 100, layer);
	const gone = await bet('BACK', 'C', 100, backer);
	await market.removeRunner(2, 1000);
	// 3.0 is 2.7 now: 150 × 1.7.
	expect((await gains(before))[1]).toEqual([-255, 255]);
	const voidOne = (id: string) => voidBets(parts(), { marketId: race.marketId, betId: id });
	await expect(voidOne(gone.betId)).rejects.toMatchObject({ code: 'ORDER_NOT_ACTIVE' });
	expect(await voidOne(betId)).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 50 }] });
	expect(await gains(before)).toEqual([
		[-100, 100],
		[-170, 170],
		[0, 0],
	]);
	await restart();
	const again = await bet('BACK', 'A', 20, second);
	await bet('LAY', 'A', 20, layer);
	const marketId = Number(race.marketId);
	const results = ['WIN', 'LOSE', 'LOSE'] as const;
	await server.running.exchange.submit({ kind: 'settle-market', marketId, results });
	const rest = { marketId: race.marketId, betId: again.betId };
	expect(await voidBets(parts(), rest)).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 20 }] });
	// 170 less 2 %.
	expect(await gains(before)).toEqual([
		[166.6, 0],
		[-170, 0],
		[0, 0],
	]);
	const { items } = await server.result('getUserBetHistory', { maxResultCount: 9, skipCount: 0 }, backer.token);
	const reduced = items.find(({ marketId, runnerId }) => marketId === race.marketId && runnerId === 'A');
	expect(await voidOne(reduced?.betId ?? '')).toEqual({ matches: 1, stake: [{ currency: 'INR', amount: 100 }] });
	expect(await gains(before)).toEqual([
		[0, 0],
		[0, 0],
		[0, 0],
	]);
	await expectSound(server.database.db);
});

it('many matches of one bet are void some at a time, before the settlement, and after it by a walk', async () => {
	const before = await balances();
	match = await openTestMatch(server);
	const market = await openMarketOf(server, match, {
		name: 'Win',
		type: 'WIN',
		runners: ['A', 'B', 'C'].map((id) => ({ id, name: `Horse ${id}` })),
		betDelaySeconds: 0,
		rules: '',
	});
	const marketId = market.listing.id;
	const { exchange } = server.running;
	const matchCount = exchange.mostBetsAtOnce + 20;
	const bet = ({ userId }: Player, side: 0 | 1, stake: number) =>
		exchange.submit({
			kind: 'place-bet',
			walletId: userId,
			marketId,
			runner: 0,
			side,
			price: 300,
			stake,
			persist: true,
		});
	const placeMany = async () => {
		await bet(layer, 1, matchCount * 1_000);
		await Promise.all(Array.from({ length: matchCount }, () => bet(backer, 0, 1_000)));
	};
	await placeMany();
	await bet(layer, 1, 5_000);
	await bet(second, 0, 5_000);
	const which = { marketId: String(marketId), runner: 'Horse A', to: new Date(Date.now() + 60_000).toISOString() };
	const { batch } = exchange.figures();
	expect(await voidBets(parts(), which)).toEqual({
		matches: matchCount + 1,
		stake: [{ currency: 'INR', amount: matchCount * 10 + 50 }],
	});
	expect(exchange.figures().batch - batch).toBeGreaterThanOrEqual(2);
	expect(await gains(before)).toEqual(before.map(() => [0, 0]));
	await placeMany();
	await bet(layer, 1, 5_000);
	await bet(second, 0, 5_000);
	await exchange.submit({ kind: 'settle-market', marketId, results: ['WIN', 'LOSE', 'LOSE'] });
	const others = await server.database.db.query<{ betId: string }>(
		'select bet_id::text as "betId" from bet where market_id = $1 and wallet_id = $2 and result is not null and matched > 0',
		[marketId, backer.userId],
	);
	expect(others.rows).toHaveLength(matchCount);
	expect(await voidBets(parts(), { ...which, betIds: others.rows.map(({ betId }) => betId) })).toMatchObject({
		matches: matchCount,
	});
	expect(exchange.market(marketId)).toMatchObject({ status: 'SETTLED', reversing: null });
	// 100 less 2 %.
	expect(await gains(before)).toEqual([
		[0, 0],
		[-100, 0],
		[98, 0],
	]);
	await expectSound(server.database.db);
});

it('a removal without a reduction and fewer places than announced survive restarts and reopenings', {
	tags: 'thorough',
}, async () => {
	const before = await balances();
	match = await openTestMatch(server);
	const listed = async (type: string, places: object) => {
		const runners = ['A', 'B', 'C', 'D'].map((id) => ({ id, name: `Runner ${id}` }));
		return await openMarketOf(server, match, { name: type, type, runners, ...places, betDelaySeconds: 0, rules: '' });
	};
	const [odds, place] = [await listed('MATCH_ODDS', {}), await listed('PLACE', { places: 2 })];
	for (const { listing } of [odds, place]) {
		const of = { ...match, marketId: String(listing.id) };
		for (const runnerId of ['A', 'B']) {
			const bet = (side: string, { token }: Player) =>
				server.result('placeBetV2', betOn(of, { side, runnerId, price: 3, stake: 100 }), token);
			await bet('LAY', layer);
			await bet('BACK', backer);
		}
	}
	await odds.removeRunner(1, 1000);
	await restart();
	const winner = { winners: ['Runner A'], placed: [], tied: [], void: [] };
	const paid = async (market: typeof odds, places: object) =>
		(await server.operator('settle', { marketId: String(market.listing.id), ...winner, ...places })).code;
	expect(await paid(place, {})).toBe('INCOMPLETE_RESULT');
	expect([await paid(odds, {}), await paid(place, { places: 1 })]).toEqual([null, null]);
	// Of the match only A counts: 200 less 2 %. Of the places A wins 200 and B loses 100: 100 less 2 %.
	const paidOnce = [
		[196 + 98, 0],
		[-300, 0],
		[0, 0],
	];
	expect(await gains(before)).toEqual(paidOnce);
	await restart();
	for (const [market, places] of [
		[odds, {}],
		[place, { places: 1 }],
	] as const) {
		await reopenMarket(server.database.db, server.running.exchange, market.listing.id);
		await restart();
		expect(await paid(market, places)).toBe(null);
	}
	expect(await gains(before)).toEqual(paidOnce);
	await expectSound(server.database.db);
});

it('is refused for a market that is not settled', async () => {
	match = await openTestMatch(server);
	await expect(reopen()).rejects.toMatchObject({ code: 'WRONG_MARKET_STATE' });
	await expect(voidBets(parts(), { marketId: match.marketId })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
	await expect(voidBets(parts(), { marketId: match.marketId, runner: 'India' })).rejects.toMatchObject({
		code: 'ORDER_NOT_ACTIVE',
	});
});
