/**
 * A player's rights on a suspended domain, and the fate of unmatched bets: no player is locked in with a bet that
 * players of other domains still match.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

const set = (field: string, value: string) => server.act('brand-set', { host: 'localhost', field, value });
const openBets = async (player: Player) => (await server.result('getUserOpenBets', {}, player.token)).openBets;
const waits = ({ userId }: Player) => server.running.exchange.openBets(userId).some(({ remaining }) => remaining > 0);

/** A player of another domain with 20,000 of demo money. */
async function playerElsewhere(userName: string): Promise<number> {
	const brand = { host: '127.0.0.1', pool: 'PLAY' as const };
	const { players, exchange } = server.running;
	const { playerId } = await players.createPlayer({
		userName,
		password: 'Passw0rd!',
		brand,
		pool: 'DEMO',
	});
	await exchange.submit({ kind: 'grant-coins', grantId: playerId, walletId: playerId, amount: 2_000_000 });
	return playerId;
}

beforeEach(async () => {
	await set('siteSuspended', 'false');
	await set('lapseBetsOnSuspension', 'true');
});

describe('a suspended domain', () => {
	it('lapses unmatched bets of its players, keeps matched ones, and leaves other domains alone', async () => {
		const match = await openTestMatch(server);
		const [player, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const stranger = await playerElsewhere('stranger');
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), player.token);
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 40, side: 'LAY' }), other.token);
		await server.running.exchange.submit({
			kind: 'place-bet',
			walletId: stranger,
			marketId: match.market.listing.id,
			runner: 0,
			side: 0,
			price: 500,
			stake: 10_000,
			persist: false,
		});
		await set('siteSuspended', 'true');
		await expect.poll(() => waits(player)).toBe(false);
		expect(await openBets(player)).toMatchObject([{ matchedStake: 40, remainingStake: 0 }]);
		expect(server.money(player)).toEqual([20_000 - 40, 40]);
		expect(server.running.exchange.openBets(stranger)).toMatchObject([{ remaining: 10_000 }]);
	});

	it('lets its players log in, read their records and cancel, and refuses new bets, when bets are to stay', async () => {
		await set('lapseBetsOnSuspension', 'false');
		await server.act('create-player', { userName: 'asha', password: 'Passw0rd!' });
		await server.act('add-money', { userName: 'asha', amount: 1000, grantId: 7001 });
		const match = await openTestMatch(server);
		const logIn = () => server.result('authenticate', { userNameOrEmailAddress: 'asha', password: 'Passw0rd!' });
		const before = await logIn();
		const { betId } = await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), before.accessToken);
		await set('siteSuspended', 'true');

		const { accessToken: token, refreshToken } = await logIn();
		expect((await server.result('refreshToken', { refreshToken })).accessToken).not.toBe('');
		expect(await server.result('getUserInfo', {}, token)).toMatchObject({ balance: 900, exposure: 100 });
		expect((await server.result('getUserOpenBets', {}, token)).openBets).toMatchObject([
			{ betId, remainingStake: 100 },
		]);
		for (const [name, input] of [
			['getTransactionHistory', {}],
			['getUserBetHistory', {}],
			['getUserProfitLoss', {}],
			['getUserExpectedProfitLoss', {}],
			['getUserLoginAttempts', {}],
		] as const) {
			expect([name, (await server.raw(name, input, token)).status]).toEqual([name, 200]);
		}
		for (const refused of [
			await server.call('placeBetV2', betOn(match), token),
			await server.call('replaceBet', { betId, price: 4, clientRequestId: freshRequestId() }, token),
			await server.call('loginAsDemoUser', {}),
		]) {
			expect([refused.status, refused.code]).toEqual([403, 'SITE_SUSPENDED']);
		}
		const taken = await server.result('cancelBet', { betId, clientRequestId: freshRequestId() }, token);
		expect(taken).toMatchObject({ cancelledStake: 100, balance: 1000, exposure: 0 });
	});

	it('ends triggers and plans also when bets are to stay: what they placed stays, and nothing follows it', async () => {
		await set('lapseBetsOnSuspension', 'false');
		const match = await openTestMatch(server);
		const [player, layer] = [await server.demoPlayer(), await playerElsewhere('layer')];
		const { exchange } = server.running;
		const back = betOn(match, { price: 4, stake: 100 });
		await server.result('placeTrigger', { ...back, moves: 'FALLS', at: 3 } as never, player.token);
		const iceberg = { ...back, plan: { kind: 'ICEBERG', visible: 40 }, clientRequestId: freshRequestId() };
		await server.result('placePlan', iceberg as never, player.token);
		await expect.poll(() => exchange.openBets(player.userId)).toHaveLength(1);
		await set('siteSuspended', 'true');
		await expect.poll(() => exchange.triggers(player.userId)).toEqual([]);
		expect(server.money(player)).toEqual([20_000 - 40, 40]);
		const marketId = match.market.listing.id;
		const lay = { walletId: layer, marketId, runner: 0, side: 1, price: 400, stake: 10_000, persist: false } as const;
		await exchange.submit({ kind: 'place-bet', ...lay });
		expect(exchange.openBets(player.userId)).toMatchObject([{ matched: 4_000, remaining: 0 }]);
		expect(server.money(player)).toEqual([20_000 - 40, 40]);
	});

	it('keeps no bet that is placed during the suspension', async () => {
		const match = await openTestMatch(server);
		const players = await Promise.all(Array.from({ length: 5 }, () => server.demoPlayer()));
		const place = async ({ token }: Player) => {
			const answers: (string | null)[] = [];
			while (answers.at(-1) !== 'SITE_SUSPENDED') {
				const { code } = await server.call('placeBetV2', betOn(match, { price: 3, stake: 10 }), token);
				answers.push(code);
			}
			return answers;
		};
		const placing = Promise.all(players.map(place));
		await expect.poll(() => players.every((player) => waits(player))).toBe(true);
		await set('siteSuspended', 'true');
		expect((await placing).flat().filter((code) => code !== null && code !== 'SITE_SUSPENDED')).toEqual([]);
		await expect.poll(() => players.some((player) => waits(player))).toBe(false);
		expect(players.map((player) => server.money(player))).toEqual(players.map(() => [20_000, 0]));
	});

	it('lapses the bets at the next start when the server was stopped right after the setting changed', async () => {
		await set('lapseBetsOnSuspension', 'false');
		const match = await openTestMatch(server);
		const player = await server.demoPlayer();
		await server.result('placeBetV2', betOn(match, { price: 3, stake: 100 }), player.token);
		await server.stop();
		// The change as a process leaves it that ended before anything lapsed.
		await server.database.db.query(
			`update brand set setting = setting || '{"siteSuspended": true, "lapseBetsOnSuspension": true}', version = version + 1
			 where host = 'localhost'`,
		);
		server = await TestServer.start(server.database);
		await expect.poll(() => waits(player)).toBe(false);
		expect(server.money(player)).toEqual([20_000, 0]);
	});
});
