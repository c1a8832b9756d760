/**
 * Operators' decisions about workflows. Some decisions need two persons: the first proposes, and the same decision by a
 * second person applies it.
 */
import type pg from 'pg';
import type { DomainSetting } from '#contract/domain-setting.ts';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { Disputes } from '#server/money/funds/disputes/disputes.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { type Machine, stepOf } from '#server/money/funds/machine.ts';
import { ADJUSTMENT, type AdjustmentFacts } from '#server/money/funds/machines/adjustment.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import { DISPUTE } from '#server/money/funds/machines/dispute.ts';
import { FINDING } from '#server/money/funds/machines/finding.ts';
import { NO_PAYMENT_FACTS, PAYMENT } from '#server/money/funds/machines/payment.ts';
import { REFERRAL } from '#server/money/funds/machines/referral.ts';
import { WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';
import type { PaymentClaims } from '#server/money/funds/operators/payment-claims.ts';
import { chargebackFacts, refuseChargedBack } from '#server/money/funds/payments/chargebacks.ts';
import type { PersonLimits } from '#server/money/funds/protection/person-limits.ts';
import type { EvidenceBooks } from '#server/money/funds/receipts/evidence.ts';
import { taxOnReturn } from '#server/money/funds/taxes/withheld-tax.ts';
import type { Withdrawals } from '#server/money/funds/withdrawals/withdrawals.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, MINOR_PER_MAJOR } from '#values/money.ts';
import { nameKey } from '#values/name-key.ts';
import type { Pool } from '#values/pools.ts';
import type { Permission } from '#values/staff-permissions.ts';
import { DAY_MS } from '#values/time.ts';

/**
 * Whether a decision needs two persons: always, never, or above the domain's threshold for a day, or a deposit limit of the
 * player.
 */
type Persons = 'one' | 'two' | 'two-above';

const DECISIONS: Partial<
	Record<TransferKind, { machine: Machine<DecidedFacts>; events: Readonly<Record<string, Persons>> }>
> = {
	PAYMENT: {
		machine: PAYMENT,
		events: { credit: 'two', refund: 'two', dispute: 'one' },
	},
	DISPUTE: { machine: DISPUTE, events: { evidence: 'one', won: 'two', lost: 'two' } },
	DEPOSIT: { machine: DEPOSIT, events: { approve: 'two-above', reject: 'one', reverse: 'two' } },
	WITHDRAWAL: {
		machine: WITHDRAWAL,
		events: {
			approve: 'two-above',
			reject: 'one',
			freeze: 'one',
			'wait-for-kyc': 'one',
			release: 'one',
			paid: 'two',
			failed: 'two',
			return: 'two',
		},
	},
	ADJUSTMENT: { machine: ADJUSTMENT, events: { approve: 'one', reject: 'one' } },
	FINDING: { machine: FINDING, events: { match: 'one', credit: 'one', 'write-off': 'two' } },
	BONUS: { machine: BONUS, events: { cancel: 'two', 'claw-back': 'two' } },
	REFERRAL: { machine: REFERRAL, events: { void: 'one', 'claw-back': 'two' } },
};

/**
 * An estimate does not decide a payout in progress: operators decide only if there is no verdict. Only the provider
 * changes the outcome of a dispute.
 */
const ONLY_FROM: Readonly<Record<string, string>> = { paid: 'UNKNOWN', failed: 'UNKNOWN', won: 'OPEN', lost: 'OPEN' };

/** Whether the one who proposed or requested it may still do so; everyone may where it is left out. */
type StillMay = (name: string, permission: Permission) => Promise<boolean>;

const EVERYONE: StillMay = async () => true;

interface Decision {
	kind: TransferKind;
	id: number;
	event: string;
	operator: string;
	reason: string;
	/** Minor units of a payment in dispute; the whole undisputed amount by default. */
	amount?: AnyMinor;
	stillMay?: StillMay;
	/** @throws Refused if the operator may decide no more, who waited for the turn */
	checkOperator?: () => Promise<void>;
}

interface DecisionsOptions {
	ledger: FundsLedger;
	disputes: Disputes;
	evidence: EvidenceBooks;
	withdrawals: Pick<Withdrawals, 'freezeForNewDoubts'>;
	claims: PaymentClaims;
	settingOf: (playerId: PlayerId) => DomainSetting | null;
	limits: Pick<PersonLimits, 'passesDepositLimit'>;
	/** Whether the provider of a pool returns payments to their payers. */
	refunds: (pool: Pool) => boolean;
	db: Pick<pg.Pool, 'query'>;
	clock: () => number;
}

interface Decided {
	id: number;
	kind: TransferKind;
	state: string;
	/** A second person has to make the same decision. */
	isProposed: boolean;
}

export class Decisions {
	readonly #options: DecisionsOptions;

	constructor(options: DecisionsOptions) {
		this.#options = options;
	}

	/**
	 * @throws Refused NOT_FOUND, WRONG_STATE, SAME_PERSON, PROPOSER_LEFT, UNNAMED_OPERATOR, CLAIMED_BY_OTHER; VALIDATION_FAILED without a
	 * reason
	 */
	async decide(decision: Decision): Promise<Decided> {
		const { kind, id, event, operator, reason } = decision;
		if (operator === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		const { ledger, claims, withdrawals, evidence } = this.#options;
		const deciding = DECISIONS[kind];
		const persons = deciding?.events[event];
		if (!deciding || !persons) throw new Refused('WRONG_STATE', { event });
		if (event !== 'approve' && reason === '') throw new Refused('VALIDATION_FAILED', {}, 'Give a reason.');
		return await ledger.inTurnOf({ kind, id }, async (workflow) => {
			await decision.checkOperator?.();
			await claims.check(workflow, operator);
			if (workflow.kind === 'PAYMENT') refuseChargedBack(workflow, event);
			if (workflow.kind === 'WITHDRAWAL' && event === 'approve' && (await withdrawals.freezeForNewDoubts(workflow)))
				throw new Refused('WRONG_STATE', { state: 'FROZEN' }, 'There is a new doubt about it. Look at it again.');
			if (workflow.kind === 'DEPOSIT' && event === 'approve' && (await evidence.displacePaid(workflow)))
				throw new Refused('WRONG_STATE', { state: 'DUPLICATE' }, 'The payment provider received this payment.');
			const needsTwo = persons === 'two' || (persons === 'two-above' && (await this.#asksTwo(workflow)));
			return await this.#happen(deciding.machine, workflow, decision, needsTwo);
		});
	}

	/** The possible decisions about a workflow in its current state. */
	async possible(workflow: Workflow, stillMay = EVERYONE): Promise<{ event: string; twoPersons: boolean }[]> {
		const deciding = DECISIONS[workflow.kind];
		if (!deciding) return [];
		const isAbove = Object.values(deciding.events).includes('two-above') && (await this.#asksTwo(workflow));
		const mayBeApproved = await isRequestValid(workflow, stillMay);
		return Object.entries(deciding.events)
			.filter(([event]) => this.#isAllowed(deciding.machine, workflow, event))
			.filter(([event]) => event !== 'approve' || mayBeApproved)
			.map(([event, persons]) => ({ event, twoPersons: persons === 'two' || (persons === 'two-above' && isAbove) }));
	}

	/** The movements of a decision. @throws Refused NOT_FOUND, WRONG_STATE, AMOUNT_OUT_OF_RANGE */
	async movesOf({ kind, id, event, amount }: Pick<Decision, 'kind' | 'id' | 'event' | 'amount'>) {
		const { ledger, disputes } = this.#options;
		const workflow = await ledger.find(kind, id);
		const machine = DECISIONS[kind]?.machine;
		if (!machine) throw new Refused('WRONG_STATE', { event });
		const { walletId, pool, state } = workflow;
		const happening = this.#happening(workflow, event, 'nobody');
		const { moves, to } = stepOf(machine, workflow, { ...happening, ...(await disputes.termsOf(workflow, event)) });
		// The money of a dispute belongs to its own workflow.
		if (workflow.kind === 'PAYMENT' && event === 'dispute')
			return { walletId, pool, state, moves: await disputes.movesOfOpening(workflow, amount), to };
		return { walletId, pool, state, moves, to };
	}

	async #happen(
		machine: Machine<DecidedFacts>,
		workflow: Workflow,
		decision: Decision,
		needsTwo: boolean,
	): Promise<Decided> {
		const { kind, id, event, operator, reason } = decision;
		const { ledger, clock, evidence } = this.#options;
		const only = ONLY_FROM[event];
		if (only && workflow.state !== only) throw new Refused('WRONG_STATE', { state: workflow.state });
		const happening = this.#happening(workflow, event, operator);
		// A decision without a row in the machine is refused before it is proposed.
		stepOf(machine, workflow, happening);
		const { requestedBy } = { requestedBy: undefined, ...workflow.data };
		// No operator decides about an own request. Whether the account is the operator's is asked of every act before.
		if (isSame(requestedBy, operator)) throw new Refused('SAME_PERSON');
		// A request of an author who left can be rejected alone.
		const { stillMay = EVERYONE } = decision;
		if (event === 'approve' && !(await isRequestValid(workflow, stillMay))) throw new Refused('PROPOSER_LEFT');
		const proposed = await standingProposal(workflow, stillMay);
		if (needsTwo && proposed?.event !== event) {
			const proposal = { event, by: operator, reason, atMs: clock() };
			const propose = { ...happening, event: 'propose', data: { proposed: proposal } };
			const { state } = await ledger.happen(machine, workflow, propose);
			return { id, kind, state, isProposed: true };
		}
		if (needsTwo && isSame(proposed?.by, operator)) throw new Refused('SAME_PERSON');
		// A decision without a comment keeps the reason of the request.
		const said = reason === '' ? {} : { reason };
		const data = {
			proposed: null,
			...said,
			decidedBy: operator,
			...(event === 'approve' ? { paidAtMs: ledger.now() } : {}),
		};
		const apply = () => ledger.happen(machine, workflow, { ...happening, data });
		const isAboutDispute = kind === 'DISPUTE' || event === 'dispute';
		const { state } = isAboutDispute
			? await this.#dispute(workflow, decision, data)
			: workflow.kind === 'DEPOSIT' && event === 'approve'
				? await evidence.approving(workflow, apply)
				: await apply();
		if (kind === 'ADJUSTMENT' && state === 'APPROVED') return await this.#post(id);
		return { id, kind, state, isProposed: false };
	}

	/** Posts an approved adjustment at once; after a crash the poller posts it. */
	async #post(id: number): Promise<Decided> {
		const { ledger } = this.#options;
		const workflow = await ledger.find('ADJUSTMENT', id);
		const facts = adjustmentFacts(workflow);
		const { amount } = workflow.data;
		const { state } = await ledger.happen(ADJUSTMENT, workflow, {
			event: 'post',
			facts,
			amounts: { amount },
			actor: 'server',
		});
		return { id, kind: 'ADJUSTMENT', state, isProposed: false };
	}

	async post(id: number): Promise<void> {
		const { ledger } = this.#options;
		await ledger.turns.take(`adjustment ${id}`, async () => {
			if ((await ledger.find('ADJUSTMENT', id)).state === 'APPROVED') await this.#post(id);
		});
	}

	/**
	 * An open receipt has its room in the limits of its player, so one passes them only if the limit is lower by now, or if
	 * the bank's statement reopened it when others had taken its room. Its money has arrived, so it is credited or
	 * rejected, as late payments are: by two persons.
	 */
	async #asksTwo(workflow: Workflow): Promise<boolean> {
		const { limits } = this.#options;
		if (workflow.kind === 'DEPOSIT' && (await limits.passesDepositLimit(workflow.walletId))) return true;
		return await this.#isAbove(workflow);
	}

	/** Requests of one kind within a day of each other count together, regardless of when they are decided. */
	async #isAbove({ walletId, kind, id }: Workflow): Promise<boolean> {
		const { settingOf, db } = this.#options;
		const threshold = (settingOf(walletId)?.funds.secondApprovalAbove ?? 0) * MINOR_PER_MAJOR;
		const { rows } = await db.query<{ sum: number }>(
			`select coalesce(sum((workflow.data ->> 'amount')::bigint), 0)::bigint as sum
			 from workflow join workflow as own on own.kind = $2 and own.id = $3 and abs(workflow.opened_at - own.opened_at) < $4
			 where workflow.wallet_id = $1 and workflow.kind = $2
			   and workflow.state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED', 'DUPLICATE', 'REVERSED')`,
			[walletId, kind, id, DAY_MS],
		);
		return (rows[0]?.sum ?? 0) > threshold;
	}

	/** The hold and debit of a dispute depend on its other cycles. */
	async #dispute(
		workflow: Workflow,
		{ event, operator, reason, amount }: Decision,
		data: WorkflowData,
	): Promise<{ state: string }> {
		const { ledger, disputes, clock } = this.#options;
		if (workflow.kind === 'DISPUTE' && event === 'evidence')
			return await disputes.addEvidence(workflow, { atMs: clock(), by: operator, text: reason });
		if (workflow.kind === 'DISPUTE' && (event === 'won' || event === 'lost'))
			return await disputes.end(workflow, event, operator, data);
		if (workflow.kind !== 'PAYMENT') throw new Refused('WRONG_STATE', { event });
		const disputed = amount ?? (await disputes.undisputed(workflow));
		await disputes.open(workflow, { amount: disputed, actor: operator, data });
		return await ledger.find('PAYMENT', workflow.id);
	}

	/** A decision as an event of its machine. */
	#happening(workflow: Workflow, event: string, actor: string) {
		const charged = workflow.kind === 'PAYMENT' ? chargebackFacts(workflow) : { isUndisputed: false, isKept: false };
		const isSentBack = charged.isKept && this.#options.refunds(workflow.pool);
		const adjusted = workflow.kind === 'ADJUSTMENT' ? adjustmentFacts(workflow) : {};
		const facts = { ...NO_FACTS, ...charged, isSentBack, ...adjusted };
		return { event, facts, amounts: amountsOf(workflow, this.#options.ledger.now()), actor };
	}

	#isAllowed(machine: Machine<DecidedFacts>, workflow: Workflow, event: string): boolean {
		const only = ONLY_FROM[event];
		if (only && workflow.state !== only) return false;
		try {
			stepOf(machine, workflow, this.#happening(workflow, event, 'nobody'));
			return true;
		} catch (error) {
			if (error instanceof Refused) return false;
			throw error;
		}
	}
}

/** Every amount that a row of its machine may use. */
function amountsOf({ kind, data }: Workflow, nowMs: number): Record<string, AnyMinor> {
	switch (kind) {
		case 'PAYMENT':
			return { amount: data.amount, paid: data.paid ?? data.amount };
		case 'DISPUTE':
			return { amount: data.amount, held: data.held, taken: data.taken, rest: data.rest };
		case 'WITHDRAWAL':
			return { amount: data.amount, tax: taxOnReturn(data, nowMs) };
		case 'DEPOSIT':
		case 'ADJUSTMENT':
		case 'BONUS':
		case 'REFERRAL':
			return { amount: data.amount };
		default:
			return {};
	}
}

/** Facts that never hold for operators' decisions; those of adjustments and disputes are added. */
const NO_FACTS = {
	...NO_PAYMENT_FACTS,
	isCredit: false,
	isBonus: false,
	isDuplicate: false,
	isFinal: false,
	asksIdentity: false,
};

type DecidedFacts = typeof NO_FACTS;

const adjustmentFacts = ({ data: { isCredit, reasonCode } }: Workflow<'ADJUSTMENT'>): AdjustmentFacts => ({
	isCredit,
	isBonus: reasonCode === 'BONUS',
});

/** Whether the operator who requested it, if there is one, may still do so. */
async function isRequestValid({ data }: Workflow, stillMay: StillMay): Promise<boolean> {
	const { requestedBy } = { requestedBy: undefined, ...data };
	return requestedBy === undefined || (await stillMay(requestedBy, 'payments.adjust'));
}

/**
 * The first of two decisions. Of one whose author was removed, or may decide no more, nothing is left: the present decision
 * is the first one then.
 */
export async function standingProposal({ data }: Workflow, stillMay: StillMay) {
	const { proposed } = { proposed: null, ...data };
	return proposed && (await stillMay(proposed.by, 'payments.decide')) ? proposed : null;
}

/** Operator names that differ in case, width or surrounding blanks belong to one person. */
const isSame = (one: string | undefined, other: string): boolean =>
	one !== undefined && nameKey(one) === nameKey(other);
