/** Checks of work that only a person can end: money whose outcome is unknown, messages not delivered, players not answered. */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** A bank answers by then; after it, a person asks the provider. */
const UNKNOWN_WARNING_MS = HOUR_MS;
const UNKNOWN_FAILING_MS = DAY_MS;
/** Codes are valid for ten minutes, and tried for as long. */
const UNSENT_MS = 2 * 60_000;
/** A receiver that is restarted is back by then. */
const AWAY_WARNING_MS = HOUR_MS;

export function exchangeCheck(exchange: Pick<Exchange, 'isOpen' | 'figures'>): HealthCheck {
	if (!exchange.isOpen())
		return failing(
			'exchange',
			'The exchange takes no commands.',
			'RUNBOOK, “The database is gone, frozen, or refuses”.',
		);
	const { feedLeases, unevenMarkets, markets, bets } = exchange.figures();
	if (unevenMarkets.length > 0)
		return failing(
			'exchange',
			`The bets of market ${unevenMarkets.join(', ')} do not add up: its settlement has stopped.`,
			'RUNBOOK, “A settlement does not add up”.',
		);
	const runOut = feedLeases['runOut'] ?? 0;
	if (runOut > 0)
		return warning(
			'exchange',
			`${runOut} markets are suspended: their feed is silent.`,
			'RUNBOOK, “A feed is silent”.',
		);
	return ok('exchange', `${markets} markets and ${bets} bets are in memory.`);
}

/** The beacon of shared rounds: each in a sentence, or null for nothing. */
export interface WatchedBeacon {
	/** What players of those pools lack. */
	lackFor(pools: readonly Pool[]): string | null;
	/** Why it decides nothing now. */
	silence(): Promise<string | null>;
}

/** @param pools of the brands that are served */
export async function beaconCheck(beacon: WatchedBeacon, pools: readonly Pool[]): Promise<HealthCheck> {
	const lack = beacon.lackFor(pools);
	if (lack !== null) return failing('beacon', lack, 'RUNBOOK, “Connect a beacon”.');
	const silence = await beacon.silence();
	if (silence !== null) return failing('beacon', silence, 'RUNBOOK, “The beacon is silent”.');
	return ok('beacon', beacon.lackFor(POOLS) ?? 'A public beacon decides shared rounds.');
}

export async function payoutsCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ count: number; oldest: number | null }>(
		`select count(*)::int as count, min(at) as oldest from workflow
		 where is_open and kind = 'WITHDRAWAL' and state = 'UNKNOWN' and pool <> 'DEMO'`,
	);
	const { count = 0, oldest = null } = rows[0] ?? {};
	if (count === 0 || oldest === null) return ok('payouts', 'The outcome of every payout is known.');
	const hours = Math.floor((nowMs - oldest) / HOUR_MS);
	const words = `The outcome of ${count} payouts is unknown, of the oldest for ${hours} hours.`;
	const todo = 'Ask the provider, and decide them in the console under Payments.';
	if (nowMs - oldest > UNKNOWN_FAILING_MS) return failing('payouts', words, todo);
	return nowMs - oldest > UNKNOWN_WARNING_MS ? warning('payouts', words, todo) : ok('payouts', words);
}

/** @param isSent whether a gateway for text messages is configured */
export async function messagesCheck(db: pg.Pool, isSent: boolean, nowMs: number): Promise<HealthCheck> {
	if (!isSent) return ok('messages', 'No gateway for text messages is configured; operators read the outbox.');
	const { rows } = await db.query<{ count: number }>(
		'select count(*)::int as count from outbox where sent_at is null and at < $1',
		[nowMs - UNSENT_MS],
	);
	const count = rows[0]?.count ?? 0;
	return count === 0
		? ok('messages', 'Text messages are delivered.')
		: failing('messages', `${count} text messages could not be delivered.`, 'Ask the provider of SMS_GATEWAY_URL.');
}

/** Webhooks that were given up, and endpoints that take none. */
export async function webhooksCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ dead: number; away: string[] }>(
		`select (select count(*)::int from webhook_delivery where state = 'DEAD') as dead,
		   (select coalesce(array_agg(distinct brand order by brand), '{}') from webhook_endpoint
		    where not is_paused and failing_since < $1) as away`,
		[nowMs - AWAY_WARNING_MS],
	);
	const { dead = 0, away = [] } = rows[0] ?? {};
	const todo = 'RUNBOOK, “Webhooks are not taken”.';
	if (dead > 0) return failing('webhooks', `${dead} webhooks were given up.`, todo);
	if (away.length > 0) return warning('webhooks', `An endpoint of ${away.join(', ')} takes no webhooks.`, todo);
	return ok('webhooks', 'Webhooks are taken, or wait for less than an hour.');
}

/** Players wait for longer than their brand promises them. */
export async function ticketsCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ count: number; oldest: number | null }>(
		`select count(*)::int as count, min(due_at) as oldest from ticket where state <> 'CLOSED' and due_at < $1`,
		[nowMs],
	);
	const { count = 0, oldest = null } = rows[0] ?? {};
	if (count === 0 || oldest === null) return ok('tickets', 'No player waits for longer than promised.');
	return failing(
		'tickets',
		`${count} messages or complaints of players are past their deadline, one for ${Math.floor((nowMs - oldest) / HOUR_MS)} hours.`,
		'Answer them in the console under Messages.',
	);
}
