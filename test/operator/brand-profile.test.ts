/**
 * The profile of a brand's jurisdiction: two members choose it for an instant that is still to come, and from then on the
 * server obeys it, while bets, rounds and limits are in progress.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rulesAt } from '#contract/rules-at.ts';
import { hashPassword } from '#server/people/players/passwords.ts';
import type { ProfileName } from '#values/profile-names.ts';
import { DAY_MS } from '#values/time.ts';
import { RealMoneySite } from '../funds/real-money-site.ts';
import { freshRequestId } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

/** The day before deposit limits of the United Kingdom have calendar frames. */
const BEGIN = Date.parse('2026-09-29T12:00:00Z');

/** Shorter than a session of the console may be idle, and a payment may take. */
const SOON_MS = 20_000;

let site: RealMoneySite;
let server: TestServer;
let maker: ConsoleClient;
let checker: ConsoleClient;
beforeAll(async () => {
	// Wall clock and monotonic clock run on, and `pass` moves both.
	vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true });
	vi.setSystemTime(BEGIN);
	site = await RealMoneySite.open();
	({ server } = site);
	maker = await member('maker');
	checker = await member('checker');
});
afterAll(async () => {
	await site.close();
	vi.useRealTimers();
});

function pass(ms: number): void {
	vi.advanceTimersByTime(ms);
	// A server that works reads its clock all the time.
	server.running.funds.ledger.now();
}

async function member(name: string): Promise<ConsoleClient> {
	const by = { actor: 'test', address: null };
	const passwordHash = await hashPassword(PASSWORD);
	await server.running.staff.directory.add({ name, passwordHash, roles: ['owner'], brands: null }, by);
	const client = new ConsoleClient(server.url);
	await client.result('log-in', { name, password: PASSWORD });
	return client;
}

const now = () => server.running.exchange.now();
const asked = (profile: ProfileName, fromMs: number) => ({
	act: 'brand-profile',
	input: { host: 'localhost', profile, from: new Date(fromMs).toISOString() },
	reason: 'the licence came',
});
const propose = async (profile: ProfileName, fromMs: number) =>
	(await maker.result<{ proposalId: string }>('propose', asked(profile, fromMs))).proposalId;
const chosen = () => server.brand.setting.profiles.map(({ profile }) => profile);
const profileNow = () => rulesAt(server.brand.setting, now).profile;

/** The profile holds when this resolves. */
async function switchTo(profile: ProfileName): Promise<void> {
	const atMs = now() + SOON_MS;
	await checker.result('confirm', { proposalId: await propose(profile, atMs) });
	pass(SOON_MS + 1000);
	expect(profileNow()).toBe(profile);
}

it('is none by default, and chosen by two members for an instant to come, not by one, by the key or for the past', async () => {
	expect([chosen(), profileNow()]).toEqual([[], null]);
	const fromMs = now() + SOON_MS;
	const proposalId = await propose('play', fromMs);
	const again = new ConsoleClient(server.url);
	await again.result('log-in', { name: 'maker', password: PASSWORD });
	expect(await again.code('confirm', { proposalId })).toBe('SAME_PERSON');
	expect((await server.operator('brand-profile', asked('play', fromMs).input)).status).toBe(404);
	for (const field of ['profiles', 'legalTexts', 'rules'])
		expect((await server.operator('brand-set', { host: 'localhost', field, value: '[]' })).code).toBe(
			'VALIDATION_FAILED',
		);
	expect(await maker.code('propose', asked('play', now() - 1))).toBe('VALIDATION_FAILED');
	expect(await checker.result('confirm', { proposalId })).toMatchObject({ state: 'APPLIED' });
	expect([chosen(), profileNow()]).toEqual([['play'], null]);
	pass(SOON_MS + 1000);
	expect(profileNow()).toBe('play');
});

it('is refused when its instant passes before the confirmation, and of two proposals the second one is', async () => {
	const late = await propose('malta', now() + SOON_MS);
	const [one, other] = [await propose('uk', now() + 30 * DAY_MS), await propose('italy', now() + 40 * DAY_MS)];
	pass(SOON_MS + 1000);
	expect(await checker.code('confirm', { proposalId: late })).toBe('VALIDATION_FAILED');
	const codes = await Promise.all([one, other].map((proposalId) => checker.code('confirm', { proposalId })));
	expect(codes.toSorted()).toEqual(['', 'WRONG_STATE']);
	expect(chosen()).toHaveLength(2);
	// What has not begun gives way to the next choice.
	await checker.result('confirm', { proposalId: await propose('brazil', now() + 20 * DAY_MS) });
	expect(chosen()).toEqual(['play', 'brazil']);
	await switchTo('play');
	expect(chosen()).toEqual(['play', 'play']);
});

type Called = Parameters<RealMoneySite['call']>;

/** What a call is refused with: the gate that real money is closed by, or the code; null for a success. */
async function refusal(...called: Called): Promise<string | null> {
	const message = await site.call(...called).then(
		() => '',
		(error: Error) => error.message,
	);
	return /"gate":"(\w+)"/.exec(message)?.[1] ?? /"code":"(\w+)"/.exec(message)?.[1] ?? (message || null);
}
const roundOf = (game: string, bet: string): Called[1] => ({
	game,
	bets: [{ bet, stake: 10 }],
	clientRequestId: freshRequestId(),
});
const order = () => ({ amount: 500, clientRequestId: freshRequestId() });

/** A round of Mines that the player can cash out. */
async function openRound(player: Player): Promise<string> {
	for (;;) {
		const { round } = (await site.call('playRound', roundOf('mines', '1'), player)) as { round: { roundId: string } };
		const { roundId } = round;
		const opened = await site.call(
			'actInRound',
			{ roundId, action: 'open-0', clientRequestId: freshRequestId() },
			player,
		);
		if ((opened['round'] as { state: string }).state === 'OPEN') return roundId;
	}
}

it('closes real money in India: an open round is decided, what is paid arrives, and the balance leaves', async () => {
	await switchTo('italy');
	const player = await site.player();
	await server.beginSeeds(player);
	const { id } = await site.order(player, 1000);
	site.studio.pay(site.payment(id));
	await site.becomes('PAYMENT', id, 'SUCCESS');
	const roundId = await openRound(player);
	const { id: pending } = await site.order(player, 500);
	await checker.result('confirm', { proposalId: await propose('india', now() + SOON_MS) });
	expect(await refusal('playRound', roundOf('dice', 'under-5000'), player)).toBeNull();
	pass(SOON_MS + 1000);
	for (const [name, input] of [
		['playRound', roundOf('dice', 'under-5000')],
		['generatePayment', order()],
		['createDeposit', { amount: 500, utr: '412345678901', imageRef: 'none', clientRequestId: freshRequestId() }],
	] satisfies [Called[0], Called[1]][])
		expect([name, await refusal(name, input, player)]).toEqual([name, 'PROFILE']);
	const before = site.cash(player);
	const cashedOut = { roundId, action: 'cash-out', clientRequestId: freshRequestId() };
	expect(await refusal('actInRound', cashedOut, player)).toBeNull();
	expect(site.cash(player)).toBeGreaterThan(before);
	// The player's bank has the order; the money is the player's, wherever it comes from.
	site.studio.pay(site.payment(pending));
	await site.becomes('PAYMENT', pending, 'SUCCESS');
	const details = { method: 'UPI', upiId: 'asha@bank' };
	const withdrawal = { amount: 500, details, clientRequestId: freshRequestId() };
	expect(await refusal('createWithdrawal', withdrawal, player)).toBeNull();
	// Play money is open.
	const demo = await server.demoGambler();
	expect(await refusal('playRound', roundOf('dice', 'under-5000'), demo)).toBeNull();
});
