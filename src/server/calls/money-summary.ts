/** "Your money": the statement's rows, summed by source and destination. */
import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { gameName } from '#server/calls/game-name.ts';
import type { Parts } from '#server/calls/handler.ts';
import { HELD_NOW, MONEY_MOVES, type MoneyCategory, moneyCondition } from '#server/money/funds/money-rows.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';

/** Minor units. */
interface Results {
	count: number;
	credited: AnyMinor;
	debited: AnyMinor;
	net: AnyMinor;
}

interface Summary {
	/** Now. */
	cash: AnyMinor;
	held: AnyMinor;
	bonus: AnyMinor;
	/** The changes of the free and the held balance: in the period and later. */
	changed: { isLater: boolean; cash: AnyMinor; held: AnyMinor }[];
	sports: (Results & { sportId: number; commission: AnyMinor })[];
	casino: (Results & { game: string })[];
	others: { category: MoneyCategory; amount: AnyMinor }[];
}

const RESULTS = `count(*) as count, sum(greatest(result, 0)) as credited, sum(greatest(-result, 0)) as debited`;
const list = (rows: string): string => `coalesce((select json_agg(one) from (${rows}) as one), '[]')`;

/** One statement sees one state of the ledger, so that the current balances agree with the rows. */
const summaryOf = (within: string, later: string): string => `
	with money as materialized (${MONEY_MOVES}), period as materialized (select * from money where ${within}),
	market as (
	  select market_id, sum(amount + commission) as result, sum(commission) as commission from period
	  where category = 'SPORTS' group by market_id
	), round as (select game, sum(amount) as result from period where category = 'CASINO' group by game, ref)
	select cash, ${HELD_NOW} as held, bonus,
	  ${list(`select ${later} as "isLater", sum(amount) as cash, coalesce(-sum(amount) filter (where category = 'HELD'), 0) as held
	    from money where (${within}) or ${later} group by 1`)} as changed,
	  ${list(`select coalesce(sport_id, 0) as "sportId", ${RESULTS}, sum(commission) as commission,
	    sum(result - commission) as net from market left join market_listing as listed on listed.id = market_id
	    left join fixture on fixture.id = listed.fixture_id group by 1 order by 1`)} as sports,
	  ${list(`select game, ${RESULTS}, sum(result) as net from round group by game order by game`)} as casino,
	  ${list(`select category, sum(amount) as amount from period where category not in ('HELD', 'SPORTS', 'CASINO')
	    group by category order by category`)} as others
	from wallet where wallet_id = $1`;

const wireResults = ({ count, credited, debited, net }: Results) => ({
	count,
	credited: majorFromMinor(credited),
	debited: majorFromMinor(debited),
	net: majorFromMinor(net),
});

export interface SummaryParts extends Pick<Parts, 'reads'> {
	providers: Pick<Parts['providers'], 'games'>;
}

export async function moneySummary(
	{ reads, providers }: SummaryParts,
	playerId: PlayerId,
	{ from, to }: RequestOf<Calls['getMoneySummary']>,
): Promise<ResultOf<Calls['getMoneySummary']>> {
	const values: unknown[] = [playerId];
	const within = moneyCondition({ from, to }, values);
	const later = to ? `at > $${values.push(Date.parse(to))}` : 'false';
	const { rows } = await reads.query<Summary>(summaryOf(within, later), values);
	const summary = rows[0];
	if (!summary) throw new Refused('UNKNOWN_USER');
	const now = { cash: summary.cash, held: Number(summary.held) };
	const without = (standing: typeof now, isLater: boolean): typeof now => {
		const change = summary.changed.find((one) => one.isLater === isLater);
		return { cash: standing.cash - (change?.cash ?? 0), held: standing.held - (change?.held ?? 0) };
	};
	const after = without(now, true);
	const before = without(after, false);
	const standing = ({ cash, held }: typeof now) => ({ balance: majorFromMinor(cash), held: majorFromMinor(held) });
	return {
		before: standing(before),
		after: standing(after),
		sports: summary.sports.map(({ sportId, commission, ...sums }) => ({
			sportId,
			...wireResults(sums),
			commission: majorFromMinor(commission),
		})),
		casino: summary.casino.map(({ game, ...sums }) => ({
			game,
			name: gameName(providers, game),
			...wireResults(sums),
		})),
		others: summary.others.map(({ category, amount }) => ({ category, amount: majorFromMinor(amount) })),
		bonus: majorFromMinor(summary.bonus),
	};
}
