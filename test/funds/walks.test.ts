/**
 * Random walks over the machines of payments, withdrawals and adjustments: players, operators and webhooks act at once, in
 * any order, twice, wrongly signed or about another amount, and the server restarts between. After each walk the house's
 * accounts and the players' holds are what the workflows say. `WALKS` sets how many; `npm run walks` makes 10,000.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TransferKind } from '#engine/effect.ts';
import { referenceOf } from '#server/funds/payments/order-reference.ts';
import type { ProviderWord } from '#server/funds/payments/provider.ts';
import { signatureOf } from '#server/funds/payments/signature.ts';
import { simulatorKey } from '#server/funds/payments/webhook-keys.ts';
import { Refused } from '#values/error-catalogue.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { expectSound } from '../support/audit.ts';
import { TestServer, TOKEN_KEY } from '../support/server.ts';
import { signUp } from '../support/sign-up.ts';

const WALKS = Number(process.env['WALKS'] ?? 12);
const ACTS = 25;
const RESTART_EVERY = 6;
const PAYMENTS = { orderMs: 400, simulatedDelayMs: 5, pollMs: 50, webhookKeys: {} };

let server: TestServer;
let playerIds: number[];
beforeAll(async () => {
	server = await TestServer.start(undefined, { payments: PAYMENTS });
	playerIds = [await signUp(server), await signUp(server), await signUp(server)].map(({ userId }) => userId);
	const rules = { withdrawalsPerDay: 100, secondApprovalAbove: 500, autoApproveUpTo: 0, cancelWithdrawals: true };
	for (const [field, value] of Object.entries(rules)) {
		await server.operator('domain-set', { host: 'localhost', field: `funds.${field}`, value: String(value) });
	}
});
afterAll(() => server.dispose());

const STATUSES = [
	'PENDING',
	'SUCCESS',
	'SUCCESS',
	'FAILED',
	'EXPIRED',
	'DISPUTED',
	'DISPUTE_WON',
	'DISPUTE_LOST',
] as const;
const EVENTS: readonly (readonly [TransferKind, readonly string[]])[] = [
	['PAYMENT', ['credit', 'refund']],
	['WITHDRAWAL', ['approve', 'reject', 'freeze', 'release', 'wait-for-kyc', 'paid', 'failed', 'return']],
	['ADJUSTMENT', ['approve', 'reject']],
	['FINDING', ['match', 'write-off']],
];
const key = (walletId: number, numbers: SeededNumbers) => {
	const clientRequestId = `walk-${numbers.below(2 ** 30)}`;
	return { walletId, clientRequestId, body: clientRequestId };
};

/** One act of a player, an operator, the provider or a forger. */
function act(numbers: SeededNumbers, latest: number): Promise<unknown> {
	const { funds } = server.running;
	const playerId = numbers.from(playerIds);
	const player = { playerId, isDemo: false, setting: server.brand.setting };
	// Ids are numbers of commands: the latest ones are among these.
	const id = Math.max(1, latest - numbers.below(60));
	const amount = 100_00 + numbers.below(900) * 100 + numbers.below(10);
	switch (numbers.below(8)) {
		case 0:
		case 1:
			return funds.payments.generate(player, amount, key(playerId, numbers));
		case 2:
			return funds.withdrawals.request(
				player,
				amount,
				{ method: 'UPI', upiId: `p${playerId}@bank` },
				key(playerId, numbers),
			);
		case 3:
		case 4: {
			const [kind, events] = numbers.from(EVENTS);
			const operator = numbers.from(['asha', 'bala', 'chitra']);
			return funds.decisions.decide({ kind, id, event: numbers.from(events), operator, reason: 'walk' });
		}
		case 5:
			return webhook(numbers, wordOf(numbers, id, amount));
		case 6:
			return numbers.chance(50) ? funds.withdrawals.cancel(player, id) : funds.payments.check(playerId, id);
		default: {
			const about = { operator: 'asha', reasonCode: 'TEST', reason: 'walk' } as const;
			return funds.houseKeeping.requestAdjustment(
				{ walletId: playerId, pool: 'PLAY' },
				amount * (numbers.chance(50) ? 1 : -1),
				about,
			);
		}
	}
}

const wordOf = (numbers: SeededNumbers, id: number, amount: number): ProviderWord => ({
	reference: numbers.chance(5) ? 'ELSEWHERE' : referenceOf('BLP', id),
	providerId: `p-${id}`,
	status: numbers.from(STATUSES),
	amount,
	currency: numbers.chance(5) ? 'USD' : 'INR',
	// Few of them, so that one comes for several orders.
	utr: String(100_000_000_000 + numbers.below(200)),
});

/** Sent twice at once, sometimes with another's signature. */
async function webhook(numbers: SeededNumbers, word: ProviderWord): Promise<void> {
	const { id, secret } = simulatorKey(TOKEN_KEY);
	const body = JSON.stringify({ eventId: `walk-${numbers.below(2 ** 30)}`, word });
	const timestamp = String(Date.now());
	const signed = numbers.chance(20) ? 'another secret' : secret;
	const send = () =>
		fetch(`${server.url}/api/Payment/Webhook`, {
			method: 'POST',
			body,
			headers: {
				'x-payment-key-id': id,
				'x-payment-timestamp': timestamp,
				'x-payment-signature': signatureOf(signed, timestamp, Buffer.from(body)),
			},
		});
	const answers = await Promise.all([send(), send()]);
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([signed === secret ? 200 : 403]));
}

/** What the accounts hold beside what the workflows say they should: equal rows. */
async function disagreements(): Promise<unknown[]> {
	const { rows } = await server.database.db.query(`
		with said as (
			select 'hold ' || wallet_id as account, coalesce(sum((data ->> case kind when 'PAYMENT' then 'held' else 'amount' end)::bigint), 0) as amount
			from workflow where kind = 'WITHDRAWAL' and state in ('REQUESTED', 'WAITING_FOR_KYC', 'FROZEN', 'APPROVED')
				or kind = 'PAYMENT' and state = 'DISPUTED' group by wallet_id
			union all select 'payout', coalesce(sum((data ->> 'amount')::bigint), 0) from workflow
				where kind = 'WITHDRAWAL' and state in ('PROCESSING', 'UNKNOWN')
			union all select 'unmatched', coalesce(sum((data ->> 'paid')::bigint), 0) from workflow
				where kind = 'PAYMENT' and state = 'REVIEW'
		), held as (
			select 'hold ' || wallet_id as account, hold as amount from wallet where hold <> 0
			union all select kind, balance from house_account where kind in ('payout', 'unmatched') and pool = 'PLAY'
		)
		select account, said.amount::text as said, held.amount::text as held from said full join held using (account)
		where coalesce(said.amount, 0) <> coalesce(held.amount, 0)`);
	return rows;
}

it(
	`${WALKS} random walks leave no money without a reason and no workflow beside its money`,
	async () => {
		for (let walk = 1; walk <= WALKS; walk++) {
			const numbers = new SeededNumbers(walk);
			for (let at = 0; at < ACTS; at += 5) {
				const { rows } = await server.database.db.query<{ latest: number }>(
					'select coalesce(max(id), 1) as latest from workflow',
				);
				const acts = Array.from({ length: 5 }, () => act(numbers, (rows[0]?.latest ?? 1) + 5));
				for (const outcome of await Promise.allSettled(acts)) {
					if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Refused);
				}
			}
			if (walk % RESTART_EVERY === 0) {
				const { database } = server;
				await server.stop();
				server = await TestServer.start(database, { payments: PAYMENTS });
			}
			// One statement sees one batch after the other, whole.
			expect([walk, await disagreements()]).toEqual([walk, []]);
		}
		await server.stop();
		const { rows } = await server.database.db.query(
			`select data ->> 'utr' as utr from workflow where kind = 'PAYMENT' and data ? 'utr' group by 1 having count(*) > 1`,
		);
		expect(rows).toEqual([]);
		const reached = await server.database.db.query<{ state: string }>(
			`select distinct kind || ' ' || to_state as state from workflow_step`,
		);
		const states = reached.rows.map(({ state }) => state);
		expect(states).toEqual(
			expect.arrayContaining([
				'PAYMENT SUCCESS',
				'PAYMENT REVIEW',
				'WITHDRAWAL REQUESTED',
				'ADJUSTMENT REQUESTED',
				'FINDING OPEN',
			]),
		);
		await expectSound(server.database.url);
	},
	Math.max(60_000, WALKS * 5_000),
);
