/**
 * The audit of the public log: its tree is that of its leaves, its checkpoint is signed, and its leaves are what the
 * tables say. A row that was changed together with its seal, by someone who has the key, is found here.
 */
import type pg from 'pg';
import { isBeaconSignature } from '../src/games/beacon/beacon-signature.ts';
import { readCheckpoint } from '../src/public-log/checkpoint.ts';
import { parseVerifierKey, verifierKeyText } from '../src/public-log/signed-note.ts';
import { tileOfPath } from '../src/public-log/tiles.ts';
import { verifyWhole } from '../src/public-log/verify-log.ts';
import { batchLeaf, type SealRow } from '../src/server/exchange/ledger/log-batches.ts';
import {
	type DecidedMarket,
	LOGGED_STATES,
	MARKET_COLUMNS,
	marketLeaf,
} from '../src/server/exchange/views/log-markets.ts';
import { pairLeaf } from '../src/server/money/casino/log-pairs.ts';
import { CHAIN_FACTS, type ChainFacts } from '../src/server/money/casino/tables/hash-chain.ts';
import {
	ANNOUNCED_ROUND,
	type AnnouncedRound,
	bettingLeaf,
	chainLeaf,
	LOGGED_ROUND,
	type LoggedRound,
	roundLeaf,
} from '../src/server/money/casino/tables/log-rounds.ts';
import { type LoggedTree, TREE_COLUMNS, treeLeaf } from '../src/server/money/liabilities/log-trees.ts';
import { logKeyOf } from '../src/server/platform/keys/log-key.ts';
import { type Leaf, leafText } from '../src/server/platform/public-log/leaf-source.ts';
import { type JournalHead, journalLeaf } from '../src/server/platform/public-log/log-journal.ts';
import { type ReceiptRoot, receiptsLeaf } from '../src/server/platform/public-log/log-receipts.ts';
import { fileOf, publishedLogs } from '../src/server/platform/public-log/log-rows.ts';
import type { Check, Finding, SealKeys } from './audit-check.ts';
import { rowsOf } from './audit-seals.ts';

/** The keys that a log of that name may have, under the auditor's keys. */
const keysOf = (origin: string, { keys }: SealKeys): string[] =>
	[...keys.values()].map((key) => verifierKeyText({ name: origin, kind: 'log', publicKey: logKeyOf(key).publicKey }));

export const logIsSigned: Check = {
	name: 'every public log is the tree of its leaves, and is signed',
	run: async (client, keys) => {
		let rows = 0;
		for (const { log, origin, key, size, checkpoint: text } of await publishedLogs(client)) {
			rows += size;
			if (!keysOf(origin, keys).includes(key)) return { rows, wrong: { log, key, is: 'of no key that was given' } };
			try {
				const checkpoint = readCheckpoint(text, parseVerifierKey(key));
				if (checkpoint.size !== size) return { rows, wrong: { log, size, signed: checkpoint.size } };
				const fault = await verifyWhole((path) => fileIn(client, log, size, path), checkpoint);
				if (fault) return { rows, wrong: { log, ...fault, is: 'not what the tree says' } };
			} catch (error) {
				return { rows, wrong: { log, is: (error as Error).message } };
			}
		}
		return { rows, wrong: null };
	},
};

async function fileIn(client: pg.PoolClient, log: number, size: number, path: string): Promise<Uint8Array> {
	const name = tileOfPath(path);
	const file = name && (await fileOf(client, log, size, name));
	if (!file) throw new Error(`${path} is missing`);
	return file;
}

/** Batches and their leaves are read in parallel, because there are too many to remember. */
export const batchesAreLogged: Check = {
	name: 'the batches in the public log are those of the ledger',
	run: async (client) => {
		const seals = rowsOf<SealRow>(
			client,
			'sealed',
			'select batch, part, entries, chain from batch_seal order by batch, part',
		);
		const query = `select log, entry, leaf from public_log_entry where type = 'batch' order by log, entry`;
		let rows = 0;
		for await (const { log, entry, leaf } of rowsOf<{ log: number; entry: number; leaf: string }>(
			client,
			'leaves',
			query,
		)) {
			rows++;
			const { value, done } = await seals.next();
			const expected = done ? null : leafText(batchLeaf(value));
			if (expected !== leaf) return { rows, wrong: { log, entry, logged: leaf, ledger: expected } };
		}
		return { rows, wrong: null };
	},
};

/** The newest leaf of each row, for rows that have to have one. */
const withLeaf = (type: string, columns: string, rows: string, ref: string): string =>
	`select * from (select ${columns}, ${ref} as ref from ${rows}) as row left join lateral (
		select leaf from public_log_entry as found where type = '${type}' and found.ref = row.ref
		order by log desc, entry desc limit 1
	) as newest on true`;

async function compared<Row extends object>(
	client: pg.PoolClient,
	query: string,
	leafOf: (row: Row) => Leaf,
	mayLack: (leaf: string | null) => boolean = () => false,
): Promise<Finding> {
	let rows = 0;
	for await (const { leaf, ref, ...row } of rowsOf<Row & { leaf: string | null; ref: string }>(
		client,
		'logged',
		query,
	)) {
		rows++;
		const expected = leafText(leafOf(row as unknown as Row));
		if (expected !== leaf && !mayLack(leaf)) return { rows, wrong: { ref, logged: leaf, tables: expected } };
	}
	return { rows, wrong: null };
}

export const pairsAreLogged: Check = {
	name: 'every logged commitment of a pair of seeds is in the public log',
	run: (client) =>
		compared(client, withLeaf('pair', 'commitment', 'game_seed_pair where is_logged', 'commitment'), pairLeaf),
};

export const receiptsAreLogged: Check = {
	name: 'every root of receipts in the public log is the one of the tables',
	run: (client) =>
		compared<ReceiptRoot>(
			client,
			withLeaf('receipts', 'id, size, root', 'receipt_root where is_logged', 'id'),
			receiptsLeaf,
		),
};

export const treesAreLogged: Check = {
	name: 'every tree of liabilities in the public log is the one of the tables, and has one leaf',
	run: async (client) => {
		const twice = await client.query<Record<string, unknown>>(
			`select log, ref from public_log_entry where type = 'liabilities' group by log, ref having count(*) > 1 limit 1`,
		);
		if (twice.rows[0]) return { rows: 1, wrong: { ...twice.rows[0], is: 'logged twice' } };
		const ref = `pool || ' ' || to_char(date '1970-01-01' + day, 'YYYY-MM-DD')`;
		return await compared<LoggedTree>(
			client,
			withLeaf('liabilities', TREE_COLUMNS, 'sum_tree where is_logged', ref),
			treeLeaf,
		);
	},
};

export const chainsAreLogged: Check = {
	name: 'every chain in the public log is the one of the tables',
	run: (client) =>
		compared<ChainFacts>(
			client,
			withLeaf('chain', CHAIN_FACTS, 'game_chain where is_logged', `game || ' ' || number`),
			chainLeaf,
		),
};

/** A salt stands in no leaf, because it follows from the beacon's signature. */
export const saltsAreOfBeacons: Check = {
	name: 'every salt of a chain is the value of its beacon',
	run: async (client) => {
		const { rows } = await client.query<ChainFacts>(
			`select ${CHAIN_FACTS} from game_chain where salt_signature is not null`,
		);
		const wrong = rows.find(({ beacon, saltRound, saltSignature }) => {
			const value = { round: saltRound ?? 0, signature: saltSignature ?? '' };
			return !isBeaconSignature(beacon?.publicKey ?? '', value);
		});
		return { rows: rows.length, wrong: wrong ? { game: wrong.game, chain: wrong.number, is: 'not signed' } : null };
	},
};

export const announcementsAreLogged: Check = {
	name: 'every announcement of a beacon’s round in the public log is the one of the tables',
	run: (client) =>
		compared<AnnouncedRound>(
			client,
			withLeaf('betting', ANNOUNCED_ROUND, 'table_round where is_announced', `game || ' ' || round`),
			bettingLeaf,
		),
};

export const roundsAreLogged: Check = {
	name: 'every round in the public log is the one of the tables, and none is left out',
	run: async (client) => {
		const leftOut = await client.query<Record<string, unknown>>(
			`select game, round, phase from table_round where phase in ('ENDED', 'VOID') and not is_logged and round < (
				select max(round) from table_round as later where later.game = table_round.game and later.is_logged
			) limit 1`,
		);
		if (leftOut.rows[0]) return { rows: 1, wrong: { ...leftOut.rows[0], is: 'left out' } };
		const gone = await client.query<Record<string, unknown>>(
			`select ref, leaf from public_log_entry where type = 'round' and not exists (
				select from table_round where game || ' ' || round = ref and is_logged
			) limit 1`,
		);
		if (gone.rows[0]) return { rows: 1, wrong: { ...gone.rows[0], is: 'in no table' } };
		const query = withLeaf('round', LOGGED_ROUND, 'table_round where is_logged', `game || ' ' || round`);
		return await compared<LoggedRound>(client, query, roundLeaf);
	},
};

/** A market that has a leaf and is not decided was reopened, whatever it has become since. */
const asLogged = (market: DecidedMarket): DecidedMarket =>
	LOGGED_STATES.has(market.status) ? market : { ...market, status: 'CLOSED', results: null };

export const marketsAreLogged: Check = {
	name: 'what markets came to is in the public log',
	run: async (client) => {
		// Until the log has compared the markets of every batch, a row may be ahead of its leaf.
		const { rows } = await client.query<{ behind: boolean }>(
			`select coalesce((cursors->'market'->>'through')::bigint, -1) < (select max(batch) from batch_seal) as behind
			from public_log order by log desc limit 1`,
		);
		const isBehind = rows[0]?.behind !== false;
		const decided = `market_state where status in ('SETTLED', 'VOIDED')
			or exists (select from public_log_entry where type = 'market' and ref = market_id::text)`;
		const query = withLeaf('market', MARKET_COLUMNS, decided, 'market_id::text');
		return await compared<DecidedMarket>(
			client,
			query,
			(market) => marketLeaf(asLogged(market)),
			() => isBehind,
		);
	},
};

export const journalIsLogged: Check = {
	name: 'the rows of the journal in the public log are those of the table',
	run: (client) =>
		compared<JournalHead & { found: string }>(
			client,
			`select leaf, leaf as ref, coalesce(journal.seq, 0) as seq, coalesce(chain, '') as chain
			from public_log_entry left join journal on journal.seq = (leaf::jsonb->>'seq')::bigint
			where public_log_entry.type = 'journal'`,
			journalLeaf,
		),
};

/** The seals of the tables are checked before: the log says which seals there were. */
export const LOG_CHECKS: readonly Check[] = [
	logIsSigned,
	batchesAreLogged,
	pairsAreLogged,
	receiptsAreLogged,
	treesAreLogged,
	chainsAreLogged,
	saltsAreOfBeacons,
	announcementsAreLogged,
	roundsAreLogged,
	marketsAreLogged,
	journalIsLogged,
];
