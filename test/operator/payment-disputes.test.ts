/** Chargebacks that members open and end: what a dispute holds, and that two persons end it, once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

type Shown = OperatorResult<(typeof OPERATOR_CALLS)['payment-show']>;
type Preview = OperatorResult<(typeof OPERATOR_CALLS)['payment-preview']>;

const BY = { actor: 'test', address: null };
const VISIT = { address: '127.0.0.1', userAgent: 'a test' };
const PAID = 400;
const COINS = 20_000;

let server: TestServer;
let asha: ConsoleClient;
let bala: ConsoleClient;
beforeAll(async () => {
	const payments = { orderMs: 60_000, simulatedDelayMs: 10, pollMs: 100, webhookKeys: {} };
	server = await TestServer.start(undefined, { payments });
	asha = await member('asha');
	bala = await member('bala');
});
afterAll(async () => {
	await server.stop();
	await expectSound(server.database.url);
	await server.database.drop();
});

async function member(name: string): Promise<ConsoleClient> {
	const { directory, sessions } = server.running.staff;
	const { staffId } = await directory.add({ name, passwordHash: 'none', roles: ['owner'], brands: null }, BY);
	const client = new ConsoleClient(server.url);
	client.cookies.set('console-session', await sessions.begin(staffId, VISIT, true));
	return client;
}

/** A player's order that is paid. */
async function paid(): Promise<{ player: Player; payment: { kind: string; id: string } }> {
	const player = await signUp(server);
	const asked = { amount: PAID, clientRequestId: freshRequestId() };
	const { orderId } = await server.result('generatePayment', asked, player.token);
	const status = async () => (await server.result('checkPayment', { orderId }, player.token)).status;
	await expect.poll(status, { timeout: 10_000 }).toBe('SUCCESS');
	return { player, payment: { kind: 'PAYMENT', id: orderId } };
}

const decide = (payment: object, event: string, by: ConsoleClient) =>
	by.code('payment-decide', { ...payment, event, reason: 'the bank’s letter' });
const show = (payment: object) => asha.result<Shown>('payment-show', payment);
const hold = ({ userId }: Player) => (server.running.exchange.wallet(userId)?.hold ?? 0) / 100;
const linesOf = async (payment: object, event: string) =>
	(await asha.result<Preview>('payment-preview', { ...payment, event })).lines.map(({ what, amount }) => ({
		what,
		amount,
	}));
const postedSince = ({ postings }: Shown, count: number) =>
	postings.slice(count).map(({ debit, credit, amount }) => ({ what: `${debit} → ${credit}`, amount }));

it('one person opens a dispute, which holds what its preview shows; two end it', async () => {
	const { player, payment } = await paid();
	expect((await show(payment)).decisions).toEqual([{ event: 'dispute', twoPersons: false }]);
	const held = await linesOf(payment, 'dispute');
	expect(held).toEqual([{ what: 'cash → hold', amount: PAID }]);
	expect(await decide(payment, 'dispute', asha)).toBe('');
	const open = await show(payment);
	expect(postedSince(open, 1)).toEqual(held);
	expect([open.state, open.waits, server.money(player)[0], hold(player)]).toEqual(['DISPUTED', true, COINS, PAID]);
	expect(open.decisions).toEqual(['dispute-won', 'dispute-lost'].map((event) => ({ event, twoPersons: true })));
	expect([await decide(payment, 'dispute-won', asha), await decide(payment, 'dispute-won', asha)]).toEqual([
		'',
		'SAME_PERSON',
	]);
	expect((await show(payment)).state).toBe('DISPUTED');
	expect(await decide(payment, 'dispute-won', bala)).toBe('');
	expect([(await show(payment)).state, server.money(player)[0], hold(player)]).toEqual(['WON', COINS + PAID, 0]);
	expect(await decide(payment, 'dispute-lost', bala)).toBe('WRONG_STATE');
});

it('holds what the player has left, and a lost one freezes the account for the rest', async () => {
	const { player, payment } = await paid();
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { stake: COINS + PAID - 150 }), player.token);
	expect(await linesOf(payment, 'dispute')).toEqual([{ what: 'cash → hold', amount: 150 }]);
	await decide(payment, 'dispute', bala);
	const ends = await linesOf(payment, 'dispute-lost');
	expect(ends).toEqual([
		{ what: 'hold → gateway', amount: 150 },
		{ what: 'loss → gateway', amount: PAID - 150 },
	]);
	await decide(payment, 'dispute-lost', bala);
	await decide(payment, 'dispute-lost', asha);
	const lost = await show(payment);
	expect([lost.state, hold(player)]).toEqual(['LOST', 0]);
	expect(postedSince(lost, 2)).toEqual(ends);
	expect((await server.raw('placeBetV2', betOn(match, { stake: 10 }), player.token)).code).toBe('ACCOUNT_FROZEN');
});

it.each([1, 2, 3])(
	'ends once, whoever decides what at the same moment, and whatever the provider says, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const { player, payment } = await paid();
		await decide(payment, 'dispute', asha);
		await decide(payment, numbers.from(['dispute-won', 'dispute-lost']), asha);
		const { payments, ledger } = server.running.funds;
		const id = Number(payment.id);
		const byProvider = () =>
			ledger.turns.take(`payment ${id}`, async () =>
				payments.endDispute(await ledger.find('PAYMENT', id), numbers.chance(50), 'provider'),
			);
		const events = Array.from({ length: 6 }, () => numbers.from(['dispute-won', 'dispute-lost', 'dispute']));
		await Promise.all([
			...events.map((event) => decide(payment, event, numbers.from([asha, bala]))),
			...(numbers.chance(50) ? [byProvider()] : []),
		]);
		for (const by of [asha, bala]) await decide(payment, 'dispute-won', by);
		const { state, postings } = await show(payment);
		expect(['WON', 'LOST']).toContain(state);
		expect(postings).toHaveLength(3);
		expect([server.money(player)[0], hold(player)]).toEqual([state === 'WON' ? COINS + PAID : COINS, 0]);
	},
);
