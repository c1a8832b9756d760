/** Reports over settled markets, rounds of the casino and bonuses. */
import { gameOf } from '#games/all-games.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { dayStartMs } from '#server/money/funds/calendar.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { dayBooks } from '#server/operators/day-books.ts';
import {
	grossRevenue,
	HOUR_OF_RESULT,
	RESULTS,
	REVENUE,
	type Revenue,
	revenueOf,
} from '#server/operators/gross-revenue.ts';
import { lifetimes } from '#server/operators/lifetime.ts';
import { suspiciousMatches } from '#server/operators/suspicious-matches.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { sportById } from '#values/sports.ts';
import { DAY_MS } from '#values/time.ts';

/** A longer period has to be requested in parts. */
const MOST_DAYS = 92;
const MOST_DAYS_OF_MATCHES = 31;
/** Of a pair of accounts. */
const MOST_MARKETS = 10;

interface Figures extends Revenue {
	group: string;
	pool: string;
	players: number;
	results: number;
}

interface Period {
	fromMs: number;
	toMs: number;
	hosts: readonly string[];
}

const CASINO = 'casino';
const MARKET = `left join market_listing on market_listing.id = market_id left join fixture on fixture.id = fixture_id`;

/** The grouping of results: the group's expression, its filter, and its name. */
const GROUPS = {
	brand: { of: 'brand' },
	day: { of: `to_char(to_timestamp((at + ${INDIA_OFFSET_MS}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')` },
	hour: { of: HOUR_OF_RESULT },
	sport: { of: `case when game is null then sport_id::text else '${CASINO}' end`, join: MARKET },
	market: { of: `title || ' · ' || (listing ->> 'name')`, join: MARKET, where: 'game is null' },
	game: { of: 'game', where: 'game is not null' },
} as const satisfies Record<string, { of: string; join?: string; where?: string }>;

type GroupedBy = keyof typeof GROUPS;

async function figures({ reads }: OperatorOptions, by: GroupedBy, { fromMs, toMs, hosts }: Period): Promise<Figures[]> {
	const { of, join = '', where = 'true' }: { of: string; join?: string; where?: string } = GROUPS[by];
	const { rows } = await reads.query<Figures>(
		`${RESULTS}
		 select coalesce(${of}, '') as "group", pool, count(distinct wallet_id)::int as players, count(*)::int as results,
		   ${REVENUE}
		 from result ${join} where ${where} group by 1, 2 order by 1, 2`,
		[fromMs, toMs, hosts],
	);
	return rows;
}

/** The group's name: of a sport its key, of a game its title. */
function nameOf(by: GroupedBy, group: string): string {
	if (by === 'game') return gameOf(group)?.name ?? group;
	return by === 'sport' && group !== CASINO ? (sportById(Number(group))?.key ?? '') : group;
}

/** The cost of bonuses by brand: those that became the player's money in the period. */
async function bonusCost({ reads }: OperatorOptions, { fromMs, toMs, hosts }: Period): Promise<Map<string, AnyPaise>> {
	const { rows } = await reads.query<{ brand: string; pool: string; paise: AnyPaise }>(
		`select brand, player.pool, sum(coalesce(data ->> 'amount', '0')::bigint)::bigint as paise
		 from workflow join player on player_id = wallet_id
		 where kind = 'BONUS' and state = 'RELEASED' and at >= $1 and at < $2 and brand = any ($3) and not is_demo group by 1, 2`,
		[fromMs, toMs, hosts],
	);
	return new Map(rows.map(({ brand, pool, paise }) => [`${brand} ${pool}`, paise]));
}

/** The number of a day since 1970. */
const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const startOf = (day: string): number => dayStartMs(numberOf(day));

/** @throws Refused VALIDATION_FAILED */
function checkPeriod(first: number, last: number, most = MOST_DAYS): void {
	if (last < first || last - first >= most)
		throw new Refused('VALIDATION_FAILED', {}, `The period has between 1 and ${most} days.`);
}

export const REPORT_ACTS: ActsOf<
	'report-profit' | 'report-lifetime' | 'suspicious-matches' | 'trial-balance' | 'day-books'
> = {
	'report-profit': async ({ from, to, by }, parts, { member }) => {
		checkPeriod(numberOf(from), numberOf(to));
		const [fromMs, toMs] = [startOf(from), startOf(to) + DAY_MS];
		const period = { fromMs, toMs, hosts: visibleBrands(parts, member).map(({ host }) => host) };
		const bonuses = by === 'brand' ? await bonusCost(parts, period) : new Map<string, AnyPaise>();
		return (await figures(parts, by, period)).map((row) => {
			const { group, pool, players, results } = row;
			const bonus = bonuses.get(`${group} ${pool}`) ?? 0;
			return {
				group: nameOf(by, group),
				pool,
				players,
				results,
				...revenueOf([row]),
				bonuses: majorFromPaise(bonus),
				house: majorFromPaise(grossRevenue(row) - bonus),
			};
		});
	},
	'report-lifetime': async ({ from, to, by }, parts, { member }) => {
		checkPeriod(numberOf(from), numberOf(to));
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		return await lifetimes(parts.reads, by, { fromMs: startOf(from), toMs: startOf(to) + DAY_MS, hosts });
	},
	'suspicious-matches': async ({ from, to }, parts, { member }) => {
		checkPeriod(numberOf(from), numberOf(to), MOST_DAYS_OF_MATCHES);
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		const pairs = await suspiciousMatches(parts.reads, { fromMs: startOf(from), toMs: startOf(to) + DAY_MS, hosts });
		return pairs.map(({ pool, why, matches, open, farOff, markets, ...pair }) => ({
			one: { playerId: String(pair.oneId), userName: pair.oneName, brand: pair.oneBrand },
			other: { playerId: String(pair.otherId), userName: pair.otherName, brand: pair.otherBrand },
			pool,
			why,
			matches,
			stake: majorFromPaise(pair.stake),
			gain: majorFromPaise(pair.gain),
			open,
			farOff,
			markets: markets.slice(0, MOST_MARKETS),
			last: isoTime(pair.lastMs),
		}));
	},
	'trial-balance': async ({ pool, day }, { reads }) => {
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
	'day-books': async ({ pool, from, to }, { reads }) => {
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
};
