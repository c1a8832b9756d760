/** The tables that a batch writes: which of its rows go where, column by column, and what of them is sealed. */
import { betEnds } from '#server/exchange/ledger/bet-ends.ts';
import { slotOf } from '#server/exchange/ledger/request-table.ts';
import type { BatchRows, BetRow, WalletRow } from '#server/exchange/order/batch-rows.ts';
import { writtenRemovals } from '#server/exchange/recovery/market-removals.ts';
import { termsText } from '#server/exchange/recovery/market-terms.ts';
import type { Cell, ElementType } from '#server/platform/postgres/binary-arrays.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** A column of one of the arrays: its SQL type, its value in a row, and the value that hardly any row lacks. */
type Column<Row> = readonly [
	name: string,
	type: ElementType,
	value: (row: Row, index: number) => Cell,
	usual?: null | 0 | 1 | false,
];

/** How the rows of a table are sealed (see ledger-seal). */
export interface Sealed<Row> {
	/** The table's code in the entries; a code is never reused. */
	code: number;
	/** The columns that name a row. */
	names: readonly string[];
	/** The columns that the entry covers; all of them by default. */
	columns?: readonly string[];
	/** Columns that were added when the table had sealed rows, which have null there: covered where they are not null. */
	addedLater?: readonly string[];
	/**
	 * Which of the rows that a batch writes are covered, and the same rule as an SQL condition; all of them by default.
	 */
	covers?: (row: Row, batch: BatchRows) => boolean;
	where?: string;
	/** A row gets an entry only when its covered columns changed. */
	onlyChanges?: true;
	/** Rows are written once and deleted after some time, so their names are not unique. */
	areForgotten?: true;
}

export interface Table<Row> {
	into: string;
	/** The primary key of rows that may exist already and are then replaced. */
	replaces?: string;
	/** The primary key of rows that are written once and have another name than their batch and row number. */
	key?: string;
	columns: readonly Column<Row>[];
	/** Most batches have no row for this table; their statement leaves it out. */
	isRare?: true;
	/**
	 * Rows that stand in the table already and of which a batch changes these columns alone. They are updated: to replace them
	 * costs the database twice as much.
	 */
	changes?: { columns: readonly string[]; covers: (row: Row, batch: BatchRows) => boolean };
	/** Deletes the rows with these columns' values instead of writing them. */
	deletes?: true;
	seal?: Sealed<Row>;
	/** Casts from the array's type to the column's, by column name. */
	casts?: Record<string, string>;
	rows(batch: BatchRows): readonly Row[];
}

const table = <Row>(definition: Table<Row>): Table<Row> => definition;

/** As a bytea column accepts it as text. */
const byteText = (bytes: Buffer | undefined): string | null => (bytes ? `\\x${bytes.toString('hex')}` : null);

/** An array literal, which jsonb and text[] columns accept as text. */
const textList = (items: readonly string[]): string => `{${items.join(',')}}`;

/** A batch with receipts writes it without the other rare tables: bets may ask for receipts all the time. */
export const RECEIPT_ROOTS = 'receipt_root';

export const TABLES = [
	table({
		into: 'wallet',
		// Postings determine what a wallet holds. What it is allowed to do is known from this row alone.
		seal: {
			code: 4,
			names: ['wallet_id'],
			columns: ['pool', 'currency', 'commission_bp', 'limits'],
			covers: ({ walletId }: WalletRow, batch) => batch.changedWallets.has(walletId),
		},
		replaces: 'wallet_id',
		casts: { limits: 'jsonb' },
		rows: (batch) => batch.wallets,
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['pool', 'text', (row) => row.pool],
			['currency', 'text', (row) => row.currency],
			['commission_bp', 'int', (row) => row.commissionBp, null],
			['cash', 'bigint', (row) => row.cash],
			['exposure', 'bigint', (row) => row.exposure],
			['hold', 'bigint', (row) => row.hold, 0],
			['bonus', 'bigint', (row) => row.bonus, 0],
			['version', 'bigint', (row) => row.version],
			['limits', 'text', (row) => (row.limits ? canonicalJson(row.limits) : null), null],
			['quotes', 'boolean', (row) => row.quotes, false],
			['self_match', 'text', (row) => row.selfMatch],
		],
	}),
	table({
		into: 'house_account',
		isRare: true,
		replaces: 'kind, pool, owner',
		rows: (batch) => batch.house,
		columns: [
			['kind', 'text', (row) => row.kind],
			['pool', 'text', (row) => row.pool],
			['owner', 'bigint', (row) => row.owner],
			['balance', 'bigint', (row) => row.balance],
		],
	}),
	table({
		into: 'posting',
		seal: { code: 1, names: ['batch', 'line'] },
		rows: (batch) => batch.postings,
		columns: [
			['line', 'int', (_, index) => index],
			['at', 'bigint', (row) => row.atMs],
			['kind', 'text', (row) => row.kind],
			['ref', 'bigint', (row) => row.ref],
			['step', 'int', (row) => row.step],
			['pool', 'text', (row) => row.pool],
			['debit', 'text', (row) => row.debit],
			['debit_owner', 'bigint', (row) => row.debitOwner],
			['credit', 'text', (row) => row.credit],
			['credit_owner', 'bigint', (row) => row.creditOwner],
			['amount', 'bigint', (row) => row.amount],
			['wallet_id', 'bigint', (row) => row.walletId],
			['cash_after', 'bigint', (row) => row.cashAfter],
			['market_id', 'bigint', (row) => row.marketId],
		],
	}),
	table({
		into: 'market_state',
		// Status and version change by the second and move no money, so the entry covers only terms and results.
		seal: {
			code: 5,
			names: ['market_id'],
			columns: ['pools', 'runners', 'number_of_winners', 'commission_bp', 'results', 'terms', 'removed'],
			onlyChanges: true,
		},
		replaces: 'market_id',
		rows: (batch) => batch.markets,
		casts: { pools: 'text[]', results: 'text[]', traded: 'jsonb', terms: 'jsonb', removed: 'jsonb' },
		columns: [
			['market_id', 'bigint', (row) => row.marketId],
			['pools', 'text', (row) => textList(row.pools)],
			['runners', 'int', (row) => row.runners],
			['number_of_winners', 'int', (row) => row.numberOfWinners],
			['commission_bp', 'int', (row) => row.commissionBp],
			['min_stake', 'bigint', (row) => row.minStake],
			['max_stake', 'bigint', (row) => row.maxStake],
			['profit_ratio_rule', 'boolean', (row) => row.profitRatioRule],
			['self_match', 'text', (row) => row.selfMatch],
			['status', 'text', (row) => row.status],
			['in_play', 'boolean', (row) => row.inPlay],
			['version', 'int', (row) => row.version],
			['results', 'text', (row) => (row.results ? textList(row.results) : null)],
			['traded', 'text', (row) => canonicalJson(row.traded)],
			['terms', 'text', (row) => termsText(row)],
			['removed', 'text', (row) => canonicalJson(writtenRemovals(row.removals))],
		],
	}),
	table({
		into: 'bet',
		// The housekeeping deletes unmatched quotes of the house when their market has ended.
		seal: {
			code: 2,
			names: ['bet_id'],
			addedLater: ['on_close', 'takes_start'],
			covers: ({ walletId, matched, voided }: BetRow) => walletId >= FIRST_PLAYER_ID || matched + voided > 0,
			where: `wallet_id >= ${FIRST_PLAYER_ID} or matched + voided > 0`,
		},
		// The month's column is part of the key, and never changes.
		replaces: 'bet_id, placed_at',
		changes: {
			// With the details of a bet that the engine forgets.
			columns: ['result', 'profit_exact', 'ended_at', 'fills', 'delay', 'parts', 'queued_after'],
			covers: ({ betId }, batch) => batch.settledBets.has(betId),
		},
		rows: (batch) => batch.bets,
		casts: { fills: 'jsonb', delay: 'jsonb', on_close: 'jsonb' },
		columns: [
			['bet_id', 'bigint', (row) => row.betId],
			['wallet_id', 'bigint', (row) => row.walletId],
			['market_id', 'bigint', (row) => row.marketId],
			['pool', 'text', (row) => row.pool],
			['runner', 'int', (row) => row.runner],
			['side', 'int', (row) => row.side],
			['price', 'int', (row) => row.price],
			['stake', 'bigint', (row) => row.stake],
			['persist', 'boolean', (row) => row.persist],
			['placed_at', 'bigint', (row) => row.placedAtMs],
			['matched_at', 'bigint', (row) => row.matchedAtMs],
			['matched', 'bigint', (row) => row.matched],
			['matched_value', 'bigint', (row) => row.matchedValue],
			['remaining', 'bigint', (row) => row.remaining],
			['cancelled', 'bigint', (row) => row.cancelled, 0],
			['lapsed', 'bigint', (row) => row.lapsed, 0],
			['voided', 'bigint', (row) => row.voided, 0],
			['result', 'text', (row) => row.result, null],
			['profit_exact', 'bigint', (row) => row.profitExact, null],
			['ended_at', 'bigint', (row) => row.endedAtMs, null],
			['fill_or_kill', 'boolean', (row) => row.fillOrKill, false],
			['fills', 'text', (row) => (row.fills ? canonicalJson(row.fills) : null), null],
			['delay', 'text', (row) => (row.delay ? canonicalJson(row.delay) : null), null],
			['parts', 'int', (row) => row.parts, 1],
			['queued_after', 'bigint', (row) => row.queuedAfter, null],
			['on_close', 'text', (row) => (row.onClose ? canonicalJson(row.onClose) : null), null],
			['takes_start', 'boolean', (row) => row.takesStart || null, null],
		],
	}),
	// The audit finds an ended bet without its row, and a row without bets shows none, so none is sealed.
	table({
		into: 'bet_end',
		isRare: true,
		replaces: 'wallet_id, ended_at, market_id',
		rows: betEnds,
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['ended_at', 'bigint', (row) => row.endedAtMs],
			['market_id', 'bigint', (row) => row.marketId],
		],
	}),
	table({
		into: 'bet_match',
		seal: { code: 3, names: ['batch', 'line'] },
		rows: (batch) => batch.matches,
		columns: [
			['line', 'int', (_, index) => index],
			['taker_bet_id', 'bigint', (row) => row.takerBetId],
			['maker_bet_id', 'bigint', (row) => row.makerBetId],
			['market_id', 'bigint', (row) => row.marketId],
			['runner', 'int', (row) => row.runner],
			['price', 'int', (row) => row.price],
			['stake', 'bigint', (row) => row.stake],
			['taker_side', 'int', (row) => row.takerSide],
			['at', 'bigint', (row) => row.atMs],
		],
	}),
	// Sealed: what a replay of the market shows is evidence in a complaint.
	table({
		into: 'market_event',
		isRare: true,
		seal: { code: 14, names: ['batch', 'line'] },
		rows: (batch) => batch.marketEvents,
		columns: [
			['line', 'int', (_, index) => index],
			['at', 'bigint', (row) => row.atMs],
			['market_id', 'bigint', (row) => row.marketId],
			['what', 'text', (row) => row.what],
			['bet_id', 'bigint', (row) => row.betId ?? null],
			['stake', 'bigint', (row) => row.stake ?? null],
			['price', 'int', (row) => row.price ?? null],
			['status', 'text', (row) => row.market?.status ?? null],
			['in_play', 'boolean', (row) => row.market?.inPlay ?? null],
			['version', 'int', (row) => row.market?.version ?? null],
		],
	}),
	table({
		into: 'void_match',
		isRare: true,
		seal: { code: 7, names: ['batch', 'line'] },
		rows: (batch) => batch.voidMatches,
		columns: [
			['batch', 'bigint', (row) => row.batch],
			['line', 'int', (row) => row.rowNumber],
		],
	}),
	table({
		into: 'request_key',
		seal: { code: 8, names: ['wallet_id'], areForgotten: true },
		key: 'wallet_id, client_request_id, slot',
		rows: (batch) => batch.requests,
		casts: { answer: 'jsonb' },
		columns: [
			['slot', 'int', (row) => slotOf(row.answer.atMs)],
			['wallet_id', 'bigint', (row) => row.walletId],
			['client_request_id', 'text', (row) => row.clientRequestId],
			['body_hash', 'text', (row) => row.bodyHash],
			['answer', 'text', (row) => canonicalJson(row.answer)],
			['at', 'bigint', (row) => row.answer.atMs],
		],
	}),
	table({
		into: 'bet_reference',
		isRare: true,
		key: 'bet_id',
		rows: (batch) => batch.references,
		columns: [
			['bet_id', 'bigint', (row) => row.betId],
			['order_ref', 'text', (row) => row.orderRef],
			['strategy_ref', 'text', (row) => row.strategyRef],
		],
	}),
	// Sealed: with another time or without its terms, a bet would be matched against its player's will.
	table({
		into: 'bet_terms',
		isRare: true,
		seal: { code: 12, names: ['bet_id'], addedLater: ['self_match', 'until_matched', 'until_volume', 'order_group'] },
		key: 'bet_id',
		rows: (batch) => batch.terms,
		columns: [
			['bet_id', 'bigint', (row) => row.betId],
			['post_only', 'text', (row) => row.postOnly],
			['expires_at', 'bigint', (row) => row.expiresAtMs],
			['self_match', 'text', (row) => row.selfMatch],
			['until_matched', 'bigint', (row) => row.untilMatched ?? null],
			['until_volume', 'bigint', (row) => row.untilVolume ?? null],
			['order_group', 'text', (row) => row.group ?? null],
		],
	}),
	table({
		into: 'player_settlement',
		isRare: true,
		seal: { code: 6, names: ['market_id', 'wallet_id'] },
		replaces: 'market_id, wallet_id',
		rows: (batch) => batch.settlements.map((row) => ({ ...row, atMs: batch.atMs })),
		columns: [
			['market_id', 'bigint', (row) => row.marketId],
			['wallet_id', 'bigint', (row) => row.walletId],
			['net', 'bigint', (row) => row.net],
			['commission', 'bigint', (row) => row.commission],
			['profit', 'bigint', (row) => row.profit],
			['at', 'bigint', (row) => row.atMs],
		],
	}),
	// The audit works each row out again from the bets and the rounds, so none is sealed.
	table({
		into: 'money_at_risk',
		isRare: true,
		replaces: 'wallet_id, what, ref',
		casts: { worths: 'bigint[]' },
		rows: (batch) => batch.risks,
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['what', 'text', (row) => row.what],
			['ref', 'bigint', (row) => row.ref],
			['at', 'bigint', (row) => row.atMs],
			['since', 'bigint', (row) => row.sinceMs],
			['amount', 'bigint', (row) => row.amount],
			['long_amount', 'bigint', (row) => row.longAmount],
			['worths', 'text', (row) => row.worths && textList(row.worths.map(String))],
		],
	}),
	table({
		into: 'auto_cash_out',
		isRare: true,
		replaces: 'wallet_id, market_id',
		rows: (batch) => batch.targets.filter(({ target }) => target !== null).map((row) => ({ ...row, atMs: batch.atMs })),
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['market_id', 'bigint', (row) => row.marketId],
			['target', 'bigint', (row) => row.target],
			['set_at', 'bigint', (row) => row.atMs],
		],
	}),
	table({
		into: 'auto_cash_out',
		isRare: true,
		deletes: true,
		rows: (batch) => batch.targets.filter(({ target }) => target === null),
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['market_id', 'bigint', (row) => row.marketId],
		],
	}),
	table({
		into: 'order_group',
		isRare: true,
		replaces: 'wallet_id, name',
		casts: { recent: 'jsonb' },
		rows: (batch) => batch.groups,
		columns: [
			['wallet_id', 'bigint', (row) => row.walletId],
			['name', 'text', (row) => row.name],
			['most', 'bigint', (row) => row.most],
			['recent', 'text', (row) => canonicalJson(row.recent)],
			['closed_at', 'bigint', (row) => row.closedAtMs],
		],
	}),
	// Sealed: with another price or limit, or without its end, a trigger would place a bet against its player's will.
	table({
		into: 'bet_trigger',
		isRare: true,
		seal: { code: 13, names: ['trigger_id'], addedLater: ['plan', 'whole', 'exit_id', 'closed'] },
		replaces: 'trigger_id',
		casts: { plan: 'jsonb' },
		rows: (batch) => batch.triggers,
		columns: [
			['trigger_id', 'bigint', (row) => row.triggerId],
			['wallet_id', 'bigint', (row) => row.walletId],
			['market_id', 'bigint', (row) => row.marketId],
			['pool', 'text', (row) => row.pool],
			['runner', 'int', (row) => row.runner],
			['side', 'int', (row) => row.side],
			['price', 'int', (row) => row.price],
			['stake', 'bigint', (row) => row.stake],
			['persist', 'boolean', (row) => row.persist],
			['watches', 'text', (row) => row.watches],
			['moves', 'text', (row) => row.moves],
			['at_price', 'int', (row) => row.at],
			['trail', 'int', (row) => row.trail],
			['best_price', 'int', (row) => row.best],
			['market_version', 'bigint', (row) => row.marketVersion],
			['placed_at', 'bigint', (row) => row.placedAtMs],
			['due_at', 'bigint', (row) => row.dueAtMs],
			['status', 'text', (row) => row.status],
			['reason', 'text', (row) => row.reason],
			['bet_id', 'bigint', (row) => row.betId],
			['plan', 'text', (row) => (row.plan ? canonicalJson(row.plan) : null)],
			['whole', 'bigint', (row) => row.whole ?? null],
			['exit_id', 'bigint', (row) => row.exitId ?? null],
			['closed', 'bigint', (row) => (row.plan ? (row.closed ?? 0) : null)],
		],
	}),
	table({
		into: 'workflow',
		isRare: true,
		replaces: 'kind, id',
		casts: { data: 'jsonb' },
		rows: (batch) => batch.workflows,
		columns: [
			['kind', 'text', (row) => row.kind],
			['id', 'bigint', (row) => row.id],
			['wallet_id', 'bigint', (row) => row.walletId],
			['pool', 'text', (row) => row.pool],
			['state', 'text', (row) => row.state],
			['step', 'int', (row) => row.step],
			['postings', 'int', (row) => row.postings],
			['is_open', 'boolean', (row) => row.isOpen],
			['opened_at', 'bigint', (row) => row.openedAtMs],
			['at', 'bigint', (row) => row.atMs],
			['data', 'text', (row) => canonicalJson(row.data)],
		],
		seal: { code: 9, names: ['kind', 'id'] },
	}),
	table({
		into: 'workflow_step',
		isRare: true,
		key: 'kind, id, step',
		casts: { data: 'jsonb' },
		rows: (batch) => batch.workflowSteps,
		columns: [
			['kind', 'text', (row) => row.kind],
			['id', 'bigint', (row) => row.id],
			['step', 'int', (row) => row.step],
			['from_state', 'text', (row) => row.from],
			['to_state', 'text', (row) => row.to],
			['actor', 'text', (row) => row.actor],
			['at', 'bigint', (row) => row.atMs],
			['data', 'text', (row) => canonicalJson(row.data)],
		],
		seal: { code: 10, names: ['kind', 'id', 'step'] },
	}),
	table({
		into: 'workflow_claim',
		isRare: true,
		key: 'name',
		rows: (batch) => batch.workflowClaims,
		columns: [
			['name', 'text', (row) => row.name],
			['kind', 'text', (row) => row.kind],
			['id', 'bigint', (row) => row.id],
		],
		seal: { code: 11, names: ['name', 'kind'] },
	}),
	// The public log has them, so not sealed.
	table({
		into: RECEIPT_ROOTS,
		isRare: true,
		key: 'id',
		casts: { root: 'bytea', seed: 'bytea', leaves: 'bytea', moments: 'bytea' },
		rows: (batch) => batch.receiptRoots,
		columns: [
			['id', 'text', (row) => row.id],
			['size', 'int', (row) => row.size],
			['root', 'text', (row) => byteText(row.root)],
			['at', 'bigint', (row) => row.atMs],
			['seed', 'text', (row) => byteText(row.onDemand?.seed)],
			['leaves', 'text', (row) => byteText(row.onDemand?.leaves)],
			['moments', 'text', (row) => byteText(row.onDemand?.moments)],
		],
	}),
	// Deleted once it is handed to the endpoints, so not sealed.
	table({
		into: 'webhook_event',
		isRare: true,
		key: 'event_id',
		casts: { event_id: 'uuid', data: 'jsonb' },
		rows: (batch) => batch.events.map((row) => ({ ...row, atMs: batch.atMs })),
		columns: [
			['event_id', 'text', (row) => row.eventId],
			['line', 'int', (_, index) => index],
			['at', 'bigint', (row) => row.atMs],
			['kind', 'text', (row) => row.kind],
			['wallet_id', 'bigint', (row) => row.walletId],
			['data', 'text', (row) => canonicalJson(row.data)],
		],
	}),
] as readonly Table<unknown>[];

/** Tables whose rows carry the number of the batch that wrote them. */
export const NUMBERED: ReadonlySet<string> = new Set(['posting', 'bet_match', 'market_event']);
/** A row that a batch writes: its cells in the order of the table's columns. */
export type WrittenRow = readonly Cell[];
/** The rows of a batch, table by table. */
export type WrittenRows = readonly (readonly WrittenRow[])[];

/**
 * True when nothing in the batch has to outlive the process: it only placed or cancelled quotes that were not matched.
 */
export const isEphemeral = (written: WrittenRows): boolean => written.every((rows) => rows.length === 0);

/** Each cell is computed once, for the statement and the seal. */
export const writtenRows = (batch: BatchRows): WrittenRows =>
	TABLES.map(({ rows, columns }) => rows(batch).map((row, index) => writtenRow(columns, row, index)));

function writtenRow(columns: readonly Column<unknown>[], row: unknown, index: number): WrittenRow {
	const cells: Cell[] = [];
	for (let at = 0; at < columns.length; at++) cells.push((columns[at] as Column<unknown>)[2](row, index));
	return cells;
}
