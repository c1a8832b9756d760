/** Chargebacks that members open and end: what a dispute holds, and that two persons end it, once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperatorResult } from '#contract/operators/operator-call.ts';
import type { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { adjust } from '../support/adjustment.ts';
import { expectSound } from '../support/audit.ts';
import { endDisputes } from '../support/disputes.ts';
import { betOn, freshRequestId, openTestMatch } from '../support/match.ts';
import { onSeeds } from '../support/seeds.ts';
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
	await expectSound(server.database.db);
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
async function paid<P extends Player>(player: P): Promise<{ player: P; payment: { kind: string; id: string } }> {
	const asked = { amount: PAID, clientRequestId: freshRequestId() };
	const { orderId } = await server.result('generatePayment', asked, player.token);
	const status = async () => (await server.result('checkPayment', { orderId }, player.token)).status;
	await expect.poll(status).toBe('SUCCESS');
	return { player, payment: { kind: 'PAYMENT', id: orderId } };
}

const decide = (payment: object, event: string, by: ConsoleClient) =>
	by.code('payment-decide', { ...payment, event, reason: 'the bank’s letter' });
const show = (payment: object) => asha.result<Shown>('payment-show', payment);
const hold = ({ userId }: Player) => (server.running.exchange.wallet(userId)?.hold ?? 0) / 100;
const linesOf = async (about: object, event: string) =>
	(await asha.result<Preview>('payment-preview', { ...about, event })).lines.map(({ what, amount }) => ({
		what,
		amount,
	}));
const posted = ({ postings }: Shown) =>
	postings.map(({ debit, credit, amount }) => ({ what: `${debit} → ${credit}`, amount }));
/** The payment's disputes, each as members name it. */
const disputesOf = async (payment: object) =>
	(await show(payment)).disputes.map(({ id, ...dispute }) => ({ ...dispute, about: { kind: 'DISPUTE', id } }));

it('one person opens a dispute, which holds what its preview shows; two end it', async () => {
	const { player, payment } = await paid(await signUp(server));
	expect((await show(payment)).decisions).toEqual([{ event: 'dispute', twoPersons: false }]);
	const held = await linesOf(payment, 'dispute');
	expect(held).toEqual([{ what: 'cash → hold', amount: PAID }]);
	expect(await decide(payment, 'dispute', asha)).toBe('');
	const [{ about } = { about: {} }] = await disputesOf(payment);
	const open = await show(about);
	expect(posted(open)).toEqual(held);
	expect([open.state, open.waits, server.money(player)[0], hold(player)]).toEqual(['OPEN', true, COINS, PAID]);
	expect(open.decisions).toEqual([
		{ event: 'evidence', twoPersons: false },
		{ event: 'won', twoPersons: true },
		{ event: 'lost', twoPersons: true },
	]);
	expect(await decide(about, 'evidence', bala)).toBe('');
	expect([await decide(about, 'won', asha), await decide(about, 'won', asha)]).toEqual(['', 'SAME_PERSON']);
	expect((await show(payment)).state).toBe('DISPUTED');
	expect(await decide(about, 'won', bala)).toBe('');
	expect([(await show(payment)).state, server.money(player)[0], hold(player)]).toEqual(['WON', COINS + PAID, 0]);
	expect(await decide(about, 'lost', bala)).toBe('WRONG_STATE');
});

it('what a member proposed or requested who was removed since needs two others', async () => {
	const { player, payment } = await paid(await signUp(server));
	const leaving = await member('leaving');
	await decide(payment, 'dispute', leaving);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	expect(await decide(about, 'won', leaving)).toBe('');
	const goodwill = { playerId: String(player.userId), amount: 10, reasonCode: 'GOODWILL', reason: 'a delay' };
	const { kind, id } = await leaving.result<{ kind: string; id: string }>('adjust', goodwill);
	const offered = async () => (await show({ kind, id })).decisions.map(({ event }) => event);
	expect(await offered()).toEqual(['approve', 'reject']);
	expect(await show(about)).toMatchObject({ proposedEvent: 'won', proposedBy: 'leaving' });
	const { directory } = server.running.staff;
	await directory.remove(directory.byName('leaving')?.staffId ?? 0, BY);
	expect(await offered()).toEqual(['reject']);
	expect(await show(about)).toMatchObject({ proposedEvent: null, proposedBy: null });
	expect(
		(await asha.result<Shown[]>('payment-queue', { kind: 'DISPUTE' })).map(({ proposedBy }) => proposedBy),
	).toEqual([null]);
	expect(await decide(about, 'won', asha)).toBe('');
	expect((await show(payment)).state).toBe('DISPUTED');
	expect([await decide(about, 'won', asha), await decide(about, 'won', bala)]).toEqual(['SAME_PERSON', '']);
	expect((await show(payment)).state).toBe('WON');
	expect(await decide({ kind, id }, 'approve', asha)).toBe('PROPOSER_LEFT');
	expect(await decide({ kind, id }, 'reject', asha)).toBe('');
	expect(server.money(player)[0]).toBe(COINS + PAID);
});

it('a member who loses the right while the decision waits for the payment’s turn decides nothing', async () => {
	const { payment } = await paid(await signUp(server));
	const losing = await member('losing');
	const { directory } = server.running.staff;
	const { promise: turn, resolve: end } = Promise.withResolvers<void>();
	const taken = server.running.funds.ledger.turns.take(`payment ${payment.id}`, () => turn);
	const deciding = decide(payment, 'dispute', losing);
	const begun = () => server.database.db.query(`select from act_under_way where act = 'payment-decide'`);
	await expect.poll(async () => (await begun()).rowCount).toBe(1);
	await directory.setRoles(directory.byName('losing')?.staffId ?? 0, ['auditor'], null, BY);
	end();
	await taken;
	expect(await deciding).toBe('FORBIDDEN');
	expect((await show(payment)).disputes).toEqual([]);
});

it('what a member proposed or requested about an account that is known as the member’s own since needs two others', async () => {
	const { player, payment } = await paid(await signUp(server));
	const own = await member('own');
	await decide(payment, 'dispute', own);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	expect(await decide(about, 'won', own)).toBe('');
	const second = await signUp(server, { mobile: player.mobile });
	const goodwill = { playerId: String(player.userId), amount: 10, reasonCode: 'GOODWILL', reason: 'a delay' };
	const { kind, id } = await own.result<{ kind: string; id: string }>('adjust', goodwill);
	// Another account of the same person is linked.
	await server.act('staff-player-link', { name: 'own', playerId: String(second.userId) });
	expect(await decide(about, 'won', asha)).toBe('');
	expect((await show(payment)).state).toBe('DISPUTED');
	expect([await decide(about, 'won', asha), await decide(about, 'won', bala)]).toEqual(['SAME_PERSON', '']);
	expect((await show(payment)).state).toBe('WON');
	expect(await decide({ kind, id }, 'approve', asha)).toBe('PROPOSER_LEFT');
	expect(await decide({ kind, id }, 'reject', asha)).toBe('');
	expect(server.money(player)[0]).toBe(COINS + PAID);
});

it('a part is disputed, and another part in a second cycle; each ends for itself', async () => {
	const { player, payment } = await paid(await signUp(server));
	for (const amount of [100, 50])
		expect(await asha.code('payment-decide', { ...payment, event: 'dispute', amount, reason: 'a letter' })).toBe('');
	const tooMuch = { ...payment, event: 'dispute', amount: PAID - 149, reason: 'a letter' };
	expect(await asha.code('payment-decide', tooMuch)).toBe('AMOUNT_OUT_OF_RANGE');
	expect(hold(player)).toBe(150);
	const [first, second] = await disputesOf(payment);
	for (const by of [asha, bala]) await decide(first?.about ?? {}, 'lost', by);
	expect([(await show(payment)).state, server.money(player)[0], hold(player)]).toEqual([
		'DISPUTED',
		COINS + PAID - 150,
		50,
	]);
	for (const by of [asha, bala]) await decide(second?.about ?? {}, 'won', by);
	expect([(await show(payment)).state, server.money(player)[0], hold(player)]).toEqual(['LOST', COINS + PAID - 100, 0]);
});

it('holds what the player has left, and a lost one takes the rest when the bet ends', async () => {
	const { player, payment } = await paid(await signUp(server));
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { stake: COINS + PAID - 150 }), player.token);
	for (const stake of [COINS, PAID - 150])
		await server.result('placeBetV2', betOn(match, { stake, side: 'LAY' }), (await signUp(server)).token);
	expect(await linesOf(payment, 'dispute')).toEqual([{ what: 'cash → hold', amount: 150 }]);
	await decide(payment, 'dispute', bala);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	const ends = await linesOf(about, 'lost');
	expect(ends).toEqual([
		{ what: 'hold → gateway', amount: 150 },
		{ what: 'loss → gateway', amount: PAID - 150 },
	]);
	await decide(about, 'lost', bala);
	await decide(about, 'lost', asha);
	const lost = await show(about);
	expect([lost.state, hold(player), posted(lost).slice(1)]).toEqual(['OWED', 0, ends]);
	expect((await server.raw('placeBetV2', betOn(match, { stake: 10 }), player.token)).code).toBe('ACCOUNT_FROZEN');
	// The stake comes back.
	await server.act('void', { marketId: match.marketId });
	await expect.poll(async () => (await show(about)).state).toBe('LOST');
	expect(await disputesOf(payment)).toMatchObject([{ taken: PAID, rest: 0 }]);
	expect(server.money(player)[0]).toBe(COINS);
});

it('a lost one takes what unmatched bets held, as its preview says, and freezes nothing', async () => {
	const { player, payment } = await paid(await signUp(server));
	const match = await openTestMatch(server);
	await server.result('placeBetV2', betOn(match, { stake: COINS + PAID - 150 }), player.token);
	await decide(payment, 'dispute', bala);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	const ends = await linesOf(about, 'lost');
	expect(ends).toEqual([
		{ what: 'hold → gateway', amount: 150 },
		{ what: 'cash → gateway', amount: PAID - 150 },
	]);
	for (const by of [asha, bala]) await decide(about, 'lost', by);
	const lost = await show(about);
	expect([lost.state, hold(player), posted(lost).slice(1)]).toEqual(['LOST', 0, ends]);
	expect(server.money(player)).toEqual([COINS, 0]);
	await server.result('placeBetV2', betOn(match, { stake: 100 }), player.token);
});

it('a lost one waits for bets that can only win, for which nothing is held', async () => {
	const { player, payment } = await paid(await signUp(server));
	const match = await openTestMatch(server);
	const meet = async (terms: { price: number; stake: number; side?: 'LAY' }) => {
		const other = terms.side === 'LAY' ? 'BACK' : 'LAY';
		await server.result('placeBetV2', betOn(match, { ...terms, side: other }), (await signUp(server)).token);
		await server.result('placeBetV2', betOn(match, terms), player.token);
	};
	// 500 are won by either result.
	await meet({ price: 3, stake: 1_000 });
	await meet({ price: 2, stake: 1_500, side: 'LAY' });
	expect(server.money(player)).toEqual([COINS + PAID, 0]);
	await adjust(server, player, -COINS - PAID);
	await decide(payment, 'dispute', asha);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	for (const by of [asha, bala]) await decide(about, 'lost', by);
	expect(await disputesOf(payment)).toMatchObject([{ state: 'OWED', taken: 0, rest: PAID }]);
	await match.settle(1);
	await expect.poll(() => disputesOf(payment)).toMatchObject([{ state: 'LOST', taken: PAID, rest: 0 }]);
});

it.each([
	['won', 'its money pays for the lost one', { taken: PAID, rest: 0 }],
	['lost', 'the house bears the other', { taken: 0, rest: PAID }],
] as const)(
	'while a dispute holds the money, another one is not finally lost; when it is %s, %s',
	async (end, _, borne) => {
		const { player, payment: first } = await paid(await signUp(server));
		const { payment: second } = await paid(player);
		await adjust(server, player, PAID - server.money(player)[0]);
		for (const payment of [first, second]) expect(await decide(payment, 'dispute', asha)).toBe('');
		const [[holding], [short]] = [await disputesOf(first), await disputesOf(second)];
		expect([holding?.held, short?.held]).toEqual([PAID, 0]);
		for (const by of [asha, bala]) await decide(short?.about ?? {}, 'lost', by);
		expect((await disputesOf(second))[0]).toMatchObject({ state: 'OWED', taken: 0, rest: PAID });
		for (const by of [asha, bala]) await decide(holding?.about ?? {}, end, by);
		await expect
			.poll(async () => (await disputesOf(second))[0])
			.toMatchObject({
				state: 'LOST',
				...borne,
			});
		expect([server.money(player)[0], hold(player)]).toEqual([0, 0]);
	},
);

it('a decision that one person proposed falls when the provider ends the dispute, also if it is reopened', async () => {
	const { player, payment } = await paid(await signUp(server));
	await decide(payment, 'dispute', asha);
	const [{ about } = { about: {} }] = await disputesOf(payment);
	expect(await decide(about, 'lost', asha)).toBe('');
	const { ledger, disputes } = server.running.funds;
	let sequence = 0;
	const said = (status: 'DISPUTE_WON' | 'DISPUTED') => {
		const dispute = { name: 'theirs', amount: PAID * 100, sequence: ++sequence };
		const word = {
			reference: '',
			providerId: '',
			status,
			amount: PAID * 100,
			currency: 'INR',
			utr: null,
			dispute,
		} as const;
		return ledger.inTurnOf({ kind: 'PAYMENT', id: Number(payment.id) }, (now) => disputes.hear(now, word));
	};
	await said('DISPUTE_WON');
	expect((await show(about)).state).toBe('WON');
	await said('DISPUTED');
	expect(await decide(about, 'lost', bala)).toBe('');
	expect([(await show(about)).state, hold(player)]).toEqual(['OPEN', PAID]);
	expect(await decide(about, 'lost', asha)).toBe('');
	expect((await show(about)).state).toBe('LOST');
});

onSeeds(
	[1, 2, 3],
	'ends once, whoever decides what at the same moment, and whatever the provider says, seed %i',
	async (seed) => {
		const numbers = new SeededNumbers(seed);
		const { player, payment } = await paid(await signUp(server));
		await decide(payment, 'dispute', asha);
		const [{ about } = { about: { kind: '', id: '' } }] = await disputesOf(payment);
		await decide(about, numbers.from(['won', 'lost']), asha);
		const byProvider = () => endDisputes(server, Number(payment.id), numbers.chance(50) ? 'won' : 'lost');
		const events = Array.from({ length: 6 }, () => numbers.from(['won', 'lost', 'evidence']));
		await Promise.all([
			...events.map((event) => decide(about, event, numbers.from([asha, bala]))),
			...(numbers.chance(50) ? [byProvider().catch(() => undefined)] : []),
		]);
		for (const by of [asha, bala]) await decide(about, 'won', by);
		const { state, postings } = await show(about);
		expect(['WON', 'LOST']).toContain(state);
		expect(postings).toHaveLength(2);
		expect([server.money(player)[0], hold(player)]).toEqual([state === 'WON' ? COINS + PAID : COINS, 0]);
	},
);
