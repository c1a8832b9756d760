/**
 * What markets came to, in the public log: results and voids, and each later one of a market that was reopened. A result
 * that stood for less than a moment may be missing, its batch is not.
 */
import type pg from 'pg';
import type { MarketStatus } from '#engine/effect.ts';
import type { CommittedListener } from '#server/exchange/committed.ts';
import {
	type Leaf,
	type LeafSource,
	leafText,
	MOST_AT_ONCE,
	newestLeaves,
} from '#server/platform/public-log/leaf-source.ts';
import type { MarketId } from '#values/ids.ts';

export interface DecidedMarket {
	marketId: MarketId;
	status: MarketStatus;
	results: readonly string[] | null;
	removed: unknown;
}

/** Settled, void, or reopened: nothing else that a market becomes is a leaf. */
export const LOGGED_STATES: ReadonlySet<MarketStatus> = new Set(['SETTLED', 'VOIDED', 'CLOSED']);

export const MARKET_COLUMNS = 'market_id as "marketId", status, results, removed';

export const marketLeaf = ({ marketId, status, results, removed }: DecidedMarket): Leaf => ({
	type: 'market',
	ref: `${marketId}`,
	body: { market: marketId, status, results, removed },
});

/** The batch up to which the log has what markets came to; null while the changes of an earlier process may be missing. */
interface MarketCursor {
	through: number | null;
}

/** Compares every market once after a start, some at a time. */
interface Comparison {
	/** The last batch before it began. */
	since: number;
	/** The largest id that was compared. */
	reached: MarketId;
}

export class MarketLeaves implements LeafSource<MarketCursor> {
	readonly name = 'market';
	readonly waiting = 'false';
	/** Markets that may have changed since their newest leaf. */
	readonly #changed = new Set<MarketId>();
	#comparison: Comparison | null = { since: 0, reached: 0 };
	/** The last batch whose markets are among the changed ones, or have their leaf. */
	#through = 0;

	readonly onCommitted: CommittedListener = ({ batchSeq, markets }) => {
		for (const { marketId, status } of markets) if (LOGGED_STATES.has(status)) this.#changed.add(marketId);
		this.#through = batchSeq;
	};

	readonly isWaiting = (cursor: MarketCursor | null): boolean =>
		this.#comparison !== null || this.#changed.size > 0 || cursor?.through !== this.#through;

	readonly take: LeafSource<MarketCursor>['take'] = async (client) => {
		const before = this.#comparison && { ...this.#comparison };
		let asked: MarketId[] = [];
		try {
			const compared = await this.#compare(client);
			const through = this.#through;
			asked = [...this.#changed].slice(0, MOST_AT_ONCE);
			// Before they are read: one that changes while it is read is asked for again.
			for (const marketId of asked) this.#changed.delete(marketId);
			const named = asked.length === 0 ? [] : await marketsOf(client, 'market_id = any($1)', [asked]);
			const rows = new Map([...(compared ?? []), ...named].map((market) => [market.marketId, market]));
			const leaves = await leavesOf(client, [...rows.values()]);
			// A market is done with when its newest leaf, durable by then, is what its row says.
			for (const { ref } of leaves) this.#changed.add(Number(ref));
			return { leaves, cursor: { through: this.#comparison || asked.length === MOST_AT_ONCE ? null : through } };
		} catch (error) {
			this.#comparison = before;
			for (const marketId of asked) this.#changed.add(marketId);
			throw error;
		}
	};

	/** The next markets to compare; null when all were compared. */
	async #compare(client: pg.PoolClient): Promise<DecidedMarket[] | null> {
		if (!this.#comparison) return null;
		if (this.#comparison.reached === 0) {
			const { rows } = await client.query<{ batch: number }>('select batch from lease');
			this.#comparison.since = rows[0]?.batch ?? 0;
		}
		const { since, reached } = this.#comparison;
		const found = await marketsOf(client, 'market_id > $1 and status = any($2)', [reached, [...LOGGED_STATES]]);
		const last = found.at(-1);
		if (last && found.length === MOST_AT_ONCE) this.#comparison.reached = last.marketId;
		else this.#comparison = null;
		this.#through = Math.max(this.#through, since);
		return found;
	}
}

/** The leaves that these markets lack. */
async function leavesOf(client: pg.PoolClient, rows: readonly DecidedMarket[]): Promise<Leaf[]> {
	const refs = rows.map(({ marketId }) => `${marketId}`);
	const newest = await newestLeaves(client, 'market', refs);
	return rows
		.filter(({ marketId, status }) => newest.has(`${marketId}`) || status !== 'CLOSED')
		.map(marketLeaf)
		.filter((leaf) => newest.get(`${leaf.ref}`) !== leafText(leaf));
}

async function marketsOf(client: pg.PoolClient, where: string, values: readonly unknown[]): Promise<DecidedMarket[]> {
	const { rows } = await client.query<DecidedMarket>(
		`select ${MARKET_COLUMNS} from market_state where ${where} order by market_id limit ${MOST_AT_ONCE}`,
		[...values],
	);
	return rows;
}
