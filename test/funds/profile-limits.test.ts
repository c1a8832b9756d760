/** Deposit limits as a brand's profile has them: calendar frames, the question before the first deposit, the reminder. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ProfileName } from '#values/profile-names.ts';
import { freshRequestId } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { PaymentDesk } from './payment-desk.ts';

const desk = new PaymentDesk(() => server);
type SignedUp = Awaited<ReturnType<typeof signUp>>;

let server: TestServer;
/** A Saturday in the summer of the United Kingdom, four days before deposit limits there have calendar frames. */
const BEGIN = Date.parse('2026-09-26T12:00:00Z');
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `goTo` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(BEGIN);
	server = await TestServer.start(undefined, {
		payments: { orderMs: 300_000, simulatedDelayMs: 0, pollMs: 600_000, webhookKeys: {} },
	});
});
afterAll(async () => {
	await server.dispose();
	vi.useRealTimers();
});

const now = () => server.running.exchange.now();
/** @param player whose login may end meanwhile */
async function goTo(time: string, player?: SignedUp): Promise<void> {
	vi.advanceTimersByTime(Date.parse(time) - Date.now());
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
	if (!player) return;
	const form = { userNameOrEmailAddress: player.userName, password: PASSWORD };
	player.token = (await server.result('authenticate', form)).accessToken;
}
const choose = (profile: ProfileName, from: string) =>
	server.running.brands.chooseProfile('localhost', { profile, fromMs: Date.parse(from) }, now());
const chooseUk = (from: string) => choose('uk', from);

const order = async ({ token }: SignedUp, amount: number) =>
	await server.call('generatePayment', { amount, clientRequestId: freshRequestId() }, token);
const code = async (player: SignedUp, amount: number) => (await order(player, amount)).code;
async function pay(player: SignedUp, orderId: string | undefined): Promise<void> {
	const status = async () => (await server.result('checkPayment', { orderId: orderId ?? '' }, player.token)).status;
	await expect.poll(status, { interval: 20 }).toBe('SUCCESS');
}
const deposit = async (player: SignedUp, amount: number) =>
	await pay(player, (await order(player, amount)).body.result?.orderId);
const protection = ({ token }: SignedUp) => server.result('getProtection', {}, token);
const used = async (player: SignedUp, name: string) =>
	(await protection(player)).limits.find((limit) => limit.name === name)?.used;

it('counts deposits of the last 24 hours until calendar frames begin, and then those since midnight in London', async () => {
	const player = await signUp(server);
	await chooseUk('2026-09-26T12:05:00Z');
	await goTo('2026-09-26T12:05:01Z', player);
	await server.result('setLimits', { depositDay: 1000, depositWeek: 1600, depositMonth: 9000 }, player.token);
	await goTo('2026-09-29T22:00:00Z', player);
	await deposit(player, 700);
	expect(await protection(player)).toMatchObject({ depositFrames: 'rolling' });
	expect(await code(player, 400)).toBe('DEPOSIT_LIMIT');
	// Midnight of the summer: calendar frames hold from this day on, and an order of the day before is paid in it.
	await goTo('2026-09-29T22:59:00Z', player);
	const other = await signUp(server);
	await server.result('setLimits', { depositDay: 1000 }, other.token);
	const receipt = await desk.waitingReceipt(other, 1000);
	const { body } = await order(player, 300);
	await goTo('2026-09-29T23:00:01Z', player);
	// A pending receipt is credited in the new day, so it has its room there.
	expect([await used(other, 'depositDay'), await code(other, 100)]).toEqual([1000, 'DEPOSIT_LIMIT']);
	expect(await desk.decide('DEPOSIT', receipt, 'approve')).toBe('APPROVED');
	expect([await used(other, 'depositDay'), server.money(other)]).toEqual([1000, [21_000, 0]]);
	expect(await protection(player)).toMatchObject({ depositFrames: 'calendar' });
	expect([await used(player, 'depositDay'), await used(player, 'depositWeek')]).toEqual([300, 1000]);
	expect(await code(player, 701)).toBe('DEPOSIT_LIMIT');
	await pay(player, body.result?.orderId);
	expect([await used(player, 'depositDay'), await used(player, 'depositWeek')]).toEqual([300, 1000]);
	// The week from Monday has room for less than the day.
	await deposit(player, 600);
	await goTo('2026-09-30T23:00:01Z', player);
	expect(await code(player, 100)).toBe('DEPOSIT_LIMIT');
	// The next month is no new week.
	expect(await used(player, 'depositMonth')).toBe(0);
	await goTo('2026-10-04T23:00:01Z', player);
	await deposit(player, 1000);
	expect(await code(player, 100)).toBe('DEPOSIT_LIMIT');
});

it('asks before the first deposit for a limit, which may be none, and again after six months', async () => {
	// Play money asks for nothing.
	await choose('play', '2026-10-05T12:00:00Z');
	await goTo('2026-10-05T12:00:01Z');
	const player = await signUp(server);
	await deposit(player, 500);
	await chooseUk('2026-10-05T12:30:00Z');
	expect((await protection(player)).limitsDue).toBeNull();
	await goTo('2026-10-05T12:30:01Z', player);
	expect((await protection(player)).limitsDue).toBe('FIRST');
	expect(await code(player, 500)).toBe('LIMITS_UNDECIDED');
	// The reality check is another question.
	await server.result('setLimits', { realityCheckMinutes: 30 }, player.token);
	expect(await code(player, 500)).toBe('LIMITS_UNDECIDED');
	expect((await server.result('setLimits', {}, player.token)).limitsDue).toBeNull();
	await deposit(player, 500);
	await goTo('2027-04-05T12:29:00Z', player);
	expect((await protection(player)).limitsDue).toBeNull();
	await goTo('2027-04-05T12:31:00Z', player);
	expect((await protection(player)).limitsDue).toBe('REMINDER');
	expect(await code(player, 500)).toBeNull();
	expect((await server.result('setLimits', { depositDay: 1000 }, player.token)).limitsDue).toBeNull();
});
