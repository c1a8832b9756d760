/** Reports over settled markets, rounds of the casino and bonuses. */
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { gameOf } from '#games/all-games.ts';
import { DAY_MS, dayStartMs } from '#server/funds/calendar.ts';
import { type Act, act, type OperatorOptions } from '#server/operator/act.ts';
import { dayBooks } from '#server/operator/day-books.ts';
import { visibleBrands } from '#server/operator/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { sportById } from '#values/sports.ts';

const HOUR_MS = 3_600_000;
/** A longer period is asked for in parts. */
const MOST_DAYS = 92;

interface Figures {
	group: string;
	pool: string;
	players: number;
	results: number;
	won: AnyPaise;
	commission: AnyPaise;
}

interface Period {
	fromMs: number;
	toMs: number;
	hosts: readonly string[];
}

/** What a row of a settled market belongs to. */
const GROUP_OF = {
	brand: 'brand',
	day: `to_char(to_timestamp((at + ${INDIA_OFFSET_MS}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')`,
	hour: `to_char(to_timestamp((at + ${INDIA_OFFSET_MS}) / ${HOUR_MS} * 3600) at time zone 'UTC', 'YYYY-MM-DD HH24:00')`,
	sport: 'sport_id::text',
	market: `title || ' · ' || (listing ->> 'name')`,
} as const;

async function marketFigures(
	{ reads }: OperatorOptions,
	by: keyof typeof GROUP_OF,
	{ fromMs, toMs, hosts }: Period,
): Promise<Figures[]> {
	const listed = `left join market_listing on market_listing.id = market_id left join fixture on fixture.id = fixture_id`;
	const { rows } = await reads.query<Figures>(
		`select coalesce(${GROUP_OF[by]}, '') as "group", player.pool, count(distinct wallet_id)::int as players,
		   count(*)::int as results, sum(net)::bigint as won, sum(commission)::bigint as commission
		 from player_settlement join player on player_id = wallet_id
		 ${by === 'sport' || by === 'market' ? listed : ''}
		 where at >= $1 and at < $2 and brand = any ($3) group by 1, 2 order by 1, 2`,
		[fromMs, toMs, hosts],
	);
	return rows;
}

/** What bonuses cost by brand: those that became the player's money in the period. */
async function bonusCost({ reads }: OperatorOptions, { fromMs, toMs, hosts }: Period): Promise<Map<string, AnyPaise>> {
	const { rows } = await reads.query<{ brand: string; pool: string; paise: AnyPaise }>(
		`select brand, player.pool, sum(coalesce(data ->> 'amount', '0')::bigint)::bigint as paise
		 from workflow join player on player_id = wallet_id
		 where kind = 'BONUS' and state = 'RELEASED' and at >= $1 and at < $2 and brand = any ($3) group by 1, 2`,
		[fromMs, toMs, hosts],
	);
	return new Map(rows.map(({ brand, pool, paise }) => [`${brand} ${pool}`, paise]));
}

interface GameFigures extends Omit<Figures, 'commission'> {
	staked: AnyPaise;
}

async function gameFigures({ reads }: OperatorOptions, { fromMs, toMs, hosts }: Period): Promise<GameFigures[]> {
	const { rows } = await reads.query<GameFigures>(
		`select data ->> 'game' as "group", player.pool, count(distinct wallet_id)::int as players, count(*)::int as results,
		   sum((data ->> 'stake')::bigint)::bigint as staked,
		   sum((data ->> 'payout')::bigint - (data ->> 'stake')::bigint)::bigint as won
		 from workflow join player on player_id = wallet_id
		 where kind = 'CASINO' and not is_open and brand = any ($3) and at >= $1 and at < $2
		   and id > coalesce((select id from workflow where kind = 'CASINO' and opened_at < $1 - ${DAY_MS}
		     order by kind desc, id desc limit 1), 0)
		 group by 1, 2 order by 1, 2`,
		[fromMs, toMs, hosts],
	);
	return rows;
}

/** The number of a day since 1970. */
const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const startOf = (day: string): number => dayStartMs(numberOf(day));

/** @throws Refused VALIDATION_FAILED */
function checkPeriod(first: number, last: number): void {
	if (last < first || last - first >= MOST_DAYS)
		throw new Refused('VALIDATION_FAILED', {}, `The period has between 1 and ${MOST_DAYS} days.`);
}

export const REPORT_ACTS: Record<string, Act> = {
	'report-profit': act({
		...OPERATOR_CALLS['report-profit'],
		run: async ({ from, to, by }, parts, { member }) => {
			checkPeriod(numberOf(from), numberOf(to));
			const [fromMs, toMs] = [startOf(from), startOf(to) + DAY_MS];
			const period = { fromMs, toMs, hosts: visibleBrands(parts, member).map(({ host }) => host) };
			if (by === 'game') {
				return (await gameFigures(parts, period)).map(({ group, pool, players, results, staked, won }) => ({
					group: gameOf(group)?.name ?? group,
					pool,
					players,
					results,
					staked: majorFromPaise(staked),
					playersWon: majorFromPaise(won),
					commission: 0,
					bonuses: 0,
					house: majorFromPaise(0 - won),
				}));
			}
			const bonuses = by === 'brand' ? await bonusCost(parts, period) : new Map<string, AnyPaise>();
			return (await marketFigures(parts, by, period)).map(({ group, pool, players, results, won, commission }) => {
				const bonus = bonuses.get(`${group} ${pool}`) ?? 0;
				return {
					group: by === 'sport' ? (sportById(Number(group))?.key ?? '') : group,
					pool,
					players,
					results,
					staked: null,
					playersWon: majorFromPaise(won),
					commission: majorFromPaise(commission),
					bonuses: majorFromPaise(bonus),
					house: majorFromPaise(commission - bonus),
				};
			});
		},
	}),
	'trial-balance': act({
		...OPERATOR_CALLS['trial-balance'],
		run: async ({ pool, day }, { reads }) => {
			const untilMs = day === undefined ? null : startOf(day) + DAY_MS;
			const { rows } = await reads.query<{ account: string; balance: AnyPaise }>(
				`select account, sum(amount)::bigint as balance from (
				   select credit as account, amount from posting where pool = $1 and ($2::bigint is null or at < $2)
				   union all select debit, -amount from posting where pool = $1 and ($2::bigint is null or at < $2)
				 ) as moves group by account having sum(amount) <> 0 order by account`,
				[pool, untilMs],
			);
			return rows.map(({ account, balance }) => ({ account, balance: majorFromPaise(balance) }));
		},
	}),
	'day-books': act({
		...OPERATOR_CALLS['day-books'],
		run: async ({ pool, from, to }, { reads }) => {
			const [first, last] = [numberOf(from), numberOf(to)];
			checkPeriod(first, last);
			return (await dayBooks(reads, pool, { first, last })).map(({ day, ...entry }) => ({
				...entry,
				day: new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length),
				opening: majorFromPaise(entry.opening),
				debits: majorFromPaise(entry.debits),
				credits: majorFromPaise(entry.credits),
				closing: majorFromPaise(entry.closing),
			}));
		},
	}),
};
