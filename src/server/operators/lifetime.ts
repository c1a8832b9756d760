/** The activity of players of a sign-up period since then, one by one or by the month of their sign-up. */

import { riskByEvent } from '#server/money/funds/money-at-risk.ts';
import { BONUS_COST, IS_BONUS_COST } from '#server/operators/bonus-cost.ts';
import { grossRevenue } from '#server/operators/gross-revenue.ts';
import { type DayPeriod, instantsOf, nameOfSpan, SPAN_OF_ROW, startsOfSpans } from '#server/operators/zone-reports.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { dayOf, daysBetween, monthsBetween } from '#values/zoned-calendar.ts';

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
	deposits: AnyMinor;
	withdrawals: AnyMinor;
	turnover: AnyMinor;
	won: AnyMinor;
	commission: AnyMinor;
	bonuses: AnyMinor;
}

/** A posting that brings money from outside to the player, or takes it out; null for one within the player's accounts. */
const FROM_OUTSIDE = `case when (debit in ('cash', 'hold')) = (credit in ('cash', 'hold')) then null
	when credit in ('cash', 'hold') then amount else -amount end`;

/**
 * A row for each player who signed up from $1 to before $2 at the brands $3; demo players are left out. Days begin at
 * the instants $4. Each lateral part reads one player's rows by an index. Of a player with bets in a detached month it is not
 * known when the first one was.
 */
export const LIFETIMES = `
	with signed as materialized (
		select player_id, user_name, brand, pool, created_at from player
		where created_at >= $1 and created_at < $2 and brand = any ($3) and not is_demo
	), life as (
		select signed.*, case when not detached.has_bets then least(bets.first_at, rounds.first_at) end as first_at,
			detached.has_bets or bets.first_at is not null or rounds.first_at is not null as is_active,
			(select count(distinct day) from (
				select ${SPAN_OF_ROW} as day from player_settlement where wallet_id = player_id
				union all select ${SPAN_OF_ROW} from workflow
					where wallet_id = player_id and kind = 'CASINO' and not is_open
			) as active)::int as days,
			money.deposits, money.withdrawals,
			risk.amount as turnover,
			settled.net + rounds.won as won, settled.commission, money.bonuses
		from signed
		cross join lateral (
			select exists (select from detached_bets where wallet_id = player_id) as has_bets
		) as detached cross join lateral (
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
			select coalesce(sum(${FROM_OUTSIDE}) filter (where kind in ('PAYMENT', 'DISPUTE', 'DEPOSIT')), 0) as deposits,
				coalesce(-sum(${FROM_OUTSIDE}) filter (where kind = 'WITHDRAWAL'), 0) as withdrawals,
				coalesce(sum(${BONUS_COST}) filter (where ${IS_BONUS_COST}), 0) as bonuses
			from posting where wallet_id = player_id
		) as money
	)`;

const SUMS = ['deposits', 'withdrawals', 'turnover', 'won', 'commission', 'bonuses'] as const;

const STATEMENTS = {
	player: `${LIFETIMES}
		select user_name as "group", player_id as "playerId", brand, pool, 1 as players, is_active::int as active,
			first_at as "firstBetAtMs", days, ${SUMS.map((name) => `${name}::bigint as ${name}`).join(', ')}
		from life order by commission - won desc, player_id limit ${MOST_PLAYERS}`,
	month: `${LIFETIMES}
		select width_bucket(created_at, $5::bigint[])::text as "group", null as "playerId", brand, pool, count(*)::int as players,
			(count(*) filter (where is_active))::int as active,
			case when count(first_at) = count(*) filter (where is_active) then min(first_at) end as "firstBetAtMs", sum(days)::int as days,
			${SUMS.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
		from life group by 1, brand, pool`,
} as const;

export async function lifetimes(
	reads: Pick<HeavyReads, 'query'>,
	by: keyof typeof STATEMENTS,
	{ first, last, zone, hosts, nowMs }: DayPeriod & { zone: string; hosts: readonly string[]; nowMs: number },
) {
	const { fromMs, toMs } = instantsOf({ first, last }, zone);
	// An activity is never before the sign-up.
	const days = daysBetween(first, dayOf(nowMs, zone), zone);
	const months = by === 'month' ? monthsBetween(first, last, zone) : [];
	const { rows } = await reads.query<Row>(STATEMENTS[by], [
		fromMs,
		toMs,
		hosts,
		startsOfSpans(days),
		...(by === 'month' ? [startsOfSpans(months)] : []),
	]);
	return rows.map(({ playerId, firstBetAtMs, won, ...row }) => ({
		group: by === 'month' ? nameOfSpan(months, Number(row.group)) : row.group,
		playerId: playerId === null ? null : String(playerId),
		brand: row.brand,
		pool: row.pool,
		players: row.players,
		active: row.active,
		firstBet: firstBetAtMs === null ? null : new Date(firstBetAtMs).toISOString(),
		days: row.days,
		deposits: majorFromMinor(row.deposits),
		withdrawals: majorFromMinor(row.withdrawals),
		turnover: majorFromMinor(row.turnover),
		ggr: majorFromMinor(grossRevenue({ won, commission: row.commission })),
		bonuses: majorFromMinor(row.bonuses),
	}));
}

type Lifetime = Awaited<ReturnType<typeof lifetimes>>[number];

/** What was read by zone, as of one: players by gross revenue, the highest first, and months by time. */
export function inOrder(rows: readonly Lifetime[], by: keyof typeof STATEMENTS): Lifetime[] {
	if (by === 'player')
		return rows
			.toSorted((one, other) => other.ggr - one.ggr || Number(one.playerId) - Number(other.playerId))
			.slice(0, MOST_PLAYERS);
	const nameOf = ({ group, brand, pool }: Lifetime) => `${group} ${brand} ${pool}`;
	return rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
