/**
 * The journal: acts of operators and changes to players, with the actor, the address, and the state before and after.
 * Its rows are chained with the ledger's key, so an edited or removed row is found. An act that changes a player's row
 * is written in the same transaction, with a keyed hash of the row. Rows are fenced by the epoch of the lease: a
 * deposed process appends nothing, and its successor reads its final last row.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { keyIdOf } from '#server/platform/keys/ledger-key.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { allKeptRows, type KeptRow, type KeptTableName, keptRow } from '#server/platform/postgres/journal-rows.ts';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

export interface Act {
	/** The name that the operator gives, "player", or "server". */
	actor: string;
	address: string | null;
	act: string;
	/** The subject of the act, such as "player 1003" or "domain royal.example". */
	subject: string;
	details?: object | null;
	before?: unknown;
	after?: unknown;
	/** "done", or the code of the refusal. */
	outcome?: string;
	/** For an act that wrote a player's row. */
	player?: { playerId: PlayerId; hash: string };
	/** For an act that wrote a row of staff, of their roles, or of proposals. */
	row?: KeptRow;
}

/** An act that has begun; its row of the journal follows. */
export interface BegunAct extends Omit<Act, 'after' | 'outcome' | 'player' | 'row'> {
	actId: string;
}

/** A row in the order in which its chain covers it. */
export interface JournalRow {
	seq: number;
	at: number;
	actor: string;
	address: string | null;
	act: string;
	subject: string;
	details: unknown;
	before: unknown;
	after: unknown;
	outcome: string;
	player_id: number | null;
	player_hash: string | null;
	row_name: string | null;
	row_hash: string | null;
}

/** Records that every row of staff, roles and proposals has its hash in the journal. */
const ROWS_ENTERED = 'ROWS_ENTERED';

interface Head {
	seq: number;
	chain: Buffer;
}

export const JOURNAL_COLUMNS =
	'seq, at, actor, address, act, subject, details, before, after, outcome, player_id, player_hash, row_name, row_hash';

/** The chain before the first row. */
export const JOURNAL_START = Buffer.alloc(32);

/** The last two columns are covered if they are set; older rows have none. */
export function journalChainAfter(key: string, chain: Buffer, row: JournalRow): Buffer {
	const { row_name: _, row_hash: __, ...older } = row;
	const covered = row.row_hash === null ? older : row;
	return createHmac('sha256', key).update(chain).update(canonicalJson(covered)).digest();
}

/** The cells of a player's row. */
export const playerHashOf = (key: string, row: object): string =>
	createHmac('sha256', key).update(canonicalJson(row)).digest('hex').slice(0, 32);

/**
 * The covered columns of a player's row: all but those of the graph of persons (mobile_verified_at, invited_by,
 * invitation_root), which follow from acts in the journal and from the ledger.
 */
export const PLAYER_COLUMNS =
	'player_id, brand, user_name, name_key, password_hash, is_demo, pool, stakes, created_at, mobile, referral_code';

export class Journal {
	readonly #db: pg.Pool;
	readonly #key: string;
	readonly #epoch: number;
	readonly #clock: () => number;
	/** Null if it must be read again: before the first row, and after a write with an unknown outcome. */
	#head: Head | null = null;
	readonly #turns = new Turns<'change'>();
	/** Acts in progress in this process. */
	readonly #underWay = new Set<string>();
	#mayHaveUnfinished = true;

	/** @param options.epoch of the lease under which this process opens the journal */
	constructor(options: { db: pg.Pool; ledgerKey: string; epoch: number; clock?: () => number }) {
		this.#db = options.db;
		this.#key = options.ledgerKey;
		this.#epoch = options.epoch;
		this.#clock = options.clock ?? Date.now;
	}

	/**
	 * Takes the fence, after waiting for a change of the previous process that may be in flight. Chains the rows and
	 * hashes the players and the staff of a database from before these.
	 * @throws Error if another process has taken over since
	 */
	async open(): Promise<void> {
		const { rowCount: taken } = await this.#db.query('update journal_fence set epoch = $1 where epoch <= $1', [
			this.#epoch,
		]);
		if (taken !== 1) throw new Error('Another server took over this database; this one must stop.');
		await this.#chainOlderRows();
		const { rowCount } = await this.#db.query('select from journal where act = $1 limit 1', [ROWS_ENTERED]);
		if (rowCount !== 0) return;
		await this.#inTransaction(async (client) => {
			await this.#holdFence(client);
			this.#head ??= await headOf(client);
			const by = { actor: 'server', address: null };
			for (const row of await allKeptRows(client, this.#key)) {
				await this.#append(client, { ...by, act: 'ROW_ENTERED', subject: row.name, row });
			}
			await this.#append(client, { ...by, act: ROWS_ENTERED, subject: 'journal' });
		});
	}

	async #chainOlderRows(): Promise<void> {
		const { rows } = await this.#db.query<{ sealed: boolean }>(
			'select exists (select 1 from journal where chain is not null) as sealed',
		);
		if (rows[0]?.sealed) return;
		await this.#inTransaction(async (client) => {
			await this.#holdFence(client);
			const { rows: acts } = await unhurried(client).query<JournalRow>(
				`delete from journal returning ${JOURNAL_COLUMNS}`,
			);
			this.#head = { seq: 0, chain: JOURNAL_START };
			for (const row of acts.sort((one, other) => one.seq - other.seq)) await this.#insert(client, row);
			const { rows: players } = await unhurried(client).query<{ player_id: number }>(
				`select ${PLAYER_COLUMNS} from player order by player_id`,
			);
			for (const row of players) {
				const playerId = row.player_id;
				const player = { playerId, hash: playerHashOf(this.#key, row) };
				await this.#append(client, {
					actor: 'server',
					address: null,
					act: 'PLAYER_ENTERED',
					player,
					...subject(playerId),
				});
			}
			await this.#append(client, { actor: 'server', address: null, act: 'JOURNAL_OPENED', subject: 'journal' });
		});
	}

	/** Writes an act; resolves when it is durable. */
	async write(act: Act): Promise<void> {
		await this.change(async () => ({ result: undefined, act }));
	}

	/**
	 * Notes an act before it is done, so that a kill cannot leave it without its row.
	 * @throws Refused DRAINING if another process has taken over: it has already read the notes, and would miss this one
	 */
	async begin(act: Omit<BegunAct, 'actId'>): Promise<BegunAct> {
		const { actor, address, act: name, subject, details = null, before = null } = act;
		const actId = randomUUID();
		this.#underWay.add(actId);
		const documents = [details, before].map((part) => (part === null ? null : JSON.stringify(part)));
		const { rowCount } = await this.#db.query({
			name: 'begin-act',
			text: `with fence as (select from journal_fence where epoch = $9 for share)
			 insert into act_under_way (act_id, at, actor, address, act, subject, details, before)
			 select $1::uuid, $2::bigint, $3, $4, $5, $6, $7::jsonb, $8::jsonb from fence`,
			values: [actId, this.#clock(), actor, address, name, subject, ...documents, this.#epoch],
		});
		if (rowCount === 1) return { ...act, actId };
		this.#underWay.delete(actId);
		throw new Refused('DRAINING');
	}

	/**
	 * Writes the row of an act that has begun, replacing the note.
	 * @throws Refused DRAINING if another process has taken over: it writes the row
	 */
	async end({ actId, ...act }: BegunAct, { after, outcome }: Pick<Act, 'after' | 'outcome'>): Promise<void> {
		try {
			await this.change(async (client) => {
				const { rowCount } = await client.query({
					name: 'end-act',
					text: 'delete from act_under_way where act_id = $1',
					values: [actId],
				});
				if (rowCount !== 1) {
					// Another process that has taken over ended it.
					await this.#holdFence(client);
					throw new Error(`the act ${act.act} was ended twice`);
				}
				return { result: undefined, act: { ...act, after, ...(outcome === undefined ? {} : { outcome }) } };
			});
		} catch (error) {
			this.#mayHaveUnfinished = true;
			throw error;
		} finally {
			// While the row waits for its turn, the act still counts as in progress.
			this.#underWay.delete(actId);
		}
	}

	/**
	 * Acts whose rows are missing because the process died, or the database refused them; oldest first. They are
	 * returned to one caller, who ends them.
	 */
	async unfinished(): Promise<BegunAct[]> {
		if (!this.#mayHaveUnfinished) return [];
		this.#mayHaveUnfinished = false;
		const read = this.#db.query<BegunAct>(
			`select act_id as "actId", actor, address, act, subject, details, before from act_under_way order by at, act_id`,
		);
		const { rows } = await read.catch((error: unknown) => {
			this.#mayHaveUnfinished = true;
			throw error;
		});
		const unfinished = rows.filter(({ actId }) => !this.#underWay.has(actId));
		for (const { actId } of unfinished) this.#underWay.add(actId);
		return unfinished;
	}

	/** The row as the transaction sees it, for its act. */
	keep(client: pg.PoolClient, table: KeptTableName, key: string | number): Promise<KeptRow> {
		return keptRow(client, this.#key, table, key);
	}

	/**
	 * Makes a change and writes it to the journal, atomically; `nextAct` is the row after that of `act`. Changes take
	 * turns, because each row follows the last.
	 * @throws Refused DRAINING if another process has taken over; nothing was changed
	 */
	async change<T>(work: (client: pg.PoolClient) => Promise<{ result: T; act: Act; nextAct?: Act }>): Promise<T> {
		return await this.#turns.take('change', () =>
			this.#inTransaction(async (client) => {
				const { result, act, nextAct } = await work(client);
				await this.#holdFence(client);
				this.#head ??= await headOf(client);
				await this.#append(client, act);
				if (nextAct) await this.#append(client, nextAct);
				return result;
			}),
		);
	}

	/**
	 * Keeps a successor from taking the fence until the transaction ends. Taken late, so that it waits for one insert
	 * only. A successor ends the connections of open transactions, so a lost connection is answered like a lost fence:
	 * nothing was committed, and the request can be repeated.
	 */
	async #holdFence(client: pg.PoolClient): Promise<void> {
		try {
			const { rowCount } = await client.query({
				name: 'hold-journal',
				text: 'select from journal_fence where epoch = $1 for share',
				values: [this.#epoch],
			});
			if (rowCount === 1) return;
		} catch (error) {
			if (!isDatabaseFault(error)) throw error;
			throw Object.assign(new Refused('DRAINING'), { cause: error });
		}
		throw new Refused('DRAINING');
	}

	/** The keyed hash of a player's row as the transaction sees it. */
	async hashOf(client: pg.PoolClient, playerId: PlayerId): Promise<{ playerId: PlayerId; hash: string }> {
		const { rows } = await client.query<object>(`select ${PLAYER_COLUMNS} from player where player_id = $1`, [
			playerId,
		]);
		const [row] = rows;
		if (!row) throw new Error(`there is no row of player ${playerId}`);
		return { playerId, hash: playerHashOf(this.#key, row) };
	}

	async #inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
		const before = this.#head;
		// While the outcome is unknown, there is no known head: after a failure the next change reads it from the
		// journal.
		this.#head = null;
		const { result, after } = await inTransaction(this.#db, async (client) => {
			this.#head = before;
			try {
				return { result: await work(client), after: this.#head };
			} finally {
				this.#head = null;
			}
		});
		this.#head = after;
		return result;
	}

	async #append(client: pg.PoolClient, { player, row, ...act }: Act): Promise<void> {
		const { details = null, before = null, after = null, outcome = 'done' } = act;
		await this.#insert(client, {
			seq: (this.#head?.seq ?? 0) + 1,
			at: this.#clock(),
			actor: act.actor,
			address: act.address,
			act: act.act,
			subject: act.subject,
			details,
			before,
			after,
			outcome,
			player_id: player?.playerId ?? null,
			player_hash: player?.hash ?? null,
			row_name: row?.name ?? null,
			row_hash: row?.hash ?? null,
		});
	}

	async #insert(client: pg.PoolClient, row: JournalRow): Promise<void> {
		const chain = journalChainAfter(this.#key, this.#head?.chain ?? JOURNAL_START, row);
		const documents = [row.details, row.before, row.after].map((part) => (part === null ? null : JSON.stringify(part)));
		await client.query({
			name: 'write-journal',
			text: `insert into journal (${JOURNAL_COLUMNS}, key_id, chain)
			 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
			values: [
				row.seq,
				row.at,
				row.actor,
				row.address,
				row.act,
				row.subject,
				...documents,
				row.outcome,
				row.player_id,
				row.player_hash,
				row.row_name,
				row.row_hash,
				keyIdOf(this.#key),
				chain,
			],
		});
		this.#head = { seq: row.seq, chain };
	}
}

const subject = (playerId: PlayerId) => ({ subject: `player ${playerId}` });

async function headOf(client: pg.PoolClient): Promise<Head> {
	const { rows } = await client.query<Head>('select seq, chain from journal order by seq desc limit 1');
	return rows[0] ?? { seq: 0, chain: JOURNAL_START };
}
