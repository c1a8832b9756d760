/** What a player can look up about his bets and his money: open bets, profit and loss, history and the cash statement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

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
	it('getUserOpenBets: success, with names, what each wins and what it risks', async () => {
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

	it('getUserOpenBets: refusal of an encoded request that is none', async () => {
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

	it('getUserExpectedProfitLoss: refusal of an id that cannot be one', async () => {
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
		await match.market.settle(0);
		const [won] = (await server.result('getUserBetHistory', {}, backer.token)).items;
		// 100 × (3 − 1) won, two per cent of it kept.
		expect(won).toMatchObject({ status: 'SETTLED', result: 'WON', profit: 200, commission: 4 });
		const [lost] = (await server.result('getUserBetHistory', {}, layer.token)).items;
		expect(lost).toMatchObject({ status: 'SETTLED', result: 'LOST', profit: -200, commission: 0 });
		expect((await server.result('getUserInfo', {}, backer.token)).balance).toBe(20_196);
		expect((await server.result('getUserInfo', {}, layer.token)).balance).toBe(19_800);
	});

	it('getUserBetHistory: success, cancelled ones are found by their status', async () => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match), token);
		await server.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
		const page = await server.result('getUserBetHistory', { status: 'CANCELLED' }, token);
		expect(page).toMatchObject({ totalCount: 1, items: [{ betId, cancelledStake: 100, result: null, profit: 0 }] });
		expect(await server.result('getUserBetHistory', { status: 'SETTLED' }, token)).toEqual({
			totalCount: 0,
			items: [],
		});
	});

	it('getUserBetHistory: refusal of a status that is none and of a page too large', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.raw('getUserBetHistory', { status: 'LUCKY' }, token)).code).toBe('VALIDATION_FAILED');
		expect((await server.raw('getUserBetHistory', { maxResultCount: 201 }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getUserBetHistory: not logged in', async () => {
		expect((await server.call('getUserBetHistory', {})).status).toBe(401);
	});
});

describe('the cash statement', () => {
	it('getTransactionHistory: success, the rows sum to the balance and each says what was left', async () => {
		const { backer, match } = await matchedBet();
		await match.market.settle(0);
		const { items } = await server.result('getTransactionHistory', {}, backer.token);
		const { balance } = await server.result('getUserInfo', {}, backer.token);
		expect(items.reduce((sum, row) => sum + row.amount, 0)).toBe(balance);
		expect(items[0]?.balanceAfter).toBe(balance);
		expect(items.at(-1)).toMatchObject({ kind: 'GRANT', amount: 20_000, balanceAfter: 20_000 });
		for (const [at, row] of items.entries()) {
			expect(row.balanceAfter - row.amount).toBe(items[at + 1]?.balanceAfter ?? 0);
		}
	});

	it('getTransactionHistory: refusal of a time that is none', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('getTransactionHistory', { from: 'yesterday' }, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getTransactionHistory: not logged in', async () => {
		expect((await server.call('getTransactionHistory', {})).status).toBe(401);
	});
});
