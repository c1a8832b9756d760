/**
 * Random walks of real money between players, operators, the server and the payment studio: answers and requests are
 * lost, webhooks are lost, doubled, late and forged, and the server is restarted in their middle. In the end no payment
 * was credited twice or forgotten, no payout was sent twice, and the books agree with the studio's. `WALKS` sets how
 * many; `npm run walks` makes 10,000.
 *
 * @module-tag thorough
 */
import { afterEach, expect, it } from 'vitest';
import { ANSWER_FAULTS, WEBHOOK_FAULTS } from '#studio/payments/faults.ts';
import type { DisputeState, Payment } from '#studio/payments/switch-books.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import type { Player } from '../support/server.ts';
import { RealMoneySite } from './real-money-site.ts';
import { disagreementsIn, OVERHELD, PAID_TWICE } from './walk-checks.ts';

const FEW = 25;
const GROUP_SIZE = 500;
const MANY = Number(process.env['WALKS'] ?? GROUP_SIZE);
const PLAYERS = 10;
const AT_ONCE = 25;
const ACTS = 10;
const OPERATORS = ['asha', 'bala'];
const ENDS: readonly DisputeState[] = ['dispute_won', 'dispute_lost', 'dispute_accepted', 'dispute_cancelled'];

/** Payments that were taken for a second one of their order, and refunds that were asked for twice: there are none. */
const HEARD_TWICE = `select kind, id::text, data::text from workflow
	where kind = 'PAYMENT' and data ? 'of' or kind = 'FINDING' and data ->> 'name' like 'refund-contradicted:%'`;

let site: RealMoneySite | null = null;
afterEach(async () => {
	await site?.close();
	site = null;
});

interface Walk {
	site: RealMoneySite;
	numbers: SeededNumbers;
	player: Player;
	orders: number[];
	withdrawals: number[];
}

/** A refusal is an answer, too; and the server may be away. */
async function attempt<Result>(act: () => Promise<Result> | Result): Promise<Result | null> {
	try {
		return await act();
	} catch {
		return null;
	}
}

async function order(walk: Walk): Promise<void> {
	const { numbers, orders, player } = walk;
	const made = await attempt(() => walk.site.order(player, 100 + numbers.below(900)));
	if (made) orders.push(made.id);
}

/** The payer, or the processor, acts; the studio allows what its books allow. */
function pay({ site: { studio }, numbers }: Walk, payment: Payment): void {
	const part = payment.amount - 100 * numbers.below(3);
	switch (numbers.below(8)) {
		case 0:
			return studio.move(payment, payment.amount_received ? payment.status : 'failed');
		case 1:
			return studio.move(payment, payment.amount_received ? payment.status : 'processing');
		case 2:
			if (payment.amount_received) studio.openDispute(payment, 1 + numbers.below(payment.amount_received));
			return;
		default:
			return studio.pay(payment, part);
	}
}

async function act(walk: Walk): Promise<void> {
	await walk.site.isBack;
	const { numbers, player, orders, withdrawals } = walk;
	const { studio } = walk.site;
	const { payments, withdrawals: payouts } = walk.site.server.running.funds;
	const what = numbers.below(10);
	if (what < 2 || orders.length === 0) return await order(walk);
	const orderId = numbers.from(orders);
	if (what < 6) {
		const payment = await attempt(() => walk.site.payment(orderId));
		if (payment) pay(walk, payment);
		if (numbers.chance(50)) await studio.webhooksSent();
	} else if (what < 8) {
		const id = await attempt(() => walk.site.withdrawal(player, 100 + numbers.below(300)));
		if (id === null) return;
		withdrawals.push(id);
		await Promise.all([1, 2].map(() => attempt(() => payouts.advance(id))));
	} else if (what < 9) {
		const event = numbers.from(['credit', 'refund', 'refund']);
		for (const operator of OPERATORS) await attempt(() => walk.site.decide('PAYMENT', orderId, event, operator));
		await Promise.all([1, 2].map(() => attempt(() => payments.advance(orderId))));
	} else {
		for (const refund of studio.books.refunds.values())
			if (refund.status === 'pending') studio.moveRefund(refund, numbers.from(['succeeded', 'failed'] as const));
		for (const dispute of studio.books.disputes.values())
			if (dispute.dispute_status === 'dispute_opened' && numbers.chance(50))
				studio.moveDispute(dispute, numbers.from(ENDS));
	}
	const payout = withdrawals.length === 0 ? null : await attempt(() => walk.site.payout(numbers.from(withdrawals)));
	if (payout && ['initiated', 'pending'].includes(payout.status) && numbers.chance(50))
		studio.movePayout(payout, numbers.from(['success', 'success', 'failed', 'pending'] as const));
}

/** Faults of a group, by its own numbers. */
function disturb({ studio }: RealMoneySite, seed: number): void {
	const numbers = new SeededNumbers(seed);
	studio.faults = {
		answer: () => (numbers.chance(15) ? numbers.from(ANSWER_FAULTS) : null),
		webhook: () => (numbers.chance(40) ? numbers.from(WEBHOOK_FAULTS) : null),
	};
}

/** All that is under way ends, and is heard of by looking. */
async function settle({ studio, server }: RealMoneySite): Promise<void> {
	studio.faults = { answer: () => null, webhook: () => null };
	for (const payout of studio.books.payouts.values())
		if (payout.status === 'initiated' || payout.status === 'pending') studio.movePayout(payout, 'success');
	for (const refund of studio.books.refunds.values())
		if (refund.status === 'pending') studio.moveRefund(refund, 'succeeded');
	await studio.webhooksSent();
	const { funds } = server.running;
	const { rows } = await server.database.db.query<{ kind: string; id: number }>(
		`select kind, id from workflow where is_open and kind in ('PAYMENT', 'WITHDRAWAL') and state <> 'REVIEW'`,
	);
	for (const { kind, id } of rows)
		await attempt(() => (kind === 'PAYMENT' ? funds.payments.advance(id) : funds.withdrawals.advance(id)));
}

const rowsOf = async ({ server }: RealMoneySite, sql: string): Promise<unknown[]> =>
	(await server.database.db.query(sql)).rows;

/** What the studio received, paid and returned, and the same by our books: equal rows. */
async function expectSameMoney(now: RealMoneySite, orders: readonly number[], withdrawals: readonly number[]) {
	const { books } = now.studio;
	for (const id of orders) {
		const { state, data } = await now.find('PAYMENT', id);
		const received = (await attempt(() => now.payment(id)))?.amount_received ?? undefined;
		const returned = [...books.refunds.values()].filter(
			({ payment_id, status }) => payment_id === now.payment(id).payment_id && status === 'succeeded',
		);
		expect([id, data.paid]).toEqual([id, received]);
		// At most one return of one payment, and only of one that our books have returned.
		expect(returned.length <= (state === 'REFUNDED' ? 1 : 0)).toBe(true);
	}
	const sent = [...books.payouts.values()].map(({ merchant_order_reference_id: of }) => of);
	expect(sent.length).toBe(new Set(sent).size);
	for (const id of withdrawals) {
		const { state } = await now.find('WITHDRAWAL', id);
		const status = (await attempt(() => now.payout(id)))?.status ?? 'never sent';
		const states = { success: ['PAID'], failed: ['FAILED'], 'never sent': ['PROCESSING', 'UNKNOWN', 'REQUESTED'] };
		expect([id, status, states[status as keyof typeof states]]).toEqual([id, status, expect.arrayContaining([state])]);
	}
}

async function walkAll(count: number, seed: number): Promise<void> {
	const now = await RealMoneySite.open();
	site = now;
	const limits = ['Day', 'Week', 'Month'].map((period) => [`playerProtection.depositLimit${period}`, 'null'] as const);
	for (const [field, value] of [...limits, ['funds.secondApprovalAbove', '10000000'] as const])
		await now.server.act('brand-set', { host: 'localhost', field, value });
	const players = await Promise.all(Array.from({ length: PLAYERS }, () => now.player()));
	disturb(now, seed);
	const walks = Array.from({ length: count }, (_, at): Walk => {
		const player = players[at % PLAYERS] as Player;
		return { site: now, numbers: new SeededNumbers(seed + at), player, orders: [], withdrawals: [] };
	});
	const restartAt = Math.floor(count / 2);
	for (let from = 0; from < count; from += AT_ONCE) {
		const some = walks.slice(from, from + AT_ONCE);
		const taken = some.map(async (walk) => {
			for (let acts = 0; acts < ACTS; acts++) await act(walk);
		});
		const isMiddle = from <= restartAt && restartAt < from + AT_ONCE;
		await Promise.all([...taken, ...(isMiddle ? [now.restart()] : [])]);
	}
	await settle(now);
	await settle(now);
	const about = `seed ${seed}`;
	for (const wrong of [disagreementsIn('REAL'), PAID_TWICE, OVERHELD, HEARD_TWICE])
		expect([about, await rowsOf(now, wrong)]).toEqual([about, []]);
	await expectSameMoney(
		now,
		walks.flatMap(({ orders }) => orders),
		walks.flatMap(({ withdrawals }) => withdrawals),
	);
	await expectSound(now.server.database.db);
	// Chance reached what the walks are about.
	const { payouts, refunds, disputes } = now.studio.books;
	for (const made of [payouts, refunds, disputes]) expect(made.size).toBeGreaterThan(0);
}

it('credits and pays out once, whatever is lost, doubled, late, forged or restarted', async () => {
	await walkAll(FEW, 1);
});

it('does so in many walks', { tags: 'thorough', timeout: 3_600_000 }, async () => {
	for (let seed = 2, made = 0; made < MANY; seed += GROUP_SIZE, made += GROUP_SIZE) {
		await walkAll(Math.min(GROUP_SIZE, MANY - made), seed);
		await site?.close();
		site = null;
	}
});
