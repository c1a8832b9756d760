/** A demo player walks the cashier, bonuses and bets with coins of the demo pool: no person and no figure learns of it. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TransferKind } from '#engine/effect.ts';
import { SimulatedProvider } from '#server/money/funds/payments/simulated-provider.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import { GRANTED_POOLS, POOLS } from '#values/pools.ts';
import { dayName, dayOf, HOME_ZONE } from '#values/zoned-calendar.ts';
import { ConsoleClient } from '../operator/console-client.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const PASSWORD = 'Correct-horse-9';
const TODAY = dayName(dayOf(Date.now(), HOME_ZONE));
/** The budget is one grant. */
const CAMPAIGNS = [{ id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 200, wagering: 5, budget: 200 }];
const BANK = { method: 'BANK', accountNumber: '123456786789', ifsc: 'HDFC0001234', holder: 'Asha Rao' } as const;

let server: TestServer;
let owner: ConsoleClient;
beforeAll(async () => {
	const payments = { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 20, webhookKeys: {} };
	server = await TestServer.start(undefined, { payments });
	await server.act('brand-set', { host: 'localhost', field: 'campaigns', value: JSON.stringify(CAMPAIGNS) });
	const member = { name: 'owner of all', passwordHash: await hashPassword(PASSWORD) };
	await server.running.staff.directory.add(
		{ ...member, roles: ['owner'], brands: null },
		{ actor: 'test', address: null },
	);
	owner = new ConsoleClient(server.url);
	await owner.result('log-in', { name: member.name, password: PASSWORD });
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.db);
	await server.database.drop();
});

const cash = (player: Player) => server.money(player)[0];
const order = (player: Player, amount: number) =>
	server.result('generatePayment', { amount, clientRequestId: freshRequestId() }, player.token);
const withdraw = (player: Player, amount: number, details: object = BANK) =>
	server.raw('createWithdrawal', { amount, details, clientRequestId: freshRequestId() }, player.token);
const numberOf = (id: string) => Number(id.replace(/\D/g, ''));
const becomes = (kind: TransferKind, id: string, state: string) =>
	expect.poll(async () => (await server.running.funds.ledger.find(kind, numberOf(id))).state).toBe(state);

/** All that operators read of money. */
async function figures(): Promise<unknown> {
	const period = { from: TODAY, to: TODAY };
	const by = ['brand', 'day', 'sport', 'market', 'game'] as const;
	return {
		today: await owner.result('today', {}),
		profit: await Promise.all(by.map((group) => owner.result('report-profit', { ...period, by: group }))),
		lifetime: await owner.result('report-lifetime', { ...period, by: 'player' }),
		matches: await owner.result('suspicious-matches', period),
		casino: await owner.result('casino-games', {}),
		queue: await owner.result('payment-queue', {}),
		campaigns: await owner.result('campaigns', { host: 'localhost' }),
		books: await Promise.all((['PLAY', 'REAL'] as const).map((pool) => owner.result('trial-balance', { pool }))),
	};
}

it('deposits, claims, bets, plays and withdraws, and operators’ figures are what they were', async () => {
	const [demo, rival, idle] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
	const before = await figures();

	// Of play money, 500.04 is paid short, and waits for review.
	const made = await order(demo, 500.04);
	expect([made.upiLink, made.qr]).toEqual(['', '']);
	await becomes('PAYMENT', made.orderId, 'SUCCESS');
	await expect.poll(() => cash(demo)).toBe(20_500.04);

	expect((await server.call('claimBonus', { id: 'welcome' }, demo.token)).code).toBeNull();
	expect((await server.call('claimBonus', { id: 'welcome' }, idle.token)).code).toBeNull();
	expect((await server.call('claimBonus', { id: 'welcome' }, demo.token)).code).toBe('ALREADY_CLAIMED');

	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { price: 2, stake: 1_000 }), demo.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 2, stake: 1_000 }), rival.token);
	await match.settle(0);
	const bonuses = () => server.result('getBonuses', {}, demo.token);
	await expect.poll(async () => (await bonuses())[0]?.status).toBe('RELEASED');
	await server.beginSeeds(demo);
	const round = { game: 'coin-flip', bets: [{ bet: 'heads', stake: 10 }], clientRequestId: freshRequestId() };
	await server.result('playRound', round, demo.token);

	// Of play money, 1,000.02 has no verdict, and is for people to find out.
	const paid = cash(demo);
	const { body } = await withdraw(demo, 1_000.02);
	expect(body.result).toMatchObject({ status: 'APPROVED', canCancel: false });
	await becomes('WITHDRAWAL', body.result?.id ?? '', 'PAID');
	await expect.poll(() => cash(demo)).toBe(Math.round((paid - 1_000.02) * 100) / 100);
	// A bonus that is not wagered goes with the withdrawal.
	await withdraw(idle, 500);
	await expect.poll(async () => (await server.result('getBonuses', {}, idle.token))[0]?.status).toBe('FORFEITED');

	expect(await figures()).toEqual(before);
	const stored = await server.database.db.query(
		`select 1 from payout_details where player_id = $1 union all
		 select 1 from workflow where wallet_id = $1 and data::text like '%' || $2 || '%'`,
		[demo.userId, BANK.accountNumber],
	);
	expect(stored.rowCount).toBe(0);
	// The whole budget is there for a player of play money.
	const player = await signUp(server);
	expect((await server.call('claimBonus', { id: 'welcome' }, player.token)).code).toBeNull();
});

it('ends what is under way after the demo player has left, also where the simulator was not told', async () => {
	const demo = await server.demoPlayer();
	await server.running.funds.protection.freeze(demo.userId, 'asked', { actor: 'test', address: null });
	const payOut = vi.spyOn(SimulatedProvider.prototype, 'payOut').mockRejectedValueOnce(new Error('killed here'));
	const { body } = await withdraw(demo, 700);
	await server.call('logout', {}, demo.token);
	await becomes('WITHDRAWAL', body.result?.id ?? '', 'PAID');
	payOut.mockRestore();
	const late = await server.demoPlayer();
	// Frozen when the order is allowed and before it is paid.
	const makeOrder = SimulatedProvider.prototype.createOrder;
	const createOrder = vi.spyOn(SimulatedProvider.prototype, 'createOrder');
	createOrder.mockImplementationOnce(async function (this: SimulatedProvider, about) {
		await server.running.funds.protection.freeze(late.userId, 'asked', { actor: 'test', address: null });
		return await makeOrder.call(this, about);
	});
	const { orderId } = await order(late, 500);
	createOrder.mockRestore();
	// A frozen account takes no payment; no reviewer sees it.
	await becomes('PAYMENT', orderId, 'REFUNDED');
	await expect.poll(() => cash(late)).toBe(20_000);
	const open = () => server.database.db.query(`select kind, state from workflow where pool = 'DEMO' and is_open`);
	await expect.poll(async () => (await open()).rows).toEqual([]);
});

it('sends no picture, and no details that are saved', async () => {
	const { token, ...demo } = await server.demoPlayer();
	const image = Buffer.from('no picture').toString('base64');
	expect((await server.call('storeImage', { image }, token)).code).toBe('NO_DEMO_RECEIPTS');
	const receipt = { amount: 500, utr: '123456789012', imageRef: 'a', clientRequestId: freshRequestId() };
	expect((await server.raw('createDeposit', receipt, token)).code).toBe('NO_DEMO_RECEIPTS');
	expect((await server.raw('readReceipt', { imageRef: 'a' }, token)).code).toBe('NO_DEMO_RECEIPTS');
	const saved = { method: 'SAVED', id: 'a' };
	expect((await withdraw({ token, ...demo }, 500, saved)).code).toBe('NOT_FOUND');
});

it('orders at no provider of other money', async () => {
	const { userId: playerId } = await server.demoPlayer();
	const { funds } = server.running;
	expect(POOLS.filter((pool) => funds.payments.isOpenTo(pool))).toEqual(GRANTED_POOLS);
	// Nor does the ledger move coins of the demo pool in the name of another one.
	const owner = { walletId: playerId, pool: 'PLAY' } as const;
	await expect(
		funds.houseKeeping.requestAdjustment(owner, 100, {
			operator: 'asha',
			reasonCode: 'CORRECTION',
			reason: 'mixed',
		}),
	).rejects.toMatchObject({ code: 'UNKNOWN_USER' });
});
