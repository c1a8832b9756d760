/**
 * Checks of work that only a person can end: money whose outcome is unknown, messages not delivered, players not
 * answered, cases not decided.
 */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import { failing, type HealthCheck, ok, warning } from '#server/process/health/check.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';
import { dayStart } from '#values/zoned-calendar.ts';

/** A bank answers by then; after it, a person asks the provider. */
const UNKNOWN_WARNING_MS = HOUR_MS;
const UNKNOWN_FAILING_MS = DAY_MS;
/** Codes are valid for ten minutes, and tried for as long. */
const UNSENT_MS = 2 * 60_000;
/** A day is closed an hour after its end at the latest, and its sum trees are made within minutes. */
const UNPROVEN_MS = 3 * HOUR_MS;
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
		 where is_open and kind = 'WITHDRAWAL' and state = 'UNKNOWN' and pool not like 'DEMO%'`,
	);
	const { count = 0, oldest = null } = rows[0] ?? {};
	if (count === 0 || oldest === null) return ok('payouts', 'The outcome of every payout is known.');
	const hours = Math.floor((nowMs - oldest) / HOUR_MS);
	const words = `The outcome of ${count} payouts is unknown, of the oldest for ${hours} hours.`;
	const todo = 'Ask the provider, and decide them in the console under Payments.';
	if (nowMs - oldest > UNKNOWN_FAILING_MS) return failing('payouts', words, todo);
	return nowMs - oldest > UNKNOWN_WARNING_MS ? warning('payouts', words, todo) : ok('payouts', words);
}

/** Of pools that have had a sum tree: one without an account has none. @param zone whose days the books have */
export async function liabilitiesCheck(db: pg.Pool, zone: string, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ pool: string; day: number }>(
		'select pool, max(day) as day from sum_tree group by pool order by pool',
	);
	// The day after the last one that has a tree ends two days after that one began.
	const late = rows.filter(({ day }) => nowMs - dayStart(day + 2, zone) > UNPROVEN_MS);
	const pools = late.map(({ pool }) => pool).join(', ');
	if (late.length > 0)
		return failing(
			'liabilities',
			`The last day is closed, and what the house owes in ${pools} is not proven.`,
			'RUNBOOK, “What the house owes is not proven”.',
		);
	return ok('liabilities', `What the house owes is proven in ${rows.length} pools.`);
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

/** Members still get in by password and second factor, so an issuer that is away is no alarm. */
export async function signOnCheck(
	signOn: { answers(): Promise<boolean>; issuer: string } | null,
): Promise<HealthCheck> {
	if (signOn === null) return ok('sign-on', 'Members log in by name and password.');
	if (await signOn.answers()) return ok('sign-on', 'The log-in of the company answers.');
	return warning('sign-on', `${signOn.issuer} does not answer.`, 'RUNBOOK, “Staff log in by OpenID Connect”.');
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

/** Cases of compliance that are past the deadline of their brand. */
export async function casesCheck(db: pg.Pool, nowMs: number): Promise<HealthCheck> {
	const { rows } = await db.query<{ count: number; oldest: number | null }>(
		`select count(*)::int as count, min(due_at) as oldest from compliance_case where state = 'OPEN' and due_at < $1`,
		[nowMs],
	);
	const { count = 0, oldest = null } = rows[0] ?? {};
	if (count === 0 || oldest === null) return ok('cases', 'No case of compliance is past its deadline.');
	return failing(
		'cases',
		`${count} cases of compliance are past their deadline, one for ${Math.floor((nowMs - oldest) / DAY_MS)} days.`,
		'Decide them in the console under Cases.',
	);
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

/** Bets that are named; the others are counted. */
const NAMED = 5;

/** @param failed codes of shared games whose rounds an error ended; they take no bets */
export function gamesCheck(failed: readonly string[]): HealthCheck {
	if (failed.length === 0) return ok('games', 'No error has ended the rounds of a game.');
	return failing(
		'games',
		`An error ended the rounds of ${failed.join(', ')}.`,
		'The log says which. Once its cause is gone, hand over or restart: the next start ends what was begun.',
	);
}

/** @param paid over all rounds of the house's games so far: the bets that luck does not explain, by name */
export function returnsCheck({ rounds, deviating }: { rounds: number; deviating: readonly string[] }): HealthCheck {
	if (deviating.length === 0) return ok('returns', `The games pay as their pay tables say, in ${rounds} rounds.`);
	const more = deviating.length > NAMED ? `, and ${deviating.length - NAMED} more` : '';
	return failing(
		'returns',
		`Luck does not explain what was paid on ${deviating.slice(0, NAMED).join('; ')}${more}.`,
		'Close the game under Casino, and compare its rounds with `npm run fair -- verify`.',
	);
}
