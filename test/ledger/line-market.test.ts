/**
 * A market of lines on the real server: bought and sold, over a restart, a payment, its repair and voided matches.
 *
 * @module-tag thorough
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { minorOf } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { ANSWER_FIELDS } from '#web/api/all-calls.ts';
import { fieldsIn, fromWire } from '#web/api/units.ts';
import { outcomesOf, positionOf, previewBet } from '#web/betting/position.ts';
import { expectSound } from '../support/audit.ts';
import { inside } from '../support/inside.ts';
import { freshRequestId, openMarketOf, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

type Market = ResultOf<Calls['getMarketsByEventId']>['markets'][number];

let server: TestServer;
let eventId: string;
let buyer: Player;
let seller: Player;

beforeAll(async () => {
	server = await TestServer.start();
	const match = await openTestMatch(server);
	({ eventId } = match);
	await openMarketOf(server, match, {
		name: 'Runs in the match',
		type: 'LINE',
		runners: [{ id: '1', name: 'Runs' }],
		lineRange: { min: 16_000, max: 17_000, interval: 50 },
		betDelaySeconds: 0,
		rules: '',
	});
	[buyer, seller] = [await server.demoPlayer(), await server.demoPlayer()];
});
afterAll(() => server.dispose());

async function market(): Promise<Market> {
	const { markets } = await server.result('getMarketsByEventId', { eventId });
	const found = markets.find(({ type }) => type === 'LINE');
	if (!found) throw new Error('The market of lines is not listed.');
	return found;
}

/** To buy is a lay, to sell a back. */
async function bet({ token }: Player, side: 'LAY' | 'BACK', price: number, stake: number) {
	const { id } = await market();
	const body = { marketId: id, runnerId: '1', side, price, stake, clientRequestId: freshRequestId() };
	return await server.call('placeBetV2', body, token);
}

describe('a line market', () => {
	it('is listed with its range, and refuses other lines with the nearest ones', async () => {
		expect(await market()).toMatchObject({ ladder: 'LINES', lineRange: { min: 160, max: 170, interval: 0.5 } });
		const { body, code } = await bet(buyer, 'LAY', 165.2, 100);
		expect([code, body.error?.details]).toEqual(['PRICE_NOT_ON_LADDER', { nearest: [165, 165.5] }]);
	});

	it('holds the slip’s figure, bet after bet', async () => {
		const session = [
			[seller, 'BACK', 165, 100],
			[seller, 'BACK', 165.5, 100],
			[buyer, 'LAY', 165.5, 150],
			[buyer, 'BACK', 167, 80],
			[seller, 'LAY', 163, 60],
			[buyer, 'LAY', 164, 40],
		] as const;
		for (const [player, side, line, stake] of session) {
			const { openBets } = inside('getUserOpenBets', await server.result('getUserOpenBets', {}, player.token));
			const answer = await server.result('getUserExpectedProfitLoss', {}, player.token);
			const profitLoss = inside('getUserExpectedProfitLoss', answer);
			const position = positionOf(
				outcomesOf(fromWire(await market(), fieldsIn(ANSWER_FIELDS.getMarketsByEventId, 'markets'))),
				openBets,
				profitLoss,
			);
			const draft = { runner: 0, side, price: Math.round(line * 100) as Price, stake: minorOf(stake * 100) };
			const [, before = 0] = server.money(player);
			const { body } = await bet(player, side, line, stake);
			if (!body.success || !body.result) throw new Error(JSON.stringify(body.error));
			const taken = Math.round((body.result.exposure - before) * 100);
			const { cost } = previewBet(position, draft);
			if (body.result.matchedStake === 0) expect(taken).toBe(cost);
			else expect(taken).toBeLessThanOrEqual(cost);
		}
	});

	it('offers the lowest seller to buyers, and the highest buyer to sellers', async () => {
		const { id } = await market();
		const book = await server.result('getUserOdds', { marketId: id }, buyer.token);
		expect(book.runners[0]).toMatchObject({
			lay: [
				{ price: 165.5, size: 50 },
				{ price: 167, size: 80 },
			],
			back: [
				{ price: 164, size: 40 },
				{ price: 163, size: 60 },
			],
		});
	});

	it('shows a bet’s average line, and its stake as profit and loss', async () => {
		const { openBets } = await server.result('getUserOpenBets', {}, buyer.token);
		// 100 bought at 165, 50 at 165.5.
		expect(openBets.find(({ matchedStake }) => matchedStake > 0)).toMatchObject({
			averagePrice: 165.17,
			stake: 150,
			profit: 150,
			liability: 150,
		});
	});

	it('is as it was after a restart', async () => {
		const before = [server.money(buyer), server.money(seller)];
		await expectSound(server.database.db);
		await server.stop();
		server = await TestServer.start(server.database);
		expect([server.money(buyer), server.money(seller)]).toEqual(before);
	});

	it('is settled by its number, reopened and settled again', async () => {
		const { id } = await market();
		const paid = await server.operator('settle', { marketId: id, value: 165 });
		expect(paid.body.result).toMatchObject({ status: 'SETTLED' });
		expect((await market()).numberWas).toEqual({ from: 165, to: 165 });
		// 100 at 165 are void, 50 at 165.5 lost; less 2 % of the seller's profit.
		expect([server.money(buyer), server.money(seller)]).toEqual([
			[19_950, 0],
			[20_049, 0],
		]);
		await expectSound(server.database.db);

		await server.act('reopen', { marketId: id });
		expect([server.money(buyer), server.money(seller)]).toEqual([
			[19_850, 150],
			[19_850, 150],
		]);
		await expectSound(server.database.db);
		await server.stop();
		server = await TestServer.start(server.database);
		await server.act('settle', { marketId: id, value: 166 });
		expect([server.money(buyer), server.money(seller)]).toEqual([
			[20_147, 0],
			[19_850, 0],
		]);
		await expectSound(server.database.db);
	});

	it('is settled again without void matches', async () => {
		const { id } = await market();
		const { items } = await server.result('getUserBetHistory', { maxResultCount: 50, skipCount: 0 }, seller.token);
		const second = items.find(({ price }) => price === 165.5);
		await server.act('void-bets', { marketId: id, betId: second?.betId ?? '' });
		// Only the 100 at 165 count.
		expect([server.money(buyer), server.money(seller)]).toEqual([
			[20_098, 0],
			[19_900, 0],
		]);
		await expectSound(server.database.db);
	});

	it('is not settled by runners, nor another market by a number', async () => {
		const { markets } = await server.result('getMarketsByEventId', { eventId });
		const odds = markets.find(({ type }) => type === 'MATCH_ODDS');
		const { code } = await server.operator('settle', { marketId: odds?.id ?? '', value: 165 });
		expect(code).toBe('INCOMPLETE_RESULT');
	});
});
