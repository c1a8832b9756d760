/**
 * What waits for a person, for Prometheus: money, proposals, feeds' findings, and checks that fail. The database is asked
 * at most every few seconds, however often it is scraped, and one query at a time.
 */
import type pg from 'pg';
import type { Metrics, Reading } from '#server/process/metrics/metrics.ts';
import { sharedReading } from '#server/process/metrics/shared-reading.ts';

/** A scrape within this time gets the same answer. */
const HOLDS_MS = 10_000;

interface Waiting {
	what: string;
	count: number;
	oldestMs: number;
}

/** Of the demo pool nothing is counted: it has no money. */
const WAITING = `select lower(kind || '_' || state) as what, count(*)::int as count, min(opened_at) as "oldestMs"
		from workflow where is_open and pool not like 'DEMO%' and kind <> 'CASINO' group by 1
	union all select 'proposal_open', count(*)::int, coalesce(min(proposed_at), 0) from proposal where state = 'OPEN'
	union all select 'finding_open', count(*)::int, coalesce(min(reported_at), 0) from feed_finding where closed_at is null`;

export interface BusinessSources {
	db: pg.Pool;
	/** Checks that fail for longer. */
	alarms: () => readonly { name: string }[];
}

export function watchBusiness(metrics: Metrics, { db, alarms }: BusinessSources): void {
	const waiting = sharedReading(async () => (await db.query<Waiting>(WAITING)).rows, HOLDS_MS);
	metrics.gauge({
		name: 'backlay_waiting',
		help: 'Deposits, withdrawals, payments, disputes, adjustments, proposals and findings that are open, by what and state.',
		label: 'what',
		read: async () => (await waiting()).map(({ what, count }): Reading => [what, count]),
	});
	metrics.gauge({
		name: 'backlay_waiting_oldest_seconds',
		help: 'For how long the oldest of them has been open.',
		label: 'what',
		read: async () =>
			(await waiting())
				.filter(({ count }) => count > 0)
				.map(({ what, oldestMs }): Reading => [what, Math.max(0, Math.round((Date.now() - oldestMs) / 1000))]),
	});
	metrics.gauge({
		name: 'backlay_alarms',
		help: 'Checks of `operator doctor` that fail for longer.',
		read: () => alarms().length,
	});
}
