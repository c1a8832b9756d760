/** The activity of players of a sign-up period since then, one by one or by the month of their sign-up. */

import { riskByEvent } from '#server/money/funds/money-at-risk.ts';
import { grossRevenue } from '#server/operators/gross-revenue.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/** Limit of players listed one by one; highest gross revenue first. */
const MOST_PLAYERS = 1_000;

interface Row {
	group: string;
	/** Null for a group of several players. */
	playerId: number | null;
	brand: string;
	pool: string;
	players: number;
	active: number;
	firstBetAtMs: number | null;
	days: number;
	deposits: AnyPaise;
	withdrawals: AnyPaise;
	turnover: AnyPaise;
	won: AnyPaise;
	commission: AnyPaise;
	bonuses: AnyPaise;
}

const dayOf = (at: string) => `(${at} + ${INDIA_OFFSET_MS}) / ${DAY_MS}`;
const MONTH = `to_char(to_timestamp((created_at + ${INDIA_OFFSET_MS}) / 1000) at time zone 'UTC', 'YYYY-MM')`;
/** A posting that brings money from outside to the player, or takes it out; null for one within the player's accounts. */
const FROM_OUTSIDE = `case when (debit in ('cash', 'hold')) = (credit in ('cash', 'hold')) then null
	when credit in ('cash', 'hold') then amount else -amount end`;

/**
 * A row for each player who signed up from $1 to before $2 at the brands $3; demo players are left out. Each lateral
 * part reads one player's rows by an index. First bets in a detached month are not found.
 */
export const LIFETIMES = `
	with signed as materialized (
		select player_id, user_name, brand, pool, created_at from player
		where created_at >= $1 and created_at < $2 and brand = any ($3) and not is_demo
	), life as (
		select signed.*, least(bets.first_at, rounds.first_at) as first_at,
			(select count(distinct day) from (
				select ${dayOf('at')} as day from player_settlement where wallet_id = player_id
				union all select ${dayOf('at')} from workflow
					where wallet_id = player_id and kind = 'CASINO' and not is_open
			) as active)::int as days,
			money.deposits, money.withdrawals,
			risk.amount as turnover,
			settled.net + rounds.won as won, settled.commission, bonus.paise as bonuses
		from signed
		cross join lateral (
			select min(placed_at) as first_at from bet where wallet_id = player_id
		) as bets cross join lateral (
			select coalesce(sum(amount), 0) as amount from (${riskByEvent(
				'select wallet_id as holder, money_at_risk.* from money_at_risk where wallet_id = player_id',
			)}) as event
		) as risk cross join lateral (
			select coalesce(sum(net), 0) as net, coalesce(sum(commission), 0) as commission
			from player_settlement where wallet_id = player_id
		) as settled cross join lateral (
			select min(opened_at) as first_at, coalesce(sum((data ->> 'payout')::bigint - (data ->> 'stake')::bigint), 0) as won
			from workflow where wallet_id = player_id and kind = 'CASINO' and not is_open
		) as rounds cross join lateral (
			select coalesce(sum(${FROM_OUTSIDE}) filter (where kind <> 'WITHDRAWAL'), 0) as deposits,
				coalesce(-sum(${FROM_OUTSIDE}) filter (where kind = 'WITHDRAWAL'), 0) as withdrawals
			from posting where wallet_id = player_id and kind in ('PAYMENT', 'DISPUTE', 'DEPOSIT', 'WITHDRAWAL')
		) as money cross join lateral (
			select coalesce(sum(coalesce(data ->> 'amount', '0')::bigint), 0) as paise
			from workflow where wallet_id = player_id and kind = 'BONUS' and state = 'RELEASED'
		) as bonus
	)`;

const SUMS = ['deposits', 'withdrawals', 'turnover', 'won', 'commission', 'bonuses'] as const;

const STATEMENTS = {
	player: `${LIFETIMES}
		select user_name as "group", player_id as "playerId", brand, pool, 1 as players, (first_at is not null)::int as active,
			first_at as "firstBetAtMs", days, ${SUMS.map((name) => `${name}::bigint as ${name}`).join(', ')}
		from life order by commission - won desc, player_id limit ${MOST_PLAYERS}`,
	month: `${LIFETIMES}
		select ${MONTH} as "group", null as "playerId", brand, pool, count(*)::int as players,
			count(first_at)::int as active, min(first_at) as "firstBetAtMs", sum(days)::int as days,
			${SUMS.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
		from life group by 1, brand, pool order by 1, brand, pool`,
} as const;

export async function lifetimes(
	reads: Pick<HeavyReads, 'query'>,
	by: keyof typeof STATEMENTS,
	{ fromMs, toMs, hosts }: { fromMs: number; toMs: number; hosts: readonly string[] },
) {
	const { rows } = await reads.query<Row>(STATEMENTS[by], [fromMs, toMs, hosts]);
	return rows.map(({ playerId, firstBetAtMs, won, ...row }) => ({
		group: row.group,
		playerId: playerId === null ? null : String(playerId),
		brand: row.brand,
		pool: row.pool,
		players: row.players,
		active: row.active,
		firstBet: firstBetAtMs === null ? null : new Date(firstBetAtMs).toISOString(),
		days: row.days,
		deposits: majorFromPaise(row.deposits),
		withdrawals: majorFromPaise(row.withdrawals),
		turnover: majorFromPaise(row.turnover),
		ggr: majorFromPaise(grossRevenue({ won, commission: row.commission })),
		bonuses: majorFromPaise(row.bonuses),
	}));
}
