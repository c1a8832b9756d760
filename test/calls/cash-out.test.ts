/** Cashing out of a matched bet, at the depth that is there. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

/** A back of ₹100 at 4.70 on India, matched; and a market that now offers to be laid at `price`. */
async function position(price: number, stake = 500): Promise<{ match: TestMatch; player: Player }> {
	const match = await openTestMatch(server);
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4.7, stake: 100 }), maker.token);
	await server.result('placeBetV2', betOn(match, { price: 4.7, stake: 100 }), player.token);
	await server.result('placeBetV2', betOn(match, { price, stake }), maker.token);
	return { match, player };
}

const cashOut = (match: TestMatch, quoteVersion: string, { token }: Player, changes = {}) =>
	server.call(
		'cashOut',
		{ marketId: match.marketId, fraction: 1, quoteVersion, clientRequestId: freshRequestId(), ...changes },
		token,
	);

it('cashOutQuote: success, what is certain afterwards and the bet that makes it so (example 9)', async () => {
	const { match, player } = await position(4.1);
	const quote = await server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	// 100 × 4.7 / 4.1 = 114.63 laid: India wins 370 − 355.36, Nepal wins 114.63 − 100.
	expect(quote).toMatchObject({
		bets: [{ runnerId: 'IND', side: 'LAY', price: 4.1, stake: 114.63 }],
		runners: [
			{ runnerId: 'IND', now: 370 },
			{ runnerId: 'NEP', now: -100, after: 14.63 },
		],
		amount: 14.63,
	});
});

it('cashOutQuote: refusal without a matched bet, and in a suspended market', async () => {
	const { match, player } = await position(4.1);
	const stranger = await server.demoPlayer();
	const ask = ({ token }: Player) => server.call('cashOutQuote', { marketId: match.marketId }, token);
	expect((await ask(stranger)).code).toBe('NOTHING_TO_CASH_OUT');
	await match.market.suspend();
	expect((await ask(player)).code).toBe('MARKET_SUSPENDED');
});

it('cashOutQuote: not logged in', async () => {
	expect((await server.call('cashOutQuote', { marketId: '1' })).status).toBe(401);
});

it('cashOut: success, all outcomes level, the hedge matched; asked again it is the same cash-out', async () => {
	const { match, player } = await position(4.1);
	const { quoteVersion } = await server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	const clientRequestId = freshRequestId();
	const done = await cashOut(match, quoteVersion, player, { clientRequestId });
	expect(done.body.result).toMatchObject({
		bets: [{ side: 'LAY', matchedStake: 114.63, averagePrice: 4.1 }],
		runners: [{ profitLoss: 14.65 }, { profitLoss: 14.63 }],
		exposure: 0,
	});
	const again = await cashOut(match, quoteVersion, player, { clientRequestId });
	expect(again.body.result?.bets).toEqual(done.body.result?.bets);
	expect((await server.result('getUserOpenBets', {}, player.token)).openBets).toHaveLength(2);
});

it('cashOut: success of a half', async () => {
	const { match, player } = await position(4.1);
	const { quoteVersion } = await server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	const { body } = await cashOut(match, quoteVersion, player, { fraction: 0.5 });
	// Half of 470 between the outcomes is left.
	const [india, nepal] = body.result?.runners ?? [];
	expect((india?.profitLoss ?? 0) - (nepal?.profitLoss ?? 0)).toBeCloseTo(235, 1);
});

it('cashOut: refusal when the prices moved against the player, when the quote is old or made up, and in a thin book', async () => {
	const { match, player } = await position(4.1);
	const { quoteVersion } = await server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	const taker = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4.1, stake: 450 }), taker.token);
	expect((await cashOut(match, quoteVersion, player)).code).toBe('BOOK_TOO_THIN');
	await server.result('placeBetV2', betOn(match, { price: 4.3, stake: 500 }), taker.token).catch(() => undefined);
	const other = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 4.4, stake: 500 }), other.token);
	expect((await cashOut(match, quoteVersion, player)).code).toBe('QUOTE_MOVED');
	expect((await cashOut(match, '1000.1463', player)).code).toBe('QUOTE_MOVED');
	expect((await cashOut(match, 'made up', player)).code).toBe('QUOTE_MOVED');
	expect((await server.result('getUserOpenBets', {}, player.token)).openBets).toHaveLength(1);
});

it('cashOut: not logged in', async () => {
	const input = { marketId: '1', fraction: 1, quoteVersion: '1.1', clientRequestId: freshRequestId() };
	expect((await server.call('cashOut', input)).status).toBe(401);
});

const setTarget = (match: TestMatch, target: number | null, { token }: Player) =>
	server.call('setCashOutTarget', { marketId: match.marketId, target }, token);
const exposureOf = async ({ token }: Player) => (await server.result('getUserOpenBets', {}, token)).exposure;

it('setCashOutTarget: success, the market is cashed out as soon as so much is certain, and not before', async () => {
	const { match, player } = await position(4.6);
	expect((await setTarget(match, 14, player)).body.result).toEqual({ marketId: match.marketId, target: 14 });
	const quote = await server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	expect(quote).toMatchObject({ target: 14, amount: 2.17 });
	expect(await exposureOf(player)).toBe(100);
	const maker = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 4.1, stake: 500 }), maker.token);
	await expect.poll(() => exposureOf(player)).toBe(0);
	const after = await server.result('getUserExpectedProfitLoss', {}, player.token);
	expect(Math.min(...(after[0]?.runners ?? []).map(({ profitLoss }) => profitLoss))).toBeGreaterThanOrEqual(14);
});

it('setCashOutTarget: success, a target outlives the server and can be taken away', async () => {
	const { match, player } = await position(4.6);
	await setTarget(match, 14, player);
	await server.stop();
	server = await TestServer.start(server.database);
	const quote = async () => server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	expect((await quote()).target).toBe(14);
	expect((await setTarget(match, null, player)).body.result?.target).toBeNull();
	expect((await quote()).target).toBeNull();
});

it('setCashOutTarget: refusal without a position, of a market that is over, and of no amount', async () => {
	const { match, player } = await position(4.6);
	expect((await setTarget(match, 5, await server.demoPlayer())).code).toBe('NOTHING_TO_CASH_OUT');
	const wrong = await server.raw('setCashOutTarget', { marketId: match.marketId, target: 1.234 }, player.token);
	expect(wrong.code).toBe('VALIDATION_FAILED');
	await match.market.settle(0);
	expect((await setTarget(match, 5, player)).code).toBe('MARKET_CLOSED');
});

it('setCashOutTarget: not logged in', async () => {
	expect((await server.call('setCashOutTarget', { marketId: '1', target: 5 })).status).toBe(401);
});
