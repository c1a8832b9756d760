/**
 * Taxes on a brand of real money, over the end of India's financial year and the months of other profiles: what is
 * withheld, what comes back, what the house owes, and the lines of statement and report.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ProfileName } from '#values/profile-names.ts';
import { adjust } from '../support/adjustment.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { RealMoneySite } from './real-money-site.ts';

let site: RealMoneySite;
let player: RealPlayer;
const players: RealPlayer[] = [];
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `goTo` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(Date.parse('2025-03-20T06:30:00Z'));
	site = await RealMoneySite.open();
	await choose('india', '2025-03-20T06:40:00Z');
	await goTo('2025-03-20T06:40:01Z');
	player = await realPlayer();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
	vi.useRealTimers();
});

interface RealPlayer extends Player {
	userName: string;
}
const PASSWORD = 'a long enough Passw0rd!';

/** Logins end while time passes. */
async function logIn(of: RealPlayer): Promise<void> {
	const form = { userNameOrEmailAddress: of.userName, password: PASSWORD };
	of.token = (await site.server.result('authenticate', form)).accessToken;
}

async function realPlayer(): Promise<RealPlayer> {
	const userName = `taxed${players.length}`;
	const brand = { host: 'localhost', pool: 'REAL' } as const;
	const { playerId } = await site.server.running.players.createPlayer({ userName, password: PASSWORD, brand });
	await site.server.act('verify-identity', { userName, host: 'localhost', age: 30 });
	const made = { token: '', refreshToken: '', userId: playerId, userName };
	await logIn(made);
	players.push(made);
	return made;
}

const now = () => site.server.running.exchange.now();
async function goTo(time: string): Promise<void> {
	vi.advanceTimersByTime(Math.max(0, Date.parse(time) - Date.now()));
	// A server that works reads its clock all the time.
	now();
	for (const one of players) await logIn(one);
}
const choose = (profile: ProfileName, from: string) =>
	site.server.running.brands.chooseProfile('localhost', { profile, fromMs: Date.parse(from) }, now());

async function deposit(of: Player, amount: number): Promise<void> {
	const { id } = await site.order(of, amount);
	site.studio.pay(site.payment(id));
	await site.becomes('PAYMENT', id, 'SUCCESS');
}

interface Asked {
	id: number;
	amount: number;
	tax: number;
}
async function withdraw(of: Player, amount: number): Promise<Asked> {
	const details = { method: 'UPI', upiId: 'asha@bank' };
	const row = await site.call('createWithdrawal', { amount, details, clientRequestId: freshRequestId() }, of);
	const { id, ...sums } = row as { id: string; amount: number; tax: number };
	return { id: Number(id.replace('WITHDRAWAL-', '')), amount: sums.amount, tax: sums.tax };
}
/** The server, as if it had real money alone: one that has play money, too, opens no market for real money. */
function withRealMarkets(): TestServer {
	const { running } = site.server;
	const exchange = new Proxy(running.exchange, {
		get: (of, name) => {
			const value: unknown = name === 'pools' ? ['REAL'] : Reflect.get(of, name, of);
			return typeof value === 'function' ? value.bind(of) : value;
		},
	});
	return { running: { ...running, exchange } } as TestServer;
}

/** What a house account of real money holds. */
async function held(account: string): Promise<number> {
	const balances = await site.server.act<{ account: string; balance: number }[]>('trial-balance', { pool: 'REAL' });
	return balances.find((one) => one.account === account)?.balance ?? 0;
}
/** What the payment provider was asked to pay, in minor units; null while it was not. */
function paidOut(withdrawalId: number): number | null {
	try {
		return site.payout(withdrawalId).amount;
	} catch {
		return null;
	}
}
interface Closed {
	name: string;
	period: string;
	base: number;
	amount: number;
	playerId: string | null;
}
const close = () => site.server.act<Closed[]>('close-taxes', {});

it('India: 30 % of net winnings is withheld from each withdrawal in one batch, and at the year’s end', async () => {
	await deposit(player, 500);
	// Won, as far as the tax is concerned: the player did not pay it in.
	await adjust(site.server, player, 1_000);
	// 800 − 500 are winnings.
	const first = await withdraw(player, 800);
	expect(first).toMatchObject({ amount: 710, tax: 90 });
	const shown = await site.server.act('payment-show', { kind: 'WITHDRAWAL', id: String(first.id) });
	expect(shown).toMatchObject({ amount: 710, tax: { base: 300, amount: 90 } });
	expect([site.cash(player), await held('tax')]).toEqual([700, 90]);
	const { rows } = await site.server.database.db.query<{ batches: number; postings: number }>(
		`select count(distinct batch)::int as batches, count(*)::int as postings from posting where kind = 'WITHDRAWAL' and ref = $1`,
		[first.id],
	);
	expect(rows).toEqual([{ batches: 1, postings: 2 }]);
	await site.decide('WITHDRAWAL', first.id, 'reject');
	expect([site.cash(player), await held('tax')]).toEqual([1_500, 0]);
	// A rejected withdrawal took nothing of the year's deposits.
	const second = await withdraw(player, 800);
	expect(second.tax).toBe(90);
	await site.decide('WITHDRAWAL', second.id, 'approve');
	await expect.poll(() => paidOut(second.id), { timeout: 30_000, interval: 20 }).toBe(71_000);
	// The deposits are used up: all of it is winnings.
	const third = await withdraw(player, 200);
	expect(third).toMatchObject({ amount: 140, tax: 60 });
	expect([site.cash(player), await held('tax')]).toEqual([500, 150]);
	const late = await realPlayer();
	await adjust(site.server, late, 100);
	const pending = await withdraw(late, 100);
	expect(pending.tax).toBe(30);
	// The last instant of the year, and the first of the next one, by India's clocks.
	await goTo('2025-03-31T18:29:00Z');
	expect(await close()).toEqual([]);
	await goTo('2025-03-31T18:30:01Z');
	// Refused after the year's end: its tax stays, and nothing of it is taxed again.
	await site.decide('WITHDRAWAL', pending.id, 'reject');
	expect(site.cash(late)).toBe(70);
	// (1000 + 500) − (500 + 0 + 500)
	const ofYear = (await close()).filter(({ playerId }) => playerId !== null);
	expect(ofYear).toEqual([
		{ brand: 'localhost', name: 'IN_194BA', period: '2024', base: 500, amount: 150, playerId: String(player.userId) },
		{ brand: 'localhost', name: 'IN_194BA', period: '2024', base: 0, amount: 0, playerId: String(late.userId) },
	]);
	expect([site.cash(player), await close()]).toEqual([350, []]);
	// The next year begins with 500, of which the tax was taken: what is left is no winnings again.
	expect(await withdraw(player, 350)).toMatchObject({ amount: 350, tax: 0 });
	// The year of this one is over: the tax stays, and the amount comes back.
	const owed = await held('tax');
	await site.decide('WITHDRAWAL', third.id, 'reject');
	expect([site.cash(player), await held('tax')]).toEqual([140, owed]);
});

it('India: 28 % of a month’s deposits is owed, once, and borne by the house', async () => {
	// 500 in March, and 300 on the first day of April.
	expect(await held('tax_cost')).toBe(-140);
	await deposit(player, 300);
	await goTo('2025-04-30T18:30:01Z');
	expect(await close()).toEqual([
		{ brand: 'localhost', name: 'IN_GST', period: '2025-04', base: 300, amount: 84, playerId: null },
	]);
	expect([await held('tax_cost'), await close()]).toEqual([-224, []]);
});

it('the statement and the report have each tax as a line of its own', async () => {
	const { items } = await site.server.result('getTransactionHistory', {}, player.token);
	const lines = items.filter(({ category }) => category === 'TAX').map(({ kind, amount }) => [kind, amount]);
	expect(lines).toEqual([
		['TAX', -150],
		['TAX', -60],
		['TAX', -90],
		['TAX', 90],
		['TAX', -90],
	]);
	const period = { from: '2025-03-01', to: '2025-05-31' };
	const rows = await site.server.act<Record<string, unknown>[]>('report-taxes', period);
	const row = (
		name: string,
		month: string,
		of: string | null,
		[players, charged, returned]: [players: number, charged: number, returned: number],
	) => ({
		brand: 'localhost',
		name,
		month,
		period: of,
		players,
		charged,
		returned,
		owed: charged - returned,
	});
	expect(rows).toEqual([
		row('IN_194BA', '2025-03', null, [2, 270, 90]),
		row('IN_194BA', '2025-04', '2024', [1, 150, 0]),
		row('IN_GST', '2025-04', '2025-03', [0, 140, 0]),
		row('IN_GST', '2025-05', '2025-04', [0, 84, 0]),
	]);
	const owed = rows.reduce((sum, { owed: of }) => sum + Number(of), 0);
	expect(await held('tax')).toBe(owed);
});

it('Italy and Brazil: each month owes by the profile of its days, 20 % of commission and 12 % of revenue', async () => {
	await choose('italy', '2025-05-10T12:00:00Z');
	await goTo('2025-05-10T12:00:01Z');
	const [backer, layer] = [await realPlayer(), await realPlayer()];
	for (const each of [backer, layer]) await adjust(site.server, each, 1_000);
	const bet = async () => {
		const match = await openTestMatch(withRealMarkets());
		await site.call('placeBetV2', betOn(match, { price: 3, stake: 100 }), backer);
		await site.call('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), layer);
		await match.settle(0);
	};
	await bet();
	await choose('brazil', '2025-05-20T12:00:00Z');
	await goTo('2025-05-20T12:00:01Z');
	await bet();
	await goTo('2025-07-01T03:00:01Z');
	const closed = await close();
	// 200 won each time, of which 2 % are commission; India's deposits of May were none.
	expect(closed.map(({ name, period, base, amount }) => [name, period, base, amount])).toEqual([
		['IN_GST', '2025-05', 0, 0],
		['IT_EXCHANGE', '2025-05', 4, 0.8],
		['BR_GGR', '2025-05', 4, 0.48],
		['BR_GGR', '2025-06', 0, 0],
	]);
	expect(await close()).toEqual([]);
});

it('two withdrawals at once do not both take the deposits off', async () => {
	await choose('india', '2025-07-01T04:00:00Z');
	await goTo('2025-07-01T04:00:01Z');
	const hasty = await realPlayer();
	await deposit(hasty, 500);
	await adjust(site.server, hasty, 500);
	const asked = await Promise.all([withdraw(hasty, 400), withdraw(hasty, 400)]);
	// 800 − 500
	expect(asked.map(({ tax }) => tax).toSorted()).toEqual([0, 90]);
	expect(site.cash(hasty)).toBe(200);
});

it('play money is not taxed, whatever the profile says', async () => {
	const demo = await site.server.demoPlayer();
	const details = { method: 'UPI', upiId: 'asha@bank' };
	const row = await site.server.result(
		'createWithdrawal',
		{ amount: 1_000, details, clientRequestId: freshRequestId() } as never,
		demo.token,
	);
	expect(row).toMatchObject({ amount: 1_000, tax: 0 });
});
