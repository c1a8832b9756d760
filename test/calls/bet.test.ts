/** Placing, listing and cancelling bets through real HTTP, on a real database. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HubClient } from '../hub/hub-client.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
});

describe('placing a bet', () => {
	it('placeBetV2: success, an unmatched back holds its stake', async () => {
		const { token } = await server.demoPlayer();
		const { status, body } = await server.call('placeBetV2', betOn(match, { price: 50, stake: 12.34 }), token);
		expect(status).toBe(200);
		expect(body.result).toMatchObject({
			status: 'UNMATCHED',
			stake: 12.34,
			matchedStake: 0,
			remainingStake: 12.34,
			averagePrice: null,
			balance: 19_987.66,
			exposure: 12.34,
		});
	});

	it('placeBetV2: success, a lay matches a resting back at its price, and each side holds its liability', async () => {
		const own = await openTestMatch(server);
		const backer = await server.demoPlayer();
		const layer = await server.demoPlayer();
		await server.result('placeBetV2', betOn(own, { price: 3, stake: 100 }), backer.token);
		const lay = await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 3.5, stake: 100 }), layer.token);
		// The waiting back asked for 3.00, so the layer risks 100 × (3 − 1).
		expect(lay).toMatchObject({
			status: 'MATCHED',
			averagePrice: 3,
			matchedStake: 100,
			balance: 19_800,
			exposure: 200,
		});
		const { openBets } = await server.result('getUserOpenBets', {}, backer.token);
		expect(openBets).toMatchObject([
			{ status: 'MATCHED', matchedStake: 100, remainingStake: 0, profit: 200, liability: 100 },
		]);
	});

	it('placeBetV2: success, a post-only bet moves to a price at which it rests, and is refused if it may not move', async () => {
		const own = await openTestMatch(server);
		const [layer, backer] = [await server.demoPlayer(), await server.demoPlayer()];
		await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 3, stake: 100 }), layer.token);
		const back = { price: 2, stake: 100 };
		const refused = await server.call('placeBetV2', betOn(own, { ...back, postOnly: 'REFUSE' }), backer.token);
		expect([refused.status, refused.code]).toEqual([422, 'WOULD_MATCH']);
		const placed = await server.result('placeBetV2', betOn(own, { ...back, postOnly: 'REPRICE' }), backer.token);
		expect(placed).toMatchObject({ status: 'UNMATCHED', price: 3.05, matchedStake: 0, exposure: 100 });
		const { openBets } = await server.result('getUserOpenBets', {}, backer.token);
		expect(openBets).toMatchObject([{ price: 3.05, postOnly: 'REPRICE' }]);
	});

	it('placeBetV2: success, a bet that is good for a second lapses by itself, and its player is told', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const client = await HubClient.connect(server.url, token);
		onTestFinished(() => client.stop());
		const placed = await server.result('placeBetV2', betOn(own, { price: 50, stake: 25, goodForSeconds: 1 }), token);
		const [bet] = (await server.result('getUserOpenBets', {}, token)).openBets;
		expect(Date.parse(bet?.goodTill ?? '') - Date.parse(placed.placedAt)).toBeLessThanOrEqual(1_000);
		const lapsed = await client.message('BetUpdate', ({ event }) => event === 'LAPSED');
		expect(lapsed).toMatchObject({ betId: placed.betId, reason: 'EXPIRED', eventStake: 25, status: 'LAPSED' });
		expect((await server.result('getUserOpenBets', {}, token)).exposure).toBe(0);
	});

	it('placeBetV2: success, a bet that is good until others have matched so much lapses then, and its player is told', async () => {
		const own = await openTestMatch(server);
		const [{ token }, layer, backer] = [
			await server.demoPlayer(),
			await server.demoPlayer(),
			await server.demoPlayer(),
		];
		const client = await HubClient.connect(server.url, token);
		onTestFinished(() => client.stop());
		const asked = betOn(own, { price: 50, stake: 25, goodUntilMatched: 60 });
		const placed = await server.result('placeBetV2', asked, token);
		const { openBets } = await server.result('getUserOpenBets', {}, token);
		expect(openBets).toMatchObject([{ goodUntilMatched: 60, remainingStake: 25 }]);
		await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 2, stake: 60 }), layer.token);
		await server.result('placeBetV2', betOn(own, { price: 2, stake: 60 }), backer.token);
		const lapsed = await client.message('BetUpdate', ({ event }) => event === 'LAPSED');
		expect(lapsed).toMatchObject({ betId: placed.betId, reason: 'VOLUME_REACHED', eventStake: 25, status: 'LAPSED' });
		expect((await server.result('getUserOpenBets', {}, token)).exposure).toBe(0);
	});

	it('setSelfMatch: success, an own unmatched bet lapses for the next bet, and its player is told', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const client = await HubClient.connect(server.url, token);
		onTestFinished(() => client.stop());
		const lay = await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 3, stake: 100 }), token);
		const back = () => betOn(own, { price: 3, stake: 40 });
		expect((await server.call('placeBetV2', back(), token)).code).toBe('SELF_MATCH');
		expect(await server.result('setSelfMatch', { selfMatch: 'LAPSE_RESTING' }, token)).toEqual({
			selfMatch: 'LAPSE_RESTING',
		});
		expect((await server.call('placeBetV2', { ...back(), selfMatch: 'REFUSE' }, token)).code).toBe('SELF_MATCH');
		// What the lay held, 200, is free, and the back holds its stake.
		expect(await server.result('placeBetV2', back(), token)).toMatchObject({ status: 'UNMATCHED', exposure: 40 });
		const lapsed = await client.message('BetUpdate', ({ event }) => event === 'LAPSED');
		expect(lapsed).toMatchObject({ betId: lay.betId, reason: 'SELF_MATCH', eventStake: 100, status: 'LAPSED' });
	});

	it('getSelfMatch: success, REFUSE until the player has chosen', async () => {
		const { token } = await server.demoPlayer();
		expect(await server.result('getSelfMatch', {}, token)).toEqual({ selfMatch: 'REFUSE' });
		await server.result('setSelfMatch', { selfMatch: 'LAPSE_TAKING' }, token);
		expect(await server.result('getSelfMatch', {}, token)).toEqual({ selfMatch: 'LAPSE_TAKING' });
	});

	it('setSelfMatch: refusal of a choice that is none', async () => {
		const { token } = await server.demoPlayer();
		expect((await server.call('setSelfMatch', { selfMatch: 'ALLOW' } as never, token)).code).toBe('VALIDATION_FAILED');
	});

	it('getSelfMatch: refusal of a login that has ended', async () => {
		const { token } = await server.demoPlayer();
		await server.result('logout', {}, token);
		expect((await server.call('getSelfMatch', {}, token)).status).toBe(401);
	});

	it('getSelfMatch: not logged in', async () => {
		expect((await server.call('getSelfMatch', {})).status).toBe(401);
	});

	it('setSelfMatch: not logged in', async () => {
		expect((await server.call('setSelfMatch', { selfMatch: 'REFUSE' })).status).toBe(401);
	});

	it('placeBetV2: refusal, terms that contradict each other, and a time that has passed', async () => {
		const { token } = await server.demoPlayer();
		const codeOf = async (changes: object) =>
			(await server.call('placeBetV2', betOn(match, { price: 50, stake: 25, ...changes }), token)).code;
		const goodTill = new Date(Date.now() - 60_000).toISOString();
		expect(await codeOf({ goodTill })).toBe('EXPIRY_PASSED');
		expect(await codeOf({ goodTill, goodForSeconds: 60 })).toBe('VALIDATION_FAILED');
		for (const ends of [{ goodForSeconds: 60 }, { goodUntilMatched: 60 }])
			expect(await codeOf({ ...ends, timeInForce: 'FILL_OR_KILL' })).toBe('TERMS_NOT_POSSIBLE');
		expect(await codeOf({ goodUntilMatched: -1 })).toBe('VALIDATION_FAILED');
	});

	it('placeBetV2: success, a repeated request gets the same bet', async () => {
		const { token } = await server.demoPlayer();
		const bet = betOn(match, { price: 50, stake: 25 });
		const first = await server.result('placeBetV2', bet, token);
		const again = await server.result('placeBetV2', bet, token);
		expect(again.betId).toBe(first.betId);
		const { openBets, exposure } = await server.result('getUserOpenBets', {}, token);
		expect(openBets).toHaveLength(1);
		expect(exposure).toBe(25);
	});

	it('placeBetV2: success, answers and news name the batch that made them durable, and a repetition the same one', async () => {
		const { token } = await server.demoPlayer();
		const hub = await HubClient.connect(server.url, token);
		onTestFinished(() => hub.stop());
		const bet = betOn(match, { price: 50, stake: 25 });
		const { betId, commit } = await server.result('placeBetV2', bet, token);
		expect(await server.result('placeBetV2', bet, token)).toMatchObject({ betId, commit });
		const cancel = { betId, clientRequestId: freshRequestId() };
		const cancelled = await server.result('cancelBet', cancel, token);
		expect(cancelled.commit?.sequence).toBeGreaterThan(commit?.sequence ?? Number.NaN);
		for (const [event, of] of [
			['PLACED', commit],
			['CANCELLED', cancelled.commit],
		] as const)
			expect(await hub.message('BetUpdate', (news) => news.betId === betId && news.event === event)).toMatchObject({
				commit: of,
			});
		const stored = async (id: string) => {
			const select = 'select answer from request_key where client_request_id = $1';
			return (await server.database.db.query<{ answer: { batchSeq: number } }>(select, [id])).rows[0]?.answer.batchSeq;
		};
		expect(await stored(bet.clientRequestId)).toBe(commit?.sequence);
		expect(await stored(cancel.clientRequestId)).toBe(cancelled.commit?.sequence);
	});

	it('placeBetV2: success, of 100 parallel bets with money for one, exactly one is placed', async () => {
		const { token } = await server.demoPlayer();
		const answers = await Promise.all(
			Array.from({ length: 100 }, () => server.call('placeBetV2', betOn(match, { price: 50, stake: 20_000 }), token)),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ code }) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(99);
		const { openBets, balance, exposure } = await server.result('getUserOpenBets', {}, token);
		expect(openBets).toHaveLength(1);
		expect({ balance, exposure }).toEqual({ balance: 0, exposure: 20_000 });
	});
});

describe('a bet that is refused', () => {
	const bad: [string, Record<string, unknown>, number, string][] = [
		['a price between two ticks', { price: 2.01 }, 422, 'PRICE_NOT_ON_LADDER'],
		['a price below the ladder', { price: 1 }, 422, 'PRICE_NOT_ON_LADDER'],
		['a price as text', { price: '2' }, 400, 'VALIDATION_FAILED'],
		['a stake below the minimum', { stake: 9.99 }, 422, 'STAKE_TOO_SMALL'],
		['a stake above the maximum', { stake: 500_001 }, 422, 'STAKE_TOO_LARGE'],
		['a negative stake', { stake: -10 }, 400, 'VALIDATION_FAILED'],
		['a stake of nothing', { stake: 0 }, 400, 'VALIDATION_FAILED'],
		['a stake as text', { stake: '10' }, 400, 'VALIDATION_FAILED'],
		['a stake with three decimals', { stake: 10.005 }, 400, 'VALIDATION_FAILED'],
		['an unknown market', { marketId: '999999' }, 404, 'UNKNOWN_MARKET'],
		['a runner of no market', { runnerId: 'NOBODY' }, 404, 'UNKNOWN_RUNNER'],
		['a side that is none', { side: 'MIDDLE' }, 400, 'VALIDATION_FAILED'],
		['more than the balance', { stake: 20_000.01 }, 422, 'INSUFFICIENT_FUNDS'],
		['a field nobody asked for', { admin: true }, 400, 'VALIDATION_FAILED'],
		['a request id of three letters', { clientRequestId: 'abc' }, 400, 'VALIDATION_FAILED'],
	];
	it.each(bad)('placeBetV2: refusal of %s, and nothing changes', async (_, changes, status, code) => {
		const { token } = await server.demoPlayer();
		const refused = await server.raw('placeBetV2', betOn(match, changes), token);
		expect([refused.status, refused.code]).toEqual([status, code]);
		expect(await server.result('getUserOpenBets', {}, token)).toEqual({
			openBets: [],
			totalCount: 0,
			balance: 20_000,
			exposure: 0,
		});
	});

	const bodies: [string, string, number, string][] = [
		['a number beyond all numbers', '{"stake":1e400,"price":2}', 400, 'INVALID_AMOUNT'],
		['half a JSON text', '{"marketId":', 400, 'MALFORMED_JSON'],
		['a list', '[]', 400, 'MALFORMED_JSON'],
		['a megabyte', `{"marketId":"${'x'.repeat(1_048_576)}"}`, 400, 'BODY_TOO_LARGE'],
	];
	it.each(bodies)('placeBetV2: refusal of %s', async (_, body, status, code) => {
		const { token } = await server.demoPlayer();
		const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
		const refused = await server.send('/Bet/PlaceBetV2', { method: 'POST', body, headers });
		expect([refused.status, refused.code]).toEqual([status, code]);
	});

	it('placeBetV2: refusal of a request id that was used for another bet', async () => {
		const { token } = await server.demoPlayer();
		const bet = betOn(match, { price: 50, stake: 30 });
		await server.result('placeBetV2', bet, token);
		const refused = await server.call('placeBetV2', { ...bet, stake: 31 }, token);
		expect([refused.status, refused.code]).toEqual([409, 'REQUEST_ID_REUSED']);
		expect((await server.result('getUserOpenBets', {}, token)).exposure).toBe(30);
	});

	it('placeBetV2: refusal in a suspended and in a closed market', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		await own.market.suspend();
		expect((await server.call('placeBetV2', betOn(own), token)).code).toBe('MARKET_SUSPENDED');
		await own.market.resume();
		await own.settle(0);
		expect((await server.call('placeBetV2', betOn(own), token)).code).toBe('MARKET_CLOSED');
	});

	it('placeBetV2: refusal of a bet that would match the player’s own', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		await server.result('placeBetV2', betOn(own, { price: 3 }), token);
		expect((await server.call('placeBetV2', betOn(own, { side: 'LAY', price: 3 }), token)).code).toBe('SELF_MATCH');
	});

	it('placeBetV2: not logged in, without a token, with a forged one and after a log-out', async () => {
		const { token } = await server.demoPlayer();
		await server.result('logout', {}, token);
		const dead = [
			[null, 'NOT_LOGGED_IN'],
			['made-up', 'LOGIN_EXPIRED'],
			[token, 'LOGIN_EXPIRED'],
		] as const;
		for (const [shown, code] of dead) {
			const refused = await server.call('placeBetV2', betOn(match), shown);
			expect([refused.status, refused.code]).toEqual([401, code]);
			expect(refused.body.unAuthorizedRequest).toBe(true);
		}
	});
});

describe('cancelling', () => {
	it('cancelBet: success, the remaining stake leaves the book and its hold is released', async () => {
		const { token } = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match, { price: 60, stake: 40 }), token);
		const part = await server.result(
			'cancelBet',
			{ betId, sizeReduction: 15, clientRequestId: freshRequestId() },
			token,
		);
		expect(part).toMatchObject({ cancelledStake: 15, remainingStake: 25, balance: 19_975, exposure: 25 });
		const rest = await server.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
		expect(rest).toMatchObject({
			status: 'CANCELLED',
			cancelledStake: 25,
			remainingStake: 0,
			balance: 20_000,
			exposure: 0,
		});
	});

	it('cancelBet: refusal of another player’s bet, an unknown one, and one without remaining stake', async () => {
		const owner = await server.demoPlayer();
		const other = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(match, { price: 60, stake: 40 }), owner.token);
		const cancel = (id: string, token: string) =>
			server.call('cancelBet', { betId: id, clientRequestId: freshRequestId() }, token);
		const codes = [
			(await cancel(betId, other.token)).code,
			(await cancel('123456', owner.token)).code,
			(await cancel(betId, owner.token)).code,
			(await cancel(betId, owner.token)).code,
		];
		expect(codes).toEqual(['UNKNOWN_ORDER', 'UNKNOWN_ORDER', null, 'ORDER_NOT_ACTIVE']);
	});

	it('cancelBet: not logged in', async () => {
		const refused = await server.call('cancelBet', { betId: '1', clientRequestId: freshRequestId() });
		expect(refused.status).toBe(401);
	});
});

describe('replacing a bet', () => {
	it('replaceBet: success, the remaining stake becomes a new bet at the new price', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const { betId } = await server.result('placeBetV2', betOn(own, { price: 3, stake: 40 }), token);
		const request = { betId, price: 2.9, clientRequestId: freshRequestId() };
		const replaced = await server.result('replaceBet', request, token);
		expect(replaced).toMatchObject({
			status: 'UNMATCHED',
			stake: 40,
			remainingStake: 40,
			balance: 19_960,
			exposure: 40,
		});
		const { openBets } = await server.result('getUserOpenBets', {}, token);
		expect(openBets).toMatchObject([{ betId: replaced.betId, price: 2.9, remainingStake: 40 }]);
		expect(await server.result('replaceBet', request, token)).toEqual(replaced);
	});

	it('replaceBet: refusal of a price off the ladder and of another player’s bet, which is unchanged', async () => {
		const own = await openTestMatch(server);
		const [owner, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const { betId } = await server.result('placeBetV2', betOn(own, { price: 3, stake: 40 }), owner.token);
		const replace = (price: number, token: string) =>
			server.call('replaceBet', { betId, price, clientRequestId: freshRequestId() }, token);
		expect((await replace(2.99, owner.token)).code).toBe('PRICE_NOT_ON_LADDER');
		expect((await replace(2.9, other.token)).status).toBe(404);
		const { openBets } = await server.result('getUserOpenBets', {}, owner.token);
		expect(openBets).toMatchObject([{ betId, price: 3, remainingStake: 40 }]);
	});

	it('cancelBet and replaceBet: refusal of another player’s bet equals that of an unknown bet', async () => {
		const own = await openTestMatch(server);
		const [owner, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const waiting = (await server.result('placeBetV2', betOn(own, { price: 3, stake: 40 }), owner.token)).betId;
		const over = (await server.result('placeBetV2', betOn(own, { price: 4, stake: 40 }), owner.token)).betId;
		await server.result('cancelBet', { betId: over, clientRequestId: freshRequestId() }, owner.token);
		const answersOf = async (betId: string) => [
			await server.call('cancelBet', { betId, clientRequestId: freshRequestId() }, other.token),
			await server.call('cancelBet', { betId, sizeReduction: 1000, clientRequestId: freshRequestId() }, other.token),
			await server.call('replaceBet', { betId, price: 2.9, clientRequestId: freshRequestId() }, other.token),
			// Of the owner's bet, the price would be refused with the nearest ones of its market.
			await server.call('replaceBet', { betId, price: 2.999, clientRequestId: freshRequestId() }, other.token),
		];
		const never = await answersOf('123456789');
		expect(never.map(({ status, code }) => [status, code])).toEqual(never.map(() => [404, 'UNKNOWN_ORDER']));
		expect(await answersOf(waiting)).toEqual(never);
		expect(await answersOf(over)).toEqual(never);
	});

	it('replaceBet: not logged in', async () => {
		const refused = await server.call('replaceBet', { betId: '1', price: 2, clientRequestId: freshRequestId() });
		expect(refused.status).toBe(401);
	});
});

describe('a bet at the starting price', () => {
	it('placeOnClose: success, it holds what it can lose, and the auction at the turn in-play gives it its price', async () => {
		const own = await openTestMatch(server, { startingPrice: true });
		const [backer, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		const asked = { marketId: own.marketId, runnerId: own.runnerIds[0], clientRequestId: freshRequestId() };
		const back = { ...asked, side: 'BACK' as const, size: 100, limit: 2 };
		const placed = await server.result('placeOnClose', back, backer.token);
		expect(placed).toMatchObject({ status: 'UNMATCHED', stake: 100, exposure: 100 });
		expect((await server.result('placeOnClose', back, backer.token)).betId).toBe(placed.betId);
		const lay = { ...asked, side: 'LAY' as const, size: 284, clientRequestId: freshRequestId() };
		expect(await server.result('placeOnClose', lay, layer.token)).toMatchObject({ exposure: 284 });
		const { openBets } = await server.result('getUserOpenBets', {}, backer.token);
		expect(openBets).toMatchObject([{ onClose: { limit: 2, liability: 100 }, liability: 100 }]);
		await own.market.turnInPlay();
		const [won] = (await server.result('getUserOpenBets', {}, backer.token)).openBets;
		expect(won).toMatchObject({ status: 'MATCHED', averagePrice: 3.84, profit: 284, liability: 100 });
		const { markets } = await server.result('getMarketsByEventId', { eventId: own.eventId }, backer.token);
		expect(markets[0]).toMatchObject({ startingPrice: 'FOUND', runners: [{ startingPrice: 3.84 }, {}] });
	});

	it('placeOnClose: refusal in a market without starting prices, and of a limit that is none of its prices', async () => {
		const { token } = await server.demoPlayer();
		const asked = { side: 'BACK' as const, size: 100, clientRequestId: freshRequestId() };
		const { marketId, runnerIds } = match;
		const plain = await server.call('placeOnClose', { ...asked, marketId, runnerId: runnerIds[0] }, token);
		expect([plain.status, plain.code]).toEqual([422, 'TERMS_NOT_POSSIBLE']);
		const own = await openTestMatch(server, { startingPrice: true });
		const off = { ...asked, marketId: own.marketId, runnerId: own.runnerIds[0], limit: 3.01 };
		expect((await server.call('placeOnClose', off, token)).code).toBe('PRICE_NOT_ON_LADDER');
	});

	it('placeOnClose: not logged in', async () => {
		const asked = { side: 'BACK' as const, size: 100, clientRequestId: freshRequestId() };
		const refused = await server.call('placeOnClose', {
			...asked,
			marketId: match.marketId,
			runnerId: match.runnerIds[0],
		});
		expect([refused.status, refused.code]).toEqual([401, 'NOT_LOGGED_IN']);
	});
});

describe('cancelling everything', () => {
	it('cancelAll: success, in one market and then in all', async () => {
		const [one, other] = [await openTestMatch(server), await openTestMatch(server)];
		const { token } = await server.demoPlayer();
		for (const match of [one, one, other]) {
			await server.result('placeBetV2', betOn(match, { price: 30, stake: 50 }), token);
		}
		const first = await server.result(
			'cancelAll',
			{ marketId: one.marketId, clientRequestId: freshRequestId() },
			token,
		);
		expect(first).toMatchObject({ cancelledStake: 100, balance: 19_950, exposure: 50 });
		const rest = await server.result('cancelAll', { clientRequestId: freshRequestId() }, token);
		expect(rest).toMatchObject({ cancelledStake: 50, balance: 20_000, exposure: 0 });
		expect((await server.result('getUserOpenBets', {}, token)).openBets).toEqual([]);
	});

	it('cancelAll: refusal of an unknown market', async () => {
		const { token } = await server.demoPlayer();
		const refused = await server.call('cancelAll', { marketId: '424242', clientRequestId: freshRequestId() }, token);
		expect(refused.code).toBe('UNKNOWN_MARKET');
	});

	it('cancelAll: not logged in', async () => {
		expect((await server.call('cancelAll', { clientRequestId: freshRequestId() })).status).toBe(401);
	});
});

describe('other types of orders', () => {
	it('placeBetV2: success, an unmatched fill-or-kill bet lapses and holds nothing', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const bet = betOn(own, { price: 3, stake: 40, timeInForce: 'FILL_OR_KILL' });
		expect(await server.result('placeBetV2', bet, token)).toMatchObject({
			status: 'LAPSED',
			matchedStake: 0,
			remainingStake: 0,
			exposure: 0,
		});
		const { items } = await server.result('getUserBetHistory', { status: 'LAPSED' }, token);
		expect(items).toMatchObject([{ lapsedStake: 40 }]);
	});

	it('placeBetV2: success, an older market version lapses', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		await own.market.suspend();
		await own.market.resume();
		const bet = betOn(own, { marketVersion: 1 });
		expect((await server.result('placeBetV2', bet, token)).status).toBe('LAPSED');
	});
});
