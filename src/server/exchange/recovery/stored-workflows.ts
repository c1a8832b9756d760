/** Workflows as the table holds them. */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { WalletId } from '#values/ids.ts';

export const WORKFLOW_COLUMNS = `kind, id, wallet_id as "walletId", pool, state, step, postings, is_open as "isOpen",
	opened_at as "openedAtMs", at as "atMs", data`;

/**
 * The workflows that meet a condition, by kind and id.
 * @param name of the statement, which PostgreSQL then plans once for each connection
 */
export async function storedWorkflows(
	database: Pick<pg.Pool, 'query'>,
	condition: string,
	values: unknown[] = [],
	name?: string,
): Promise<Workflow[]> {
	const text = `select ${WORKFLOW_COLUMNS} from workflow where ${condition} order by kind, id`;
	const { rows } = await database.query<Workflow>({ text, values, ...(name === undefined ? {} : { name }) });
	return rows;
}

export const workflowsByKey = (
	database: Pick<pg.Pool, 'query'>,
	keys: readonly Pick<Workflow, 'kind' | 'id'>[],
): Promise<Workflow[]> =>
	storedWorkflows(
		database,
		'(kind, id) in (select * from unnest($1::text[], $2::bigint[]))',
		[keys.map(({ kind }) => kind), keys.map(({ id }) => id)],
		'workflows-by-key',
	);

/** The open workflows of a kind. */
export const openWorkflows = (database: Pick<pg.Pool, 'query'>, kind: TransferKind): Promise<Workflow[]> =>
	storedWorkflows(database, 'kind = $1 and is_open', [kind]);

/** The open workflows of a wallet. */
export const openWorkflowsOf = (database: Pick<pg.Pool, 'query'>, walletId: WalletId): Promise<Workflow[]> =>
	storedWorkflows(database, 'wallet_id = $1 and is_open', [walletId]);
