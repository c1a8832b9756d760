/**
 * The clock of this machine: its drift against the database's and against a source outside, which the journal keeps, and
 * its jumps, which are significant events: GLI-19, 2.2.
 */
import type pg from 'pg';
import { type ClockSource, SYSTEM_CLOCK } from '#server/exchange/order/exchange-clock.ts';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { type Drift, databaseDrift, middleOf, offAtLeast } from '#server/process/health/clock-drift.ts';
import type { Records } from '#server/process/health/records.ts';
import { sourceDrift } from '#server/process/health/time-source.ts';
import { HOUR_MS } from '#values/time.ts';

const WARNING_MS = 250;
const FAILING_MS = 2_000;
/** The wall clock and the monotonic one part by less while NTP corrects the former. */
const JUMP_MS = 1_000;

interface ClockWatchOptions {
	db: Pick<pg.Pool, 'query'>;
	/** Null without one. */
	timeSource: string | null;
	records: Pick<Records, 'add'>;
	clock?: ClockSource;
}

/** What was measured against one clock since the journal had it last; milliseconds, ours less theirs. */
interface Measured {
	least: number;
	most: number;
	last: number;
}

/** By the clock that was compared with: `database` or `source`. */
type Course = Readonly<Record<string, Measured>>;

export class ClockWatch {
	readonly #options: ClockWatchOptions;
	readonly #clock: ClockSource;
	#offsetMs: number | null = null;
	#course: Course = {};
	#recordedAtMs: number | null = null;
	#drifts: Readonly<Record<string, number>> = {};

	constructor(options: ClockWatchOptions) {
		this.#options = options;
		this.#clock = options.clock ?? SYSTEM_CLOCK;
	}

	/** Ours less theirs at the last look, milliseconds, by the clock that was compared with. */
	get drifts(): Readonly<Record<string, number>> {
		return this.#drifts;
	}

	/** Compares the clocks, and records a jump since the last look, and once an hour the course of the drift. */
	async look(): Promise<HealthCheck> {
		this.#findJump();
		const { db, timeSource } = this.#options;
		const [database, source] = await Promise.all([
			databaseDrift(db),
			timeSource === null ? null : sourceDrift(timeSource).catch((error: Error) => error),
		]);
		const drifts = { database, ...(source === null || source instanceof Error ? {} : { source }) };
		this.#keep(drifts);
		return checkOf(drifts, source instanceof Error ? source : null);
	}

	#findJump(): void {
		const offsetMs = this.#clock.wallMs() - this.#clock.monotonicMs();
		const byMs = Math.round(offsetMs - (this.#offsetMs ?? offsetMs));
		this.#offsetMs = offsetMs;
		if (Math.abs(byMs) >= JUMP_MS) this.#options.records.add('clock-jumped', 'clock', { byMs });
	}

	#keep(drifts: Readonly<Record<string, Drift>>): void {
		const now = Object.entries(drifts).map(([name, drift]): [string, number] => [name, middleOf(drift)]);
		this.#drifts = Object.fromEntries(now);
		this.#course = {
			...this.#course,
			...Object.fromEntries(now.map(([name, ms]) => [name, continued(this.#course[name], ms)])),
		};
		const nowMs = this.#clock.monotonicMs();
		if (this.#recordedAtMs !== null && nowMs - this.#recordedAtMs < HOUR_MS) return;
		this.#recordedAtMs = nowMs;
		this.#options.records.add('clock-measured', 'clock', this.#course);
		this.#course = {};
	}
}

const continued = (before: Measured | undefined, ms: number): Measured => ({
	least: Math.min(before?.least ?? ms, ms),
	most: Math.max(before?.most ?? ms, ms),
	last: ms,
});

const NAMES: Readonly<Record<string, string>> = { database: 'that of the database', source: 'that of TIME_SOURCE' };

/** The deadline of a batch is compared with the database's clock; limits and days go by ours. */
function checkOf(drifts: Readonly<Record<string, Drift>>, unanswered: Error | null): HealthCheck {
	const offs = Object.entries(drifts).map(([name, drift]) => ({ name, off: offAtLeast(drift), ms: middleOf(drift) }));
	const words = offs
		.map(
			({ name, off, ms }) =>
				`The clock of this machine is ${Math.abs(ms)} ms ${ms < 0 ? 'behind' : 'ahead of'} ${NAMES[name]}, ${off} ms off at least.`,
		)
		.join(' ');
	const most = Math.max(...offs.map(({ off }) => off));
	const todo = 'Synchronise both with NTP.';
	if (most >= FAILING_MS) return failing('clock', words, todo);
	if (most >= WARNING_MS) return warning('clock', words, todo);
	return unanswered === null
		? ok('clock', words)
		: warning('clock', `${words} TIME_SOURCE: ${unanswered.message}.`, 'Look at TIME_SOURCE and the way to it.');
}
