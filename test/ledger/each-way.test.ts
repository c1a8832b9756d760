/**
 * An each-way market on the real server: the slip shows the held money, over a restart, a settlement and its
 * correction.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import { ANSWER_FIELDS } from '#web/api/all-calls.ts';
import { fieldsIn, fromWire } from '#web/api/units.ts';
import { outcomesOf, positionOf, previewBet } from '#web/betting/position.ts';
import { expectSound } from '../support/audit.ts';
import { inside } from '../support/inside.ts';
import { freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

type Market = ResultOf<Calls['getMarketsByEventId']>['markets'][number];

const HORSES = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir'];
let server: TestServer;
let eventId: string;
let backer: Player;
let layer: Player;

beforeAll(async () => {
	server = await TestServer.start();
	const match = await openTestMatch(server);
	({ eventId } = match);
	await openMarketOf(server, match, {
		name: 'Each way',
		type: 'EACH_WAY',
		runners: HORSES.map((name, at) => ({ id: String(at + 1), name })),
		places: 3,
		eachWayDivisor: 5,
		betDelaySeconds: 0,
		rules: '',
	});
	[backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
});
afterAll(() => server.dispose());

async function market(): Promise<Market> {
	const { markets } = await server.result('getMarketsByEventId', { eventId });
	const found = markets.find(({ type }) => type === 'EACH_WAY');
	if (!found) throw new Error('The each-way market is not listed.');
	return found;
}

async function bet({ token }: Player, runner: number, side: Side, price: number, stake: number) {
	const { id } = await market();
	const runnerId = String(runner + 1);
	return await server.result(
		'placeBetV2',
		{ marketId: id, runnerId, side, price, stake, clientRequestId: freshRequestId() },
		token,
	);
}

describe('an each-way market', () => {
	it('is listed with its divisor and its places', async () => {
		expect(await market()).toMatchObject({ eachWayDivisor: 5, numberOfWinners: 3, bettingModel: 'EXCHANGE' });
	});

	it('holds the slip’s figure, bet after bet', async () => {
		const session = [
			[backer, 0, 'BACK', 11, 100],
			[layer, 0, 'LAY', 11, 150],
			[layer, 1, 'LAY', 4, 200],
			[backer, 1, 'BACK', 4, 50],
			[backer, 2, 'BACK', 3, 70],
			[layer, 0, 'BACK', 12, 30],
			[backer, 1, 'LAY', 5, 40],
		] as const;
		for (const [player, runner, side, price, stake] of session) {
			const { openBets } = inside('getUserOpenBets', await server.result('getUserOpenBets', {}, player.token));
			const answer = await server.result('getUserExpectedProfitLoss', {}, player.token);
			const profitLoss = inside('getUserExpectedProfitLoss', answer);
			const position = positionOf(
				outcomesOf(fromWire(await market(), fieldsIn(ANSWER_FIELDS.getMarketsByEventId, 'markets'))),
				openBets,
				profitLoss,
			);
			const draft = { runner, side, price: Math.round(price * 100) as Price, stake: minorOf(stake * 100) };
			const [, before = 0] = server.money(player);
			const placed = await bet(player, runner, side, price, stake);
			const taken = Math.round((placed.exposure - before) * 100);
			const { cost } = previewBet(position, draft);
			if (placed.matchedStake === 0) expect(taken).toBe(cost);
			else expect(taken).toBeLessThanOrEqual(cost);
		}
	});

	it('shows what a bet can win and lose, both parts together', async () => {
		const { openBets } = await server.result('getUserOpenBets', {}, backer.token);
		const first = openBets.find(({ price }) => price === 11);
		// 100 at 11.0: 1,000 to win and 200 for the place, at a cost of twice 100.
		expect(first).toMatchObject({ stake: 100, profit: 1200, liability: 200 });
	});

	it('is as it was after a restart', async () => {
		const before = [server.money(backer), server.money(layer)];
		await expectSound(server.database.db);
		await server.stop();
		server = await TestServer.start(server.database);
		expect([server.money(backer), server.money(layer)]).toEqual(before);
		const { eachWayDivisor } = await market();
		expect(eachWayDivisor).toBe(5);
	});

	it('is settled by an operator with winner and placed, reopened and settled again', async () => {
		const { id } = await market();
		const paid = await server.operator('settle', { marketId: id, winners: ['Birch'], placed: ['Ash', 'Elm'] });
		expect(paid.body.result).toMatchObject({ status: 'SETTLED' });
		expect((await market()).runners.map(({ status }) => status)).toEqual([
			'PLACED',
			'WINNER',
			'LOSER',
			'PLACED',
			'LOSER',
		]);
		// Ash placed: 100 × 2 less 100. Birch won: 50 × 3 and 50 × 0.6. Together 280, less 2 %.
		expect(server.money(backer)).toEqual([20_000 + 274.4, 0]);
		expect(server.money(layer)).toEqual([20_000 - 280, 0]);
		await expectSound(server.database.db);

		await server.act('reopen', { marketId: id });
		await expectSound(server.database.db);
		await server.act('settle', { marketId: id, winners: ['Ash'], placed: ['Cedar', 'Elm'] });
		// Ash won: 1,000 and 200. Birch lost twice 50. Together 1,100, less 2 %.
		expect(server.money(backer)).toEqual([20_000 + 1078, 0]);
		expect(server.money(layer)).toEqual([20_000 - 1100, 0]);
		await expectSound(server.database.db);
	});
});
