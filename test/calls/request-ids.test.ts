/** Repeated requests through real HTTP: the first answer, whatever other players did meanwhile, and after a restart. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RequestTable } from '#server/exchange/ledger/request-table.ts';
import { REQUEST_MEMORY } from '#server/exchange/order/request-memory.ts';
import { DAY_MS } from '#values/time.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
});

const place = (bet: ReturnType<typeof betOn>, { token }: Player) => server.call('placeBetV2', bet, token);
const openBets = async ({ token }: Player) => (await server.result('getUserOpenBets', {}, token)).openBets;
const storedOf = async ({ userId }: Player): Promise<number> =>
	(await server.database.db.query('select 1 from request_key where wallet_id = $1', [userId])).rowCount ?? 0;

/** More accepted requests of one player than the memory holds in all would take minutes; these have a memory of ten. */
async function withSmallMemory(test: () => Promise<void>): Promise<void> {
	const before = { ...REQUEST_MEMORY };
	Object.assign(REQUEST_MEMORY, { answers: 6, ids: 10, idsOfOne: 4 });
	try {
		await test();
	} finally {
		Object.assign(REQUEST_MEMORY, before);
	}
}

describe('a repeated bet', () => {
	it('gets the first answer when other players’ requests fill the memory', async () => {
		await withSmallMemory(async () => {
			const player = await server.demoPlayer();
			const bet = betOn(match, { price: 50, stake: 25 });
			const first = await place(bet, player);
			for (let players = 0; players < 4; players++) {
				const flooder = await server.demoPlayer();
				for (let bets = 0; bets < 5; bets++) await place(betOn(match, { price: 50, stake: 10 }), flooder);
			}
			expect(await place(bet, player)).toEqual(first);
			expect(await openBets(player)).toHaveLength(1);
		});
	});

	it('gets the first answer when the player’s own requests fill the player’s share of the memory', async () => {
		await withSmallMemory(async () => {
			const player = await server.demoPlayer();
			const bet = betOn(match, { price: 50, stake: 25 });
			const first = await place(bet, player);
			for (let bets = 0; bets < 9; bets++) await place(betOn(match, { price: 50, stake: 10 }), player);
			expect(await place(bet, player)).toEqual(first);
			expect((await place({ ...bet, stake: 26 }, player)).code).toBe('REQUEST_ID_REUSED');
			expect(await openBets(player)).toHaveLength(10);
		});
	});

	it('is placed once when it is sent many times in parallel, in memory or not', async () => {
		await withSmallMemory(async () => {
			const player = await server.demoPlayer();
			for (let round = 1; round <= 12; round++) {
				const bet = betOn(match, { price: 50, stake: 10 });
				const answers = await Promise.all(Array.from({ length: 8 }, () => place(bet, player)));
				expect(new Set(answers.map(({ body }) => body.result?.betId)).size).toBe(1);
				expect(await openBets(player)).toHaveLength(round);
			}
		});
	});

	it('is refused when its id is older than the requests that are kept', async () => {
		const player = await server.demoPlayer();
		const uuidOf = (atMs: number) => {
			const time = atMs.toString(16).padStart(12, '0');
			return `${time.slice(0, 8)}-${time.slice(8)}-7abc-8def-0123456789ab`;
		};
		const idOf = (atMs: number) => betOn(match, { price: 50, stake: 10, clientRequestId: uuidOf(atMs) });
		const old = await place(idOf(Date.now() - 4 * DAY_MS), player);
		expect([old.status, old.code]).toEqual([409, 'REQUEST_TOO_OLD']);
		expect((await place(idOf(Date.now()), player)).code).toBeNull();
	});
});

describe('an order that is repeated after its sport was closed', () => {
	const showsCricket = (value: boolean) =>
		server.act('brand-set', { host: 'localhost', field: 'cricket', value: String(value) });
	afterEach(() => showsCricket(true));

	it('gets its first answer, and a new one is refused', async () => {
		const player = await server.demoPlayer();
		const bet = betOn(match, { price: 50, stake: 25 });
		const first = await place(bet, player);
		const order = { betId: first.body.result?.betId ?? '', price: 60, clientRequestId: freshRequestId() };
		const replace = (change: object = {}) => server.call('replaceBet', { ...order, ...change }, player.token);
		const replaced = await replace();
		const waits = { ...betOn(match, { price: 4 }), moves: 'FALLS' as const, at: 3 };
		const trigger = (change: object = {}) => server.call('placeTrigger', { ...waits, ...change }, player.token);
		const waiting = await trigger();
		expect([first.code, replaced.code, waiting.code]).toEqual([null, null, null]);
		await showsCricket(false);
		expect(await place(bet, player)).toEqual(first);
		expect((await replace()).body.result?.betId).toBe(replaced.body.result?.betId);
		expect(await trigger()).toEqual(waiting);
		const again = { clientRequestId: freshRequestId() };
		const refused = await Promise.all([place({ ...bet, ...again }, player), trigger(again)]);
		expect(refused.map(({ code }) => code)).toEqual(['SPORT_NOT_ALLOWED', 'SPORT_NOT_ALLOWED']);
		expect(await openBets(player)).toHaveLength(1);
	});
});

describe('a refused order', () => {
	it('is looked up once: by the exchange, or where the exchange did not come to judge it', async () => {
		const player = await server.demoPlayer();
		const earlier = vi.spyOn(server.running.exchange, 'earlier');
		const askedBeside = async (order: Parameters<typeof betOn>[1]) => {
			earlier.mockClear();
			const { code } = await place(betOn(match, order), player);
			return [code, earlier.mock.calls.length];
		};
		try {
			expect(await askedBeside({ price: 50, stake: 25_000 })).toEqual(['INSUFFICIENT_FUNDS', 0]);
			expect(await askedBeside({ price: 50.05, stake: 10 })).toEqual(['PRICE_NOT_ON_LADDER', 1]);
		} finally {
			earlier.mockRestore();
		}
	});
});

describe('the kept requests', () => {
	it('does not grow by cancellations that cancel nothing', async () => {
		const player = await server.demoPlayer();
		const before = await storedOf(player);
		for (let count = 0; count < 20; count++) {
			await server.result('cancelAll', { clientRequestId: freshRequestId() }, player.token);
		}
		expect(await storedOf(player)).toBe(before);
		await place(betOn(match, { price: 50, stake: 10 }), player);
		await server.result('cancelAll', { clientRequestId: freshRequestId() }, player.token);
		expect(await storedOf(player)).toBe(before + 2);
	});

	it('is three whole days: each day’s pruning takes the day before them, and no other', async () => {
		const { db } = server.database;
		const table = new RequestTable(db);
		await db.query(`delete from request_key where wallet_id = 77`);
		const today = Math.floor(Date.now() / DAY_MS);
		const daysLeft = async () =>
			(
				await db.query<{ day: number }>(
					`select (at / ${DAY_MS})::int as day from request_key where wallet_id = 77 order by 1`,
				)
			).rows.map(({ day }) => today - day);
		for (let age = 0; age <= 4; age++) {
			const at = (today - age) * DAY_MS + 1000;
			await db.query(
				`insert into request_key select ($1::bigint / ${DAY_MS}) % 5, 77, 'of-day-' || $1, '', '{}', $1::bigint`,
				[at],
			);
		}
		await table.prune(today * DAY_MS + 5000);
		expect(await daysLeft()).toEqual([3, 2, 1, 0]);
		await table.prune((today + 1) * DAY_MS);
		expect(await daysLeft()).toEqual([2, 1, 0]);
		// A partition that holds requests of these days is left alone, whatever the clock says.
		await expect(table.prune((today - 1) * DAY_MS)).rejects.toThrow('not emptied');
		expect(await daysLeft()).toEqual([2, 1, 0]);
		// They have no seals.
		await db.query(`delete from request_key where wallet_id = 77`);
	});
});

describe('one player', () => {
	it('has a bounded number of requests under way, and others are served', async () => {
		const [busy, other] = [await server.demoPlayer(), await server.demoPlayer()];
		// Nothing is written while another connection holds the lease's row.
		const client = await server.database.db.connect();
		await client.query('begin; select 1 from lease for update');
		const refused = Promise.withResolvers<number>();
		const bets = Array.from({ length: 300 }, async () => {
			const { status } = await place(betOn(match, { price: 50, stake: 10 }), busy);
			if (status === 429) refused.resolve(status);
			return status;
		});
		await refused.promise;
		const ofOther = place(betOn(match, { price: 50, stake: 10 }), other);
		await client.query('commit');
		client.release();
		expect((await ofOther).status).toBe(200);
		expect(new Set(await Promise.all(bets))).toEqual(new Set([200, 429]));
	});
});

describe('after a restart', () => {
	it('a repetition gets the first answer, and the same id for another bet is refused', async () => {
		const bet = betOn(await openTestMatch(server), { price: 50, stake: 25 });
		const { token } = await server.demoPlayer();
		const first = await server.call('placeBetV2', bet, token);
		server = await restartShared();
		const again = await Promise.all(
			[bet, { ...bet, stake: 26 }, bet].map((one) => server.call('placeBetV2', one, token)),
		);
		expect(again.map(({ code }) => code)).toEqual([null, 'REQUEST_ID_REUSED', null]);
		expect([again[0], again[2]]).toEqual([first, first]);
	});
});
