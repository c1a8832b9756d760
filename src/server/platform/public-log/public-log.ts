/**
 * Appends to the log twice a second, whatever has become durable meanwhile; while nothing has, that is one statement. The row of the log is locked by each append,
 * and leaves, tiles, checkpoint and cursors are one transaction: whichever process appends continues what is durable, and
 * a checkpoint is published only with the tree that it signs. A log does not outlive its PostgreSQL cluster's timeline,
 * its key, or a restored backup: what follows is another log with another name, whose first leaf says where the one
 * before ended.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { checkpointText } from '#public-log/checkpoint.ts';
import { parseVerifierKey, signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';
import { appendLeaves } from '#server/platform/public-log/log-rows.ts';
import { canonicalJson } from '#values/canonical-json.ts';

const APPEND_EVERY_MS = 500;
const ORIGIN_BYTES = 4;

interface LogRow {
	log: number;
	origin: string;
	key: string;
	/** System identifier and timeline. */
	cluster: string;
	size: number;
	checkpoint: string | null;
	cursors: Record<string, unknown>;
	closed: string | null;
}

/** The newest log, or nulls in its place, and the cluster as it is. */
type Found = Partial<LogRow> & { present: string };

interface PublicLogOptions {
	db: pg.Pool;
	ledgerKey: string;
	/** In the order in which their leaves follow one another. */
	sources: readonly LeafSource[];
	logger: Logger;
	clock: () => number;
}

const isRow = (row: Partial<LogRow>): row is LogRow => typeof row.log === 'number';

/** Reads the newest log. @param more further columns, which may name it `newest` */
const newestLog = (lock: 'for update' | '', more: string): string =>
	`select newest.*, present${more} from (
		select format('%s/%s', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) as present
		from pg_control_system()
	) as here left join (
		select log, origin, key, cluster, size, checkpoint, cursors, closed from public_log
		order by log desc limit 1 ${lock}
	) as newest on true`;

export class PublicLog {
	readonly #options: PublicLogOptions;
	readonly #key: LogKey;
	/** Reads the newest log, and of each source whether a row waits. */
	readonly #look: string;
	#timer: NodeJS.Timeout | null = null;
	#appending: Promise<unknown> = Promise.resolve();
	readonly #turns = new Turns<'append'>();

	constructor(options: PublicLogOptions) {
		this.#options = options;
		this.#key = logKeyOf(options.ledgerKey);
		const waiting = options.sources.map(
			(source) => `(select ${source.waiting} from (select newest.cursors -> '${source.name}') as own (cursor))`,
		);
		this.#look = newestLog('', `, array[${waiting.join(', ')}] as waits`);
	}

	start(): void {
		this.#timer = setTimeout(() => this.#turn(), APPEND_EVERY_MS).unref();
	}

	/** Appends what is durable by now, if the log was started. */
	async stop(): Promise<void> {
		if (this.#timer === null) return;
		clearTimeout(this.#timer);
		this.#timer = null;
		await this.#appending;
		await this.#appendAll();
	}

	#turn(): void {
		this.#appending = this.#appendAll().finally(() => {
			if (this.#timer !== null) this.start();
		});
	}

	/** Nothing waits for the log, so a fault is left to the next turn. */
	async #appendAll(): Promise<void> {
		try {
			while ((await this.append()) >= MOST_AT_ONCE);
		} catch (error) {
			const { logger } = this.#options;
			if (isDatabaseFault(error)) logger.warn({ err: error }, 'the public log waits for the database');
			else logger.error({ err: error }, 'nothing was appended to the public log');
		}
	}

	/** Appends what has become durable. @returns how many leaves */
	async append(): Promise<number> {
		return await this.#turns.take('append', async () => {
			const waiting = await this.#waiting();
			return waiting.length === 0 ? 0 : await inTransaction(this.#options.db, (client) => this.#take(client, waiting));
		});
	}

	/** The sources with something to append, without a lock: what becomes durable meanwhile is found by the next turn. */
	async #waiting(): Promise<readonly LeafSource[]> {
		const { db, sources } = this.#options;
		const name = sources.map((source) => source.name).join(' ');
		const { rows } = await db.query<Found & { waits: boolean[] }>({ name, text: this.#look });
		const [{ present, waits, ...newest }] = rows as [Found & { waits: boolean[] }];
		// Another log begins with the first turn that finds the reason.
		if (!isRow(newest) || this.#whyNext(newest, present) !== null) return sources;
		return sources.filter(
			(source, at) => waits[at] || (source.isWaiting?.(newest.cursors[source.name] ?? null) ?? false),
		);
	}

	async #take(client: pg.PoolClient, waiting: readonly LeafSource[]): Promise<number> {
		const row = await this.#current(client);
		const leaves: Leaf[] = [];
		const cursors = { ...row.cursors };
		for (const { name, take } of waiting) {
			const taken = await take(client, row.cursors[name] ?? null);
			leaves.push(...taken.leaves);
			cursors[name] = taken.cursor;
		}
		if (leaves.length > 0) await this.#extend(client, { ...row, cursors }, leaves);
		// A source may have found that it has no more leaves: the audit goes by that.
		else if (canonicalJson(cursors) !== canonicalJson(row.cursors))
			await client.query('update public_log set cursors = $2 where log = $1', [row.log, JSON.stringify(cursors)]);
		return leaves.length;
	}

	/** The log in use, locked until the transaction ends. Where it may not go on, the next one begins. */
	async #current(client: pg.PoolClient): Promise<LogRow> {
		const { rows } = await client.query<Found>({ name: 'newest-log', text: newestLog('for update', '') });
		const [{ present, ...newest }] = rows as [Found];
		const row = isRow(newest) ? newest : null;
		const reason = this.#whyNext(row, present);
		return reason === null ? (row as LogRow) : await this.#begin(client, row, { cluster: present, reason });
	}

	/** Null while the newest log goes on. */
	#whyNext(row: LogRow | null, present: string): string | null {
		if (!row) return 'the first log of this database';
		if (row.closed !== null) return row.closed;
		if (row.cluster !== present) return 'the database is another cluster, or on another timeline';
		return row.key === this.#keyText(row.origin) ? null : 'the key was changed';
	}

	/** Two copies of a database never begin logs of one name, because a part of it is random. */
	async #begin(
		client: pg.PoolClient,
		before: LogRow | null,
		begun: { cluster: string; reason: string },
	): Promise<LogRow> {
		const log = (before?.log ?? 0) + 1;
		const origin = `${this.#key.name}/${log}-${randomBytes(ORIGIN_BYTES).toString('hex')}`;
		const row = { log, origin, key: this.#keyText(origin), size: 0, checkpoint: null, closed: null, ...begun };
		await client.query(
			`insert into public_log (log, origin, key, cluster, reason, begun_at, cursors) values ($1, $2, $3, $4, $5, $6, $7)`,
			[log, origin, row.key, begun.cluster, begun.reason, this.#options.clock(), JSON.stringify(before?.cursors ?? {})],
		);
		if (before?.closed === null)
			await client.query('update public_log set closed = $2 where log = $1', [before.log, begun.reason]);
		const opening = { log, reason: begun.reason, before: before?.checkpoint ?? null };
		const next = { ...row, cursors: before?.cursors ?? {} };
		await this.#extend(client, next, [{ type: 'log', ref: null, body: opening }]);
		return { ...next, size: 1 };
	}

	#keyText(name: string): string {
		const key: VerifierKey = { name, kind: 'log', publicKey: this.#key.publicKey };
		return verifierKeyText(key);
	}

	async #extend(client: pg.PoolClient, { log, key, origin, size, cursors }: LogRow, leaves: Leaf[]): Promise<void> {
		const root = await appendLeaves(client, log, size, leaves);
		const grown = size + leaves.length;
		const text = checkpointText({ origin, size: grown, root });
		const checkpoint = `${text}\n${signatureLine(parseVerifierKey(key), this.#key.sign(text))}`;
		await client.query({
			name: 'extend-log',
			text: 'update public_log set size = $2, checkpoint = $3, cursors = $4 where log = $1',
			values: [log, grown, checkpoint, JSON.stringify(cursors)],
		});
	}
}
