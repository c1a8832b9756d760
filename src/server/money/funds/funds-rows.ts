/** A player's deposits and withdrawals as lists show them. */
import type pg from 'pg';
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { Workflow, WorkflowStep } from '#server/exchange/order/workflow.ts';
import { checkedWorkflows, WORKFLOW_COLUMNS, type WorkflowRow } from '#server/exchange/recovery/stored-workflows.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { PlayerId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';

export type FundsRowView = ResultOf<Calls['createWithdrawal']>;
type Filter = Omit<RequestOf<Calls['getDepositWithdrawals']>, 'maxResultCount' | 'skipCount'>;

export type MoneyKind = 'PAYMENT' | 'DEPOSIT' | 'WITHDRAWAL';
export type MoneyWorkflow = Workflow<MoneyKind>;
const KINDS = { DEPOSIT: ['PAYMENT', 'DEPOSIT'], WITHDRAWAL: ['WITHDRAWAL'] } as const;
/** The states that a player sees as decided. */
const DECIDED =
	`'SUCCESS', 'FAILED', 'EXPIRED', 'CREDITED', 'REFUNDED', 'WON', 'LOST', 'APPROVED', 'REJECTED', 'DUPLICATE', 'REVERSED', ` +
	`'CANCELLED', 'PAID', 'RETURNED'`;
/** An approved withdrawal is still on its way. */
const UNDECIDED = `(state not in (${DECIDED}) or kind = 'WITHDRAWAL' and state = 'APPROVED')`;
/** States without a decision, shown to operators alone: the outcome at the provider is unknown. */
const QUIET_STEPS: ReadonlySet<string> = new Set(['UNKNOWN']);

/** The states whose reason the player may read. The reason of an approval is a note among operators. */
const EXPLAINED = `'REJECTED', 'FAILED', 'FROZEN', 'RETURNED', 'REVERSED', 'DUPLICATE'`;

/**
 * SQL: the reason of a step, where the player may read it. A step without one has none: what an earlier step said, such as
 * the note of an approval, says nothing about it.
 */
const REASON_OF_STEP = `case when from_state is distinct from to_state and to_state in (${EXPLAINED}) then data ->> 'reason' end`;

/** SQL: the reason for the state of a row of workflow, where the player may read it. */
export const REASON_FOR_PLAYER = `(select ${REASON_OF_STEP} from workflow_step as steps
	where steps.kind = workflow.kind and steps.id = workflow.id and from_state is distinct from to_state
	order by step desc limit 1)`;

interface ShownStep extends Pick<WorkflowStep, 'kind' | 'id' | 'from' | 'to' | 'atMs'> {
	reason: string | null;
}

/** @param canCancel whether the domain lets players cancel withdrawals */
function fundsRow(workflow: MoneyWorkflow, steps: readonly ShownStep[], canCancel: boolean): FundsRowView {
	const { kind, id, state, atMs, openedAtMs } = workflow;
	const { amount, utr } = workflow.data;
	const shown = (of: string): string => (QUIET_STEPS.has(of) ? 'PROCESSING' : of);
	const isWaiting = kind === 'WITHDRAWAL' && (state === 'REQUESTED' || state === 'WAITING_FOR_KYC');
	const timeline = steps.filter(({ from, to }) => from !== to);
	return {
		id: `${kind}-${id}`,
		type: kind === 'WITHDRAWAL' ? 'WITHDRAWAL' : 'DEPOSIT',
		amount: majorFromMinor((kind === 'PAYMENT' ? workflow.data.paid : undefined) ?? amount),
		tax: majorFromMinor(kind === 'WITHDRAWAL' ? (workflow.data.tax?.amount ?? 0) : 0),
		method: kind === 'PAYMENT' ? 'UPI' : kind === 'DEPOSIT' ? 'RECEIPT' : workflow.data.method,
		status: shown(state),
		statusAt: isoTime(timeline.at(-1)?.atMs ?? atMs),
		createdAt: isoTime(openedAtMs),
		reference: utr ?? (kind === 'DEPOSIT' ? '' : referenceOf(kind === 'PAYMENT' ? 'BLP' : 'BLW', id)),
		note:
			timeline.at(-1)?.reason ??
			(isWaiting && workflow.data.doubts.length > 0 ? 'A person looks at this withdrawal.' : ''),
		canCancel: isWaiting && canCancel,
		steps: timeline.map(({ to, atMs: at }) => ({ status: shown(to), at: isoTime(at) })),
	};
}

export class FundsRows {
	readonly #db: Pick<pg.Pool, 'query'>;

	constructor(db: Pick<pg.Pool, 'query'>) {
		this.#db = db;
	}

	async of(workflow: MoneyWorkflow, canCancel: boolean): Promise<FundsRowView> {
		const [row] = await this.#rows([workflow], canCancel);
		return row as FundsRowView;
	}

	async page(
		playerId: PlayerId,
		{ type, status, from, to }: Filter,
		{
			take,
			skip,
			undecided = false,
			canCancel,
		}: { take: number; skip: number; undecided?: boolean; canCancel: boolean },
	): Promise<{ totalCount: number; items: FundsRowView[] }> {
		const values: unknown[] = [playerId, type ? [...KINDS[type]] : [...KINDS.DEPOSIT, ...KINDS.WITHDRAWAL]];
		const where = ['wallet_id = $1', 'kind = any($2)', ...(undecided ? [UNDECIDED] : [])];
		const add = (condition: string, value: unknown) => where.push(condition.replace('?', `$${values.push(value)}`));
		if (status) add('state = ?', status);
		if (from) add('opened_at >= ?', Date.parse(from));
		if (to) add('opened_at <= ?', Date.parse(to));
		const counted = await this.#db.query<{ count: number }>(
			`select count(*)::int as count from workflow where ${where.join(' and ')}`,
			values,
		);
		const { rows } = await this.#db.query<WorkflowRow<MoneyKind>>(
			`select ${WORKFLOW_COLUMNS} from workflow where ${where.join(' and ')}
			 order by opened_at desc, id desc limit ${take} offset ${skip}`,
			values,
		);
		return { totalCount: counted.rows[0]?.count ?? 0, items: await this.#rows(checkedWorkflows(rows), canCancel) };
	}

	async #rows(workflows: readonly MoneyWorkflow[], canCancel: boolean): Promise<FundsRowView[]> {
		const { rows } = await this.#db.query<ShownStep>({
			name: 'steps-of-workflows',
			text: `select kind, id, from_state as "from", to_state as "to", at as "atMs", ${REASON_OF_STEP} as reason
			 from workflow_step
			 where (kind, id) in (select * from unnest($1::text[], $2::bigint[])) order by step`,
			values: [workflows.map(({ kind }) => kind), workflows.map(({ id }) => id)],
		});
		return workflows.map((workflow) =>
			fundsRow(
				workflow,
				rows.filter(({ kind, id }) => kind === workflow.kind && id === workflow.id),
				canCancel,
			),
		);
	}
}
