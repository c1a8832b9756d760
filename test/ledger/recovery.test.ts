/** The state and the rights of a restarted or deposed server, on a real database. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { takeSeenLease } from '#server/exchange/recovery/recovery.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

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

/** What has to hold after a restart, by what was done before it. All of them share one. */
const RESTARTED: Record<string, (before: TestServer) => Promise<(after: TestServer) => Promise<void>>> = {
	'has bets, balances and books as they were, and continues from there': async (before) => {
		const match = await openTestMatch(before);
		const { token } = await before.demoPlayer();
		const { betId } = await before.result('placeBetV2', betOn(match, { price: 4, stake: 75 }), token);
		const bets = await before.result('getUserOpenBets', {}, token);
		return async (after) => {
			expect(await after.result('getUserOpenBets', {}, token)).toEqual(bets);
			const [book] = await after.result('getUserOddsV2', { marketIds: match.marketId }, token);
			expect(book?.runners[0]?.lay).toEqual([{ price: 4, size: 75 }]);
			const cancelled = await after.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
			expect(cancelled.balance).toBe(20_000);
		};
	},
	'keeps the place of resting bets in the queue': async (before) => {
		const match = await openTestMatch(before);
		const [first, second, taker] = [await before.demoPlayer(), await before.demoPlayer(), await before.demoPlayer()];
		await before.result('placeBetV2', betOn(match, { price: 4, stake: 50 }), first.token);
		await before.result('placeBetV2', betOn(match, { price: 4, stake: 50 }), second.token);
		return async (after) => {
			await after.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 50 }), taker.token);
			expect([await matchedOf(after, first), await matchedOf(after, second)]).toEqual([50, 0]);
		};
	},
	'keeps a delayed bet behind those that reached the book meanwhile': async (before) => {
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
		await vi.waitFor(() => expect(before.running.exchange.bet(Number(betId))?.delay).toBeNull(), { timeout: 20_000 });
		return async (after) => {
			const taken = await after.result('placeBetV2', { ...against, clientRequestId: freshRequestId() }, other.token);
			const { exchange } = after.running;
			await expect.poll(() => exchange.bet(Number(taken.betId))?.matched, { timeout: 20_000 }).toBe(5000);
			expect([await matchedOf(after, quick), await matchedOf(after, late)]).toEqual([50, 0]);
		};
	},
	'lapses bets that are good till a time, those that are due first, and keeps post-only bets so': async (before) => {
		const match = await openTestMatch(before);
		const [short, long, taker] = [await before.demoPlayer(), await before.demoPlayer(), await before.demoPlayer()];
		const bet = { price: 4, stake: 50 };
		// Its time passes while no server runs.
		await before.result('placeBetV2', betOn(match, { ...bet, goodForSeconds: 1 }), short.token);
		const { betId } = await before.result(
			'placeBetV2',
			betOn(match, { ...bet, goodForSeconds: 86_400, postOnly: 'REFUSE' }),
			long.token,
		);
		const bets = await before.result('getUserOpenBets', {}, long.token);
		return async (after) => {
			expect(await after.result('getUserOpenBets', {}, long.token)).toEqual(bets);
			const dueAtMs = after.running.exchange.now() + 1_000;
			await expect.poll(() => after.running.exchange.now(), { timeout: 20_000 }).toBeGreaterThan(dueAtMs);
			await after.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 50 }), taker.token);
			expect([await matchedOf(after, short), await matchedOf(after, long)]).toEqual([undefined, 50]);
			expect(after.running.exchange.bet(Number(betId))?.terms?.postOnly).toBe('REFUSE');
		};
	},
	'lapses bets with the volume of others, of which it knows what was matched before': async (before) => {
		const match = await openTestMatch(before);
		const [owner, layer, backer] = [await before.demoPlayer(), await before.demoPlayer(), await before.demoPlayer()];
		const asked = betOn(match, { price: 4, stake: 50, goodUntilMatched: 100 });
		await before.result('placeBetV2', asked, owner.token);
		const trade = async (server: TestServer, stake: number): Promise<void> => {
			await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake }), layer.token);
			await server.result('placeBetV2', betOn(match, { price: 2, stake }), backer.token);
		};
		await trade(before, 60);
		const bets = await before.result('getUserOpenBets', {}, owner.token);
		return async (after) => {
			expect(await after.result('getUserOpenBets', {}, owner.token)).toEqual(bets);
			await trade(after, 30);
			expect((await after.result('getUserOpenBets', {}, owner.token)).exposure).toBe(50);
			await trade(after, 20);
			expect((await after.result('getUserOpenBets', {}, owner.token)).exposure).toBe(0);
		};
	},
	'keeps triggers and what they hold, and places the bets of those that were due': async (before) => {
		const match = await openTestMatch(before);
		const [owner, layer] = [await before.demoPlayer(), await before.demoPlayer()];
		const { clientRequestId: _, ...bet } = betOn(match, { price: 4, stake: 50 });
		const place = async (asked: object) =>
			await before.result(
				'placeTrigger',
				{ ...bet, moves: 'FALLS', ...asked, clientRequestId: freshRequestId() },
				owner.token,
			);
		await place({ at: 2 });
		await place({ trail: 5 });
		const { exposure } = await place({ at: 3 });
		await before.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 10 }), layer.token);
		// The match and the suspension are one batch: what the match reached is due, and cannot be placed yet.
		const { exchange } = before.running;
		const { id: marketId } = match.market.listing;
		const { userId } = await before.demoPlayer();
		const back = { walletId: Number(userId), marketId, runner: 0, side: 0 as const, price: 300, stake: 1000 };
		await Promise.all([
			exchange.submit({ kind: 'place-bet', ...back, persist: false }),
			exchange.submit({ kind: 'suspend-market', marketId, lapseUnmatched: false }),
		]);
		return async (after) => {
			const { triggers } = await after.result('getTriggers', {}, owner.token);
			expect(triggers).toMatchObject([
				{ at: 2, status: 'WAITING' },
				{ trail: 5, best: 3, at: 2.9, status: 'WAITING' },
				{ at: 3, status: 'DUE' },
			]);
			const { exposure: held, openBets } = await after.result('getUserOpenBets', {}, owner.token);
			expect([held, openBets]).toEqual([exposure, []]);
			await after.running.exchange.submit({ kind: 'resume-market', marketId });
			const placed = () => after.running.exchange.openBets(Number(owner.userId));
			await expect.poll(placed, { timeout: 20_000 }).toMatchObject([{ price: 400, remaining: 5000 }]);
			expect(after.running.exchange.wallet(Number(owner.userId))?.exposure).toBe(exposure * 100);
		};
	},
	'keeps plans and what they hold, and they go on': async (before) => {
		const match = await openTestMatch(before);
		const [owner, layer] = [await before.demoPlayer(), await before.demoPlayer()];
		const place = async (plan: object, price: number) =>
			await before.result('placePlan', { ...betOn(match, { price, stake: 100 }), plan } as never, owner.token);
		await before.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 10 }), layer.token);
		await place({ kind: 'ICEBERG', visible: 40 }, 4);
		await place({ kind: 'PEG' }, 4.5);
		const { exposure } = await place({ kind: 'BRACKET', profitTicks: 3, stopTicks: 30 }, 3);
		const stands = async (on: TestServer) => {
			const bets = on.running.exchange.openBets(Number(owner.userId)).filter(({ remaining }) => remaining > 0);
			return bets.map(({ side, price, remaining }) => [side, price, remaining]).sort();
		};
		const all = [
			[0, 300, 10_000],
			[0, 400, 4_000],
			[0, 450, 10_000],
		];
		await vi.waitFor(async () => expect(await stands(before)).toEqual(all), { timeout: 10_000 });
		return async (after) => {
			expect(await stands(after)).toEqual(all);
			expect((await after.result('getUserOpenBets', {}, owner.token)).exposure).toBe(exposure);
			expect((await after.result('getTriggers', {}, owner.token)).triggers).toMatchObject([
				{ plan: { kind: 'ICEBERG', stake: 100, visible: 40 }, stake: 60, status: 'WAITING' },
				{ plan: { kind: 'PEG', follows: 'OWN', ticks: 0 }, stake: 100 },
				{ plan: { kind: 'BRACKET', profitTicks: 3, stopTicks: 30 }, status: 'WAITING' },
			]);
			await after.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 140 }), layer.token);
			// 100.00 × 3.00 are closed at 2.94, the iceberg shows its next part, and the peg has nothing better to follow.
			await expect
				.poll(() => stands(after), { timeout: 20_000 })
				.toEqual([
					[0, 400, 4_000],
					[0, 450, 10_000],
					[1, 294, 10_204],
				]);
			expect((await after.result('getUserOpenBets', {}, owner.token)).exposure).toBe(exposure);
		};
	},
	'answers a repeated request with the first answer': async (before) => {
		const match = await openTestMatch(before);
		const { token } = await before.demoPlayer();
		const bet = betOn(match, { price: 4, stake: 75 });
		const answer = await before.result('placeBetV2', bet, token);
		return async (after) => {
			expect(await after.result('placeBetV2', bet, token)).toEqual(answer);
			expect((await after.result('getUserOpenBets', {}, token)).openBets).toHaveLength(1);
		};
	},
};

const matchedOf = async (server: TestServer, { token }: Player): Promise<number | undefined> =>
	(await server.result('getUserOpenBets', {}, token)).openBets[0]?.matchedStake;

describe('a restarted server', () => {
	let server: TestServer;
	const holds = new Map<string, (after: TestServer) => Promise<void>>();
	beforeAll(async () => {
		server = await TestServer.start();
		await Promise.all(Object.entries(RESTARTED).map(async ([name, done]) => holds.set(name, await done(server))));
		await server.stop();
		server = await TestServer.start(server.database);
	});
	afterAll(() => server?.dispose());

	it.each(Object.keys(RESTARTED))('%s', async (name) => {
		await holds.get(name)?.(server);
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

describe('the fence of the lease', () => {
	it('lets no batch of another epoch through, although the ledger ends where its writer left it', async () => {
		// Batch numbers come again where a database went back, as a replica does that lacked batches when it was promoted.
		const server = await start();
		const { token, userId } = await server.demoPlayer();
		const match = await openTestMatch(server);
		await server.database.db.query('update lease set epoch = epoch + 1');
		const { code } = await server.call('placeBetV2', betOn(match), token);
		expect(code).toBe('OUTCOME_UNKNOWN');
		expect((await server.failed).message).toContain('took over');
		expect((await server.database.db.query('select from bet where wallet_id = $1', [userId])).rowCount).toBe(0);
	});
});

describe('an epoch', () => {
	/** The lease as a backup has it. */
	interface Backup {
		epoch: number;
		batch: number;
	}
	const leaseOf = async ({ database }: TestServer): Promise<Backup> => {
		const { rows } = await database.db.query<Backup>('select epoch, batch from lease');
		return rows[0] as Backup;
	};
	const restore = ({ database }: TestServer, { epoch, batch }: Backup) =>
		database.db.query('update lease set epoch = $1, batch = $2', [epoch, batch]);

	it('is higher than those that were given after a backup, when the backup is restored', async () => {
		const server = await start();
		const { db } = server.database;
		await server.stop();
		const backup = await leaseOf(server);
		const given = [backup.epoch];
		// By starts and by takeovers, each on what the backup has.
		for (let restored = 0; restored < 3; restored++) {
			await restore(server, backup);
			const again = await start(server);
			given.push(again.running.exchange.epoch());
			await again.stop();
			await restore(server, backup);
			given.push((await takeSeenLease(db, backup))?.epoch ?? 0);
		}
		expect(given).toEqual([...new Set(given)].toSorted((one, other) => one - other));
	});
});

describe('a ledger that was tampered with', () => {
	let stopped: TestServer;
	beforeAll(async () => {
		stopped = await TestServer.start();
		const match = await openTestMatch(stopped);
		const { token } = await stopped.demoPlayer();
		await stopped.result('placeBetV2', betOn(match), token);
		await stopped.stop();
	});
	afterAll(() => stopped?.dispose());

	const change = (sql: string) => stopped.database.db.query(sql);
	const refused = (why: string) => expect(TestServer.start(stopped.database)).rejects.toThrow(why);

	it.each([
		[
			'a balance',
			'wallet set cash = cash + 1 where wallet_id >= 1000',
			'wallet set cash = cash - 1 where wallet_id >= 1000',
		],
		[
			'a bet',
			'bet set stake = stake + 1, remaining = remaining + 1',
			'bet set stake = stake - 1, remaining = remaining - 1',
		],
		['a market', `market_state set status = 'SUSPENDED'`, `market_state set status = 'OPEN'`],
	])('takes no bets when %s was changed', async (_, tampering, undoing) => {
		await change(`update ${tampering}`);
		await refused('run the audit');
		await change(`update ${undoing}`);
	});

	it('takes no bets when its digest is another, but for one of an earlier format, which is not compared', async () => {
		await change(`update lease set digest = 'ffffffffffffffff'`);
		await refused('No bets are taken on such a ledger');
		await change('update lease set digest_format = digest_format - 1');
		const server = await TestServer.start(stopped.database);
		await server.demoPlayer();
		await server.stop();
	});
});
