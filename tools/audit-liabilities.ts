/**
 * The audit of what the house says that it owes: each tree's totals are those of the postings up to its batch, and the
 * newest tree of each pool has the wallet of every player, with what its postings come to.
 */
import type pg from 'pg';
import { HASH_BYTES } from '../src/public-log/merkle-tree.ts';
import { leafNode, NODE_BYTES, rootOver, type Sums, sumsOf } from '../src/public-log/sum-tree.ts';
import { ENTRY_BYTES, entryAt, leafTexts, SHARES, saltsOf } from '../src/server/money/liabilities/build-tree.ts';
import type { WalletThen } from '../src/server/money/liabilities/day-end.ts';
import { type LoggedTree, TREE_COLUMNS } from '../src/server/money/liabilities/log-trees.ts';
import { treeRef } from '../src/server/money/liabilities/tree-rows.ts';
import { dayName } from '../src/values/zoned-calendar.ts';
import type { Check, Finding } from './audit-check.ts';
import { rowsOf } from './audit-seals.ts';

const ROWS_AT_ONCE = 512;

const MOVES = `(
	select pool, batch, debit as account, debit_owner as owner, -amount as amount from posting
	union all select pool, batch, credit, credit_owner, amount from posting
) as move`;

/** Postings are summed once: between each tree and the one before, then up to each. */
export const treesAreTrialBalances: Check = {
	name: 'every tree of liabilities comes to the trial balance of its batch',
	run: async (client) => {
		const counted = await client.query<{ rows: number }>('select count(*)::int as rows from sum_tree');
		const { rows } = await client.query<Record<string, unknown>>(
			`with moved as (
				select move.pool, ending.batch,
					sum(amount) filter (where account = 'cash' and owner >= 1000) as cash,
					sum(amount) filter (where account in ('exposure', 'hold') and owner >= 1000) as held,
					sum(amount) filter (where account = 'bonus' and owner >= 1000) as bonus,
					sum(amount) filter (where account = 'pot') as pots
				from ${MOVES} join lateral (
					select min(sum_tree.batch) as batch from sum_tree where sum_tree.pool = move.pool and sum_tree.batch >= move.batch
				) as ending on true
				group by 1, 2
			), posted as (
				select sum_tree.*, coalesce(sum(moved.cash), 0) as posted_cash, coalesce(sum(moved.held), 0) as posted_held,
					coalesce(sum(moved.bonus), 0) as posted_bonus, coalesce(sum(moved.pots), 0) as posted_pots
				from sum_tree left join moved on moved.pool = sum_tree.pool and moved.batch <= sum_tree.batch
				group by sum_tree.pool, sum_tree.day
			)
			select pool, day, batch::text, (cash - shortfall)::text as cash, posted_cash::text, held::text, posted_held::text,
				bonus::text, posted_bonus::text, pots::text, posted_pots::text
			from posted where cash - shortfall <> posted_cash or held <> posted_held or bonus <> posted_bonus or pots <> posted_pots
			order by day, pool limit 1`,
		);
		return { rows: counted.rows[0]?.rows ?? 0, wrong: rows[0] ?? null };
	},
};

/** Trees whose nodes are there. */
type NewestTree = LoggedTree & { secret: Buffer };

export const walletsAreInTrees: Check = {
	name: 'every player’s money is in the newest tree of liabilities, and nothing else is',
	run: async (client) => {
		const { rows: trees } = await client.query<NewestTree>(
			`select ${TREE_COLUMNS}, secret from sum_tree as tree where secret is not null
				and day = (select max(day) from sum_tree where sum_tree.pool = tree.pool) order by pool`,
		);
		let rows = 0;
		for (const tree of trees) {
			const finding = await checkTree(client, tree);
			rows += finding.rows;
			if (finding.wrong) return { rows, wrong: { tree: treeRef(tree), ...finding.wrong } };
		}
		return { rows, wrong: null };
	},
};

/** What all rows of a tree have, one after another: some rows at once, because each has thousands of bytes. */
async function bytesIn(client: pg.PoolClient, rows: string, number: string, length: number): Promise<Buffer> {
	const bytes = Buffer.alloc(length);
	for (let [first, at] = [0, 0]; at < length; first += ROWS_AT_ONCE) {
		const found = await client.query<{ part: Buffer }>(
			`${rows} and ${number} >= $1 and ${number} < $2 order by ${number}`,
			[first, first + ROWS_AT_ONCE],
		);
		if (found.rows.length === 0) break;
		for (const { part } of found.rows) at += part.copy(bytes, at);
	}
	return bytes;
}

const sameSums = (one: Sums, other: Sums): boolean =>
	one.cash === other.cash && one.held === other.held && one.bonus === other.bonus;

const total = (parts: readonly Sums[]): Sums => ({
	cash: parts.reduce((sum, { cash }) => sum + cash, 0),
	held: parts.reduce((sum, { held }) => sum + held, 0),
	bonus: parts.reduce((sum, { bonus }) => sum + bonus, 0),
});

async function checkTree(client: pg.PoolClient, tree: NewestTree): Promise<Finding> {
	const { pool, day, size } = tree;
	const of = `where pool = '${pool}' and day = ${day}`;
	const leaves = `select nodes as part from sum_tree_tile ${of} and level = 0`;
	const nodes = await bytesIn(client, leaves, 'tile', size * NODE_BYTES);
	const index = `select places as part from sum_tree_place ${of}`;
	const places = await bytesIn(client, index, 'block', (size / SHARES) * ENTRY_BYTES);
	const nodeAt = (place: number): Buffer => nodes.subarray(place * NODE_BYTES, (place + 1) * NODE_BYTES);
	const taken = new Set<number>();
	const erased = await erasedPlayers(client);
	let [rank, shortfall] = [0, 0];
	for await (const wallet of rowsOf<WalletThen>(client, 'posted', postedWallets(tree))) {
		const { walletId, cash, held, bonus } = wallet;
		const owed = { cash: Math.max(0, cash), held, bonus };
		const entry = rank * SHARES < size ? entryAt(places, rank) : null;
		if (entry?.walletId !== walletId) {
			// An account that was made after the day has no leaves.
			if (cash === 0 && held === 0 && bonus === 0) continue;
			return { rows: rank, wrong: { player: walletId, is: 'left out' } };
		}
		const found = entry.places.map(nodeAt);
		const parts = found.map(sumsOf);
		if (!sameSums(total(parts), owed)) return { rows: rank, wrong: { player: walletId, owed, tree: total(parts) } };
		const salts = saltsOf(tree.secret, rank * SHARES, SHARES);
		const texts = leafTexts({ ...wallet, pool, day: dayName(day) }, parts, salts);
		// A leaf has the name that its player had then, and of one who was erased since no row has it any more.
		const isOwn =
			erased.has(walletId) || texts.every((text, at) => found[at]?.equals(leafNode(text, parts[at] as Sums)));
		for (const place of entry.places) taken.add(place);
		rank++;
		if (!isOwn || taken.size !== rank * SHARES)
			return { rows: rank, wrong: { player: walletId, is: 'another’s leaf' } };
		shortfall += owed.cash - cash;
	}
	const root = rootOver(nodes);
	const isRoot = tree.root.equals(root.subarray(0, HASH_BYTES)) && sameSums(sumsOf(root), tree);
	if (taken.size !== size) return { rows: rank, wrong: { leaves: size, ofPlayers: taken.size } };
	return { rows: rank, wrong: isRoot && shortfall === tree.shortfall ? null : { is: 'not the root of its leaves' } };
}

/** By the journal, whose rows are proved by its chain. */
async function erasedPlayers(client: pg.PoolClient): Promise<Set<number>> {
	const { rows } = await client.query<{ playerId: number }>(
		`select distinct substring(subject from '^player (\\d+)$')::bigint as "playerId" from journal
		 where act = 'PLAYER_ERASED'`,
	);
	return new Set(rows.map(({ playerId }) => playerId));
}

/** All players of the pool with what the postings up to the tree's batch come to. */
const postedWallets = ({ pool, batch }: LoggedTree): string =>
	`select player_id as "walletId", brand, user_name as name, coalesce(cash, 0)::bigint as cash,
		coalesce(held, 0)::bigint as held, coalesce(bonus, 0)::bigint as bonus
	from player left join (
		select owner, sum(amount) filter (where account = 'cash') as cash,
			sum(amount) filter (where account in ('exposure', 'hold')) as held,
			sum(amount) filter (where account = 'bonus') as bonus
		from ${MOVES} where pool = '${pool}' and batch <= ${batch} and account <> 'pot' group by owner
	) as posted on owner = player_id
	where pool = '${pool}' order by player_id`;

export const LIABILITY_CHECKS: readonly Check[] = [treesAreTrialBalances, walletsAreInTrees];
