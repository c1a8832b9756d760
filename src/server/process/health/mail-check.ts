/** Whether mail leaves: the server takes a log-in, and no message waits for long. */
import type pg from 'pg';
import type { Smtp } from '#server/platform/mail/smtp.ts';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { DAY_MS } from '#values/time.ts';

/** A server that was reached is not asked again before this: many count log-ins. */
const VERIFIED_FOR_MS = 10 * 60_000;
/** Codes are valid for ten minutes. */
const UNSENT_MS = 5 * 60_000;
const TODO = 'RUNBOOK, “Mail does not leave”.';

interface MailCheckOptions {
	db: pg.Pool;
	/** Null without a mail server. */
	smtp: Pick<Smtp, 'fault'> | null;
}

export class MailCheck {
	readonly #options: MailCheckOptions;
	/** On the monotonic clock. */
	#verifiedAtMs = Number.NEGATIVE_INFINITY;

	constructor(options: MailCheckOptions) {
		this.#options = options;
	}

	async look(nowMs: number): Promise<HealthCheck> {
		const { db, smtp } = this.#options;
		if (smtp === null) return ok('mail', 'No mail server is configured; players give no addresses.');
		const { rows } = await db.query<{ late: number; dead: number }>(
			`select count(*) filter (where state = 'WAITING')::int as late, count(*) filter (where state = 'DEAD')::int as dead
			 from mail where (state = 'WAITING' and at < $1) or (state = 'DEAD' and ended_at > $2)`,
			[nowMs - UNSENT_MS, nowMs - DAY_MS],
		);
		const { late = 0, dead = 0 } = rows[0] ?? {};
		if (performance.now() - this.#verifiedAtMs > VERIFIED_FOR_MS || late > 0) {
			const fault = await smtp.fault();
			if (fault !== null)
				return failing('mail', `The mail server cannot be used: ${fault}. ${late} messages wait.`, TODO);
			this.#verifiedAtMs = performance.now();
		}
		if (late > 0) return failing('mail', `${late} messages by mail wait for more than five minutes.`, TODO);
		if (dead > 0) return warning('mail', `${dead} messages by mail were given up in the last day.`, TODO);
		return ok('mail', 'Mail is delivered to the mail server.');
	}
}
