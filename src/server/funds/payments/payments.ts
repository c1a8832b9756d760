/**
 * UPI payments: players' orders and the provider's word on them. The word arrives by webhook, by a look-up when the
 * player asks, and by polling; the first one counts, and the others find it applied.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { FundsLedger } from '#server/funds/funds-ledger.ts';
import { PAYMENT } from '#server/funds/machines/payment.ts';
import { idOf, referenceOf } from '#server/funds/payments/order-reference.ts';
import type { PaymentProvider, ProviderWord } from '#server/funds/payments/provider.ts';
import type { Protection } from '#server/funds/protection/protection.ts';
import type { Door } from '#server/persons/doors.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** The shortest pause between two look-ups of one order by its player. */
const ASK_EVERY_MS = 3_000;
/** A provider that takes longer is asked again later. */
const PROVIDER_TIMEOUT_MS = 8_000;
const MOST_ASKED = 10_000;
/** A payment can still arrive this long after its order failed or expired. */
const ASKED_FOR_MS = 3 * 86_400_000;
const PAISE = 100;

/** States in which a payment is late: it asks the limits again. */
const LATE: ReadonlySet<string> = new Set(['FAILED', 'EXPIRED']);
/** States of an order without a known payment, and of one whose payment was not credited to the player. */
const UNPAID: ReadonlySet<string> = new Set(['CREATED', 'PENDING', 'FAILED', 'EXPIRED']);
const UNCREDITED: ReadonlySet<string> = new Set(['REVIEW', 'REFUNDED']);

const NO_FACTS = { isAsOrdered: false, mayDeposit: false };

/** The data of a payment's workflow. */
export interface PaymentData {
	/** Paise of the order. */
	amount: AnyPaise;
	provider: string;
	expiresAtMs: number;
	payee: { name: string; upiId: string };
	/** How often the provider was asked to make the order. */
	attempts: number;
	providerId?: string;
	/** Paise as paid, with the bank's reference. */
	paid?: AnyPaise;
	paidAtMs?: number;
	utr?: string;
	/** The amount that a dispute holds. */
	held?: AnyPaise;
}

export const paymentData = (workflow: Workflow): PaymentData => workflow.data as unknown as PaymentData;

/** The parts that payments and withdrawals use. */
export interface PaymentParts {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'earlier' | 'wallet'>;
	db: pg.Pool;
	log: Logger;
	provider: PaymentProvider;
	protection: Protection;
	clock: () => number;
}

export interface PaymentsOptions extends PaymentParts {
	/** How long a player has to pay. */
	orderMs: number;
}

/** The depositing player and the domain's rules. */
export interface Depositor {
	playerId: PlayerId;
	isDemo: boolean;
	setting: DomainSetting;
}

export class Payments {
	readonly #options: PaymentsOptions;
	/** Time of the latest look-up, by order. */
	readonly #asked = new Map<number, number>();

	constructor(options: PaymentsOptions) {
		this.#options = options;
	}

	/**
	 * Makes an order, or finds the one that the same request made.
	 * @throws Refused FORBIDDEN, PAYMENT_UNAVAILABLE, AMOUNT_OUT_OF_RANGE, DEPOSIT_LIMIT, those of Protection.admit
	 */
	async generate(depositor: Depositor, amount: AnyPaise, key: RequestKey): Promise<Workflow> {
		const { exchange, ledger, protection } = this.#options;
		const id = await ledger.turns.take(protection.turnOf(depositor.playerId), async () => {
			const earlier = await exchange.earlier(key);
			return earlier?.workflows?.[0]?.id ?? (await this.#begin(depositor, amount, key));
		});
		await ledger.turns.take(`payment ${id}`, async () => {
			const workflow = await ledger.find('PAYMENT', id);
			if (workflow.state === 'CREATED') await this.#order(workflow).catch((error: unknown) => this.#notYet(id, error));
		});
		return await ledger.find('PAYMENT', id);
	}

	async #begin({ playerId, isDemo, setting }: Depositor, amount: AnyPaise, key: RequestKey): Promise<number> {
		const { ledger, provider, protection, clock, orderMs, exchange } = this.#options;
		const { funds } = setting;
		const pool = exchange.wallet(playerId)?.pool;
		if (isDemo || pool === undefined) throw new Refused('FORBIDDEN');
		// A simulator stands for the bank: it must never credit real money.
		if (!funds.upiDeposits || funds.payeeUpiId === '' || pool !== 'PLAY') throw new Refused('PAYMENT_UNAVAILABLE');
		await this.checkDeposit(playerId, setting, amount, 'UPI_ORDER');
		const data: PaymentData = {
			amount,
			provider: provider.name,
			expiresAtMs: clock() + orderMs,
			payee: { name: funds.payeeName, upiId: funds.payeeUpiId },
			attempts: 0,
		};
		const happening = { event: 'generate', facts: NO_FACTS, amounts: {}, actor: 'player', data: { ...data } };
		const { id } = await ledger.begin(PAYMENT, { walletId: playerId, pool }, happening, {
			key,
			admit: () => protection.admit(playerId, 'UPI_ORDER'),
		});
		return id;
	}

	/**
	 * Checks a deposit against the limits, in the player's turn, so that parallel orders cannot pass a limit together.
	 * @throws Refused those of Protection.admit, AMOUNT_OUT_OF_RANGE, DEPOSIT_LIMIT
	 */
	async checkDeposit(playerId: PlayerId, { funds }: DomainSetting, amount: AnyPaise, door: Door): Promise<void> {
		const { protection } = this.#options;
		protection.admit(playerId, door);
		const { minDeposit: min, maxDeposit: max } = funds;
		if (amount < min * PAISE || amount > max * PAISE) throw new Refused('AMOUNT_OUT_OF_RANGE', { min, max });
		await protection.admitDeposit(playerId, amount);
	}

	/** The player's order; asks the provider when a look-up is due. @throws Refused NOT_FOUND */
	async check(playerId: PlayerId, id: number): Promise<Workflow> {
		const { ledger } = this.#options;
		const workflow = await ledger.find('PAYMENT', id);
		if (workflow.walletId !== playerId) throw new Refused('NOT_FOUND');
		if (!UNPAID.has(workflow.state) || !this.#mayAsk(id)) return workflow;
		await this.ask(id).catch((error: unknown) => this.#notYet(id, error));
		return await ledger.find('PAYMENT', id);
	}

	#mayAsk(id: number): boolean {
		const nowMs = performance.now();
		if (nowMs - (this.#asked.get(id) ?? Number.NEGATIVE_INFINITY) < ASK_EVERY_MS) return false;
		this.#asked.delete(id);
		this.#asked.set(id, nowMs);
		if (this.#asked.size > MOST_ASKED) this.#asked.delete(this.#asked.keys().next().value as number);
		return true;
	}

	/** Asks the provider about an order and applies its word. @throws when the provider cannot be asked */
	async ask(id: number): Promise<void> {
		const { ledger, provider } = this.#options;
		await ledger.turns.take(`payment ${id}`, async () => {
			const workflow = await ledger.find('PAYMENT', id);
			if (workflow.state === 'CREATED') return await this.#order(workflow);
			const word = await inTime(provider.lookUp(referenceOf('BLP', id)));
			if (word) await this.#apply(workflow, word);
		});
	}

	/** Makes the order at the provider, where the same reference names the same order. */
	async #order(workflow: Workflow): Promise<void> {
		const { ledger, provider } = this.#options;
		const { amount, expiresAtMs, attempts } = paymentData(workflow);
		const order = { reference: referenceOf('BLP', workflow.id), amount, expiresAtMs };
		const { providerId } = await inTime(provider.createOrder(order));
		const data = { providerId, attempts: attempts + 1 };
		await ledger.happen(PAYMENT, workflow, { event: 'ordered', facts: NO_FACTS, amounts: {}, actor: 'provider', data });
	}

	/** Applies the provider's word, however it arrived. @throws when it could not be made durable */
	async hear(word: ProviderWord): Promise<void> {
		const { ledger } = this.#options;
		const id = idOf('BLP', word.reference);
		const workflow = id === null ? null : await ledger.find('PAYMENT', id).catch(unlessUnknown);
		if (!workflow) {
			await ledger.report(`unknown-order:${word.reference}`, { walletId: 0, pool: 'PLAY' }, { ...word });
			return;
		}
		await ledger.turns.take(`payment ${workflow.id}`, async () => {
			await this.#apply(await ledger.find('PAYMENT', workflow.id), word);
		});
	}

	async #apply(workflow: Workflow, word: ProviderWord): Promise<void> {
		switch (word.status) {
			case 'PENDING':
				return;
			case 'SUCCESS':
				return await this.#succeeded(workflow, word);
			case 'FAILED':
			case 'EXPIRED':
				if (workflow.state === 'CREATED' || workflow.state === 'PENDING') {
					await this.#happen(workflow, word.status.toLowerCase(), {});
				}
				return;
			case 'DISPUTED':
				return await this.#disputed(workflow, word, async () => undefined);
			case 'DISPUTE_WON':
			case 'DISPUTE_LOST': {
				const isWon = word.status === 'DISPUTE_WON';
				return await this.#disputed(workflow, word, (disputed) => this.endDispute(disputed, isWon, 'provider'));
			}
		}
	}

	/** Late payments and new orders of one person take turns, so that they cannot pass a limit together. */
	async #succeeded(workflow: Workflow, word: ProviderWord): Promise<void> {
		const { ledger, protection } = this.#options;
		const succeed = () => this.#credit(workflow, word);
		await (LATE.has(workflow.state) ? ledger.turns.take(protection.turnOf(workflow.walletId), succeed) : succeed());
	}

	async #credit(workflow: Workflow, word: ProviderWord): Promise<void> {
		const { ledger } = this.#options;
		const known = paymentData(workflow);
		const utr = word.utr ?? word.providerId;
		if (known.utr === utr) return;
		if (word.currency !== 'INR' || word.utr === null) {
			await ledger.report(`odd-payment:${word.reference}:${utr}`, workflow, { ...word });
			return;
		}
		const isPaid = known.utr !== undefined;
		const facts = { isAsOrdered: word.amount === known.amount, mayDeposit: await this.#mayDeposit(workflow) };
		const happening = {
			event: isPaid ? 'paid-again' : 'succeeded',
			facts,
			amounts: { paid: word.amount },
			actor: 'provider',
			data: {
				paid: word.amount,
				paidAtMs: ledger.now(),
				utr,
				...(isPaid ? { of: workflow.id, amount: word.amount } : {}),
			},
			claims: [`utr:${utr}`],
		};
		try {
			if (isPaid) await ledger.begin(PAYMENT, workflow, happening);
			else await ledger.happen(PAYMENT, workflow, happening);
		} catch (error) {
			if (!(error instanceof Refused && error.code === 'ALREADY_CLAIMED')) throw error;
			// The second payment of this order may be known already; a payment on another order is for people to
			// decide.
			await this.#reportClaimed(workflow, utr, word);
		}
	}

	async #reportClaimed(workflow: Workflow, utr: string, word: ProviderWord): Promise<void> {
		const { db, ledger } = this.#options;
		const { rows } = await db.query<{ isOwn: boolean }>(
			`select coalesce((workflow.data ->> 'of')::bigint, workflow.id) = $2 as "isOwn" from workflow_claim
			 join workflow using (kind, id) where name = $1`,
			[`utr:${utr}`, workflow.id],
		);
		if (!rows[0]?.isOwn) await ledger.report(`utr-seen:${utr}:${workflow.id}`, workflow, { ...word });
	}

	/** Whether the account may take the payment: it is not barred, and the limits leave room for a late one. */
	async #mayDeposit(workflow: Workflow): Promise<boolean> {
		const { protection } = this.#options;
		const { walletId, state } = workflow;
		try {
			protection.admit(walletId, 'UPI_PAYMENT');
		} catch (error) {
			// The word is heard again when it is known whose account it is.
			if (error instanceof Refused && error.code !== 'STARTING') return false;
			throw error;
		}
		// An order that is in time has its room in the limits already.
		if (!LATE.has(state)) return true;
		return await protection.admitDeposit(walletId, paymentData(workflow).amount).then(
			() => true,
			(error: unknown) => {
				if (error instanceof Refused && error.code === 'DEPOSIT_LIMIT') return false;
				throw error;
			},
		);
	}

	/** Disputes a payment of the order, and may end the dispute: of an order that was paid twice, the one with the UTR. */
	async #disputed(workflow: Workflow, word: ProviderWord, end: (disputed: Workflow) => Promise<void>): Promise<void> {
		const { ledger } = this.#options;
		const { id } = await this.#paid(workflow, word);
		const dispute = async () => {
			await this.dispute(await ledger.find('PAYMENT', id), 'provider');
			await end(await ledger.find('PAYMENT', id));
		};
		// The turn of the order itself is taken already.
		await (id === workflow.id ? dispute() : ledger.turns.take(`payment ${id}`, dispute));
	}

	/** The payment that a dispute is about. The word of a dispute, and of its end, may arrive before that of the payment. */
	async #paid(workflow: Workflow, word: ProviderWord): Promise<Pick<Workflow, 'id'>> {
		if (UNPAID.has(workflow.state)) await this.#succeeded(workflow, { ...word, status: 'SUCCESS' });
		const { rows } = await this.#options.db.query<{ id: number }>(
			`select id from workflow_claim join workflow using (kind, id)
			 where name = $1 and kind = 'PAYMENT' and (data ->> 'of')::bigint = $2`,
			[`utr:${word.utr}`, workflow.id],
		);
		return rows[0] ?? workflow;
	}

	/** Holds the rest of a payment. A payment that was not credited becomes a finding. */
	async dispute(workflow: Workflow, actor: string, data: Workflow['data'] = {}): Promise<void> {
		if (UNCREDITED.has(workflow.state)) {
			// Money that the provider takes back must not be credited afterwards.
			await this.#options.ledger.report(`dispute-uncredited:${workflow.id}`, workflow, { id: workflow.id });
			return;
		}
		if (workflow.state !== 'SUCCESS' && workflow.state !== 'CREDITED') return;
		const held = this.heldByDispute(workflow);
		await this.#happen(workflow, 'dispute', { held }, { ...data, held }, actor);
	}

	/** What a dispute holds of the payment, or would hold now: what the player has left of it. */
	heldByDispute(workflow: Workflow): AnyPaise {
		const { held, paid = 0 } = paymentData(workflow);
		if (workflow.state === 'DISPUTED') return held ?? 0;
		return Math.min(paid, Math.max(0, this.#options.exchange.wallet(workflow.walletId)?.cash ?? 0));
	}

	/** The house bears a shortfall, and the account is frozen. */
	async endDispute(workflow: Workflow, isWon: boolean, actor: string, data: Workflow['data'] = {}): Promise<void> {
		if (workflow.state !== 'DISPUTED') return;
		const { held = 0, paid = 0 } = paymentData(workflow);
		if (isWon) return await this.#happen(workflow, 'dispute-won', { held }, data, actor);
		const rest = paid - held;
		const by = { actor: 'server', address: null };
		// The account is frozen first: a server that is killed between the two does both again.
		if (rest > 0) await this.#options.protection.freeze(workflow.walletId, 'A disputed payment was lost.', by);
		await this.#happen(workflow, 'dispute-lost', { held, rest }, data, actor);
	}

	/** Asks the provider about an order, and lets time pass for it even when the provider does not answer. */
	async advance(id: number): Promise<void> {
		const { log } = this.#options;
		await this.ask(id).catch((error: unknown) =>
			log.debug({ err: error, orderId: id }, 'an order is asked about later'),
		);
		await this.#passTime(id);
	}

	/** Expires an order that was not paid in time, and in the end stops asking about it. */
	async #passTime(id: number): Promise<void> {
		const { ledger, clock } = this.#options;
		await ledger.turns.take(`payment ${id}`, async () => {
			const workflow = await ledger.find('PAYMENT', id);
			const { expiresAtMs } = paymentData(workflow);
			if (workflow.state === 'CREATED' || workflow.state === 'PENDING') {
				if (clock() > expiresAtMs) await this.#happen(workflow, 'expired', {});
			} else if (workflow.state === 'FAILED' || workflow.state === 'EXPIRED') {
				if (clock() > expiresAtMs + ASKED_FOR_MS) await this.#happen(workflow, 'give-up', {});
			}
		});
	}

	async #happen(
		workflow: Workflow,
		event: string,
		amounts: Partial<Record<'amount' | 'paid' | 'held' | 'rest', number>>,
		data: Workflow['data'] = {},
		actor = 'provider',
	): Promise<void> {
		await this.#options.ledger.happen(PAYMENT, workflow, { event, facts: NO_FACTS, amounts, actor, data });
	}

	#notYet(id: number, error: unknown): void {
		if (error instanceof Refused) throw error;
		this.#options.log.warn({ err: error, orderId: id }, 'the payment provider does not answer');
	}
}

function unlessUnknown(error: unknown): null {
	if (error instanceof Refused && error.code === 'NOT_FOUND') return null;
	throw error;
}

/** @throws Error when the provider takes too long */
async function inTime<T>(answer: Promise<T>): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(new Error('The payment provider took too long.')), PROVIDER_TIMEOUT_MS);
	try {
		return await Promise.race([answer, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
