/** A player's records: open bets, profit and loss, history and the cash statement. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#values/time.ts';
import { betOn, freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

/** A back of ₹100 at 3.00 on the first runner, met by another player's lay. */
async function matchedBet(): Promise<{
	backer: Player;
	layer: Player;
	match: Awaited<ReturnType<typeof openTestMatch>>;
}> {
	const match = await openTestMatch(server);
	const backer = await server.demoPlayer();
	const layer = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer.token);
	return { backer, layer, match };
}

describe('open bets', () => {
	it('getUserOpenBets: success, with names, and each bet’s profit and risk', async () => {
		const { layer, match } = await matchedBet();
		const { openBets } = await server.result('getUserOpenBets', {}, layer.token);
		expect(openBets).toMatchObject([
			{
				eventTitle: 'India v Nepal',
				marketId: match.marketId,
				runnerName: 'India',
				side: 'LAY',
				price: 3,
				averagePrice: 3,
				profit: 100,
				liability: 200,
				status: 'MATCHED',
			},
		]);
	});

	it('getUserOpenBets: refusal of a request that is not valid encoding', async () => {
		const { token } = await server.demoPlayer();
		const headers = { 'X-Enc': '1', Authorization: `Bearer ${token}` };
		const response = await fetch(`${server.url}/Bet/GetUserOpenBets?d=%%%`, { headers });
		expect(response.status).toBe(400);
	});

	it('getUserOpenBets: not logged in', async () => {
		expect((await server.call('getUserOpenBets', {})).status).toBe(401);
	});
});

describe('expected profit and loss', () => {
	it('getUserExpectedProfitLoss: success, both sides of one match mirror each other', async () => {
		const { backer, layer, match } = await matchedBet();
		const of = async ({ token }: Player) =>
			(await server.result('getUserExpectedProfitLoss', { eventId: match.eventId }, token))[0];
		expect(await of(backer)).toMatchObject({
			runners: [
				{ runnerId: 'IND', profitLoss: 200 },
				{ runnerId: 'NEP', profitLoss: -100 },
			],
			worst: -100,
		});
		expect(await of(layer)).toMatchObject({
			runners: [
				{ runnerId: 'IND', profitLoss: -200 },
				{ runnerId: 'NEP', profitLoss: 100 },
			],
			worst: -200,
		});
	});

	it('getUserExpectedProfitLoss: refusal of an invalid id', async () => {
		const { token } = await server.demoPlayer();
		const refused = await server.call('getUserExpectedProfitLoss', { eventId: 'a b' }, token);
		expect(refused.code).toBe('VALIDATION_FAILED');
	});

	it('getUserExpectedProfitLoss: not logged in', async () => {
		expect((await server.call('getUserExpectedProfitLoss', {})).status).toBe(401);
	});
});

describe('bet history', () => {
	it('getUserBetHistory: success, a settled bet with its profit and the market’s commission', async () => {
		const { backer, layer, match } = await matchedBet();
		await match.settle(0);
		const [won] = (await server.result('getUserBetHistory', {}, backer.token)).items;
		// 100 × (3 − 1) won, two per cent of it kept.
		expect(won).toMatchObject({ status: 'SETTLED', result: 'WON', profit: 200, commission: 4, isDeadHeat: false });
		expect(won).not.toHaveProperty('reduction');
		const [lost] = (await server.result('getUserBetHistory', {}, layer.token)).items;
		expect(lost).toMatchObject({ status: 'SETTLED', result: 'LOST', profit: -200, commission: 0 });
		expect((await server.result('getUserInfo', {}, backer.token)).balance).toBe(20_196);
		expect((await server.result('getUserInfo', {}, layer.token)).balance).toBe(19_800);
	});

	it.each([
		// 1.80 × 0.9 = 1.62; of half of the stake 31 is won, the other half is lost.
		['WIN', 'PRICE', 1.62, -19],
		// 1 + 0.80 × 0.9 = 1.72
		['PLACE', 'WINNINGS', 1.72, -14],
	] as const)(
		'getUserOpenBets, getUserBetHistory: success, a reduction in a %s market by the runner that left, and a dead heat',
		async (type, reduces, averagePrice, profit) => {
			const match = await openTestMatch(server);
			const runners = ['Comet', 'Star', 'Moon'].map((name, at) => ({ id: String(at + 1), name }));
			const market = await openMarketOf(server, match, { name: type, type, runners, betDelaySeconds: 0, rules: '' });
			const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
			const bet = { marketId: String(market.listing.id), runnerId: '1', price: 1.8 };
			await server.result('placeBetV2', betOn(match, { ...bet, side: 'LAY' }), layer.token);
			await server.result('placeBetV2', betOn(match, bet), backer.token);
			await market.removeRunner(1, 1000);
			const reduction = { unreducedPrice: 1.8, reduces, nonRunners: [{ runnerName: 'Star', percent: 10 }] };
			const [open] = (await server.result('getUserOpenBets', {}, backer.token)).openBets;
			expect(open).toMatchObject({ averagePrice, reduction });
			const { markets } = await server.result('getMarketsByEventId', { eventId: match.eventId });
			const fromPercent = type === 'WIN' ? 2.5 : 0;
			expect(markets.find(({ id }) => id === bet.marketId)).toMatchObject({
				reductions: { reduces, fromPercent },
				runners: [{}, { status: 'REMOVED', adjustmentFactor: 10 }, {}],
			});
			expect(markets.find(({ id }) => id === match.marketId)?.reductions).toBeUndefined();
			await market.settle({ winners: [0, 2] });
			const [lost] = (await server.result('getUserBetHistory', {}, backer.token)).items;
			expect(lost).toMatchObject({
				result: 'LOST',
				isDeadHeat: true,
				averagePrice,
				reduction,
				profit,
			});
		},
	);

	it('getUserBetHistory: success, a resting bet has the time of its match', async () => {
		const { backer, layer, match } = await matchedBet();
		await match.settle(0);
		const [taker] = (await server.result('getUserBetHistory', {}, layer.token)).items;
		const [maker] = (await server.result('getUserBetHistory', {}, backer.token)).items;
		expect(taker?.matchedAt).toBe(taker?.placedAt);
		expect(maker?.matchedAt).toBe(taker?.placedAt);
	});

	it('getUserBetHistory: success, cancelled ones are found by their status', async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match), token);
		await server.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
		const page = await server.result('getUserBetHistory', { status: 'CANCELLED' }, token);
		expect(page).toMatchObject({
			totalCount: 1,
			items: [{ betId, cancelledStake: 100, result: null, profit: 0, matchedAt: null }],
		});
		expect(await server.result('getUserBetHistory', { status: 'SETTLED' }, token)).toEqual({
			totalCount: 0,
			items: [],
		});
	});

	it('getUserBetHistory: refusal of an unknown status and of a page that is too large', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('getUserBetHistory', { status: 'LUCKY' }, token)).code).toBe('VALIDATION_FAILED');
		expect((await server.raw('getUserBetHistory', { maxResultCount: 201 }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getUserBetHistory: not logged in', async () => {
		expect((await server.call('getUserBetHistory', {})).status).toBe(401);
	});
});

describe('settled profit and loss', () => {
	it('getUserProfitLoss: success, each settled market with its sums over all and by the brand’s day', async () => {
		const { backer, layer, match } = await matchedBet();
		await match.settle(0);
		const won = await server.result('getUserProfitLoss', {}, backer.token);
		// 200 won, two per cent of it kept.
		const sums = { net: 200, commission: 4, profit: 196 };
		expect(won).toMatchObject({ totalCount: 1, markets: 1, ...sums });
		expect(won.items).toMatchObject([{ marketId: match.marketId, eventTitle: 'India v Nepal', sportId: 3, ...sums }]);
		const inIndia = new Date(Date.parse(won.items[0]?.settledAt ?? '') + 330 * 60_000);
		expect(won.days).toEqual([{ day: inIndia.toISOString().slice(0, 10), markets: 1, ...sums }]);
		const lost = await server.result('getUserProfitLoss', {}, layer.token);
		expect(lost).toMatchObject({ net: -200, commission: 0, profit: -200 });
	});

	it('getUserProfitLoss: success, the sums leave out filtered rows', async () => {
		const { backer, match } = await matchedBet();
		await match.settle(1);
		const nothing = { totalCount: 0, items: [], markets: 0, net: 0, commission: 0, profit: 0, days: [] };
		expect(await server.result('getUserProfitLoss', { sportId: 1 }, backer.token)).toEqual(nothing);
		const before = new Date(Date.now() - 60_000).toISOString();
		expect(await server.result('getUserProfitLoss', { to: before }, backer.token)).toEqual(nothing);
		expect(await server.result('getUserProfitLoss', { sportId: 3 }, backer.token)).toMatchObject({ profit: -100 });
	});

	it('getUserProfitLoss: refusal of a page that is too large', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('getUserProfitLoss', { maxResultCount: 201 }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getUserProfitLoss: not logged in', async () => {
		expect((await server.call('getUserProfitLoss', {})).status).toBe(401);
	});
});

describe('the cash statement', () => {
	it('getTransactionHistory: success, the rows sum to the balance and each has the balance after it', async () => {
		const { backer, match } = await matchedBet();
		await match.settle(0);
		const { items } = await server.result('getTransactionHistory', {}, backer.token);
		const { balance } = await server.result('getUserInfo', {}, backer.token);
		expect(items.reduce((sum, row) => sum + row.amount, 0)).toBe(balance);
		expect(items[0]?.balanceAfter).toBe(balance);
		expect(items.at(-1)).toMatchObject({ kind: 'GRANT', reference: '', amount: 20_000, balanceAfter: 20_000 });
		for (const [at, row] of items.entries()) {
			expect(row.balanceAfter - row.amount).toBe(items[at + 1]?.balanceAfter ?? 0);
		}
	});

	it('getTransactionHistory: success, three months of rows are one answer, and a shorter time has those of it', async () => {
		const { backer, match } = await matchedBet();
		await match.settle(0);
		const { items: now } = await server.result('getTransactionHistory', {}, backer.token);
		// The oldest first.
		const movedBack = (by: number) =>
			server.database.db.query(
				`update posting set at = posting.at - (3 - dated.number) * $2::bigint from (
					select batch, line, row_number() over (order by batch, line) - 1 as number from posting where wallet_id = $1
				) as dated where posting.batch = dated.batch and posting.line = dated.line`,
				[backer.userId, by],
			);
		// As if a month lay between two of them.
		await movedBack(30 * DAY_MS);
		const rowsOf = async (days: number) => {
			const from = new Date(Date.now() - days * DAY_MS).toISOString();
			const asked = { from, to: new Date(Date.now() + 400 * DAY_MS).toISOString(), maxResultCount: '200' };
			return (await server.result('getTransactionHistory', asked, backer.token)).items.map(({ id }) => id);
		};
		expect(now.length).toBeGreaterThan(2);
		expect(await rowsOf(92)).toEqual(now.map(({ id }) => id));
		expect(await rowsOf(75)).toEqual(now.slice(0, -1).map(({ id }) => id));
		// Other files find the postings as they were sealed.
		await movedBack(-30 * DAY_MS);
	});

	it('getTransactionHistory: success, credits and debits are summed over the whole filter', async () => {
		const { backer, match } = await matchedBet();
		await match.settle(1);
		const all = await server.result('getTransactionHistory', { maxResultCount: '1' }, backer.token);
		// The grant came in; the stake was held, came back, and was lost.
		expect(all).toMatchObject({ credited: 20_000, debited: 100, held: 0 });
		const held = await server.result('getTransactionHistory', { kind: 'BET_RESERVED' }, backer.token);
		expect(held).toMatchObject({ totalCount: 1, credited: 0, debited: 0, held: 100 });
	});

	it('getTransactionDetail: success, a settlement with its postings, its market and the bet behind it', async () => {
		const { backer, match } = await matchedBet();
		await match.settle(0);
		// The number of what released the stake may be that of the market.
		const moved = "update posting set ref = market_id where wallet_id = $1 and kind = 'BET_RELEASED'";
		expect((await server.database.db.query(moved, [backer.userId])).rowCount).toBe(1);
		const { items } = await server.result('getTransactionHistory', { kind: 'MARKET_SETTLED' }, backer.token);
		const row = items[0] as (typeof items)[number];
		const detail = await server.result('getTransactionDetail', { id: row.id }, backer.token);
		expect(detail).toMatchObject(row);
		expect(detail.market).toMatchObject({ eventId: match.eventId, eventTitle: expect.stringContaining(' v ') });
		expect(detail.bets).toMatchObject([{ side: 'BACK', matchedStake: 100, result: 'WON' }]);
		const cash = detail.postings.map(({ credit, debit, amount }) =>
			credit === 'CASH' ? amount : debit === 'CASH' ? -amount : 0,
		);
		expect(cash.reduce((all, amount) => all + amount, 0)).toBe(row.amount);
	});

	it('getTransactionDetail: refusal of another player’s row, an unknown row and an invalid id', async () => {
		const { backer } = await matchedBet();
		const stranger = await server.demoPlayer();
		const { items } = await server.result('getTransactionHistory', {}, backer.token);
		const id = items[0]?.id ?? '';
		for (const [token, asked, status, code] of [
			[stranger.token, id, 404, 'NOT_FOUND'],
			[backer.token, '999999999-0', 404, 'NOT_FOUND'],
			[backer.token, '1', 400, 'VALIDATION_FAILED'],
		] as const) {
			const refused = await server.call('getTransactionDetail', { id: asked }, token);
			expect([refused.status, refused.code]).toEqual([status, code]);
		}
	});

	it('getTransactionDetail: not logged in', async () => {
		expect((await server.call('getTransactionDetail', { id: '1-0' })).status).toBe(401);
	});

	it('getTransactionHistory: refusal of an invalid time', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('getTransactionHistory', { from: 'yesterday' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getTransactionHistory: not logged in', async () => {
		expect((await server.call('getTransactionHistory', {})).status).toBe(401);
	});
});
