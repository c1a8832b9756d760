/**
 * Disputes of payments: a payment has any number of cycles, each about a part of it or all of it. The disputed amount
 * is held, first from the player's cash and then from money that becomes free. A lost amount is taken from the player: from
 * the hold, from cash, from what unmatched bets held, and then from money that becomes free. The house bears only the part that
 * the player never has. All acts on the disputes of a payment take its turn.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { StepMove, StepRequest, Workflow } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import { openWorkflowsOf, readableWorkflows, storedWorkflows } from '#server/exchange/recovery/stored-workflows.ts';
import type { DebtFreeze } from '#server/money/funds/disputes/debt-freeze.ts';
import type { DisputeData } from '#server/money/funds/disputes/dispute-data.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { stepOf } from '#server/money/funds/machine.ts';
import { DISPUTE } from '#server/money/funds/machines/dispute.ts';
import { NO_PAYMENT_FACTS, PAYMENT } from '#server/money/funds/machines/payment.ts';
import { noteChargeback } from '#server/money/funds/payments/chargebacks.ts';
import { lostOf } from '#server/money/funds/payments/payment-data.ts';
import { type ProviderWord, wordData } from '#server/money/funds/payments/provider.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** A bet may take the cash between reading the wallet and the step; more retries than these indicate a fault. */
const MOST_TRIES = 20;
/** States of a payment that can be disputed. */
const DISPUTABLE: ReadonlySet<string> = new Set(['SUCCESS', 'CREDITED', 'DISPUTED', 'WON', 'LOST']);
const ENDS: Readonly<Record<string, 'won' | 'lost'>> = { DISPUTE_WON: 'won', DISPUTE_LOST: 'lost' };
const NO_FACTS = { isFinal: false };

/** The movements of a step, and the dispute's data after it. */
interface Change {
	event: string;
	amounts: { held?: AnyMinor; taken?: AnyMinor; rest?: AnyMinor };
	isFinal?: boolean;
	data: Partial<DisputeData>;
}

/** A new cycle. */
interface NewDispute {
	amount: AnyMinor;
	/** "provider", or the operator. */
	actor: string;
	name?: string | null;
	sequence?: number | null;
	deadlineMs?: number | null;
	/** The word opened it, and not only ended it. */
	wasOpened?: boolean;
	/** The fields of an operator's dispute. */
	data?: WorkflowData;
}

interface DisputesOptions {
	ledger: FundsLedger;
	exchange: Pick<Exchange, 'wallet' | 'openBets' | 'submit' | 'heldForUnmatched'>;
	db: pg.Pool;
	debtFreeze: Pick<DebtFreeze, 'begin' | 'endIfPaid'>;
	log: Pick<Logger, 'error'>;
}

export class Disputes {
	readonly #options: DisputesOptions;

	constructor(options: DisputesOptions) {
		this.#options = options;
	}

	/** The cycles of a payment, in order. */
	async of({ id, walletId }: Pick<Workflow, 'id' | 'walletId'>): Promise<Workflow<'DISPUTE'>[]> {
		return await storedWorkflows(this.#options.db, {
			kind: 'DISPUTE',
			where: `wallet_id = $1 and (data ->> 'payment')::bigint = $2`,
			values: [walletId, id],
			name: 'disputes-of-payment',
		});
	}

	/** Minor units of a payment that are neither in dispute nor lost. */
	async undisputed(payment: Workflow<'PAYMENT'>): Promise<AnyMinor> {
		const { paid = 0 } = payment.data;
		const open = (await this.of(payment)).filter(({ state }) => state === 'OPEN');
		return open.reduce((left, dispute) => left - dispute.data.amount, paid - lostOf(payment));
	}

	/** @param freed what comes to it by then */
	#cash(walletId: number, freed = 0): AnyMinor {
		return Math.max(0, (this.#options.exchange.wallet(walletId)?.cash ?? 0) + freed);
	}

	/**
	 * Opens a cycle about an undisputed part of the payment.
	 * @throws Refused WRONG_STATE for a payment that was not credited, AMOUNT_OUT_OF_RANGE
	 */
	async open(payment: Workflow<'PAYMENT'>, asked: NewDispute): Promise<Workflow<'DISPUTE'>> {
		if (!DISPUTABLE.has(payment.state)) throw new Refused('WRONG_STATE', { state: payment.state });
		const { amount, actor, name = null, sequence = null, deadlineMs = null, wasOpened = true, data = {} } = asked;
		await this.#adoptHold(payment);
		inRange(amount, await this.undisputed(payment));
		const { ledger } = this.#options;
		const { paidAtMs = payment.openedAtMs } = payment.data;
		const cycle = (await this.of(payment)).length + 1;
		const known = {
			payment: payment.id,
			cycle,
			amount,
			taken: 0,
			rest: 0,
			paidAtMs,
			name,
			sequence,
			wasOpened,
			deadlineMs,
		};
		const beside = [this.#paymentStep(payment, 'dispute', {}, actor)];
		const { id } = await this.#withCash(payment, async (cash) => {
			const held = Math.min(amount, cash);
			const happening = { event: 'open', facts: NO_FACTS, amounts: { held }, actor, data: { ...data, ...known, held } };
			return await ledger.begin(DISPUTE, payment, happening, { beside });
		});
		return await ledger.find('DISPUTE', id);
	}

	/**
	 * Migrates a payment whose dispute predates dispute workflows: its hold becomes the first cycle's. The money stays
	 * where it is.
	 */
	async #adoptHold(payment: Workflow<'PAYMENT'>): Promise<void> {
		const { held, paid = 0, paidAtMs = payment.openedAtMs } = payment.data;
		if (payment.state !== 'DISPUTED' || (await this.of(payment)).length > 0) return;
		const known = { payment: payment.id, cycle: 1, amount: paid, held: held ?? 0, taken: 0, rest: 0, paidAtMs };
		const data = { ...known, name: null, sequence: null, wasOpened: true, deadlineMs: null };
		const happening = { event: 'open', facts: NO_FACTS, amounts: { held: 0 }, actor: 'server', data };
		await this.#options.ledger.begin(DISPUTE, payment, happening);
	}

	/** The payments whose disputes predate dispute workflows. Migrated once, at a start. */
	async adoptHolds(): Promise<void> {
		const { db, ledger, log } = this.#options;
		const disputed = await readableWorkflows(db, log, { kind: 'PAYMENT', where: `is_open and state = 'DISPUTED'` });
		for (const payment of disputed) await ledger.inTurnOf(payment, (now) => this.#adoptHold(now));
	}

	/** Ends a cycle. @throws Refused WRONG_STATE if it has ended with this outcome, or cannot end */
	async end(
		dispute: Workflow<'DISPUTE'>,
		event: 'won' | 'lost',
		actor: string,
		data: WorkflowData = {},
	): Promise<Workflow<'DISPUTE'>> {
		const { ledger, debtFreeze } = this.#options;
		if (event === 'lost') await this.#freeUnmatched(dispute);
		const inPlay = event === 'lost' && (await this.#hasMoneyInPlay(dispute));
		const ended = await this.#settle(dispute, actor, data, async (cash) => {
			const amounts = amountsOf(dispute, event, cash);
			if (event === 'won') return { event, amounts, data: { held: 0, taken: 0, rest: 0 } };
			const { held, taken, rest } = amounts;
			// The account is frozen first: if the server is killed between the two, both are repeated.
			if (rest > 0) await debtFreeze.begin(dispute.walletId);
			const isFinal = rest === 0 || !inPlay;
			const lostAtMs = ledger.now();
			return { event, amounts, isFinal, data: { held: 0, taken: held + taken, rest, lostAtMs } };
		});
		// What another dispute was paid by in between may have unfrozen the account.
		if (ended.data.rest > 0) await debtFreeze.begin(dispute.walletId);
		else debtFreeze.endIfPaid(dispute.walletId);
		return ended;
	}

	/** If a lost amount is more than the player has, what is ordered and not matched is cancelled: its money pays first. */
	async #freeUnmatched(dispute: Workflow<'DISPUTE'>): Promise<void> {
		const { exchange } = this.#options;
		const { walletId } = dispute;
		const { rest } = amountsOf(dispute, 'lost', this.#cash(walletId));
		// One that cannot be lost any more cancels nothing.
		stepToBe(dispute, { event: 'lost', facts: NO_FACTS, amounts: { held: 0, taken: 0, rest: 0 }, actor: 'server' });
		if (rest > 0) await exchange.submit({ kind: 'cancel-all', walletId });
	}

	/** The movements of an operator's decision if made now; other workflows pass through unchanged. */
	async termsOf(
		workflow: Workflow,
		event: string,
	): Promise<{ amounts?: Change['amounts']; facts?: { isFinal: boolean } }> {
		if (workflow.kind !== 'DISPUTE' || (event !== 'won' && event !== 'lost')) return {};
		const { walletId } = workflow;
		const freed = event === 'lost' ? this.#options.exchange.heldForUnmatched(walletId) : 0;
		const amounts = amountsOf(workflow, event, this.#cash(walletId, freed));
		return { amounts, facts: { isFinal: amounts.rest === 0 || !(await this.#hasMoneyInPlay(workflow)) } };
	}

	/**
	 * The movements of a new cycle if opened now. @param amount the whole undisputed rest by default. @throws as `open`
	 */
	async movesOfOpening(payment: Workflow<'PAYMENT'>, amount?: AnyMinor): Promise<StepMove[]> {
		const left = await this.undisputed(payment);
		const held = Math.min(inRange(amount ?? left, left), this.#cash(payment.walletId));
		return held === 0 ? [] : [{ debit: 'cash', credit: 'hold', amount: held }];
	}

	/** Adds the reply for the bank. */
	async addEvidence(
		dispute: Workflow<'DISPUTE'>,
		added: { atMs: number; by: string; text: string },
	): Promise<Workflow<'DISPUTE'>> {
		const { evidence = [] } = dispute.data;
		await this.#happen(dispute, { event: 'evidence', amounts: {}, data: { evidence: [...evidence, added] } }, added.by);
		return await this.#options.ledger.find('DISPUTE', dispute.id);
	}

	/** The provider reopens a cycle. */
	async #reopen(dispute: Workflow<'DISPUTE'>, data: WorkflowData): Promise<void> {
		const { amount, taken, rest } = dispute.data;
		await this.#settle(dispute, 'provider', data, async (cash) => {
			const wasLost = dispute.state !== 'WON';
			const held = wasLost ? taken : Math.min(amount, cash);
			return { event: 'reopen', amounts: { held, taken, rest }, data: { held, taken: 0, rest: 0 } };
		});
		this.#options.debtFreeze.endIfPaid(dispute.walletId);
	}

	/** A step that begins or ends a cycle, with its effect on the payment, in one transfer. */
	async #settle(
		dispute: Workflow<'DISPUTE'>,
		actor: string,
		data: WorkflowData,
		changeFor: (cash: AnyMinor) => Promise<Change>,
	): Promise<Workflow<'DISPUTE'>> {
		const { ledger } = this.#options;
		const payment = await ledger.find('PAYMENT', dispute.data.payment);
		const others = (await this.of(payment)).filter(({ id }) => id !== dispute.id);
		await this.#withCash(dispute, async (cash) => {
			const { event, amounts, isFinal = false, data: known } = await changeFor(cash);
			// What one person proposed was about the state before.
			const happening = { event, facts: { isFinal }, amounts, actor, data: { proposed: null, ...data, ...known } };
			const { state } = stepToBe(dispute, happening);
			const beside = this.#besideEnd(payment, others, { ...dispute, state }, actor);
			return await ledger.happen(DISPUTE, dispute, happening, { beside });
		});
		return await ledger.find('DISPUTE', dispute.id);
	}

	/** The payment's state after the step of its cycle. */
	#besideEnd(
		payment: Workflow<'PAYMENT'>,
		others: readonly Workflow<'DISPUTE'>[],
		changed: Workflow<'DISPUTE'>,
		actor: string,
	): StepRequest[] {
		const all = [...others, changed];
		const isOpen = all.some(({ state }) => state === 'OPEN');
		const lost = all
			.filter(({ state }) => state === 'OWED' || state === 'LOST')
			.reduce((sum, dispute) => sum + dispute.data.amount, 0);
		const facts = { isDisputed: isOpen, isLost: lost > 0 };
		// The hold of a dispute from before cycles now belongs to its cycle.
		const data = { lost, held: null };
		if (isOpen && payment.state !== 'DISPUTED') return [this.#paymentStep(payment, 'dispute', facts, actor, data)];
		return [this.#paymentStep(payment, 'dispute-ended', facts, actor, data)];
	}

	#paymentStep(
		payment: Workflow<'PAYMENT'>,
		event: string,
		facts: { isDisputed?: boolean; isLost?: boolean },
		actor: string,
		data: WorkflowData = {},
	): StepRequest {
		return stepOf(PAYMENT, payment, { event, facts: { ...NO_PAYMENT_FACTS, ...facts }, amounts: {}, actor, data });
	}

	/** Takes a step with the available cash; a concurrent bet lowers the amount and does not stop the hold. */
	async #withCash<Result>(
		{ walletId }: Pick<Workflow, 'walletId'>,
		step: (cash: AnyMinor) => Promise<Result>,
	): Promise<Result> {
		for (let tries = 1; ; tries++) {
			try {
				return await step(this.#cash(walletId));
			} catch (error) {
				const isShort = error instanceof Refused && error.code === 'INSUFFICIENT_FUNDS';
				if (!isShort || tries === MOST_TRIES) throw error;
			}
		}
	}

	/** Whether money of the player may still become free: from bets, rounds, withdrawals, and what other disputes hold. */
	async #hasMoneyInPlay({ walletId, id }: Pick<Workflow, 'walletId' | 'id'>): Promise<boolean> {
		const { db, exchange } = this.#options;
		// Nothing is held for bets that can only win.
		if ((exchange.wallet(walletId)?.exposure ?? 0) > 0 || exchange.openBets(walletId).length > 0) return true;
		const open = await openWorkflowsOf(db, walletId);
		return open.some((workflow) => {
			if (workflow.kind === 'DISPUTE') return workflow.id !== id && workflow.state === 'OPEN' && workflow.data.held > 0;
			return workflow.kind === 'CASINO' || workflow.kind === 'WITHDRAWAL';
		});
	}

	/** Holds, or takes, money that has become free since the last step. The poller calls it while the cycle is open. */
	async advance(id: number): Promise<void> {
		const { ledger } = this.#options;
		const { payment } = (await ledger.find('DISPUTE', id)).data;
		await ledger.turns.take(`payment ${payment}`, async () => {
			const dispute = await ledger.find('DISPUTE', id);
			if (dispute.state === 'OPEN') await this.#holdMore(dispute);
			else if (dispute.state === 'OWED') await this.#takeMore(dispute);
		});
	}

	async #holdMore(dispute: Workflow<'DISPUTE'>): Promise<void> {
		const { amount, held } = dispute.data;
		await this.#withCash(dispute, async (cash) => {
			const more = Math.min(amount - held, cash);
			if (more > 0)
				await this.#happen(dispute, { event: 'hold', amounts: { held: more }, data: { held: held + more } });
		});
	}

	async #takeMore(dispute: Workflow<'DISPUTE'>): Promise<void> {
		const { taken, rest } = dispute.data;
		const inPlay = await this.#hasMoneyInPlay(dispute);
		await this.#withCash(dispute, async (cash) => {
			const more = Math.min(rest, cash);
			const isFinal = more === rest || !inPlay;
			if (more === 0 && !isFinal) return;
			const data = { taken: taken + more, rest: rest - more };
			await this.#happen(dispute, { event: 'take', amounts: { taken: more }, isFinal, data });
		});
		this.#options.debtFreeze.endIfPaid(dispute.walletId);
	}

	async #happen(
		dispute: Workflow<'DISPUTE'>,
		{ event, amounts, isFinal = false, data }: Change,
		actor = 'server',
	): Promise<void> {
		await this.#options.ledger.happen(DISPUTE, dispute, {
			event,
			facts: { isFinal },
			amounts,
			actor,
			data: { ...data },
		});
	}

	/**
	 * Applies the provider's word on a dispute of a payment, in the payment's turn. Words arrive late, twice and in any
	 * order: if the provider names and numbers a dispute, its word with the highest number counts. A word that cannot be
	 * applied becomes a finding.
	 */
	async hear(payment: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { ledger } = this.#options;
		if (!DISPUTABLE.has(payment.state)) {
			// Money that the provider takes back must not be credited afterwards.
			await noteChargeback(ledger, payment, word);
			await ledger.report(`dispute-uncredited:${payment.id}`, payment, { id: payment.id });
			return;
		}
		await this.#adoptHold(payment);
		const cycles = await this.of(payment);
		const cycle = word.dispute ? namedCycle(cycles, word.dispute) : unnamedCycle(cycles, word);
		try {
			if (!cycle) await this.#begin(payment, word);
			else if (word.dispute) await this.#hearNamed(cycle, word, word.dispute);
			else await this.#hearUnnamed(cycle, word);
		} catch (error) {
			if (!(error instanceof Refused && (error.code === 'WRONG_STATE' || error.code === 'AMOUNT_OUT_OF_RANGE')))
				throw error;
			const { name, sequence } = { name: word.utr ?? '', sequence: 0, ...word.dispute };
			const about = `dispute-refused:${payment.id}:${name}:${sequence}:${word.status}`;
			await ledger.report(about, payment, { id: payment.id, ...wordData(word) });
		}
	}

	/** A new cycle, from its opening or from its end alone. */
	async #begin(payment: Workflow<'PAYMENT'>, word: ProviderWord): Promise<void> {
		const { ledger } = this.#options;
		const { name = null, amount: disputed = word.amount, sequence = null, deadlineMs = null } = word.dispute ?? {};
		const left = await this.undisputed(payment);
		const amount = Math.min(disputed, left);
		// No more than the payment can be taken back: the provider's books and ours differ.
		if (disputed > left)
			await ledger.report(`dispute-above:${payment.id}:${name ?? word.status}:${disputed}`, payment, {
				id: payment.id,
				left,
				...wordData(word),
			});
		if (amount <= 0) return;
		const end = ENDS[word.status];
		const asked = { amount, actor: 'provider', name, sequence, deadlineMs, wasOpened: end === undefined };
		const opened = await this.open(payment, asked);
		if (end) await this.end(opened, end, 'provider');
	}

	async #hearNamed(
		cycle: Workflow<'DISPUTE'>,
		{ status }: ProviderWord,
		named: NonNullable<ProviderWord['dispute']>,
	): Promise<void> {
		const { name, sequence, deadlineMs = null } = named;
		const known = cycle.data;
		const end = ENDS[status];
		const isOld = known.name !== null && known.sequence !== null && sequence < known.sequence;
		if (isOld) return;
		const isSaid = saidBy(cycle.state) === (end ?? 'open');
		if (known.name === name && known.sequence === sequence && !isSaid)
			throw new Refused('WRONG_STATE', { state: cycle.state });
		const data = { name, sequence, ...(deadlineMs === null ? {} : { deadlineMs }) };
		if (isSaid) {
			if (known.name !== name || known.sequence !== sequence)
				await this.#happen(cycle, { event: 'hear', amounts: {}, data }, 'provider');
		} else if (end) await this.end(cycle, end, 'provider', data);
		else await this.#reopen(cycle, data);
	}

	async #hearUnnamed(cycle: Workflow<'DISPUTE'>, { status }: ProviderWord): Promise<void> {
		const end = ENDS[status];
		if (end === undefined) {
			if (cycle.state !== 'OPEN')
				await this.#happen(cycle, { event: 'hear', amounts: {}, data: { wasOpened: true } }, 'provider');
			return;
		}
		if (saidBy(cycle.state) === end) return;
		// Without a number, the order of two ends is unknown.
		if (cycle.state !== 'OPEN') throw new Refused('WRONG_STATE', { state: cycle.state });
		await this.end(cycle, end, 'provider');
	}
}

/** @throws Refused AMOUNT_OUT_OF_RANGE if it exceeds the undisputed rest */
function inRange(amount: AnyMinor, left: AnyMinor): AnyMinor {
	if (amount > left || amount <= 0)
		throw new Refused('AMOUNT_OUT_OF_RANGE', { min: majorFromMinor(1), max: majorFromMinor(Math.max(0, left)) });
	return amount;
}

/** The movements at the end of a cycle, given the player's cash. */
function amountsOf(dispute: Workflow<'DISPUTE'>, event: 'won' | 'lost', cash: AnyMinor): Required<Change['amounts']> {
	const { amount, held: known, taken, rest } = dispute.data;
	if (event === 'won') return { held: known, taken, rest };
	const held = dispute.state === 'OPEN' ? known : 0;
	const fromCash = Math.min(amount - held, cash);
	return { held, taken: fromCash, rest: amount - held - fromCash };
}

/** The word that led a cycle to its state. */
const saidBy = (state: string): string => ({ OPEN: 'open', WON: 'won' })[state] ?? 'lost';

/** The state after a step. */
const stepToBe = (
	dispute: Workflow<'DISPUTE'>,
	happening: Parameters<typeof stepOf<{ isFinal: boolean }, 'held' | 'taken' | 'rest'>>[2],
) => ({
	state: stepOf(DISPUTE, dispute, happening).to,
});

/**
 * The cycle with that name, or one about the amount that so far only operators knew: an open one, or one that they ended
 * before the provider said anything.
 */
function namedCycle(
	cycles: readonly Workflow<'DISPUTE'>[],
	{ name, amount }: NonNullable<ProviderWord['dispute']>,
): Workflow<'DISPUTE'> | undefined {
	const unnamed = cycles.filter(({ data }) => data.name === null && data.amount === amount);
	return (
		cycles.find((cycle) => cycle.data.name === name) ?? unnamed.find(({ state }) => state === 'OPEN') ?? unnamed.at(-1)
	);
}

/**
 * The cycle of a word without a name. An opening repeats the open cycle about the amount, or is the late opening of a
 * cycle whose end came first; otherwise it starts a new cycle. An end belongs to the open cycle, or repeats the last
 * end.
 */
function unnamedCycle(
	cycles: readonly Workflow<'DISPUTE'>[],
	{ status, amount }: ProviderWord,
): Workflow<'DISPUTE'> | undefined {
	const open = cycles.filter(({ state }) => state === 'OPEN');
	const ofAmount = open.find((cycle) => cycle.data.amount === amount);
	if (ENDS[status] !== undefined) return ofAmount ?? open[0] ?? cycles.at(-1);
	return ofAmount ?? cycles.find((cycle) => !cycle.data.wasOpened);
}
