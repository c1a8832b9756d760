/** The state and the rights of a restarted or deposed server, on a real database. */
import { afterEach, describe, expect, it } from 'vitest';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

const servers: TestServer[] = [];
afterEach(async () => {
	const [first, ...others] = servers.splice(0).reverse();
	for (const server of others) await server.stop().catch(() => undefined);
	await first?.dispose();
});

async function start(on?: TestServer): Promise<TestServer> {
	const server = await TestServer.start(on?.database);
	servers.push(server);
	return server;
}

describe('a restarted server', () => {
	it('has bets, balances and books as they were, and continues from there', async () => {
		const before = await start();
		const match = await openTestMatch(before);
		const { token } = await before.demoPlayer();
		const { betId } = await before.result('placeBetV2', betOn(match, { price: 4, stake: 75 }), token);
		const bets = await before.result('getUserOpenBets', {}, token);
		await before.stop();

		const after = await start(before);
		expect(await after.result('getUserOpenBets', {}, token)).toEqual(bets);
		const [book] = await after.result('getUserOddsV2', { marketIds: match.marketId }, token);
		expect(book?.runners[0]?.lay).toEqual([{ price: 4, size: 75 }]);
		const cancelled = await after.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
		expect(cancelled.balance).toBe(20_000);
	});

	it('compares a digest of its own format, and accepts one of an earlier version', async () => {
		const before = await start();
		await before.demoPlayer();
		await before.stop();
		const setDigest = (format: string) =>
			before.database.db.query(`update lease set digest = 'ffffffffffffffff', digest_format = ${format}`);

		await setDigest('digest_format - 1');
		const after = await start(before);
		await after.demoPlayer();
		await after.stop();

		await setDigest('digest_format');
		await expect(start(before)).rejects.toThrow('No bets are taken on such a ledger');
	});

	it('keeps the place of resting bets in the queue', async () => {
		const before = await start();
		const match = await openTestMatch(before);
		const [first, second, taker] = [await before.demoPlayer(), await before.demoPlayer(), await before.demoPlayer()];
		await before.result('placeBetV2', betOn(match, { price: 4, stake: 50 }), first.token);
		await before.result('placeBetV2', betOn(match, { price: 4, stake: 50 }), second.token);
		await before.stop();

		const after = await start(before);
		await after.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 50 }), taker.token);
		const matchedOf = async (token: string) =>
			(await after.result('getUserOpenBets', {}, token)).openBets[0]?.matchedStake;
		expect([await matchedOf(first.token), await matchedOf(second.token)]).toEqual([50, 0]);
	});

	it('keeps a delayed bet behind those that reached the book meanwhile', async () => {
		const before = await start();
		const match = await openTestMatch(before, { betDelaySeconds: 1 });
		await match.market.turnInPlay();
		const [late, quick, other] = [await before.demoPlayer(), await before.demoPlayer(), await before.demoPlayer()];
		const against = betOn(match, { side: 'LAY', price: 4, stake: 50 });
		const { betId: gone } = await before.result('placeBetV2', against, other.token);
		// It would be matched, so it waits; then there is nothing to match it any more.
		const back = betOn(match, { price: 4, stake: 50 });
		const { betId } = await before.result('placeBetV2', back, late.token);
		await before.result('cancelBet', { betId: gone, clientRequestId: freshRequestId() }, other.token);
		await before.result('placeBetV2', { ...back, clientRequestId: freshRequestId() }, quick.token);
		await expect.poll(() => before.running.exchange.bet(Number(betId))?.delay, { timeout: 20_000 }).toBeNull();
		await before.stop();

		const after = await start(before);
		const taken = await after.result('placeBetV2', { ...against, clientRequestId: freshRequestId() }, other.token);
		const { exchange } = after.running;
		await expect.poll(() => exchange.bet(Number(taken.betId))?.matched, { timeout: 20_000 }).toBe(5000);
		const matchedOf = async ({ token }: typeof late) =>
			(await after.result('getUserOpenBets', {}, token)).openBets[0]?.matchedStake;
		expect([await matchedOf(quick), await matchedOf(late)]).toEqual([50, 0]);
	});

	it('answers a repeated request with the first answer', async () => {
		const before = await start();
		const match = await openTestMatch(before);
		const { token } = await before.demoPlayer();
		const bet = betOn(match, { price: 4, stake: 75 });
		const answer = await before.result('placeBetV2', bet, token);
		await before.stop();

		const after = await start(before);
		expect(await after.result('placeBetV2', bet, token)).toEqual(answer);
		expect((await after.result('getUserOpenBets', {}, token)).openBets).toHaveLength(1);
	});
});

describe('two servers on one database', () => {
	it('cannot both write: the older one stops, and its uncommitted commands never happened', async () => {
		const older = await start();
		const match = await openTestMatch(older);
		const { token } = await older.demoPlayer();
		const newer = await start(older);
		const refused = await older.call('placeBetV2', betOn(match), token);
		expect([refused.status, refused.code]).toEqual([503, 'DRAINING']);
		expect((await older.failed).message).toContain('took over');
		expect((await newer.result('getUserOpenBets', {}, token)).openBets).toEqual([]);
		await newer.result('placeBetV2', betOn(match), token);
	});
});

describe('a ledger that was tampered with', () => {
	it.each([
		['a balance', 'update wallet set cash = cash + 1 where wallet_id >= 1000'],
		['a bet', 'update bet set stake = stake + 1, remaining = remaining + 1'],
		['a market', `update market_state set status = 'SUSPENDED'`],
	])('takes no bets when %s was changed', async (_, tampering) => {
		const before = await start();
		const match = await openTestMatch(before);
		const { token } = await before.demoPlayer();
		await before.result('placeBetV2', betOn(match), token);
		await before.stop();
		servers.length = 0;
		const { database } = before;
		await database.db.query(tampering);
		await expect(TestServer.start(database)).rejects.toThrow('run the audit');
		await database.drop();
	});
});
