/**
 * The public log: what the house has to stand by, appended to a Merkle tree whose checkpoints it signs. It follows the
 * tables after they are durable, and nothing waits for it. The wings declare which of their rows are leaves.
 *
 * This file has what they declare.
 */
import type pg from 'pg';
import { canonicalJson } from '#values/canonical-json.ts';

/** A leaf is public for ever: it names no person, and nothing that is secret yet. */
export interface Leaf {
	type: string;
	/** By which it is found; null for leaves that are read in order only. */
	ref: string | null;
	/** Plain values, besides its type. */
	body: Readonly<Record<string, unknown>>;
}

/** The leaves that one table, or several together, make. */
export interface LeafSource<Cursor = unknown> {
	/** Names the source's cursor. */
	name: string;
	/**
	 * SQL: whether a row waits for `take`, in which `cursor` is what its last call gave, as jsonb. It is asked twice a
	 * second, of all sources by one statement, and those alone of which a row waits are taken from.
	 */
	waiting: string;
	/** Whether this process has something to take that no row tells. */
	isWaiting?(cursor: Cursor | null): boolean;
	/**
	 * The next leaves, oldest first, as durable rows have them. It runs in the transaction that appends them, so each row
	 * is taken once.
	 * @param cursor what the last call gave; null at first
	 */
	take(client: pg.PoolClient, cursor: Cursor | null): Promise<{ leaves: Leaf[]; cursor: Cursor | null }>;
}

/** The most leaves that a source gives at once, so that an old database enters the log in steps. */
export const MOST_AT_ONCE = 2_000;

/** The text of a leaf, whose bytes are in the tree. */
export const leafText = ({ type, body }: Leaf): string => canonicalJson({ type, ...body });

/** The newest leaf of each subject, as text, by its reference. */
export async function newestLeaves(
	client: pg.PoolClient,
	type: string,
	refs: readonly string[],
): Promise<Map<string, string>> {
	if (refs.length === 0) return new Map();
	const { rows } = await client.query<{ ref: string; leaf: string }>(
		`select ref, leaf from unnest($2::text[]) as asked (ref) cross join lateral (
			select leaf from public_log_entry as found where type = $1 and found.ref = asked.ref
			order by log desc, entry desc limit 1
		) as newest`,
		[type, refs],
	);
	return new Map(rows.map(({ ref, leaf }) => [ref, leaf]));
}
