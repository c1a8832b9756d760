/** Cashing out of a matched bet, at the depth that is there. */
import { beforeAll, expect, it } from 'vitest';
import { betOn, freshRequestId, openMarketOf, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

/** A back of ₹100 at 4.70 on India, matched; and a market that now offers to be laid at `price`. */
async function position(
	price: number,
	stake = 500,
	betDelaySeconds = 0,
): Promise<{ match: TestMatch; player: Player; maker: Player }> {
	const match = await openTestMatch(server, { betDelaySeconds });
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4.7, stake: 100 }), maker.token);
	await server.result('placeBetV2', betOn(match, { price: 4.7, stake: 100 }), player.token);
	await server.result('placeBetV2', betOn(match, { price, stake, persistence: 'PERSIST' }), maker.token);
	return { match, player, maker };
}

/** The same in play, where bets wait out a delay that is long enough to look at what waits. */
async function positionInPlay(price: number) {
	const made = await position(price, 5000, 2);
	await made.match.market.turnInPlay();
	return made;
}

const cashOut = (match: TestMatch, quoteVersion: string, { token }: Player, changes = {}) =>
	server.call(
		'cashOut',
		{ marketId: match.marketId, fraction: 1, quoteVersion, clientRequestId: freshRequestId(), ...changes },
		token,
	);

it('cashOutQuote: success, the certain result and the hedge that reaches it (example 9)', async () => {
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

it('cashOut: success, the hedge levels all outcomes, and a repeated request gets the same cash-out', async () => {
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

it('cashOutQuote: success for a share, which taking it gives to the minor unit', async () => {
	for (const percent of [10, 30, 70, 100]) {
		const { match, player } = await position(4.1);
		const asked = { marketId: match.marketId, percent: String(percent) };
		const quote = await server.result('cashOutQuote', asked, player.token);
		expect(quote.percent).toBe(percent);
		expect(quote.amount).toBe(Math.min(...quote.runners.map(({ after }) => after)));
		const { body } = await cashOut(match, quote.quoteVersion, player, { fraction: percent / 100 });
		expect(body.result?.runners.map(({ profitLoss }) => profitLoss)).toEqual(quote.runners.map(({ after }) => after));
	}
	const { match, player } = await position(4.1);
	expect((await server.raw('cashOutQuote', { marketId: match.marketId, percent: '0' }, player.token)).code).toBe(
		'VALIDATION_FAILED',
	);
});

it('cashOut: success for half of the position', async () => {
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
	expect((await cashOut(match, '1000.1463.0', player)).code).toBe('QUOTE_MOVED');
	expect((await cashOut(match, 'made up', player)).code).toBe('QUOTE_MOVED');
	expect((await server.result('getUserOpenBets', {}, player.token)).openBets).toHaveLength(1);
});

it('cashOut: not logged in', async () => {
	const input = { marketId: '1', fraction: 1, quoteVersion: '1.1.0', clientRequestId: freshRequestId() };
	expect((await server.call('cashOut', input)).status).toBe(401);
});

/** A player bought 100 at 5.5 of the points in the match, and more is bought and sold at what `lay` and `back` place. */
async function bought(): Promise<{
	match: TestMatch;
	player: Player;
	bet: (side: string, price: number, stake: number) => Promise<void>;
}> {
	const match = await openTestMatch(server);
	const market = await openMarketOf(server, match, {
		name: 'Total points line',
		type: 'LINE',
		runners: [{ id: 'PTS', name: 'Points' }],
		lineRange: { min: 150, max: 950, interval: 50 },
		betDelaySeconds: 0,
		rules: '',
	});
	const of = { ...match, marketId: String(market.listing.id), runnerIds: ['PTS', 'PTS'] as const };
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	const bet = async (side: string, price: number, stake: number) => {
		await server.result('placeBetV2', betOn(of, { side, price, stake }), maker.token);
	};
	await bet('BACK', 5.5, 100);
	await server.result('placeBetV2', betOn(of, { side: 'LAY', price: 5.5, stake: 100 }), player.token);
	return { match: of, player, bet };
}
const quoteFor = ({ marketId }: TestMatch, { token }: Player) => server.result('cashOutQuote', { marketId }, token);

it('cashOut: success on a line that rose: no loss is possible, and a number between the lines wins twice', async () => {
	const { match, player, bet } = await bought();
	await bet('LAY', 7.5, 300);
	const quote = await quoteFor(match, player);
	expect(quote).toMatchObject({
		amount: 0,
		unavailable: null,
		bets: [{ runnerId: 'PTS', side: 'BACK', price: 7.5, stake: 100 }],
	});
	const after = new Map(quote.runners.map((line) => [line.runnerId, line.after]));
	expect([after.get('5'), after.get('5.5'), after.get('7'), after.get('7.5')]).toEqual([0, 200, 200, 0]);
	const done = await cashOut(match, quote.quoteVersion, player);
	expect(done.body.result).toMatchObject({ bets: [{ matchedStake: 100, averagePrice: 7.5 }], exposure: 0 });
	expect((await server.call('cashOutQuote', { marketId: match.marketId }, player.token)).code).toBe(
		'NOTHING_TO_CASH_OUT',
	);
});

it('cashOut: success for half of a position on lines, the rest stays at risk', async () => {
	const { match, player, bet } = await bought();
	await bet('LAY', 5.5, 300);
	const { body } = await cashOut(match, (await quoteFor(match, player)).quoteVersion, player, { fraction: 0.5 });
	expect(body.result).toMatchObject({ bets: [{ matchedStake: 50 }], exposure: 50 });
});

it('cashOut: refusal on a line below the quoted one, and on one below the bought line', async () => {
	const { match, player, bet } = await bought();
	await bet('LAY', 7.5, 100);
	const { quoteVersion } = await quoteFor(match, player);
	const other = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 7.5, stake: 100 }), other.token);
	await bet('LAY', 6.5, 100);
	expect((await cashOut(match, quoteVersion, player)).code).toBe('QUOTE_MOVED');
	await server.result('placeBetV2', betOn(match, { price: 6.5, stake: 100 }), other.token);
	await bet('LAY', 4.5, 100);
	// Sold there, a five would lose both.
	const quote = await quoteFor(match, player);
	expect(quote).toMatchObject({ amount: null, unavailable: 'CASH_OUT_TOO_DEAR', bets: [] });
	expect((await cashOut(match, quote.quoteVersion, player)).code).toBe('CASH_OUT_TOO_DEAR');
});

it('setCashOutTarget: success on a line, reached as soon as no loss is possible', async () => {
	const { match, player, bet } = await bought();
	await setTarget(match, 0, player);
	await bet('LAY', 4.5, 100);
	expect(await quoteFor(match, player)).toMatchObject({ target: 0, unavailable: 'CASH_OUT_TOO_DEAR' });
	await bet('LAY', 5.5, 100);
	await expect.poll(() => exposureOf(player)).toBe(0);
});

it('cashOut: success each way, the certain result rises whether the runner wins, is placed or loses', async () => {
	const match = await openTestMatch(server);
	const market = await openMarketOf(server, match, {
		name: 'Each way',
		type: 'EACH_WAY',
		runners: ['A', 'B', 'C', 'D'].map((id) => ({ id, name: `Horse ${id}` })),
		places: 2,
		eachWayDivisor: 5,
		betDelaySeconds: 0,
		rules: '',
	});
	const of = { ...match, marketId: String(market.listing.id), runnerIds: ['A', 'B'] as const };
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(of, { side: 'LAY', price: 11, stake: 10 }), maker.token);
	await server.result('placeBetV2', betOn(of, { price: 11, stake: 10 }), player.token);
	await server.result('placeBetV2', betOn(of, { price: 6, stake: 100 }), maker.token);
	const quote = await quoteFor(of, player);
	// 10 at 11.0 wins 120, 10 for a place, or loses 20; 15 laid at 6.0 cost 90, nothing for a place, or win 30.
	expect(quote).toMatchObject({ amount: 10, bets: [{ runnerId: 'A', side: 'LAY', price: 6, stake: 15 }] });
	expect((await cashOut(of, quote.quoteVersion, player)).body.result).toMatchObject({ exposure: 0 });
	await market.settle({ winners: [0], placed: [1] });
	// 120 less 90, and two per cent of it.
	await expect.poll(async () => (await server.result('getUserOpenBets', {}, player.token)).balance).toBe(20_000 + 29.4);
});

const setTarget = (match: TestMatch, target: number | null, { token }: Player) =>
	server.call('setCashOutTarget', { marketId: match.marketId, target }, token);
const exposureOf = async ({ token }: Player) => (await server.result('getUserOpenBets', {}, token)).exposure;

it('setCashOutTarget: success, the market is cashed out when the target is reached, and not before', async () => {
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

it('setCashOutTarget: success, a target outlives a restart and can be removed', async () => {
	const { match, player } = await position(4.6);
	await setTarget(match, 14, player);
	server = await restartShared();
	const quote = async () => server.result('cashOutQuote', { marketId: match.marketId }, player.token);
	expect((await quote()).target).toBe(14);
	expect((await setTarget(match, null, player)).body.result?.target).toBeNull();
	expect((await quote()).target).toBeNull();
});

it('setCashOutTarget: refusal without a position, in an ended market, and without an amount', async () => {
	const { match, player } = await position(4.6);
	expect((await setTarget(match, 5, await server.demoPlayer())).code).toBe('NOTHING_TO_CASH_OUT');
	const wrong = await server.raw('setCashOutTarget', { marketId: match.marketId, target: 1.234 }, player.token);
	expect(wrong.code).toBe('VALIDATION_FAILED');
	await match.settle(0);
	expect((await setTarget(match, 5, player)).code).toBe('MARKET_CLOSED');
});

it('getCashOutTarget: success, of a suspended market, where it can be removed, too', async () => {
	const { match, player } = await position(4.6);
	const { marketId } = match;
	const target = async ({ token }: Player) => (await server.result('getCashOutTarget', { marketId }, token)).target;
	expect(await target(player)).toBeNull();
	await setTarget(match, 14, player);
	await match.market.suspend();
	expect([await target(player), await target(await server.demoPlayer())]).toEqual([14, null]);
	await setTarget(match, null, player);
	expect(await target(player)).toBeNull();
});

it('getCashOutTarget: refusal of an unknown market', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.call('getCashOutTarget', { marketId: '999999' }, token)).code).toBe('UNKNOWN_MARKET');
});

it('getCashOutTarget: not logged in', async () => {
	expect((await server.call('getCashOutTarget', { marketId: '1' })).status).toBe(401);
});

it('setCashOutTarget: not logged in', async () => {
	expect((await server.call('setCashOutTarget', { marketId: '1', target: 5 })).status).toBe(401);
});

const openBetsOf = async ({ token }: Player) => (await server.result('getUserOpenBets', {}, token)).openBets;
/** The player's net by runner, of matched bets. */
const netsOf = async ({ token }: Player) => {
	const [market] = await server.result('getUserExpectedProfitLoss', {}, token);
	return (market?.runners ?? []).map(({ profitLoss }) => profitLoss);
};
/** Of 100 backed at 4.7, cashed out once at 4.1. */
const ONCE = [14.65, 14.63];

it('cashOut: success for exactly one of six parallel requests on one quote', async () => {
	const { match, player } = await position(4.1, 5000);
	const { quoteVersion } = await quoteFor(match, player);
	const answers = await Promise.all(Array.from({ length: 6 }, () => cashOut(match, quoteVersion, player)));
	expect(answers.map(({ code }) => code ?? 'done').sort()).toEqual([
		...Array.from({ length: 5 }, () => 'NOTHING_TO_CASH_OUT'),
		'done',
	]);
	expect(await netsOf(player)).toEqual(ONCE);
	expect(await openBetsOf(player)).toHaveLength(2);
});

it('cashOut: success once for a call that is repeated six times in parallel, which all get its answer', async () => {
	const { match, player } = await position(4.1, 5000);
	const { quoteVersion } = await quoteFor(match, player);
	const clientRequestId = freshRequestId();
	const answers = await Promise.all(
		Array.from({ length: 6 }, () => cashOut(match, quoteVersion, player, { clientRequestId })),
	);
	expect(new Set(answers.map(({ body }) => JSON.stringify(body.result?.bets))).size).toBe(1);
	expect(await netsOf(player)).toEqual(ONCE);
});

it('cashOut: success for halves, each hedging half of the remaining position', async () => {
	const { match, player } = await position(4.1, 5000);
	const spread = async () => {
		const [india = 0, nepal = 0] = await netsOf(player);
		return india - nepal;
	};
	for (const left of [235, 117.5, 58.75]) {
		const { quoteVersion } = await quoteFor(match, player);
		expect((await cashOut(match, quoteVersion, player, { fraction: 0.5 })).code).toBeNull();
		expect(await spread()).toBeCloseTo(left, 1);
	}
});

it('cashOut: success once in play, refusal while its hedge is delayed, and nothing is left after it', async () => {
	const { match, player } = await positionInPlay(4.1);
	const { quoteVersion } = await quoteFor(match, player);
	const first = await cashOut(match, quoteVersion, player);
	expect(first.body.result?.bets).toMatchObject([{ matchedStake: 0, delayUntil: expect.any(String) }]);
	expect(await quoteFor(match, player)).toMatchObject({ amount: null, unavailable: 'CASH_OUT_IN_FLIGHT', bets: [] });
	for (let press = 0; press < 2; press++) {
		expect((await cashOut(match, quoteVersion, player)).code).toBe('CASH_OUT_IN_FLIGHT');
	}
	await expect.poll(() => netsOf(player)).toEqual(ONCE);
	expect((await cashOut(match, quoteVersion, player)).code).toMatch(/NOTHING_TO_CASH_OUT|QUOTE_MOVED/);
	expect(await openBetsOf(player)).toHaveLength(2);
});

it('setCashOutTarget: success beside a cash-out, the position is hedged once', async () => {
	const { match, player } = await position(4.1, 5000);
	const { quoteVersion } = await quoteFor(match, player);
	await Promise.all([setTarget(match, 10, player), cashOut(match, quoteVersion, player), setTarget(match, 11, player)]);
	await expect.poll(() => netsOf(player)).toEqual(ONCE);
	await expect.poll(() => targetRows(match)).toBe(0);
	expect(await openBetsOf(player)).toHaveLength(2);
});

/** Rows of targets in the market. */
const targetRows = async ({ marketId }: TestMatch) =>
	(await server.database.db.query('select 1 from auto_cash_out where market_id = $1', [marketId])).rowCount;

it('setCashOutTarget: success of five in parallel, one is reached and the position is hedged once', async () => {
	const { match, player } = await positionInPlay(4.1);
	await Promise.all([10, 11, 12, 13, 14].map((target) => setTarget(match, target, player)));
	await expect.poll(() => netsOf(player)).toEqual(ONCE);
	await expect.poll(() => targetRows(match)).toBe(0);
	expect(await openBetsOf(player)).toHaveLength(2);
});

it('setCashOutTarget: success again while the hedge is delayed in play, the position is hedged once', {
	tags: 'thorough',
}, async () => {
	const { match, player } = await positionInPlay(4.1);
	await setTarget(match, 10, player);
	await expect.poll(async () => (await openBetsOf(player)).length).toBe(2);
	// The first target went in the commit that placed its hedge.
	expect(await targetRows(match)).toBe(0);
	for (const target of [11, 12]) expect((await setTarget(match, target, player)).body.result?.target).toBe(target);
	await expect.poll(() => netsOf(player)).toEqual(ONCE);
	await expect.poll(() => targetRows(match)).toBe(0);
	expect(await openBetsOf(player)).toHaveLength(2);
});

it('setCashOutTarget: success, a target is restored when its hedge lapses, unless the player removed it', async () => {
	const { match, player } = await positionInPlay(4.1);
	const targetOf = async () => (await quoteFor(match, player)).target;
	const triggered = () => expect.poll(async () => (await openBetsOf(player)).length).toBe(2);
	await setTarget(match, 10, player);
	await triggered();
	await match.market.suspend();
	await expect.poll(() => targetRows(match)).toBe(1);
	await match.market.resume();
	// What was offered is there still: the target is reached again.
	await triggered();
	expect((await setTarget(match, null, player)).body.result?.target).toBeNull();
	await match.market.suspend();
	await match.market.resume();
	expect(await targetOf()).toBeNull();
	expect(await netsOf(player)).toEqual([370, -100]);
});

it('cashOutQuote: success without the player’s own resting bets, and names those that cashing out cancels', async () => {
	const { match, player, maker } = await position(4.1, 5000);
	const own = await server.result('placeBetV2', betOn(match, { price: 4, stake: 500 }), player.token);
	const far = await server.result('placeBetV2', betOn(match, { price: 50, stake: 20 }), player.token);
	const quote = await quoteFor(match, player);
	expect(quote).toMatchObject({ amount: 14.63, bets: [{ price: 4.1, stake: 114.63 }] });
	expect(quote.cancels).toEqual([{ betId: own.betId, stake: 500 }]);
	const done = await cashOut(match, quote.quoteVersion, player);
	expect(done.body.result).toMatchObject({ bets: [{ matchedStake: 114.63, averagePrice: 4.1 }], cancelledStake: 500 });
	const waiting = (await openBetsOf(player)).filter(({ remainingStake }) => remainingStake > 0);
	expect(waiting.map(({ betId }) => betId)).toEqual([far.betId]);
	// The other player’s bets stay, less what was taken.
	expect((await openBetsOf(maker)).map(({ remainingStake }) => remainingStake)).toEqual([4_885.37, 0]);
});

it('cashOut: refusal when more of the player’s own bets would be cancelled than the quote named', async () => {
	const { match, player } = await position(4.1, 5000);
	const { quoteVersion } = await quoteFor(match, player);
	await server.result('placeBetV2', betOn(match, { price: 4, stake: 500 }), player.token);
	const refused = await cashOut(match, quoteVersion, player);
	expect(refused.code).toBe('QUOTE_MOVED');
	expect(refused.body.error?.details).toEqual({ amount: 14.63 });
	expect(await netsOf(player)).toEqual([370, -100]);
});

it('cashOut: success with a hedge below the smallest stake of the market, as quoted', async () => {
	const match = await openTestMatch(server);
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 10 }), maker.token);
	await server.result('placeBetV2', betOn(match, { price: 4, stake: 10 }), player.token);
	await server.result('placeBetV2', betOn(match, { price: 8, stake: 100 }), maker.token);
	const quote = await quoteFor(match, player);
	// 10 × 4 / 8 = 5, and ten is the smallest stake.
	expect(quote).toMatchObject({ amount: -5, bets: [{ stake: 5 }] });
	expect((await cashOut(match, quote.quoteVersion, player)).body.result?.bets).toMatchObject([{ matchedStake: 5 }]);
	expect(await netsOf(player)).toEqual([-5, -5]);
});

it('cashOutQuote: success with the reason in place of an amount, where the hedge would exceed the largest stake', async () => {
	const match = await openTestMatch(server);
	const market = await openMarketOf(server, match, {
		name: 'To win the toss',
		type: 'MATCH_ODDS',
		runners: match.runnerIds.map((id) => ({ id, name: id })),
		betDelaySeconds: 0,
		maxStake: 10_000,
		rules: '',
	});
	const of = { ...match, marketId: String(market.listing.id) };
	const [maker, player] = [await server.demoPlayer(), await server.demoPlayer()];
	for (let bet = 0; bet < 2; bet++) {
		await server.result('placeBetV2', betOn(of, { side: 'LAY', price: 4, stake: 80 }), maker.token);
		await server.result('placeBetV2', betOn(of, { price: 4, stake: 80 }), player.token);
		await server.result('placeBetV2', betOn(of, { price: 4.1, stake: 80 }), maker.token);
	}
	const quote = await quoteFor(of, player);
	expect(quote).toMatchObject({ amount: null, unavailable: 'STAKE_TOO_LARGE', bets: [] });
	expect((await cashOut(of, quote.quoteVersion, player)).code).toBe('STAKE_TOO_LARGE');
});
