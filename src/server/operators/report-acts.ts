/** Reports over settled markets, rounds of the casino and bonuses. */
import { gameOf } from '#games/all-games.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { type BonusCost, bonusCosts } from '#server/operators/bonus-cost.ts';
import { dayBooks } from '#server/operators/day-books.ts';
import { grossRevenue, RESULTS, REVENUE, type Revenue, revenueOf } from '#server/operators/gross-revenue.ts';
import { inOrder, lifetimes } from '#server/operators/lifetime.ts';
import { suspiciousMatches } from '#server/operators/suspicious-matches.ts';
import { seesBrand, visibleBrands } from '#server/operators/today-acts.ts';
import {
	type DayPeriod,
	dayPeriod,
	forEachZone,
	instantsOf,
	nameOfSpan,
	SPAN_OF_ROW,
	startsOfSpans,
} from '#server/operators/zone-reports.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { sportById } from '#values/sports.ts';
import { dayName, dayNumber, dayStart, daysBetween, hoursBetween, type Span } from '#values/zoned-calendar.ts';

const MOST_DAYS_OF_MATCHES = 31;
/** Of a pair of accounts. */
const MOST_MARKETS = 10;

interface Figures extends Revenue {
	group: string;
	pool: string;
	/** Of a day or an hour; null for other groups. */
	zone: string | null;
	players: number;
	results: number;
}

interface Period extends DayPeriod {
	zone: string;
	hosts: readonly string[];
}

const CASINO = 'casino';
const MARKET = `left join market_listing on market_listing.id = market_id left join fixture on fixture.id = fixture_id`;

/** The grouping of results: the group's expression, its filter, and its name. */
const GROUPS = {
	brand: { of: 'brand' },
	day: { of: `${SPAN_OF_ROW}::text`, spans: daysBetween },
	hour: { of: `${SPAN_OF_ROW}::text`, spans: hoursBetween },
	sport: { of: `case when game is null then sport_id::text else '${CASINO}' end`, join: MARKET },
	market: { of: `title || ' · ' || (listing ->> 'name')`, join: MARKET, where: 'game is null' },
	game: { of: 'game', where: 'game is not null' },
} as const satisfies Record<string, Grouping>;

interface Grouping {
	of: string;
	join?: string;
	where?: string;
	/** The stretches of the zone's calendar by whose numbers rows are grouped. */
	spans?: typeof daysBetween;
}

type GroupedBy = keyof typeof GROUPS;

async function figures({ reads }: OperatorOptions, by: GroupedBy, period: Period): Promise<Figures[]> {
	const { of, join = '', where = 'true', spans }: Grouping = GROUPS[by];
	const { zone, hosts } = period;
	const { fromMs, toMs } = instantsOf(period, zone);
	const named = spans?.(period.first, period.last, zone);
	const { rows } = await reads.query<Figures>(
		`${RESULTS}
		 select coalesce(${of}, '') as "group", pool,
		   (count(distinct wallet_id) filter (where results = 1))::int as players, sum(results)::int as results, ${REVENUE}
		 from result ${join} where ${where} group by 1, 2`,
		[fromMs, toMs, hosts, ...(named ? [startsOfSpans(named)] : [])],
	);
	return rows.map((row) => ({ ...row, ...(named ? spanOf(named, row, zone) : { zone: null }) }));
}

const spanOf = (named: readonly Span[], { group }: { group: string }, zone: string) => ({
	group: nameOfSpan(named, Number(group)),
	zone,
});

/** Players of several zones in one group add up: each is a player of one brand. */
function together(rows: readonly Figures[]): Figures[] {
	const groups = Map.groupBy(rows, ({ group, pool, zone }) => JSON.stringify([group, pool, zone]));
	const sumOf = (alike: readonly Figures[], name: 'players' | 'results' | keyof Revenue) =>
		alike.reduce((sum, row) => sum + row[name], 0);
	return [...groups]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([, alike]) => ({
			...(alike[0] as Figures),
			players: sumOf(alike, 'players'),
			results: sumOf(alike, 'results'),
			turnover: sumOf(alike, 'turnover'),
			won: sumOf(alike, 'won'),
			commission: sumOf(alike, 'commission'),
		}));
}

/** The group's name: of a sport its key, of a game its title. */
function nameOf(by: GroupedBy, group: string): string {
	if (by === 'game') return gameOf(group)?.name ?? group;
	return by === 'sport' && group !== CASINO ? (sportById(Number(group))?.key ?? '') : group;
}

/** A brand whose bonuses cost something, without a result in the period. */
const withoutResults = ({ brand, pool }: BonusCost): Figures => ({
	group: brand,
	pool,
	zone: null,
	players: 0,
	results: 0,
	turnover: 0,
	won: 0,
	commission: 0,
});

export const REPORT_ACTS: ActsOf<
	'report-profit' | 'report-lifetime' | 'suspicious-matches' | 'trial-balance' | 'day-books'
> = {
	'report-profit': async ({ from, to, by }, parts, { member }) => {
		const period = dayPeriod({ from, to });
		const brands = visibleBrands(parts, member);
		const nowMs = parts.exchange.now();
		const rows = await forEachZone(brands, nowMs, (zone, hosts) => figures(parts, by, { ...period, zone, hosts }));
		const costs = by === 'brand' ? brands : [];
		const given = await forEachZone(costs, nowMs, (zone, hosts) =>
			bonusCosts(parts.reads, instantsOf(period, zone), hosts),
		);
		const bonuses = new Map(given.map(({ brand, pool, minor }) => [`${brand} ${pool}`, minor]));
		return together([...rows, ...given.map(withoutResults)]).map((row) => {
			const { group, pool, zone, players, results } = row;
			const bonus = bonuses.get(`${group} ${pool}`) ?? 0;
			return {
				group: nameOf(by, group),
				pool,
				zone,
				players,
				results,
				...revenueOf([row]),
				bonuses: majorFromMinor(bonus),
				house: majorFromMinor(grossRevenue(row) - bonus),
			};
		});
	},
	'report-lifetime': async ({ from, to, by }, parts, { member }) => {
		const period = dayPeriod({ from, to });
		const nowMs = parts.exchange.now();
		const rows = await forEachZone(visibleBrands(parts, member), nowMs, (zone, hosts) =>
			lifetimes(parts.reads, by, { ...period, zone, hosts, nowMs }),
		);
		return inOrder(rows, by);
	},
	'suspicious-matches': async ({ from, to }, parts, { member }) => {
		const { fromMs, toMs } = instantsOf(dayPeriod({ from, to }, MOST_DAYS_OF_MATCHES), parts.booksZone);
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		const account = (playerId: number, userName: string, brand: string) =>
			seesBrand(member, brand) ? { playerId: String(playerId), userName, brand } : null;
		const pairs = await suspiciousMatches(parts.reads, { fromMs, toMs, hosts });
		return pairs.map(({ pool, why, matches, open, farOff, markets, ...pair }, at) => ({
			pair: String(at + 1),
			one: account(pair.oneId, pair.oneName, pair.oneBrand),
			other: account(pair.otherId, pair.otherName, pair.otherBrand),
			pool,
			why,
			matches,
			stake: majorFromMinor(pair.stake),
			gain: majorFromMinor(pair.gain),
			open,
			farOff,
			markets: markets.slice(0, MOST_MARKETS),
			last: isoTime(pair.lastMs),
		}));
	},
	'trial-balance': async ({ pool, day }, { reads, booksZone }) => {
		const untilMs = day === undefined ? null : dayStart(dayNumber(day) + 1, booksZone);
		const { rows } = await reads.query<{ account: string; balance: AnyMinor }>(
			`select account, sum(amount)::bigint as balance from (
			   select credit as account, amount from posting where pool = $1 and ($2::bigint is null or at < $2)
			   union all select debit, -amount from posting where pool = $1 and ($2::bigint is null or at < $2)
			 ) as moves group by account having sum(amount) <> 0 order by account`,
			[pool, untilMs],
		);
		return rows.map(({ account, balance }) => ({ account, balance: majorFromMinor(balance) }));
	},
	'day-books': async ({ pool, from, to }, { reads, booksZone }) => {
		return (await dayBooks(reads, pool, dayPeriod({ from, to }), booksZone)).map(({ day, ...entry }) => ({
			...entry,
			day: dayName(day),
			opening: majorFromMinor(entry.opening),
			debits: majorFromMinor(entry.debits),
			credits: majorFromMinor(entry.credits),
			closing: majorFromMinor(entry.closing),
		}));
	},
};
