/**
 * UPI payments: players' orders and the provider's word on them. The word arrives by webhook, by a look-up when the
 * player asks, and by polling; the first arrival counts, and the others find it applied.
 */

import type pg from 'pg';
import type { Logger } from 'pino';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { Exchange, RequestKey } from '#server/exchange/exchange.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { Disputes } from '#server/money/funds/disputes/disputes.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { NO_PAYMENT_FACTS, PAYMENT } from '#server/money/funds/machines/payment.ts';
import { chargebackFacts, noteChargeback } from '#server/money/funds/payments/chargebacks.ts';
import { idOf, referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { orderOf } from '#server/money/funds/payments/payment-data.ts';
import {
	type DisputeWord,
	type PaymentProvider,
	type PaymentProviders,
	type ProviderWord,
	providerOf,
	type RefundWord,
	wordData,
} from '#server/money/funds/payments/provider.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { EvidenceBooks } from '#server/money/funds/receipts/evidence.ts';
import { checkCoins } from '#server/money/funds/whole-coins.ts';
import type { Door } from '#server/people/persons/doors.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { inTime } from '#server/platform/pacing/in-time.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { currencyOf, isDemoPool, type Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** The shortest interval between two look-ups of one order by its player. */
const ASK_EVERY_MS = 3_000;
/** After this timeout the provider is asked again later. */
const PROVIDER_TIMEOUT_MS = 8_000;
const MOST_ASKED = 10_000;
/** A payment can still arrive this long after its order failed or expired. */
const ASKED_FOR_MS = 3 * DAY_MS;

/** States in which a payment is late: the limits are checked again. */
const LATE: ReadonlySet<string> = new Set(['FAILED', 'EXPIRED']);
/** States of an order without a known payment. */
const UNPAID: ReadonlySet<string> = new Set(['CREATED', 'PENDING', 'FAILED', 'EXPIRED']);

/** The parts that payments and withdrawals use. */
export interface PaymentParts {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'earlier' | 'wallet'>;
	db: pg.Pool;
	log: Logger;
	providers: PaymentProviders;
	protection: Protection;
	clock: () => number;
}

interface PaymentsOptions extends PaymentParts {
	/** How long a player has to pay. */
	orderMs: number;
	evidence: EvidenceBooks;
	disputes: Disputes;
}

/** The depositing player and the domain's rules. */
export interface Depositor {
	playerId: PlayerId;
	setting: DomainSetting;
}

export class Payments {
	readonly #options: PaymentsOptions;
	/** Time of the latest look-up, by order. */
	readonly #asked = recentlyUsed<number, number>(MOST_ASKED);

	constructor(options: PaymentsOptions) {
		this.#options = options;
	}

	/** Whether a provider moves money of a pool. */
	isOpenTo(pool: Pool): boolean {
		return providerOf(this.#options.providers, pool) !== null;
	}

	/**
	 * Creates an order, or returns the one that the same request created.
	 * @throws Refused FORBIDDEN, PAYMENT_UNAVAILABLE, AMOUNT_OUT_OF_RANGE, DEPOSIT_LIMIT, those of Protection.admit
	 */
	async generate(depositor: Depositor, amount: AnyMinor, key: RequestKey): Promise<Workflow<'PAYMENT'>> {
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

	async #begin({ playerId, setting }: Depositor, amount: AnyMinor, key: RequestKey): Promise<number> {
		const { ledger, providers, protection, clock, orderMs, exchange } = this.#options;
		const { funds } = setting;
		const pool = exchange.wallet(playerId)?.pool;
		if (pool === undefined) throw new Refused('FORBIDDEN');
		const provider = providerOf(providers, pool);
		const isOpen = funds.upiDeposits && funds.payeeUpiId !== '';
		if (!isOpen || !provider) throw new Refused('PAYMENT_UNAVAILABLE');
		await this.checkDeposit(playerId, setting, amount, 'UPI_ORDER');
		const data = {
			amount,
			provider: provider.name,
			expiresAtMs: clock() + orderMs,
			payee: { name: funds.payeeName, upiId: funds.payeeUpiId },
			attempts: 0,
		};
		const happening = { event: 'generate', facts: NO_PAYMENT_FACTS, amounts: {}, actor: 'player', data };
		const { id } = await ledger.begin(PAYMENT, { walletId: playerId, pool }, happening, {
			key,
			admit: () => protection.admit(playerId, 'UPI_ORDER'),
		});
		return id;
	}

	/**
	 * Checks a deposit against the limits, in the player's turn, so that concurrent orders cannot pass a limit together.
	 * @throws Refused those of Protection.admit, LIMITS_UNDECIDED, INVALID_AMOUNT, AMOUNT_OUT_OF_RANGE, DEPOSIT_LIMIT
	 */
	async checkDeposit(playerId: PlayerId, { funds }: DomainSetting, amount: AnyMinor, door: Door): Promise<void> {
		const { exchange, protection } = this.#options;
		protection.admit(playerId, door);
		const pool = exchange.wallet(playerId)?.pool;
		if (pool) checkCoins(pool, amount);
		if (protection.limits.due(playerId) === 'FIRST') throw new Refused('LIMITS_UNDECIDED');
		const { minDeposit: min, maxDeposit: max } = funds;
		if (amount < min * MINOR_PER_MAJOR || amount > max * MINOR_PER_MAJOR)
			throw new Refused('AMOUNT_OUT_OF_RANGE', { min, max });
		await protection.limits.admitDeposit(playerId, amount);
	}

	/** The player's order; asks the provider if a look-up is due. @throws Refused NOT_FOUND */
	async check(playerId: PlayerId, id: number): Promise<Workflow<'PAYMENT'>> {
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
		this.#asked.set(id, nowMs);
		return true;
	}

	/** Asks the provider about an order and applies its word. @throws if the provider cannot be reached */
	async ask(id: number): Promise<void> {
		const { ledger } = this.#options;
		await ledger.turns.take(`payment ${id}`, async () => {
			const workflow = await ledger.find('PAYMENT', id);
			if (workflow.state === 'CREATED') return await this.#order(workflow);
			if (workflow.state === 'REFUNDED') {
				// One that ended before its turn came is returned, or the provider took it back: nothing is sent.
				if (workflow.isOpen) await this.#returnToPayer(workflow);
				return;
			}
			const provider = this.#providerOf(workflow);
			const word = await answered(provider.lookUp(referenceOf('BLP', id)));
			if (word) await this.#apply(workflow, word);
			const isCharged = workflow.state === 'REVIEW' && !chargebackFacts(workflow).isUndisputed;
			if (workflow.state !== 'DISPUTED' && !isCharged) return;
			for (const said of await answered(provider.disputesOf(referenceOf('BLP', id))))
				await this.#applyDispute(await ledger.find('PAYMENT', id), said);
		});
	}

	/** @throws Error for real money without a provider */
	#providerOf({ pool }: Pick<Workflow, 'pool'>): PaymentProvider {
		const provider = providerOf(this.#options.providers, pool);
		if (!provider) throw new Error('There is no payment provider of real money.');
		return provider;
	}

	/** Creates the order at the provider, where a repeated reference returns the same order. */
	async #order(workflow: Workflow<'PAYMENT'>): Promise<void> {
		const { ledger } = this.#options;
		const { amount, expiresAtMs, attempts } = orderOf(workflow);
		const isDemo = isDemoPool(workflow.pool);
		const currency = currencyOf(workflow.pool);
		const order = { reference: referenceOf('BLP', workflow.id), amount, currency, expiresAtMs, isDemo };
		const { providerId, link } = await answered(this.#providerOf(workflow).createOrder(order));
		const data = { providerId, attempts: attempts + 1, ...(link === undefined ? {} : { link }) };
		await ledger.happen(PAYMENT, workflow, {
			event: 'ordered',
			facts: NO_PAYMENT_FACTS,
			amounts: {},
			actor: 'provider',
			data,
		});
	}

	/** Applies the word of a provider from any source. @throws if it could not be made durable */
	async hear(word: ProviderWord, from: PaymentProvider): Promise<void> {
		await this.#about(word.reference, wordData(word), from, (workflow) => this.#apply(workflow, word));
	}

	/**
	 * Applies a provider's word on a dispute. It may come before that of the payment, which is asked for.
	 * @throws Error while the payment is not known, or if it could not be made durable
	 */
	async hearDispute(word: DisputeWord, from: PaymentProvider): Promise<void> {
		const { ledger } = this.#options;
		const { reference, status, dispute } = word;
		await this.#about(
			reference,
			{ reference, status, dispute: dispute.name, amount: dispute.amount },
			from,
			async (workflow) => {
				if (UNPAID.has(workflow.state)) {
					const paid = await answered(from.lookUp(word.reference));
					if (paid) await this.#apply(workflow, paid);
				}
				const now = await ledger.find('PAYMENT', workflow.id);
				if (UNPAID.has(now.state)) throw new Error('The disputed payment is not known yet.');
				await this.#applyDispute(now, word);
			},
		);
	}

	/** Applies a provider's word on the return of a payment. @throws if it could not be made durable */
	async hearRefund(word: RefundWord, from: PaymentProvider): Promise<void> {
		await this.#about(word.reference, { ...word }, from, (workflow) => this.#applyRefund(workflow, word));
	}

	/** Runs an act on the order of a provider's word, in its turn. A word that no order is waiting for is a finding. */
	async #about(
		reference: string,
		said: WorkflowData,
		from: PaymentProvider,
		act: (workflow: Workflow<'PAYMENT'>) => Promise<void>,
	): Promise<void> {
		const { ledger } = this.#options;
		const id = idOf('BLP', reference);
		const workflow = id === null ? null : await ledger.find('PAYMENT', id).catch(unlessUnknown);
		// What one provider says of another one's order moves nothing: the simulator could credit real money.
		if (!workflow || !from.pools.includes(workflow.pool)) {
			await ledger.report(`unknown-order:${reference}`, ledger.houseOf(from.pools), said);
			return;
		}
		await ledger.turns.take(`payment ${workflow.id}`, async () => act(await ledger.find('PAYMENT', workflow.id)));
	}

	async #apply(workflow: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { pool, data } = workflow;
		const { reference, orderEndsAtMs } = word;
		// Another installation numbers its orders alike: its payer's money is not ours.
		if (orderEndsAtMs !== undefined && data.of === undefined && orderEndsAtMs !== data.expiresAtMs)
			return await this.#options.ledger.report(`unknown-order:${reference}`, { walletId: 0, pool }, wordData(word));
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
			case 'REVERSED':
				return await this.#reversed(workflow, word);
			case 'DISPUTED':
			case 'DISPUTE_WON':
			case 'DISPUTE_LOST':
				return await this.#onPaid(workflow, word, (payment) => this.#options.disputes.hear(payment, word));
		}
	}

	/** A payment that the provider gave back by itself: operators decide about what was credited for it. */
	async #reversed(workflow: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { ledger } = this.#options;
		const { state } = workflow;
		if (state === 'CREATED' || state === 'PENDING') return await this.#happen(workflow, 'failed', {});
		if (UNPAID.has(state)) return;
		await this.#onPaid(workflow, word, async (payment) => {
			if (payment.state === 'REFUNDED') return;
			const { id } = payment;
			await noteChargeback(ledger, payment, word);
			await ledger.report(`payment-reversed:${id}`, payment, { id, ...wordData(word) });
		});
	}

	/** A provider's dispute of a payment whose amount and reference only our books have. */
	async #applyDispute(workflow: Workflow<'PAYMENT'>, { reference, status, dispute }: DisputeWord): Promise<void> {
		const { ledger, disputes } = this.#options;
		const { id, data } = workflow;
		const { paid = data.amount, utr = null } = data;
		if (status === 'UNCLEAR') {
			const about = { id, dispute: dispute.name, amount: dispute.amount };
			await ledger.report(`dispute-unclear:${id}:${dispute.name}`, workflow, about);
			return;
		}
		const word = { reference, providerId: '', status, amount: paid, currency: currencyOf(workflow.pool), utr, dispute };
		await disputes.hear(workflow, word);
	}

	/** Asks the provider to return a payment to its payer; a repeated attempt returns it once. */
	async #returnToPayer(workflow: Workflow<'PAYMENT'>): Promise<void> {
		const { paid = 0, reason = '' } = workflow.data;
		const reference = referenceOf('BLP', workflow.id);
		const asked = { reference, attempt: attemptOf(workflow), amount: paid, reason };
		await this.#applyRefund(workflow, await answered(this.#providerOf(workflow).refund(asked)));
	}

	async #applyRefund(workflow: Workflow<'PAYMENT'>, word: RefundWord): Promise<void> {
		const { ledger } = this.#options;
		const { id, state, isOpen, data } = workflow;
		const { paid = 0 } = data;
		if (word.status === 'PROCESSING') return;
		const isAwaited = state === 'REFUNDED' && isOpen && word.attempt === attemptOf(workflow) && word.amount === paid;
		if (isAwaited && word.status === 'RETURNED') return await this.#happen(workflow, 'returned', {});
		if (isAwaited) {
			const refused = { refusedRefunds: word.attempt };
			return await this.#happen(workflow, 'not-returned', { paid }, refused);
		}
		const isLatest = word.attempt === attemptOf(workflow);
		const isKnown = word.status === 'RETURNED' ? state === 'REFUNDED' && isLatest : !isLatest;
		if (isKnown && word.attempt <= attemptOf(workflow)) return;
		// Returned by an attempt that was given up, refused after it was confirmed, or of another amount.
		const about = `refund-contradicted:${id}:${word.attempt}:${word.status}`;
		await ledger.report(about, workflow, { id, ...word });
	}

	/** Late payments and new orders of one person take turns, so that they cannot pass a limit together. */
	async #succeeded(workflow: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { ledger, protection } = this.#options;
		const succeed = () => this.#credit(workflow, word);
		await (LATE.has(workflow.state) ? ledger.turns.take(protection.turnOf(workflow.walletId), succeed) : succeed());
	}

	async #credit(workflow: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { ledger, evidence } = this.#options;
		const { utr } = word;
		const { utr: known } = workflow.data;
		if (known !== undefined && (known === utr || this.#providerOf(workflow).paysOnce)) return;
		if (word.currency !== currencyOf(workflow.pool) || utr === null) {
			await ledger.report(`odd-payment:${word.reference}:${utr ?? word.providerId}`, workflow, wordData(word));
			return;
		}
		await evidence.inTurn(utr, () => this.#creditOnce(workflow, { ...word, utr }));
	}

	/** In the turn of the reference: another payment with it stands, and receipts with it fall. */
	async #creditOnce(workflow: Workflow<'PAYMENT'>, word: ProviderWord & { utr: string }): Promise<void> {
		const { ledger, evidence } = this.#options;
		const { utr, amount } = word;
		const known = workflow.data;
		const payment = (await evidence.about(utr, null)).find(({ kind }) => kind === 'PAYMENT');
		if (payment) return await this.#reportSeen(workflow, payment.id, word);
		// A crash after this step leads to another word about the order, and to no second credit.
		await evidence.displaceReceipts(utr);
		const isPaid = known.utr !== undefined;
		const mayDeposit = await this.#mayDeposit(workflow);
		const happening = {
			event: isPaid ? 'paid-again' : 'succeeded',
			facts: {
				...NO_PAYMENT_FACTS,
				isAsOrdered: amount === known.amount,
				mayDeposit,
				isDemo: isDemoPool(workflow.pool),
			},
			amounts: { paid: amount },
			actor: 'provider',
			data: { paid: amount, paidAtMs: ledger.now(), utr, ...(isPaid ? { of: workflow.id, amount } : {}) },
			claims: [`paid:${utr}`],
		};
		if (isPaid) await ledger.begin(PAYMENT, workflow, happening);
		else await ledger.happen(PAYMENT, workflow, happening);
	}

	/** The second payment of an order may be known already; operators decide about a payment on another order. */
	async #reportSeen(
		workflow: Workflow<'PAYMENT'>,
		seenId: number,
		word: ProviderWord & { utr: string },
	): Promise<void> {
		const { ledger } = this.#options;
		const { of = seenId } = (await ledger.find('PAYMENT', seenId)).data;
		if (of !== workflow.id) await ledger.report(`utr-seen:${word.utr}:${workflow.id}`, workflow, wordData(word));
	}

	/** Whether the account may take the payment: it is not barred, and the limits leave room for a late payment. */
	async #mayDeposit(workflow: Workflow<'PAYMENT'>): Promise<boolean> {
		const { protection } = this.#options;
		const { walletId, state } = workflow;
		try {
			protection.admit(walletId, 'UPI_PAYMENT');
		} catch (error) {
			// The word is applied again once the person of the account is known.
			if (error instanceof Refused && error.code !== 'STARTING') return false;
			throw error;
		}
		// The limits already include an order that is paid in time.
		if (!LATE.has(state)) return true;
		return await protection.limits.admitDeposit(walletId, workflow.data.amount).then(
			() => true,
			(error: unknown) => {
				if (error instanceof Refused && error.code === 'DEPOSIT_LIMIT') return false;
				throw error;
			},
		);
	}

	/** A word on a payment of the order. If the order was paid twice, it is the payment with the UTR. */
	async #onPaid(
		workflow: Workflow<'PAYMENT'>,
		word: ProviderWord,
		act: (payment: Workflow<'PAYMENT'>) => Promise<void>,
	): Promise<void> {
		const { ledger } = this.#options;
		const { id } = await this.#paid(workflow, word);
		const acting = async () => await act(await ledger.find('PAYMENT', id));
		// The caller already has the turn of the order.
		await (id === workflow.id ? acting() : ledger.turns.take(`payment ${id}`, acting));
	}

	/** The payment of a dispute. The word of a dispute, and of its end, may arrive before that of the payment. */
	async #paid(workflow: Workflow<'PAYMENT'>, word: ProviderWord): Promise<Pick<Workflow, 'id'>> {
		if (UNPAID.has(workflow.state)) {
			const { amount: ordered } = workflow.data;
			// If the word does not name the dispute, its amount may be that of the dispute: a part of the payment.
			const amount = word.dispute ? word.amount : Math.max(word.amount, ordered);
			await this.#succeeded(workflow, { ...word, amount, status: 'SUCCESS' });
		}
		if (word.utr === null) return workflow;
		for (const { kind, id } of await this.#options.evidence.about(word.utr, null)) {
			if (kind !== 'PAYMENT') continue;
			const { of } = (await this.#options.ledger.find('PAYMENT', id)).data;
			if (of === workflow.id) return { id };
		}
		return workflow;
	}

	/** Asks the provider about an order, and advances its deadlines even if the provider does not answer. */
	async advance(id: number): Promise<void> {
		const { log } = this.#options;
		await this.ask(id).catch((error: unknown) =>
			log.debug({ err: error, orderId: id }, 'an order is asked about later'),
		);
		await this.#passTime(id);
	}

	/** Expires an order that was not paid in time, and eventually stops asking about it. */
	async #passTime(id: number): Promise<void> {
		const { ledger, clock } = this.#options;
		await ledger.turns.take(`payment ${id}`, async () => {
			const workflow = await ledger.find('PAYMENT', id);
			const { expiresAtMs } = orderOf(workflow);
			if (workflow.state === 'CREATED' || workflow.state === 'PENDING') {
				if (clock() > expiresAtMs) await this.#expire(workflow);
			} else if (workflow.state === 'FAILED' || workflow.state === 'EXPIRED') {
				if (clock() > expiresAtMs + ASKED_FOR_MS) await this.#happen(workflow, 'give-up', {});
			}
		});
	}

	/** The provider is told, so that it is not paid late. If it was paid meanwhile, a later look-up says so. */
	async #expire(workflow: Workflow<'PAYMENT'>): Promise<void> {
		await this.#happen(workflow, 'expired', {});
		await answered(this.#providerOf(workflow).cancelOrder(referenceOf('BLP', workflow.id))).catch((error: unknown) =>
			this.#options.log.debug({ err: error, orderId: workflow.id }, 'an expired order was not cancelled'),
		);
	}

	async #happen(
		workflow: Workflow<'PAYMENT'>,
		event: string,
		amounts: Partial<Record<'amount' | 'paid', number>>,
		data: WorkflowData = {},
		actor = 'provider',
	): Promise<void> {
		await this.#options.ledger.happen(PAYMENT, workflow, { event, facts: NO_PAYMENT_FACTS, amounts, actor, data });
	}

	#notYet(id: number, error: unknown): void {
		if (error instanceof Refused) throw error;
		this.#options.log.warn({ err: error, orderId: id }, 'the payment provider does not answer');
	}
}

/** The number of the attempt to return a payment. */
const attemptOf = ({ data }: Workflow<'PAYMENT'>): number =>
	(data.of === undefined ? (data.refusedRefunds ?? 0) : 0) + 1;

function unlessUnknown(error: unknown): null {
	if (error instanceof Refused && error.code === 'NOT_FOUND') return null;
	throw error;
}

/** @throws Error if the provider takes too long */
const answered = <T>(answer: Promise<T>): Promise<T> =>
	inTime(answer, PROVIDER_TIMEOUT_MS, 'The payment provider took too long.');
