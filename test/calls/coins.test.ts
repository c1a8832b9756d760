import { afterAll, beforeAll, expect, it } from 'vitest';
import { adjust } from '../support/adjustment.ts';
import { expectSound } from '../support/audit.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

const spend = async ({ userId }: Player, amount: number) => {
	await server.running.exchange.submit({
		kind: 'transfer',
		walletId: userId,
		pool: 'PLAY',
		steps: [
			{
				workflow: 'CASINO',
				from: null,
				to: 'LOST',
				isOpen: false,
				actor: 'player',
				moves: [{ debit: 'cash', credit: 'casino', amount: amount * 100 }],
			},
		],
	});
};

it('grants a new player the coins of the domain, once', async () => {
	const player = await signUp(server);
	expect(server.money(player)).toEqual([20_000, 0]);
	await server.running.funds.coins.welcome(player.userId, server.brand);
	expect(server.money(player)).toEqual([20_000, 0]);
});

it('getDailyCoins: success, names the coins and their time', async () => {
	const player = await signUp(server);
	expect(await server.result('getDailyCoins', {}, player.token)).toMatchObject({ amount: 0, floor: 5_000 });
	await spend(player, 18_000);
	expect(await server.result('getDailyCoins', {}, player.token)).toMatchObject({ amount: 3_000, floor: 5_000 });
});

it('claimDailyCoins: success, fills the balance up to the floor once a day, however many ask at once', async () => {
	const player = await signUp(server);
	await spend(player, 18_000);
	const answers = await Promise.all([1, 2, 3].map(() => server.call('claimDailyCoins', {}, player.token)));
	expect(answers.map(({ code }) => code).sort()).toEqual(['ALREADY_CLAIMED', 'ALREADY_CLAIMED', null].sort());
	expect(server.money(player)).toEqual([5_000, 0]);
	await spend(player, 5_000);
	expect((await server.call('claimDailyCoins', {}, player.token)).code).toBe('ALREADY_CLAIMED');
	const { amount, nextAt } = await server.result('getDailyCoins', {}, player.token);
	expect([amount, Date.parse(nextAt) > Date.now()]).toEqual([0, true]);
});

it('claimDailyCoins: refusal of a demo player', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.call('claimDailyCoins', {}, token)).code).toBe('FORBIDDEN');
});

it('getDailyCoins: refusal of a demo player', async () => {
	const { token } = await server.demoPlayer();
	expect((await server.call('getDailyCoins', {}, token)).code).toBe('FORBIDDEN');
});

it('getDailyCoins: not logged in', async () => {
	expect((await server.call('getDailyCoins', {})).status).toBe(401);
});
it('claimDailyCoins: not logged in', async () => {
	expect((await server.call('claimDailyCoins', {})).status).toBe(401);
	await expectSound(server.database.db);
});

it('pays no debt: a player below zero gets coins when it is paid', async () => {
	const player = await signUp(server);
	await adjust(server, player, -57_510);
	expect(await server.result('getDailyCoins', {}, player.token)).toMatchObject({ amount: 0 });
	expect((await server.result('claimDailyCoins', {}, player.token)).given).toBe(0);
	expect(server.money(player)[0]).toBe(-37_510);
	await adjust(server, player, 38_000);
	expect((await server.result('claimDailyCoins', {}, player.token)).given).toBe(5_000 - 490);
});
