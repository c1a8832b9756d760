/** Workflows as the table holds them: each is compared with the schema of its kind as it is read. */
import type { Logger } from 'pino';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow, WorkflowRef } from '#server/exchange/order/workflow.ts';
import { fitsKind } from '#server/exchange/order/workflow-data.ts';
import type { Queries } from '#server/platform/postgres/limited-queries.ts';
import type { WalletId } from '#values/ids.ts';

export const WORKFLOW_COLUMNS = `kind, id, wallet_id as "walletId", pool, state, step, postings, is_open as "isOpen",
	opened_at as "openedAtMs", at as "atMs", data`;

/** For the log. */
export const UNREADABLE = 'a workflow does not fit the schema of its kind';

/** A row that is not what its kind says. The message names it, and shows nothing of its data. */
export class UnreadableWorkflow extends Error {
	constructor({ kind, id }: WorkflowRef) {
		super(`workflow ${kind} ${id} does not fit the schema of its kind`);
		this.name = 'UnreadableWorkflow';
	}
}

/** A workflow as the driver reads it. */
export type WorkflowRow<Kind extends TransferKind = TransferKind> = Omit<Workflow<Kind>, 'kind' | 'data'> & {
	kind: Kind;
	data: unknown;
};

const isWorkflow = <Kind extends TransferKind>(row: WorkflowRow<Kind>): row is WorkflowRow<Kind> & Workflow<Kind> =>
	fitsKind(row.kind, row.data);

/** @throws UnreadableWorkflow */
export function checkedWorkflows<Kind extends TransferKind>(rows: readonly WorkflowRow<Kind>[]): Workflow<Kind>[] {
	return rows.map((row) => {
		if (!isWorkflow(row)) throw new UnreadableWorkflow(row);
		return row;
	});
}

/** Those that can be read; the log names the others. */
export function thoseReadable<Kind extends TransferKind>(
	rows: readonly WorkflowRow<Kind>[],
	log: Pick<Logger, 'error'>,
): Workflow<Kind>[] {
	return rows.filter((row) => {
		const isReadable = isWorkflow(row);
		if (!isReadable) log.error({ kind: row.kind, id: row.id }, UNREADABLE);
		return isReadable;
	});
}

interface WorkflowQuery<Kind extends TransferKind> {
	/** Left out for those of all kinds. */
	kind?: Kind;
	/** In SQL. */
	where: string;
	values?: readonly unknown[];
	/** Of the statement, which PostgreSQL then plans once for each connection. */
	name?: string;
}

/** As the table has them, not compared yet. */
export async function workflowRows<Kind extends TransferKind>(
	database: Queries,
	{ kind, where, values = [], name }: WorkflowQuery<Kind>,
): Promise<WorkflowRow<Kind>[]> {
	const ofKind = kind === undefined ? '' : `kind = '${kind}' and `;
	const text = `select ${WORKFLOW_COLUMNS} from workflow where ${ofKind}(${where}) order by kind, id`;
	const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
	return (await database.query<WorkflowRow<Kind>>(query)).rows;
}

/** The workflows that meet a condition, by kind and id. @throws UnreadableWorkflow */
export const storedWorkflows = async <Kind extends TransferKind>(
	database: Queries,
	query: WorkflowQuery<Kind>,
): Promise<Workflow<Kind>[]> => checkedWorkflows(await workflowRows(database, query));

/** The same without those that cannot be read, which the log names: for what looks at the workflows of many players. */
export const readableWorkflows = async <Kind extends TransferKind>(
	database: Queries,
	log: Pick<Logger, 'error'>,
	query: WorkflowQuery<Kind>,
): Promise<Workflow<Kind>[]> => thoseReadable(await workflowRows(database, query), log);

/** @throws UnreadableWorkflow */
export const workflowsByKey = <Kind extends TransferKind>(
	database: Queries,
	keys: readonly WorkflowRef<Kind>[],
): Promise<Workflow<Kind>[]> =>
	storedWorkflows<Kind>(database, {
		where: '(kind, id) in (select * from unnest($1::text[], $2::bigint[]))',
		values: [keys.map(({ kind }) => kind), keys.map(({ id }) => id)],
		name: 'workflows-by-key',
	});

/** The open workflows of a kind that can be read. */
export const openWorkflows = <Kind extends TransferKind>(
	database: Queries,
	log: Pick<Logger, 'error'>,
	kind: Kind,
): Promise<Workflow<Kind>[]> =>
	readableWorkflows<Kind>(database, log, { where: 'kind = $1 and is_open', values: [kind], name: 'open-workflows' });

/** The open workflows of a wallet. @throws UnreadableWorkflow */
export const openWorkflowsOf = (database: Queries, walletId: WalletId): Promise<Workflow[]> =>
	storedWorkflows(database, { where: 'wallet_id = $1 and is_open', values: [walletId] });
