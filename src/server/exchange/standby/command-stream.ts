/** What a standby reads and writes in the database: command rows, the lease, and its own row among the followers. */
import type pg from 'pg';
import { decodeCommands } from '#server/exchange/ledger/command-rows.ts';
import { type LeaseRow, type Restored, restore } from '#server/exchange/recovery/recovery.ts';
import type { FollowedBatch, Position } from '#server/exchange/standby/follower.ts';
import { APPLICATION_NAME, SIGNS_SUFFIX } from '#server/platform/postgres/connect.ts';
import type { Queries } from '#server/platform/postgres/limited-queries.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

/** Batches that are read at once. */
const BATCHES_AT_ONCE = 200;

interface CommandRow extends Omit<FollowedBatch, 'inputs'> {
	format: number;
	commands: string;
}

/** The batches after one, in order; at most some hundreds. */
export async function batchesAfter(db: Queries, batch: number): Promise<FollowedBatch[]> {
	const { rows } = await db.query<CommandRow>({
		name: 'commands-after',
		text: `select epoch, batch, previous, digest, at as "atMs", format, commands from batch_command
			where batch > $1 and batch <= (
				select max(batch) from (select distinct batch from batch_command where batch > $1 order by batch limit ${BATCHES_AT_ONCE}) as next
			) order by batch, part`,
		values: [batch],
	});
	const byBatch = Map.groupBy(rows, (row) => row.batch);
	return [...byBatch.values()].map((parts) => {
		const { format, commands: _, ...first } = parts[0] as CommandRow;
		return {
			...first,
			inputs: decodeCommands(
				format,
				parts.map(({ commands }) => commands),
			),
		};
	});
}

/** Of a process of the database: its id may be given again. */
const BACKEND = `pid || ' ' || extract(epoch from backend_start)`;

/** How the lease stands. */
export type LeaseState = Position & Pick<LeaseRow, 'beats' | 'released' | 'heir'>;

export async function readLease(db: Queries): Promise<LeaseState> {
	const { rows } = await db.query<LeaseState>({
		name: 'lease-position',
		text: 'select epoch, batch, beats, released, heir from lease',
	});
	if (!rows[0]) throw new Error('The lease row is missing; the database is not a Backlay ledger.');
	return rows[0];
}

/** The connections of the lease's holder. None where a pooler hides their names. */
interface HoldersConnections {
	/** The processes of the database that serve them, as the database names them. */
	backends: string[];
	/** Another text after each sign of life; null where the holder gives none, or the database notes none. */
	sign: string | null;
}

export async function holdersConnections(db: Queries): Promise<HoldersConnections> {
	const { rows } = await db.query<{ backend: string; sign: string | null }>({
		name: 'holders-connections',
		text: `select ${BACKEND} as backend,
			case when application_name <> holder then ${BACKEND} || ' ' || extract(epoch from state_change) end as sign
			from pg_stat_activity join lease on application_name in (holder, holder || '${SIGNS_SUFFIX}')
			where datname = current_database()`,
	});
	const signs = rows.flatMap(({ sign }) => sign ?? []);
	return {
		backends: rows.map(({ backend }) => backend),
		sign: signs.length === 0 ? null : signs.toSorted().join(', '),
	};
}

/** Whether one of those processes of the database goes on, with any connection that it serves now. */
export async function isRunning(db: Queries, backends: readonly string[]): Promise<boolean> {
	const { rowCount } = await db.query(`select from pg_stat_activity where ${BACKEND} = any($1) limit 1`, [backends]);
	return rowCount === 1;
}

/** Asks the exchange for a snapshot to join by. @param mark of its key and its contract */
export async function askToJoin(db: Queries, name: string, mark: string): Promise<void> {
	await db.query(
		`insert into follower (name, mark) values ($1, $2)
		 on conflict (name) do update set epoch = null, batch = null, snapshot = null, snapshot_batch = null, markets = null,
		   seen_at = clock_timestamp()`,
		[name, mark],
	);
}

interface Invitation {
	snapshot: string;
	markets: number[];
}

/** The snapshot that the exchange has exported; null as long as there is none. Says that the standby still waits. */
export async function invitation(db: Queries, name: string): Promise<Invitation | null> {
	const { rows } = await db.query<Partial<Invitation>>(
		'update follower set seen_at = clock_timestamp() where name = $1 returning snapshot, markets',
		[name],
	);
	const { snapshot, markets } = rows[0] ?? {};
	return snapshot ? { snapshot, markets: markets ?? [] } : null;
}

/** PostgreSQL's code for a snapshot whose transaction has ended. */
const SNAPSHOT_IS_GONE = '42704';

/** Reads the engine from the snapshot. @returns null when the exchange that exported it has ended meanwhile */
export async function join(
	db: pg.Pool,
	{ snapshot, markets }: Invitation,
): Promise<{ restored: Restored; position: Position } | null> {
	try {
		return await inTransaction(db, async (client) => {
			await client.query('set transaction isolation level repeatable read read only');
			await client.query(`set transaction snapshot '${snapshot.replaceAll("'", '')}'`);
			const { rows } = await client.query<LeaseRow>('select * from lease');
			const lease = rows[0] as LeaseRow;
			const restored = await restore(client, lease, { remembered: markets });
			return { restored, position: { epoch: lease.epoch, batch: lease.batch } };
		});
	} catch (error) {
		if ((error as { code?: string }).code === SNAPSHOT_IS_GONE) return null;
		throw error;
	}
}

/** Says how far the standby has come. */
export async function report(db: Queries, name: string, { epoch, batch }: Position): Promise<void> {
	await db.query('update follower set epoch = $2, batch = $3, seen_at = clock_timestamp() where name = $1', [
		name,
		epoch,
		batch,
	]);
}

/** Leaves the difference where operators see it. */
export async function reportDifference(db: Queries, name: string, difference: string): Promise<void> {
	await db.query('update follower set difference = $2, seen_at = clock_timestamp() where name = $1', [
		name,
		difference,
	]);
}

/** The standby follows no longer. */
export async function leave(db: Queries, name: string): Promise<void> {
	await db.query('delete from follower where name = $1', [name]);
}

/**
 * Ends transactions in which another process of the exchange wrote something and then fell silent. A process that is
 * stopped or cut off keeps its locks, on which the new one would wait.
 */
export async function endAbandonedTransactions(db: pg.Pool): Promise<void> {
	await db.query(
		`select pg_terminate_backend(pid) from pg_stat_activity
		 where datname = current_database() and usename = current_user and backend_xid is not null
		   and state like 'idle in transaction%' and application_name like 'backlay %' and application_name <> $1`,
		[APPLICATION_NAME],
	);
}
