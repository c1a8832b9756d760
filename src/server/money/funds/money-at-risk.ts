/**
 * Money at risk: the only measure of a player's wagering. It is the largest sum that the player could lose in an event
 * or in a round of the casino, net of void and cancelled bets. Wagering of bonuses, turnover before a withdrawal,
 * cashback, referrals and reports read it; none of them sums up stakes or postings.
 *
 * - The markets of an event with the same outcomes count together, so backing in one and laying in another risks the
 *   difference. Of markets whose outcomes differ, only the largest risk counts.
 * - Accounts with one interest count together, too: bets against each other are no risk, and the remaining risk is
 *   shared out in proportion to the risk of each account alone.
 * - The rows are written by the batch that decides a market or a round (`ledger/money-at-risk`).
 */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import { ONE_INTEREST_WITH_PLAYER, STANDS_ALONE } from '#server/people/persons/linked-accounts.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

type Db = Pick<pg.Pool, 'query'>;

/**
 * Types of markets with the same question about an event: its winner. Other markets have the same question if type and
 * name are equal.
 */
const ON_THE_WINNER = ['MATCH_ODDS', 'BOOKMAKER', 'OUTRIGHT', 'WIN'];

/**
 * SQL: each holder's money at risk by event, as `holder, event, is_round, at, since, amount, long_amount, refs`. Bets
 * on flights of Crash cannot oppose each other, so accounts are not counted together there. In a market whose outcomes
 * cannot be added up, each of several accounts counts only with its risk beyond that of the others.
 * @param rows a relation with the columns of `money_at_risk` and `holder`, whose rows count together
 */
export const riskByEvent = (rows: string): string => `
	with risk as materialized (${rows}), listed as materialized (
		select id, fixture_id, names, case when listing ->> 'type' = any ('{${ON_THE_WINNER.join(',')}}') then 'winner'
			else (listing ->> 'type') || ' ' || (listing ->> 'name') end
			|| (select string_agg(name, '|' order by name) from unnest(names) as name) as question
		from market_listing cross join lateral (
			select array_agg(runner ->> 'name' order by place) as names
			from jsonb_array_elements(listing -> 'runners') with ordinality as runners (runner, place)
		) as outcomes where id in (select ref from risk where what = 'market')
	), about as materialized (
		select holder, what, ref, at, since, amount, long_amount, worths, names,
			case when what <> 'market' then what || ' ' || ref || case what when 'crash' then ' ' || wallet_id else '' end
				when fixture_id is null then 'market ' || ref else 'event ' || fixture_id end as event,
			case when what <> 'market' then '' when cardinality(worths) > 0 and names is not null then question
				else ref::text end as question
		from risk left join listed on what = 'market' and listed.id = ref
	), outcome as (
		select holder, event, question, name, sum(worth) as worth
		from about cross join lateral unnest(worths, names) as outcomes (worth, name)
		where names is not null and worth is not null group by 1, 2, 3, 4
	), together as (
		select holder, event, question, greatest(0, ceil(-min(worth) / 100))::bigint as amount from outcome group by 1, 2, 3
	), alone as (
		select holder, event, question, bool_or(what <> 'market') as is_round, max(at) as at, min(since) as since,
			greatest(0, 2 * max(amount) - sum(amount))::bigint as amount, sum(long_amount)::bigint as long_amount,
			array_agg(ref) as refs
		from about where amount > 0 group by 1, 2, 3
	), asked as (
		select holder, event, is_round, at, since, refs, coalesce(together.amount, alone.amount) as amount,
			least(alone.long_amount, coalesce(together.amount, alone.amount)) as long_amount
		from alone left join together using (holder, event, question)
	)
	select holder, event, bool_or(is_round) as is_round, max(at) as at, min(since) as since,
		max(amount) as amount, max(long_amount) as long_amount, array_agg(distinct ref) as refs
	from asked cross join lateral unnest(refs) as ref group by holder, event`;

/** A player's money at risk in an event, or in a round of the casino. */
interface AtRisk {
	/** Null for a round. */
	marketIds: readonly MarketId[] | null;
	/** When the latest of its markets was decided. */
	atMs: number;
	/** When its first bet was placed. */
	sinceMs: number;
	/** Minor units. */
	amount: AnyMinor;
	/** Of an event, by bets at the shortest odds that count or longer; of a round all. */
	longAmount: AnyMinor;
}

/** Above this number of relatives, those in a market are fewer than all markets of the relatives. */
const MANY_RELATIVES = 200;

/**
 * The money at risk of the player $1 and of accounts with one interest, in the player's own events and rounds. A tree
 * of invitations may have as many accounts as the site. A few relatives are looked up by account, many by market. The
 * planner cannot know the number, so each lookup is a subquery that has to use an index.
 */
const OF_INTEREST = `
	with interest as materialized (select other_id from (${ONE_INTEREST_WITH_PLAYER}) as related where other_id <> $1::bigint),
	own as materialized (select * from money_at_risk where wallet_id = $1), asked as materialized (
		select what, ref from own
		union select 'market', other.id from own join market_listing as listing on what = 'market' and listing.id = ref
			join market_listing as other using (fixture_id)
	), risk as materialized (
		select * from own
		union all select theirs.* from interest cross join lateral (
			select * from money_at_risk where wallet_id = other_id offset 0
		) as theirs join asked using (what, ref) where (select count(*) from interest) <= ${MANY_RELATIVES}
		union all select theirs.* from asked cross join lateral (
			select * from money_at_risk where what = asked.what and ref = asked.ref offset 0
		) as theirs join interest on other_id = wallet_id where (select count(*) from interest) > ${MANY_RELATIVES}
	)
	select wallet_id as holder, * from risk union all
	select 0 as holder, * from risk where exists (select 1 from interest)`;

/** The money at risk of the player $1, who has no relatives. */
const OF_ONE = `select wallet_id as holder, * from money_at_risk where wallet_id = $1`;

/**
 * Leaves out an event while its winner is undecided in one of the markets $2, in which the player or a relative has matched
 * bets, and while one of its markets is being settled: bets of relatives may be decided by a later step than the player's.
 */
const ofPlayer = (rows: string): string => `
	with held as materialized (${riskByEvent(rows)}), shared as (
		select event, sum(amount) as amount from held where holder <> 0 group by event
	), undecided as (
		select distinct 'event ' || fixture_id as event from market_listing
		where id = any ($2::bigint[]) and listing ->> 'type' = any ('{${ON_THE_WINNER.join(',')}}')
		union select coalesce('event ' || fixture_id, 'market ' || market_id)
		from market_state left join market_listing on id = market_id where not is_over and status = 'SETTLING'
	)
	select case when not own.is_round then own.refs::float8[] end as "marketIds", own.at as "atMs", own.since as "sinceMs",
		least(own.amount, floor(own.amount::numeric * together.amount / nullif(shared.amount, 0)))::bigint as amount,
		least(own.long_amount, floor(own.amount::numeric * together.amount / nullif(shared.amount, 0)))::bigint as "longAmount"
	from held as own join shared using (event) left join held as together on together.holder = 0 and together.event = own.event
	where own.holder = $1 and own.event not in (select event from undecided)
	order by own.at, own.event`;

const RELATIVES = `select other_id as id from (${ONE_INTEREST_WITH_PLAYER}) as related where other_id <> $1::bigint`;
const OF_LONER = ofPlayer(OF_ONE);
const AMONG_RELATIVES = ofPlayer(OF_INTEREST);

/** The player's money at risk to date, by event and round, in the order of decision. */
export async function moneyAtRisk(db: Db, exchange: Pick<Exchange, 'openBets'>, playerId: PlayerId): Promise<AtRisk[]> {
	// Read before the tables: what is decided in between is left out, and not counted without its other side.
	const openOf = (walletId: PlayerId) =>
		exchange.openBets(walletId).flatMap(({ marketId, matched }) => (matched > 0 ? [marketId] : []));
	const open = openOf(playerId);
	const values = [playerId, [...new Set(open)]];
	// Nearly all players have no relatives, so that query runs in parallel with the check for relatives.
	const [alone, ofLoner] = await Promise.all([
		db.query<{ isAlone: boolean }>({ name: 'stands-alone', text: STANDS_ALONE, values: [playerId] }),
		db.query<AtRisk>({ name: 'money-at-risk-of-loner', text: OF_LONER, values }),
	]);
	if (alone.rows[0]?.isAlone) return ofLoner.rows;
	const { rows: relatives } = await db.query<{ id: PlayerId }>({
		name: 'relatives',
		text: RELATIVES,
		values: [playerId],
	});
	const openTogether = [...new Set([...open, ...relatives.flatMap(({ id }) => openOf(id))])];
	const together = { name: 'money-at-risk', text: AMONG_RELATIVES, values: [playerId, openTogether] };
	return (await db.query<AtRisk>(together)).rows;
}

/** The share that counts, in per cent. */
export interface Weights {
	sportsWeight: number;
	casinoWeight: number;
}

/** Minor units that count for a reward: events and rounds whose first bet was placed at or after that time. */
export function wageredSince(
	risks: readonly AtRisk[],
	sinceMs: number,
	{ sportsWeight, casinoWeight }: Weights,
): AnyMinor {
	const since = risks.filter((risk) => risk.sinceMs >= sinceMs);
	const [events, rounds] = [since.filter(({ marketIds }) => marketIds), since.filter(({ marketIds }) => !marketIds)];
	const weighed = (of: readonly AtRisk[], weight: number) =>
		Math.floor((of.reduce((sum, { longAmount }) => sum + longAmount, 0) * weight) / 100);
	return weighed(events, sportsWeight) + weighed(rounds, casinoWeight);
}
