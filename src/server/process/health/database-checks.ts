/** Checks of the database: its version, its archive, the standbys that follow it, and the drills. */
import type pg from 'pg';
import { standbyStatus } from '#server/exchange/standby/standby-status.ts';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { DAY_MS } from '#values/time.ts';

/** Major versions of PostgreSQL on which the tests were run. */
const VERSIONS = { from: 15, to: 18 };
/** A segment is archived at least this often while anything is written. */
const ARCHIVE_LATE_MS = 15 * 60_000;

export async function versionCheck(db: pg.Pool): Promise<HealthCheck> {
	const { rows } = await db.query<{ number: number; text: string; migrations: number }>(
		`select current_setting('server_version_num')::int as number, current_setting('server_version') as text,
		   (select count(*)::int from migration) as migrations`,
	);
	const { number = 0, text = '', migrations = 0 } = rows[0] ?? {};
	const major = Math.floor(number / 10_000);
	const words = `PostgreSQL ${text}, with ${migrations} migrations.`;
	return major >= VERSIONS.from && major <= VERSIONS.to
		? ok('database', words)
		: warning('database', words, `Run PostgreSQL ${VERSIONS.from} to ${VERSIONS.to}, which the tests run on.`);
}

interface Archiver {
	mode: string;
	archivedMs: number | null;
	failedMs: number | null;
}

/** The archive of the write-ahead log, without which only the last base backup can be restored. */
export async function archiveCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<Archiver>(
		`select current_setting('archive_mode') as mode, extract(epoch from last_archived_time)::float8 * 1000 as "archivedMs",
		   extract(epoch from last_failed_time)::float8 * 1000 as "failedMs" from pg_stat_archiver`,
	);
	const { mode = 'off', archivedMs = null, failedMs = null } = rows[0] ?? {};
	if (mode === 'off') {
		return warning('archive', 'The write-ahead log is not archived.', 'Set WAL_ARCHIVE, or archive_mode of your own.');
	}
	if (failedMs !== null && failedMs > (archivedMs ?? 0))
		return failing('archive', 'The last segment could not be archived.', 'Look at the archive’s disk and rights.');
	const waitsMs = nowMs - ((await oldestWaiting(db)) ?? nowMs);
	if (waitsMs > ARCHIVE_LATE_MS)
		return failing(
			'archive',
			`A segment has waited for the archive for ${Math.round(waitsMs / 60_000)} minutes.`,
			'Look at PostgreSQL’s log, and at the archive’s disk and rights.',
		);
	if (archivedMs === null) return warning('archive', 'No segment was archived yet.', 'Take a base backup.');
	const minutes = Math.round((nowMs - archivedMs) / 60_000);
	const words = `The last segment was archived ${minutes} minutes ago.`;
	return nowMs - archivedMs > ARCHIVE_LATE_MS
		? warning('archive', words, 'Nothing was written since, or archive_timeout is longer than RUNBOOK says.')
		: ok('archive', words);
}

/**
 * When the oldest segment was written that is not archived, milliseconds since 1970. An archiver that lacks its library,
 * its folder or its command counts no failure. Null without one, and where the user of the database may not look.
 */
async function oldestWaiting(db: pg.Pool): Promise<number | null> {
	const { rows } = await db.query<{ mayLook: boolean }>(
		`select has_function_privilege('pg_ls_archive_statusdir()', 'execute') as "mayLook"`,
	);
	if (!rows[0]?.mayLook) return null;
	const found = await db.query<{ sinceMs: number | null }>(
		`select extract(epoch from min(modification))::float8 * 1000 as "sinceMs" from pg_ls_archive_statusdir()
		 where name like '%.ready'`,
	);
	return found.rows[0]?.sinceMs ?? null;
}

/** @param areConfigured whether this process writes rows for standbys */
export async function standbysCheck(db: pg.Pool, areConfigured: boolean): Promise<HealthCheck> {
	if (!areConfigured) return ok('standbys', 'No standby is configured.');
	const standbys = await standbyStatus(db);
	const differing = standbys.filter(({ state }) => state === 'differs').map(({ name }) => name);
	if (differing.length > 0)
		return failing('standbys', `${differing.join(', ')} differs from the exchange.`, 'RUNBOOK, “The standby differs”.');
	const following = standbys.filter(({ state }) => state === 'follows').length;
	return following === 0
		? failing('standbys', 'No standby follows.', 'Start one: without it, a loss of this process lasts a restart.')
		: ok('standbys', `${following} of ${standbys.length} standbys follow.`);
}

/** How old a drill may become, in days, and how it is done. */
const DRILLS = {
	audit: { days: 2, todo: 'Run `npm run audit`, by its timer each night.' },
	backup: { days: 2, todo: 'Run `npm run backup`, by its timer each night.' },
	'day-files': { days: 2, todo: 'Run `npm run day-files`, by its timer each night: look at the disk.' },
	restore: { days: 95, todo: 'Restore a backup elsewhere, as RUNBOOK says, and audit it.' },
	takeover: { days: 95, todo: 'Hand over to a standby, or end the exchange while it is quiet.' },
} as const;
type Drill = keyof typeof DRILLS;
/** Asked for once it was done: not every operator writes days’ files. */
const OPTIONAL: ReadonlySet<Drill> = new Set(['day-files']);

/** The acts of operators who noted that a drill was done. */
export async function drillsCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ drill: Drill; at: number }>(
		`select details ->> 'drill' as drill, max(at) as at from journal where act = 'note-drill' and outcome = 'done'
		 group by 1`,
	);
	const last = new Map(rows.map(({ drill, at }) => [drill, at]));
	const late = (Object.keys(DRILLS) as Drill[]).filter(
		(drill) =>
			(last.has(drill) || !OPTIONAL.has(drill)) &&
			nowMs - (last.get(drill) ?? Number.NEGATIVE_INFINITY) > DRILLS[drill].days * DAY_MS,
	);
	if (late.length === 0) return ok('drills', 'Audit, backup, restore and takeover were done in time.');
	const [first] = late as [Drill];
	return warning(
		'drills',
		`Not noted in time: ${late.join(', ')}.`,
		`${DRILLS[first].todo} Then \`operator note-drill --drill ${first}\`.`,
	);
}
