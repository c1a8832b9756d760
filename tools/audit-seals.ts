/**
 * The audit of the seals: the chain is valid under the auditor's keys, and every covered row equals the sealed one. An
 * edited, added or removed row is named.
 */
import type pg from 'pg';
import { type DetachedMonth, detachedMonths } from '../src/server/exchange/ledger/detached-months.ts';
import { ENTRY_BYTES, LedgerSealer, nameByBatch, nameByNumber } from '../src/server/exchange/ledger/ledger-seal.ts';
import { SEALED_TABLES, type SealedTable, selectionOf, storedEntry } from '../src/server/exchange/ledger/seal-batch.ts';
import { keyIdOf } from '../src/server/platform/keys/ledger-key.ts';
import type { Check, Finding, SealKeys } from './audit-check.ts';
import { type ChainedPosting, chainAfter } from './unkeyed-chain.ts';

/** Rows are read in pages, so that ledgers of any length fit into memory. */
const PAGE = 20_000;
/** Digits of an entry: the table's code, the row's name, its hash. */
const CODE_DIGITS = 2;
const NAME_END = CODE_DIGITS + 16;

export const sealKeys = (keys: readonly string[]): SealKeys => ({
	sealers: new Map(keys.map((key) => [keyIdOf(key), new LedgerSealer(key)])),
	keys: new Map(keys.map((key) => [keyIdOf(key), key])),
});

/** How a row differs from its seal. */
type Fault = 'edited' | 'added' | 'missing';

interface SealRow {
	batch: number;
	part: number;
	keyId: string;
	entries: Buffer;
	chain: Buffer;
}

interface Lease {
	batch: number;
	chain: Buffer;
	sealedFrom: number | null;
	sealedChain: Buffer;
}

async function leaseOf(client: pg.PoolClient): Promise<Lease | undefined> {
	const { rows } = await client.query<Lease>(
		'select batch, chain, sealed_from as "sealedFrom", sealed_chain as "sealedChain" from lease',
	);
	return rows[0];
}

/** The rows of a query, page by page. */
export async function* rowsOf<Row extends pg.QueryResultRow>(
	client: pg.PoolClient,
	cursor: string,
	query: string,
): AsyncGenerator<Row> {
	const page = `fetch ${PAGE} from ${cursor}`;
	const opened = await client.query(`declare ${cursor} no scroll cursor for ${query}; ${page}`);
	let [, { rows }] = opened as unknown as [unknown, pg.QueryResult<Row>];
	for (;;) {
		yield* rows;
		if (rows.length < PAGE) break;
		({ rows } = await client.query<Row>(page));
	}
	await client.query(`close ${cursor}`);
}

const SEALS = `select batch, part, key_id as "keyId", entries, chain from batch_seal order by batch, part`;

export const chainHolds: Check = {
	name: 'the chain of the seals holds and ends where the ledger says',
	run: async (client, { sealers }) => {
		const lease = await leaseOf(client);
		if (!lease || lease.sealedFrom === null) return { rows: 0, wrong: { lease: 'is missing or was never sealed' } };
		let chain = lease.sealedChain;
		let rows = 0;
		for await (const seal of rowsOf<SealRow>(client, 'seals', SEALS)) {
			rows++;
			const { batch, part, keyId, entries } = seal;
			const sealer = sealers.get(keyId);
			if (!sealer) return { rows, wrong: { batch, part, keyId, is: 'sealed with a key that was not given' } };
			chain = sealer.chainAfter(chain, batch, part, entries);
			if (!chain.equals(seal.chain)) return { rows, wrong: { batch, part, is: 'no continuation of the chain' } };
		}
		if (chain.equals(lease.chain)) return { rows, wrong: null };
		return {
			rows,
			wrong: { recomputed: chain.toString('hex'), kept: lease.chain.toString('hex'), batch: lease.batch },
		};
	},
};

/** Before the seals, postings had an unkeyed chain of their own; its end is part of the first seal. */
export const unkeyedChainHolds: Check = {
	name: 'the postings from before the seals are those their chain was made of',
	run: async (client) => {
		const lease = await leaseOf(client);
		const start = await client.query<{ chain: Buffer }>(`select sha256('backlay') as chain`);
		let chain = start.rows[0]?.chain ?? Buffer.alloc(0);
		let open: (ChainedPosting & { batch: number })[] = [];
		let rows = 1;
		const query = `select batch, at as "atMs", kind, ref, step, pool, debit,
			debit_owner as "debitOwner", credit, credit_owner as "creditOwner", amount, wallet_id as "walletId",
			cash_after as "cashAfter", market_id as "marketId" from posting
			where batch <= ${lease?.sealedFrom ?? 0} order by batch, line`;
		for await (const posting of rowsOf<ChainedPosting & { batch: number }>(client, 'unkeyed', query)) {
			rows++;
			if (open.length > 0 && open[0]?.batch !== posting.batch) {
				chain = chainAfter(chain, open);
				open = [];
			}
			open.push(posting);
		}
		chain = chainAfter(chain, open);
		const kept = lease?.sealedChain;
		if (kept && chain.equals(kept)) return { rows, wrong: null };
		return { rows, wrong: { recomputed: chain.toString('hex'), kept: kept?.toString('hex') } };
	},
};

/** The last entry of each row, by table: name to hash, with the id of its key. */
class LatestEntries {
	readonly #byCode = new Map<number, Map<string, string>>();

	of(code: number): Map<string, string> {
		let entries = this.#byCode.get(code);
		if (!entries) {
			entries = new Map();
			this.#byCode.set(code, entries);
		}
		return entries;
	}

	/** Rows that expire share names, so all their entries are kept. */
	add({ code, name, hash, areForgotten }: Entry, keyId: string): void {
		if (areForgotten) this.of(code).set(name + hash, keyId);
		else this.of(code).set(name, hash + keyId);
	}
}

interface Entry {
	code: number;
	name: string;
	hash: string;
	areForgotten: boolean;
}

const FORGOTTEN = new Set(SEALED_TABLES.filter(({ seal }) => seal.areForgotten).map(({ seal }) => seal.code));

function* entriesIn(bytes: Buffer): Generator<Entry> {
	for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
		const text = bytes.toString('hex', at, at + ENTRY_BYTES);
		const code = Number.parseInt(text.slice(0, CODE_DIGITS), 16);
		const areForgotten = FORGOTTEN.has(code);
		yield { code, name: text.slice(CODE_DIGITS, NAME_END), hash: text.slice(NAME_END), areForgotten };
	}
}

function partsOf(entry: Buffer): { name: string; hash: string } {
	const text = entry.toString('hex');
	return { name: text.slice(CODE_DIGITS, NAME_END), hash: text.slice(NAME_END) };
}

function nameOfPosting(row: Record<string, unknown>): string {
	const entry = Buffer.alloc(ENTRY_BYTES);
	nameByBatch(entry, Number(row['batch']), Number(row['line']));
	return partsOf(entry).name;
}

/** Postings are compared with their entries in parallel, because there are too many to remember. */
class PostingReader {
	readonly #sealed: SealedTable;
	readonly #rows: AsyncGenerator<Record<string, unknown>>;
	#row: Record<string, unknown> | null = null;
	rows = 0;

	constructor(client: pg.PoolClient, sealed: SealedTable, sealedFrom: number) {
		this.#sealed = sealed;
		const query = `${selectionOf(sealed)} where batch > ${sealedFrom} order by batch, line`;
		this.#rows = rowsOf(client, 'postings', query);
	}

	async next(): Promise<void> {
		const { value, done } = await this.#rows.next();
		this.#row = done ? null : value;
		if (!done) this.rows++;
	}

	/** The error in the posting of that entry, or in a row before it; null if it matches. */
	fault({ name, hash }: Entry, sealer: LedgerSealer): Record<string, unknown> | null {
		const row = this.#row;
		const found = row ? nameOfPosting(row) : null;
		if (row === null || found === null || found > name) return wrongRow('missing', name);
		if (found < name) return wrongRow('added', found);
		return partsOf(storedEntry(sealer, this.#sealed, row)).hash === hash ? null : wrongRow('edited', name);
	}

	/** A posting without an entry. */
	rest(): Record<string, unknown> | null {
		return this.#row && wrongRow('added', nameOfPosting(this.#row));
	}
}

const wrongRow = (is: Fault, name: string): Record<string, unknown> => ({
	table: 'posting',
	batch: Number.parseInt(name.slice(0, 10), 16),
	line: Number.parseInt(name.slice(10), 16),
	is,
});

export const rowsAreSealed: Check = {
	name: 'every covered row is the one that was sealed',
	run: async (client, { sealers }) => {
		const lease = await leaseOf(client);
		const posting = SEALED_TABLES.find(({ table }) => table.into === 'posting') as SealedTable;
		const postings = new PostingReader(client, posting, lease?.sealedFrom ?? 0);
		await postings.next();
		const latest = new LatestEntries();
		const detached = new DetachedRows(await detachedMonths(client));
		for await (const { keyId, entries, batch } of rowsOf<SealRow>(client, 'entered', SEALS)) {
			const sealer = sealers.get(keyId);
			if (!sealer) return { rows: postings.rows, wrong: { batch, keyId, is: 'sealed with a key that was not given' } };
			for (const entry of entriesIn(entries)) {
				if (entry.code !== posting.seal.code) latest.add(entry, keyId);
				else {
					const wrong = postings.fault(entry, sealer);
					if (wrong) return { rows: postings.rows, wrong };
					await postings.next();
				}
			}
		}
		let rows = postings.rows;
		const wrong = postings.rest();
		if (wrong) return { rows, wrong };
		for (const sealed of SEALED_TABLES.filter((other) => other !== posting)) {
			const entries = latest.of(sealed.seal.code);
			const found = await compared(client, sealed, entries, sealers);
			found.wrong ??= detached.missing(sealed, entries);
			rows += found.rows;
			if (found.wrong) return { rows, wrong: found.wrong };
		}
		return { rows, wrong: null };
	},
};

/** Rows that may be missing, because their month is detached; exactly the number recorded at that time. */
class DetachedRows {
	readonly #months: readonly DetachedMonth[];

	constructor(months: readonly DetachedMonth[]) {
		this.#months = months;
	}

	/** @param entries of rows that are not in the table */
	missing(sealed: SealedTable, entries: ReadonlyMap<string, string>): Finding['wrong'] {
		const { table, seal } = sealed;
		if (seal.areForgotten) return null;
		const lastName = this.#lastName(table.into);
		const names = [...entries.keys()];
		const missing = names.find((name) => name > lastName);
		if (missing !== undefined) return { table: table.into, ...decoded(sealed, missing), is: 'missing' satisfies Fault };
		const counts = { bet: 'bets', bet_match: 'matches', market_event: 'events' } as const;
		const counted = counts[table.into as keyof typeof counts];
		const detached = counted ? this.#months.reduce((sum, month) => sum + (month[counted] ?? 0), 0) : 0;
		if (names.length === detached) return null;
		return { table: table.into, is: 'missing' satisfies Fault, rows: names.length, ofDetachedMonths: detached };
	}

	/** The name of the last row of a table that is detached; names rise with time. */
	#lastName(table: string): string {
		const entry = Buffer.alloc(ENTRY_BYTES);
		const last = this.#months.at(-1);
		if (table === 'bet' && last) nameByNumber(entry, last.lastBetId);
		else if (table === 'bet_match') {
			const matched = this.#months.findLast(({ lastBatch }) => lastBatch !== null);
			if (!matched) return '';
			nameByBatch(entry, matched.lastBatch ?? 0, matched.lastLine ?? 0);
		} else if (table === 'market_event') {
			const told = this.#months.findLast(({ lastEventBatch }) => lastEventBatch !== null);
			if (!told) return '';
			nameByBatch(entry, told.lastEventBatch ?? 0, told.lastEventLine ?? 0);
		} else return '';
		return partsOf(entry).name;
	}
}

/** Compares the rows of a table with their last entries; the entries of missing rows remain. */
async function compared(
	client: pg.PoolClient,
	sealed: SealedTable,
	latest: Map<string, string>,
	sealers: SealKeys['sealers'],
): Promise<Finding> {
	const { table, seal } = sealed;
	let rows = 0;
	for await (const row of rowsOf<Record<string, unknown>>(client, `rows_of_${table.into}`, selectionOf(sealed))) {
		rows++;
		const fault = seal.areForgotten
			? faultOfForgotten(sealed, row, latest, sealers)
			: faultOf(sealed, row, latest, sealers);
		if (fault) return { rows, wrong: { ...namesOf(sealed, row), is: fault } };
	}
	return { rows, wrong: null };
}

/** Removes the row's entry from the entries. */
function faultOf(
	sealed: SealedTable,
	row: Record<string, unknown>,
	latest: Map<string, string>,
	sealers: SealKeys['sealers'],
): Fault | null {
	const [anyKey] = sealers.values();
	const { name } = partsOf(storedEntry(anyKey as LedgerSealer, sealed, row));
	const entered = latest.get(name);
	latest.delete(name);
	if (entered === undefined) return 'added';
	const [hash, keyId] = [entered.slice(0, 16), entered.slice(16)];
	const sealer = sealers.get(keyId) as LedgerSealer;
	return partsOf(storedEntry(sealer, sealed, row)).hash === hash ? null : 'edited';
}

/** An edited row has no entry, like an added one. */
function faultOfForgotten(
	sealed: SealedTable,
	row: Record<string, unknown>,
	entered: ReadonlyMap<string, string>,
	sealers: SealKeys['sealers'],
): Fault | null {
	for (const [keyId, sealer] of sealers) {
		const { name, hash } = partsOf(storedEntry(sealer, sealed, row));
		if (entered.get(name + hash) === keyId) return null;
	}
	return 'edited';
}

/** The columns that name the row, with its primary key. */
function namesOf({ table, seal }: SealedTable, row: Record<string, unknown>): Record<string, unknown> {
	const columns = (table.replaces ?? table.key)?.split(', ') ?? seal.names;
	return { table: table.into, ...Object.fromEntries(columns.map((column) => [column, row[column]])) };
}

/** A name as far as it can be decoded: some names are hashes. */
function decoded({ seal }: SealedTable, name: string): Record<string, unknown> {
	const [first] = seal.names;
	if (first === 'batch')
		return { batch: Number.parseInt(name.slice(0, 10), 16), line: Number.parseInt(name.slice(10), 16) };
	return first !== undefined && seal.names.length === 1 ? { [first]: Number.parseInt(name, 16) } : { name };
}
