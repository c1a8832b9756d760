/** Deposits: orders, receipts, the words of the payment provider about both, disputes, and what operators decide. */
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { CURRENCY_TERMS, downToStep } from '#values/currencies.ts';
import { MINOR_PER_MAJOR } from '#values/money.ts';
import { freshRequestId } from '../../support/match.ts';
import { TOKEN_KEY } from '../../support/server.ts';
import type { Account } from '../account.ts';
import type { Acts } from '../step.ts';
import { type Order, pick, type World } from '../world.ts';

/** Rupees. */
const AMOUNTS = [400, 150, 1_000] as const;
/** Of a payment that is disputed, in per cent. */
const PARTS = [50, 25, 100] as const;
const LOOK_EVERY_MS = 3;
const LONGEST_WAIT_MS = 3_000;
const OPERATORS = ['asha', 'bala'] as const;

let references = 400_000_000_000 + (process.pid % 1_000) * 1_000_000;
let pictures = 0;

/** A picture that was never sent before: the smallest one that tells. */
async function picture(): Promise<string> {
	const color = ++pictures * 7_919;
	const background = { r: color % 256, g: (color >> 8) % 256, b: (color >> 16) % 256 };
	const image = sharp({ create: { width: 8, height: 8, channels: 3, background } });
	return (await image.png().toBuffer()).toString('base64');
}

type Status = 'SUCCESS' | 'FAILED' | 'DISPUTED' | 'DISPUTE_WON' | 'DISPUTE_LOST';

/** What the provider says, signed; resolves when the server has applied it. @param amount minor units */
async function say(
	world: World,
	{ account: { currency }, reference }: Order,
	word: { status: Status; amount: number; utr: string },
) {
	const { id, secret } = simulatorKey(TOKEN_KEY);
	const eventId = freshRequestId();
	const body = JSON.stringify({ eventId, word: { reference, providerId: `p-${reference}`, currency, ...word } });
	const timestamp = String(Date.now());
	const { status } = await world.site.server.post('api/Payment/Webhook', body, {
		'x-payment-key-id': id,
		'x-payment-timestamp': timestamp,
		'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
	});
	if (status !== 200) throw new Error(`a webhook was answered ${status}`);
	const { db } = world.site.server.database;
	for (let waited = 0; waited < LONGEST_WAIT_MS; waited += LOOK_EVERY_MS) {
		const { rowCount } = await db.query(`select 1 from payment_webhook where event_id = $1 and state <> 'NEW'`, [
			eventId,
		]);
		if (rowCount === 1) return;
		await delay(LOOK_EVERY_MS);
	}
}

async function decide(world: World, about: { kind: string; id: string; event: string }, persons: number) {
	const { server } = world.site;
	let state: string | null = null;
	for (const operator of OPERATORS.slice(0, persons)) {
		const { body } = await server.send<{ state: string }>('/operator/api/payment-decide', {
			method: 'POST',
			body: JSON.stringify({ ...about, reason: 'looked at' }),
			headers: { ...server.operatorHeaders, 'X-Operator': operator },
		});
		state = body.result?.state ?? state;
	}
	return state;
}

/** Minor units that payments gave to the account, whatever else moves its money meanwhile. */
async function paidTo(world: World, { userId }: Account): Promise<number> {
	const { rows } = await world.site.server.database.db.query<{ paid: number }>(
		`select coalesce(sum(amount), 0)::bigint as paid from posting where wallet_id = $1 and kind = 'PAYMENT' and credit = 'cash'`,
		[userId],
	);
	return rows[0]?.paid ?? 0;
}

const creditedOf = (world: World): Order[] => world.orders.filter(({ isCredited }) => isCredited);

export const MONEY: Acts = {
	order: {
		weight: 2,
		run: async (world, [who, size]) => {
			const account = world.account(who);
			const amount = account.amount(pick(AMOUNTS, size) ?? 100);
			const asked = { amount, clientRequestId: freshRequestId() };
			const { result } = await account.call('generatePayment', asked);
			if (!result) return;
			const reference = /tr=(\w+)/.exec(result.upiLink)?.[1] ?? '';
			const order = {
				account,
				id: result.orderId,
				reference,
				amount: amount * MINOR_PER_MAJOR,
				utr: String(++references),
			};
			const expiresAtMs = Date.parse(result.expiresAt);
			world.orders.push({ ...order, expiresAtMs, isCredited: false, isLost: false, disputed: null });
		},
	},
	/** The bank's transfer comes, by its own reference; once more, it changes nothing. */
	pay: {
		weight: 2,
		run: async (world, [which]) => {
			const order = pick(world.orders, which);
			if (!order) return;
			const { account, utr, amount } = order;
			const wasBarred = world.isBarred(account);
			const before = await paidTo(world, account);
			await say(world, order, { status: 'SUCCESS', amount, utr });
			const given = (await paidTo(world, account)) - before;
			world.touch(account);
			if (!order.isCredited && !order.isLost) world.saw({ what: 'word', order, utr, amount, given, wasBarred });
			if (given === amount) order.isCredited = true;
		},
	},
	/** A receipt with the reference of an order, one's own or another's, or of a transfer beside all orders. */
	receipt: {
		weight: 1,
		run: async (world, [who, which, size, isOther]) => {
			const account = world.account(who);
			const order = isOther % 4 === 1 ? undefined : pick(world.orders, which);
			const utr = order?.utr ?? String(++references);
			const image = await account.call('storeImage', { image: await picture() });
			if (!image.result) return;
			const { imageRef } = image.result;
			const amount = account.amount(pick(AMOUNTS, size) ?? 100);
			const asked = { amount, utr, imageRef, clientRequestId: freshRequestId() };
			const { result } = await account.call('createDeposit', asked);
			if (!result) return;
			const [, id = ''] = /(\d+)$/.exec(result.id) ?? [];
			const earlier = world.receipts.filter((one) => one.utr === utr);
			const receipt = { account, id, amount: amount * MINOR_PER_MAJOR, utr, state: result.status };
			const payer = world.orders.find((order) => order.utr === utr) ?? null;
			const asItStood = payer && { ...payer };
			world.saw({ what: 'receipt', receipt, earlier: earlier.map((one) => ({ ...one })), payer: asItStood });
			world.receipts.push(receipt);
		},
	},
	judge: {
		weight: 1,
		run: async (world, [which, decision]) => {
			const receipt = pick(world.receipts, which);
			if (!receipt) return;
			const event = decision % 3 === 0 ? 'approve' : 'reject';
			const state = await decide(world, { kind: 'DEPOSIT', id: receipt.id, event }, 1);
			receipt.state = state ?? receipt.state;
			world.touch(receipt.account);
			world.saw({ what: 'judged', receipt });
		},
	},
	/** The bank takes a part of a payment back, or all of it, for the time of a dispute. */
	dispute: {
		weight: 1,
		run: async (world, [which, part]) => {
			const order = pick(creditedOf(world), which);
			if (!order || order.disputed) return;
			const { account, utr } = order;
			const { step } = CURRENCY_TERMS[account.currency];
			const amount = downToStep((order.amount * (pick(PARTS, part) ?? 100)) / 100, step);
			const before = account.money;
			await say(world, order, { status: 'DISPUTED', amount, utr });
			const after = account.money;
			order.disputed = { amount, held: after.hold - before.hold };
			world.touch(account);
			world.saw({ what: 'dispute', order, amount, before, after });
		},
	},
	'dispute-ends': {
		weight: 1,
		run: async (world, [which, outcome]) => {
			const order = pick(
				creditedOf(world).filter(({ disputed }) => disputed !== null),
				which,
			);
			if (!order?.disputed) return;
			const { account, utr, disputed } = order;
			const before = account.money;
			const isLost = outcome % 2 === 1;
			const status = isLost ? 'DISPUTE_LOST' : 'DISPUTE_WON';
			await say(world, order, { status, amount: disputed.amount, utr });
			const after = account.money;
			world.touch(account);
			order.disputed = null;
			if (!isLost) return;
			world.saw({ what: 'dispute lost', order, ...disputed, before, after });
			// What is lost cannot be disputed again.
			order.isCredited = false;
			order.isLost = true;
			order.utr = `LOST${order.utr}`;
		},
	},
	/** Takes a receipt's deposit back from the account, also below zero. */
	reverse: {
		weight: 0.5,
		run: async (world, [which]) => {
			const receipt = pick(
				world.receipts.filter(({ state }) => state === 'APPROVED'),
				which,
			);
			if (!receipt) return;
			const state = await decide(world, { kind: 'DEPOSIT', id: receipt.id, event: 'reverse' }, 2);
			receipt.state = state ?? receipt.state;
			world.touch(receipt.account);
		},
	},
};
