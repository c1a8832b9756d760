/**
 * The payment provider of play and demo money, in the same process. It keeps its books in tables of its own, like an
 * outside provider, and knows nothing of ours. The minor units of an amount decide the outcome of its order, so a player, a
 * test or a demonstration can choose an outcome. Orders of demo players are always paid.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import * as v from 'valibot';
import {
	type NewOrder,
	type NewPayout,
	type PaymentProvider,
	type PayoutWord,
	ProviderEvent,
	type ProviderNews,
	type ProviderWord,
	type RefundWord,
} from '#server/money/funds/payments/provider.ts';
import { isSigned, signatureOf, type WebhookKeys } from '#server/platform/keys/signature.ts';
import { CURRENCY_TERMS, downToStep } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { AnyMinor } from '#values/money.ts';
import { GRANTED_POOLS, type GrantedPool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** By the coins of an amount; every other amount is paid. For a payout only the first three differ. */
const OUTCOMES = {
	1: 'FAILS',
	2: 'EXPIRES',
	3: 'PAID_LATE',
	4: 'PAID_SHORT',
	5: 'WEBHOOK_REPEATED',
	6: 'WEBHOOK_FORGED',
	7: 'DISPUTE_WON',
	8: 'DISPUTE_LOST',
	9: 'PAID_TWICE',
	10: 'DISPUTED_IN_PART',
	11: 'DISPUTED_AGAIN',
} as const;
type SimulatedOutcome = (typeof OUTCOMES)[keyof typeof OUTCOMES] | 'PAID';

/** Where the smallest coin is a whole unit, its last two digits count. */
const outcomeOf = (amount: AnyMinor, currency: Currency): SimulatedOutcome =>
	OUTCOMES[((amount / CURRENCY_TERMS[currency].step) % 100) as keyof typeof OUTCOMES] ?? 'PAID';

interface Cycle {
	/** The disputed part of the payment. */
	perCent: number;
	ends: 'DISPUTE_WON' | 'DISPUTE_LOST';
}

/** The disputes of a payment, in order. */
const CYCLES: Partial<Record<SimulatedOutcome, readonly Cycle[]>> = {
	DISPUTE_WON: [{ perCent: 100, ends: 'DISPUTE_WON' }],
	DISPUTE_LOST: [{ perCent: 100, ends: 'DISPUTE_LOST' }],
	DISPUTED_IN_PART: [{ perCent: 10, ends: 'DISPUTE_LOST' }],
	DISPUTED_AGAIN: [
		{ perCent: 40, ends: 'DISPUTE_WON' },
		{ perCent: 100, ends: 'DISPUTE_LOST' },
	],
};
/** The bank's time limit for evidence. */
const EVIDENCE_MS = 7 * DAY_MS;

/** The shortfall of a PAID_SHORT payment. */
const SHORT_BY_MINOR = 100;
/** The delay after its expiry until an order of PAID_LATE is paid. */
const LATE_MS = 1_500;
/** The verdict on a payout by the minor units of its amount: EXPIRES never gets one, and PAID_LATE gets it late. */
const VERDICTS: Partial<Record<SimulatedOutcome, PayoutWord['status']>> = { FAILS: 'FAILED', EXPIRES: 'PROCESSING' };
/** The delay of a PAID_LATE verdict: longer than the server waits before it marks the outcome as unknown. */
const LATE_VERDICT_MS = 5 * 60_000;
/** Between two looks at the clock, which may be set, and at rows of which this process does not know. */
const LONGEST_PAUSE_MS = 250;
const LOOK_EVERY_MS = 5_000;
/** Rows per read. */
const MOST_A_STEP = 100;

interface SimulatedPayment {
	reference: string;
	providerId: string;
	amount: AnyMinor;
	paid: AnyMinor;
	currency: Currency;
	outcome: SimulatedOutcome;
	status: ProviderWord['status'];
	utr: string | null;
	dueAtMs: number | null;
	expiresAtMs: number;
	/** The open cycle, or the last one. */
	dispute: { cycle: number; word: NonNullable<ProviderWord['dispute']> } | null;
}

interface SimulatedProviderOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	/** The time that a payer takes. */
	delayMs: number;
	/** Signs its webhooks. */
	key: { id: string; secret: string };
	/** Sign webhooks that are taken for its own. */
	keys: WebhookKeys;
	/** The receiver of its webhooks. */
	deliver: (body: Buffer, headers: Record<string, string>) => Promise<unknown>;
}

const COLUMNS = `reference, provider_id as "providerId", amount, paid, currency, outcome, status, utr, due_at as "dueAtMs",
	expires_at as "expiresAtMs", dispute`;

export class SimulatedProvider implements PaymentProvider<GrantedPool> {
	readonly name = 'SIMULATOR';
	readonly pools = GRANTED_POOLS;
	readonly paysOnce = false;
	readonly refunds = false;
	readonly #options: SimulatedProviderOptions;
	/** When the next payer or bank acts, as far as this process knows; it knows of no row that an earlier one made. */
	#nextAtMs = Number.NEGATIVE_INFINITY;
	/** Of the monotonic clock. */
	#readAtMs = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | undefined;
	#turn: Promise<void> = Promise.resolve();
	#isActing = false;
	#isStarted = false;

	constructor(options: SimulatedProviderOptions) {
		this.#options = options;
	}

	start(): void {
		this.#isStarted = true;
		this.#wait();
	}

	async stop(): Promise<void> {
		this.#isStarted = false;
		clearTimeout(this.#timer);
		await this.#turn;
	}

	/** Until the next payer or bank is due. */
	#wait(): void {
		if (!this.#isStarted || this.#isActing) return;
		clearTimeout(this.#timer);
		const untilNextMs = Math.max(0, this.#nextAtMs - this.#options.clock());
		this.#timer = setTimeout(() => this.#act(), Math.min(untilNextMs, LONGEST_PAUSE_MS)).unref();
	}

	#act(): void {
		this.#isActing = true;
		this.#turn = this.#advance()
			.catch((error: unknown) => {
				this.#options.log.warn({ err: error }, 'the payment simulator waits');
				this.#expect(this.#options.clock() + LONGEST_PAUSE_MS);
			})
			.finally(() => {
				this.#isActing = false;
				this.#wait();
			});
	}

	#expect(atMs: number | null): void {
		if (atMs === null || atMs >= this.#nextAtMs) return;
		this.#nextAtMs = atMs;
		this.#wait();
	}

	async createOrder({ reference, amount, currency, expiresAtMs, isDemo }: NewOrder): Promise<{ providerId: string }> {
		const { db, clock, delayMs } = this.#options;
		const outcome = isDemo ? 'PAID' : outcomeOf(amount, currency);
		const paidAtMs = outcome === 'PAID_LATE' ? expiresAtMs + LATE_MS + delayMs : clock() + delayMs;
		const dueAtMs = outcome === 'EXPIRES' ? null : paidAtMs;
		try {
			const { rows } = await db.query<{ providerId: string }>({
				name: 'make-simulated-payment',
				// A repeated reference returns the same order; only an update returns the existing row.
				text: `insert into simulated_payment (reference, provider_id, amount, paid, currency, outcome, status, due_at, expires_at)
				 values ($1, $2, $3, 0, $4, $5, 'PENDING', $6, $7)
				 on conflict (reference) do update set reference = excluded.reference returning provider_id as "providerId"`,
				values: [reference, `sim-${randomUUID()}`, amount, currency, outcome, dueAtMs, expiresAtMs],
			});
			return { providerId: rows[0]?.providerId ?? '' };
		} finally {
			// The row may be there although nothing was heard of it.
			this.#expect(dueAtMs);
		}
	}

	async lookUp(reference: string): Promise<ProviderWord | null> {
		const payment = await this.#find(reference);
		return payment && this.#wordOf(payment);
	}

	async payOut({ reference, amount, currency, details }: NewPayout): Promise<PayoutWord> {
		const { db, clock, delayMs } = this.#options;
		const outcome = details === null ? 'PAID' : outcomeOf(amount, currency);
		const status = VERDICTS[outcome] ?? 'PAID';
		const dueAtMs = clock() + delayMs + (outcome === 'PAID_LATE' ? LATE_VERDICT_MS : 0);
		await db.query(
			`insert into simulated_payout (reference, amount, status, utr, due_at) values ($1, $2, $3, $4, $5)
			 on conflict (reference) do nothing`,
			[reference, amount, status, status === 'PAID' ? newUtr() : null, dueAtMs],
		);
		return { reference, status: 'PROCESSING', utr: null, amount };
	}

	async lookUpPayout(reference: string): Promise<PayoutWord | null> {
		const { rows } = await this.#options.db.query<PayoutWord & { dueAtMs: number }>(
			'select reference, status, utr, amount, due_at as "dueAtMs" from simulated_payout where reference = $1',
			[reference],
		);
		const [payout] = rows;
		if (!payout) return null;
		const { dueAtMs, ...word } = payout;
		return dueAtMs > this.#options.clock() ? { ...word, status: 'PROCESSING', utr: null } : word;
	}

	/** Its word on a payment has the dispute in it. */
	disputesOf(): Promise<[]> {
		return Promise.resolve([]);
	}

	/** Its payers pay late whatever they are told. */
	cancelOrder(): Promise<void> {
		return Promise.resolve();
	}

	refund(): Promise<RefundWord> {
		return Promise.reject(new Error('The simulator returns no payments.'));
	}

	isGenuine(body: Buffer, headers: Readonly<Record<string, unknown>>): boolean {
		const signed = {
			keyId: String(headers['x-payment-key-id'] ?? ''),
			timestamp: String(headers['x-payment-timestamp'] ?? ''),
			signature: String(headers['x-payment-signature'] ?? ''),
		};
		return isSigned(this.#options.keys, signed, body, this.#options.clock());
	}

	readWebhook(body: Buffer): { eventId: string; news: ProviderNews } {
		const { eventId, word } = v.parse(ProviderEvent, JSON.parse(body.toString('utf8')));
		return { eventId, news: { about: 'PAYMENT', word } };
	}

	async #find(reference: string): Promise<SimulatedPayment | null> {
		const { rows } = await this.#options.db.query<SimulatedPayment>({
			name: 'simulated-payment',
			text: `select ${COLUMNS} from simulated_payment where reference = $1`,
			values: [reference],
		});
		return rows[0] ?? null;
	}

	#wordOf({
		reference,
		providerId,
		status,
		amount,
		paid,
		currency,
		utr,
		expiresAtMs,
		dispute,
	}: SimulatedPayment): ProviderWord {
		const hasExpired = status === 'PENDING' && expiresAtMs <= this.#options.clock();
		return {
			reference,
			providerId,
			status: hasExpired ? 'EXPIRED' : status,
			amount: paid > 0 ? paid : amount,
			currency,
			utr,
			...(dispute ? { dispute: dispute.word } : {}),
		};
	}

	/** Applies the actions of payers and banks that are due. */
	async #advance(): Promise<void> {
		const { db, clock } = this.#options;
		const nowMs = performance.now();
		if (this.#nextAtMs > clock() && nowMs - this.#readAtMs < LOOK_EVERY_MS) return;
		this.#readAtMs = nowMs;
		// What comes to be expected from here on stands beside what this look finds.
		this.#nextAtMs = Number.POSITIVE_INFINITY;
		const { rows } = await db.query<SimulatedPayment>({
			name: 'simulated-payments',
			text: `select ${COLUMNS} from simulated_payment where due_at is not null order by due_at limit ${MOST_A_STEP}`,
		});
		const untilMs = clock();
		for (const payment of rows) {
			const isDue = (payment.dueAtMs ?? untilMs) <= untilMs;
			if (!isDue) return this.#expect(payment.dueAtMs);
			await this.#moveOn(payment);
		}
		// There may be more of them.
		if (rows.length === MOST_A_STEP) this.#expect(untilMs);
	}

	async #moveOn(before: SimulatedPayment): Promise<void> {
		const { db, clock, delayMs } = this.#options;
		const { outcome, amount, status, dispute } = before;
		const cycles = CYCLES[outcome] ?? [];
		const { step } = CURRENCY_TERMS[before.currency];
		const payment = { ...before, dueAtMs: null as number | null };
		if (status === 'DISPUTED' && dispute) {
			payment.status = cycles[dispute.cycle]?.ends ?? 'DISPUTE_WON';
			const { cycle, word } = dispute;
			payment.dispute = { cycle, word: { ...word, sequence: word.sequence + 1 } };
			if (dispute.cycle + 1 < cycles.length) payment.dueAtMs = clock() + delayMs;
		} else if (status !== 'PENDING') {
			const cycle = dispute ? dispute.cycle + 1 : 0;
			payment.status = 'DISPUTED';
			const word = {
				name: `${before.reference}-D${cycle + 1}`,
				amount: Math.max(step, downToStep((before.paid * (cycles[cycle]?.perCent ?? 100)) / 100, step)),
				sequence: (dispute?.word.sequence ?? 0) + 1,
				deadlineMs: clock() + EVIDENCE_MS,
			};
			payment.dispute = { cycle, word };
			payment.dueAtMs = clock() + delayMs;
		} else if (outcome === 'FAILS') {
			payment.status = 'FAILED';
		} else {
			payment.status = 'SUCCESS';
			payment.paid = outcome === 'PAID_SHORT' ? amount - SHORT_BY_MINOR : amount;
			payment.utr = newUtr();
			if (cycles.length > 0) payment.dueAtMs = clock() + delayMs;
		}
		await db.query(
			'update simulated_payment set status = $2, paid = $3, utr = $4, due_at = $5, dispute = $6 where reference = $1',
			[payment.reference, payment.status, payment.paid, payment.utr, payment.dueAtMs, payment.dispute],
		);
		this.#expect(payment.dueAtMs);
		await this.#publish(payment);
	}

	async #publish(payment: SimulatedPayment): Promise<void> {
		const { outcome } = payment;
		const word = this.#wordOf(payment);
		const isForged = outcome === 'WEBHOOK_FORGED' && word.status === 'SUCCESS';
		const event = { eventId: randomUUID(), word };
		const times = outcome === 'WEBHOOK_REPEATED' ? 3 : 1;
		for (let time = 0; time < times; time++) await this.#send(event, isForged);
		if (outcome === 'PAID_TWICE' && word.status === 'SUCCESS') {
			await this.#send({ eventId: randomUUID(), word: { ...word, utr: newUtr() } }, false);
		}
	}

	async #send(event: { eventId: string; word: ProviderWord }, isForged: boolean): Promise<void> {
		const { key, clock, deliver } = this.#options;
		const body = Buffer.from(JSON.stringify(event));
		const timestamp = String(clock());
		const signature = signatureOf(isForged ? 'another secret' : key.secret, timestamp, body);
		await deliver(body, {
			'x-payment-key-id': key.id,
			'x-payment-timestamp': timestamp,
			'x-payment-signature': signature,
		}).catch(() => undefined);
	}
}

/** Twelve digits, like those of banks. */
const newUtr = (): string =>
	String(100_000_000_000 + (Number.parseInt(randomUUID().slice(0, 13).replace('-', ''), 16) % 899_999_999_999));
