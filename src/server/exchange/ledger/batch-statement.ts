/**
 * Builds one statement for a batch: the rows of every table as arrays, written only if the fence lets them through.
 * The fence is an update of the lease row. It succeeds only while this process holds the epoch, the ledger ends at the
 * batch before, and the deadline has not passed. So a deposed engine writes nothing, a batch that is sent twice is
 * written once, and a database that was frozen does not write a batch that was given up meanwhile.
 */
import type { QueryConfig } from 'pg';
import { DIGEST_FORMAT } from '#engine/state-hash.ts';
import {
	NUMBERED,
	RECEIPT_ROOTS,
	TABLES,
	type Table,
	type WrittenRow,
	type WrittenRows,
} from '#server/exchange/ledger/batch-tables.ts';
import { COMMAND_FORMAT } from '#server/exchange/ledger/command-rows.ts';
import type { BatchSeal } from '#server/exchange/ledger/ledger-seal.ts';
import { requestPartition, slotOfAll } from '#server/exchange/ledger/request-table.ts';
import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import type { BinaryArrays } from '#server/platform/postgres/binary-arrays.ts';
import { isByMonth, type Month, partitionOf } from '#server/platform/postgres/months.ts';

/**
 * The parameters of the fence and the seal come first: epoch, batch, chain, digest, the three counters, the last
 * stamp, the deadline, key and entries, and the batch that was written before.
 */
const FENCE_PARAMETERS = 12;
/** Milliseconds since 1970 by the database's clock, when it executes the statement rather than when it receives it. */
const CLOCK = 'extract(epoch from clock_timestamp())::float8 * 1000';

/**
 * The rows of a table from the arrays of its columns. Functions that are selected run in step, row by row; among the
 * sources of a query each would first make a table of its column, which costs a sixth of the database's time for a bet.
 */
function rowsOf(columns: Table<unknown>['columns'], firstParameter: number): string {
	const cells = columns.map(([name, type], at) => `unnest($${firstParameter + at}::${type}[]) as ${name}`);
	return `(select ${cells.join(', ')}) as rows`;
}

/** The columns whose cells a statement is sent; the others have their usual value in all rows. */
const sentColumns = ({ columns }: Table<unknown>, isUsual: boolean) =>
	isUsual ? columns.filter(([, , , usual]) => usual === undefined) : columns;

function insertOf(definition: Table<unknown>, firstParameter: number, shape: Shape): string {
	const isUsual = shape.usual.includes(definition.into);
	const names = definition.columns.map(([name]) => name);
	const values = definition.columns.map(([name, type, , usual]) => {
		const [cell, cast] = [isUsual && usual !== undefined ? String(usual) : name, definition.casts?.[name]];
		return cell === name && !cast ? cell : `${cell}::${cast ?? type}`;
	});
	if (NUMBERED.has(definition.into)) {
		names.push('batch');
		values.push('$2::bigint');
	}
	const key = definition.replaces?.split(', ') ?? [];
	const changed = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
	const replaced = changed.length === 0 ? 'nothing' : `update set ${changed.join(', ')}`;
	const conflict = definition.replaces ? ` on conflict (${definition.replaces}) do ${replaced}` : '';
	return (
		`into_${definition.into} as (insert into ${placeOf(definition.into, shape)} (${names.join(', ')}) ` +
		`select ${values.join(', ')} from ${rowsOf(sentColumns(definition, isUsual), firstParameter)} ` +
		`where exists (select 1 from fence)${conflict})`
	);
}

/** The partition that has the rows of a table, or the table. */
function placeOf(into: string, { month, slot }: Shape): string {
	if (into === 'request_key' && slot !== null) return requestPartition(slot);
	return month && isByMonth(into) ? partitionOf(into, month) : into;
}

/** The only table of which a batch updates rows, by its place. */
const UPDATED = TABLES.findIndex(({ changes }) => changes !== undefined);
const UPDATED_TABLE = TABLES[UPDATED] as Table<unknown>;
const namesOfKey = UPDATED_TABLE.replaces?.split(', ') ?? [];
/** The columns that an update is sent, by their places: the key, then what changes. */
const UPDATED_PLACES = [...namesOfKey, ...(UPDATED_TABLE.changes?.columns ?? [])].map((name) =>
	UPDATED_TABLE.columns.findIndex(([own]) => own === name),
);
const UPDATED_COLUMNS = UPDATED_PLACES.map((at) => UPDATED_TABLE.columns[at] as (typeof UPDATED_TABLE.columns)[number]);

function updateOf(firstParameter: number, shape: Shape): string {
	const set = UPDATED_COLUMNS.slice(namesOfKey.length).map(([name]) => {
		const cast = UPDATED_TABLE.casts?.[name];
		return `${name} = rows.${name}${cast ? `::${cast}` : ''}`;
	});
	const same = namesOfKey.map((name) => `before.${name} = rows.${name}`);
	return (
		`changed as (update ${placeOf(UPDATED_TABLE.into, shape)} as before set ${set.join(', ')} ` +
		`from ${rowsOf(UPDATED_COLUMNS, firstParameter)} ` +
		`where ${same.join(' and ')} and exists (select 1 from fence) returning 1)`
	);
}

/** SQL: a division by zero, which fails the batch, when a row that it updates is missing. */
const assertAllThere = (firstParameter: number): string =>
	`1 / (case when (select count(*) from changed) = count(*) * coalesce(array_length($${firstParameter}::bigint[], 1), 0) ` +
	'then 1 else 0 end)';

function deleteOf(definition: Table<unknown>, firstParameter: number): string {
	const names = definition.columns.map(([name]) => name);
	const same = names.map((name) => `gone.${name} = rows.${name}`);
	return (
		`from_${definition.into} as (delete from ${definition.into} as gone ` +
		`using ${rowsOf(definition.columns, firstParameter)} ` +
		`where ${same.join(' and ')} and exists (select 1 from fence))`
	);
}

/** What of a batch a statement writes. */
interface Shape {
	/** The tables that it names, beside what a batch of bets writes. */
	kind: Kind;
	/** Commands, where a standby follows. */
	hasCommands: boolean;
	/** Whose partitions take the rows directly; null for the parent tables. */
	month: Month | null;
	/** The same of the requests of a day. */
	slot: number | null;
	/** The tables whose rows all have their usual values. */
	usual: readonly string[];
}

interface Statement {
	name: string;
	text: string;
	shape: Shape;
	/** Places of the tables that it names. */
	tables: readonly number[];
}

const EVERY = TABLES.map((_, at) => at);
const namesOf = (...rare: readonly string[]) =>
	EVERY.filter((at) => !TABLES[at]?.isRare || rare.includes(TABLES[at]?.into ?? ''));
const OF_SETTLEMENT = ['house_account', 'player_settlement', 'money_at_risk'];
/**
 * A statement names few tables beside those that have rows, so that bets do not pay for the others: each costs the
 * database nearly as much as a bet, even without a row. The first kind that has all tables of a batch is taken.
 */
const KINDS = {
	'bets-': namesOf(),
	'common-': namesOf('market_event', 'bet_end'),
	'receipted-': namesOf('market_event', 'bet_end', RECEIPT_ROOTS),
	/** Bets beside a step of a settlement. */
	'settling-': namesOf('bet_end', ...OF_SETTLEMENT),
	'settling-receipted-': namesOf('market_event', 'bet_end', ...OF_SETTLEMENT, RECEIPT_ROOTS),
	'': EVERY,
} as const satisfies Record<string, readonly number[]>;
type Kind = keyof typeof KINDS;
/** Those that have the update. */
const UPDATING: ReadonlySet<Kind> = new Set<Kind>(['settling-', 'settling-receipted-', '']);
const kindOf = ({ inserted, updated }: PartedRows): Kind =>
	(Object.keys(KINDS) as Kind[]).find(
		(kind) =>
			(updated.length === 0 || UPDATING.has(kind)) &&
			inserted.every((rows, at) => rows.length === 0 || (KINDS[kind] as readonly number[]).includes(at)),
	) ?? '';

/** Tables with columns that most batches need not send: each of their cells costs the database as much as any other. */
const WITH_USUAL = TABLES.flatMap(({ into, columns }, at) => {
	const cells = columns.flatMap(([, , , usual], column) => (usual === undefined ? [] : [{ column, usual }]));
	return cells.length > 0 ? [{ at, into, cells }] : [];
});

/** The tables whose rows have their usual values in all such columns. */
const usualIn = (written: WrittenRows): string[] =>
	WITH_USUAL.flatMap(({ at, into, cells }) =>
		written[at]?.every((row) => cells.every(({ column, usual }) => row[column] === usual)) ? [into] : [],
	);

interface PartedRows {
	/** Or replaced, table by table. */
	inserted: WrittenRows;
	updated: readonly WrittenRow[];
}

function parted(written: WrittenRows, batch: BatchRows): PartedRows {
	const rows = UPDATED_TABLE.rows(batch);
	const areChanged = rows.map((row) => UPDATED_TABLE.changes?.covers(row, batch) ?? false);
	if (!areChanged.includes(true)) return { inserted: written, updated: [] };
	const cells = written[UPDATED] ?? [];
	const others = cells.filter((_, at) => !areChanged[at]);
	return { inserted: written.with(UPDATED, others), updated: cells.filter((_, at) => areChanged[at]) };
}

const COMMIT = 'commit-';
/** By name, as they were first needed. */
const statements = new Map<string, Statement>();

/** No process ever has it. */
const NO_EPOCH = -1;

/** Whether a statement writes a batch, rather than being planned (`statementsToPlan`). */
export const writesBatch = ({ name = '', values }: Pick<QueryConfig, 'name' | 'values'>): boolean =>
	name.startsWith(COMMIT) && values?.[0] !== NO_EPOCH;

function statementFor(shape: Shape): Statement {
	const { kind, hasCommands, month, slot, usual } = shape;
	const places = [month ?? '', slot ?? '', ...usual].join('-');
	const name = `${COMMIT}${hasCommands ? 'followed-' : ''}${kind}batch-${places}`;
	const known = statements.get(name);
	if (known) return known;
	const tables = KINDS[kind];
	const made = { name, text: textOf(tables, shape), shape, tables };
	statements.set(name, made);
	return made;
}

function textOf(tables: readonly number[], shape: Shape): string {
	let parameter = FENCE_PARAMETERS + 1;
	const inserts = tables
		.map((at) => TABLES[at] as Table<unknown>)
		.map((definition) => {
			const text = definition.deletes ? deleteOf(definition, parameter) : insertOf(definition, parameter, shape);
			parameter += sentColumns(definition, shape.usual.includes(definition.into)).length;
			return text;
		});
	const update = parameter;
	const isUpdating = UPDATING.has(shape.kind);
	if (isUpdating) {
		inserts.push(updateOf(update, shape));
		parameter += UPDATED_COLUMNS.length;
	}
	const fence =
		'fence as (update lease set batch = $2::bigint, chain = $3::bytea, digest = $4, ' +
		`digest_format = ${DIGEST_FORMAT}, ` +
		'last_bet_id = $5::bigint, ' +
		'last_reservation = $6::bigint, last_command = $7::bigint, at = $8::bigint ' +
		'where id = 1 and epoch = $1::bigint and batch = $12::bigint ' +
		`and ($9::float8 is null or ${CLOCK} <= $9::float8) returning 1)`;
	const seal =
		'into_batch_seal as (insert into batch_seal (batch, part, key_id, entries, chain) ' +
		'select $2::bigint, 0, $10, $11::bytea, $3::bytea from fence where $11::bytea is not null)';
	const commands =
		', into_batch_command as (insert into batch_command (batch, part, epoch, previous, digest, at, format, commands) ' +
		`select $2::bigint, part - 1, $1::bigint, $12::bigint, $4, $8::bigint, ${COMMAND_FORMAT}, commands ` +
		`from unnest($${parameter}::text[]) with ordinality as rows (commands, part) where exists (select 1 from fence))`;
	const isSure = isUpdating ? `, ${assertAllThere(update)} as sure` : '';
	const answer = `select count(*)::int as written, ${CLOCK} as clock${isSure} from fence`;
	return `with ${fence}, ${seal}, ${inserts.join(', ')}${shape.hasCommands ? commands : ''} ${answer}`;
}

/** What batches need when a settlement begins, and at each of its steps. */
const SETTLING: readonly Kind[] = ['common-', 'settling-', 'settling-receipted-'];

/**
 * PostgreSQL plans a statement when it first executes it, which takes it up to ten milliseconds, and batches wait meanwhile.
 * @param name of a statement that wrote a batch
 * @returns those that such batches need beside a settlement, as they are executed to write nothing: no row, and an epoch that the
 *   fence never lets through
 */
export function statementsToPlan(name: string): QueryConfig[] {
	const written = statements.get(name)?.shape;
	if (written?.kind !== 'bets-') return [];
	return SETTLING.map((kind) => {
		const planned = statementFor({ ...written, kind });
		const parameters = Math.max(...[...planned.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
		const fence = [NO_EPOCH, 0, null, null, 0, 0, 0, 0, null, null, null, 0];
		const columns = Array.from({ length: parameters - FENCE_PARAMETERS }, () => []);
		return { name: planned.name, text: planned.text, values: [...fence, ...columns] };
	});
}

/** Enough for the arrays of about a hundred bets. */
export const EXPECTED_BYTES = 256 * 1024;

export interface Fence {
	epoch: number;
	batchSeq: number;
	/** The last batch that was written; the batches between held nothing to write. */
	writtenSeq: number;
	/** The batch's deadline by the database's clock; null without a deadline. */
	lastClockMs: number | null;
}

/** A batch as it is written. */
interface WrittenBatch {
	batch: BatchRows;
	written: WrittenRows;
	/** Texts of the command rows; null when none are kept. */
	commands: readonly string[] | null;
	/** Whose partitions take all bets and matches of the batch directly; null for the parent tables. */
	month: Month | null;
}

/**
 * The statement for a sealed batch. Its single row has the number of fences passed (1, or 0 when the batch was
 * rejected) and the database's clock.
 * @param arrays memory for the rows; the statement before must have been sent
 */
export function batchStatement(
	arrays: BinaryArrays,
	{ epoch, batchSeq, writtenSeq, lastClockMs }: Fence,
	seal: BatchSeal,
	{ batch, written, commands, month }: WrittenBatch,
): QueryConfig {
	const { lastBetId, lastReservation, lastCommand } = batch.counters;
	const counters = [lastBetId, lastReservation, lastCommand];
	const values: unknown[] = [epoch, batchSeq, seal.chain, batch.digest, ...counters, batch.atMs, lastClockMs];
	values.push(seal.keyId, seal.entries, writtenSeq);
	const { inserted, updated } = parted(written, batch);
	const kind = kindOf({ inserted, updated });
	const usual = usualIn(inserted);
	const { name, text, tables } = statementFor({
		kind,
		hasCommands: commands !== null,
		month,
		slot: slotOfAll(batch),
		usual,
	});
	arrays.clear();
	for (const at of tables) {
		const [rows, { into, columns }] = [inserted[at] ?? [], TABLES[at] as Table<unknown>];
		const isUsual = usual.includes(into);
		columns.forEach(([, type, , usually], column) => {
			if (!isUsual || usually === undefined) values.push(arrays.column(rows, column, type));
		});
	}
	if (UPDATING.has(kind))
		UPDATED_COLUMNS.forEach(([, type], at) => values.push(arrays.column(updated, UPDATED_PLACES[at] ?? 0, type)));
	if (commands) {
		const rows = commands.map((row) => [row]);
		values.push(arrays.column(rows, 0, 'text'));
	}
	return { name, text, values };
}
