/** The slip shows the cost that the server then holds: compared over a series of bets on a real server. */
import { beforeAll, describe, expect, it } from 'vitest';
import { minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { rangeOfPart } from '#web/betting/bet-part.ts';
import { positionOf, previewBet } from '#web/betting/position.ts';
import { inside } from '../support/inside.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	// A player to bet with: both sides of both runners, at prices that cannot meet each other.
	const maker = await server.demoPlayer();
	for (const runnerId of match.runnerIds) {
		await server.result('placeBetV2', betOn(match, { runnerId, side: 'LAY', price: 1.9, stake: 900 }), maker.token);
		await server.result('placeBetV2', betOn(match, { runnerId, side: 'BACK', price: 2.1, stake: 900 }), maker.token);
	}
});

describe('the preview of a bet', () => {
	it('shows the cost that the server holds, through a series of matched and resting bets on both sides', async () => {
		const { token } = await server.demoPlayer();
		const session = [
			{ runner: 0, side: 'BACK', price: 2.5, stake: 100 },
			{ runner: 0, side: 'LAY', price: 1.5, stake: 60 },
			{ runner: 1, side: 'BACK', price: 3.05, stake: 33.33 },
			{ runner: 1, side: 'LAY', price: 1.2, stake: 250 },
			{ runner: 0, side: 'BACK', price: 10, stake: 40 },
			{ runner: 1, side: 'BACK', price: 1.9, stake: 120 },
			{ runner: 0, side: 'LAY', price: 2.1, stake: 75 },
		] as const;
		for (const bet of session) {
			const { openBets } = inside('getUserOpenBets', await server.result('getUserOpenBets', {}, token));
			const answer = await server.result('getUserExpectedProfitLoss', {}, token);
			const profitLoss = inside('getUserExpectedProfitLoss', answer);
			const before = await server.result('getUserInfo', {}, token);
			const { cost } = previewBet(positionOf({ ...match, winners: 1 }, openBets, profitLoss), {
				runner: bet.runner,
				side: bet.side,
				price: Math.round(bet.price * 100) as Price,
				stake: minorOf(Math.round(bet.stake * 100)),
			});
			const { runner, ...terms } = bet;
			const wanted = betOn(match, { ...terms, runnerId: match.runnerIds[runner] });
			const placed = await server.result('placeBetV2', wanted, token);
			const taken = Math.round((placed.exposure - before.exposure) * 100);
			// A bet that is matched at once, perhaps at a better price, can only hold less than a resting one.
			if (placed.matchedStake === 0) expect(taken).toBe(cost);
			else expect(taken).toBeLessThanOrEqual(cost);
		}
	});

	it('names profit, risk and every outcome of a plain back and a plain lay', () => {
		const none = positionOf({ marketId: 'm', runnerIds: ['a', 'b', 'c'], winners: 1 }, [], []);
		const back = previewBet(none, { runner: 0, side: 'BACK', price: 350 as Price, stake: minorOf(10_000) });
		expect(back).toEqual({
			profit: 25_000,
			liability: 10_000,
			cost: 10_000,
			whatIf: [25_000, -10_000, -10_000],
			whatIfNone: -10_000,
		});
		const lay = previewBet(none, { runner: 1, side: 'LAY', price: 350 as Price, stake: minorOf(10_000) });
		expect(lay).toEqual({
			profit: 10_000,
			liability: 25_000,
			cost: 25_000,
			whatIf: [10_000, -25_000, 10_000],
			whatIfNone: 10_000,
		});
	});

	it('shows the same rounded liability as the list of bets and the server', async () => {
		const market = { quoting: 'ODDS', eachWay: 0 } as const;
		const none = positionOf({ ...match, winners: 1 }, [], []);
		for (const [side, price, part] of [
			['LAY', 1.02, 'unmatched'],
			['BACK', 1.9, 'matched'],
		] as const) {
			const { token } = await server.demoPlayer();
			const placed = await server.result('placeBetV2', betOn(match, { side, price, stake: 33.33 }), token);
			const [bet] = inside('getUserOpenBets', await server.result('getUserOpenBets', {}, token)).openBets;
			if (!bet) throw new Error('There is no such bet.');
			const draft = { runner: 0, side, price: Math.round(price * 100) as Price, stake: minorOf(3333) };
			const { profit, liability } = previewBet(none, draft);
			expect(rangeOfPart(bet, market, part)).toEqual({ profit, liability });
			expect(liability).toBe(Math.round(placed.exposure * 100));
		}
	});

	it('says that a hedge frees money', () => {
		const profitLoss = inside('getUserExpectedProfitLoss', [
			{
				eventId: 'e',
				marketId: 'm',
				worst: -100,
				runners: [
					{ runnerId: 'a', profitLoss: 200, exact: 2_000_000 },
					{ runnerId: 'b', profitLoss: -100, exact: -1_000_000 },
				],
			},
		]);
		const position = positionOf({ marketId: 'm', runnerIds: ['a', 'b'], winners: 1 }, [], profitLoss);
		// Laying a at 3.00 for 100 leaves nothing at risk anywhere, but while it waits it counts as if only its loss came.
		const { cost, whatIf } = previewBet(position, {
			runner: 0,
			side: 'LAY',
			price: 300 as Price,
			stake: minorOf(10_000),
		});
		expect(whatIf).toEqual([0, 0]);
		expect(cost).toBe(0);
	});
});
