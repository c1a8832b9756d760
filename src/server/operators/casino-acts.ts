/** Views for the casino's staff: games with their figures, and rounds. */
import { gameOf } from '#games/all-games.ts';
import { toNumber } from '#games/fraction.ts';
import { type BetTerms, returnOf } from '#games/game.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ActsOf, OperatorOptions } from '#server/operators/act.ts';
import { visibleBrands } from '#server/operators/today-acts.ts';
import { Refused } from '#values/error-catalogue.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

const PAGE = 200;
/** Standard deviations that luck exceeds once in a thousand. */
const SIGMAS = 3.29;

/**
 * The rounds of one bet of a game that ended; those of demo players are left out, and those whose stakes went back. A
 * provider's round counts as a whole: it keeps bets that it gave back, and its corrections are of no bet. So does a round in
 * which the player raised the stake: its bet has the first one.
 */
interface Played {
	game: string;
	pool: string;
	bet: string;
	rounds: number;
	staked: AnyMinor;
	paid: AnyMinor;
	/** Σ stake², for the bound. */
	squares: number;
}

/** Ids rise with time, so the first id of a period is found from the end of the primary key. */
const SINCE = `coalesce((select id from workflow where kind = 'CASINO' and opened_at < $1 order by kind desc, id desc limit 1), 0)`;

async function playedSince({ reads }: OperatorOptions, sinceMs: number, hosts: readonly string[]): Promise<Played[]> {
	const { rows } = await reads.query<Played>(
		`select data ->> 'game' as game, workflow.pool, coalesce(part.bet, '') as bet, count(*)::int as rounds,
		   sum(coalesce(part.stake, (data ->> 'stake')::bigint))::bigint as staked,
		   sum(coalesce(part.payout, (data ->> 'payout')::bigint))::bigint as paid,
		   sum(coalesce(part.stake, (data ->> 'stake')::bigint)::float8 ^ 2) as squares
		 from workflow join player on player_id = wallet_id
		   left join lateral (
		     select bet ->> 'bet' as bet, (bet ->> 'stake')::bigint as stake, (bet ->> 'payout')::bigint as payout,
		       sum((bet ->> 'stake')::bigint) over () as all_staked
		     from jsonb_array_elements(case when data ? 'provider' then null else data -> 'bets' end) as bet
		   ) as part on all_staked = (data ->> 'stake')::bigint
		 where kind = 'CASINO' and id > ${SINCE} and state = 'SETTLED' and brand = any ($2) and not is_demo
		 group by 1, 2, 3`,
		[sinceMs, hosts],
	);
	return rows;
}

/** The bet's variance for a stake of one. */
function varianceOf(terms: BetTerms): number {
	const mean = toNumber(returnOf(terms));
	const second = terms.prizes.reduce((sum, { pays, chance }) => sum + toNumber(chance) * toNumber(pays) ** 2, 0);
	return second - mean ** 2;
}

/** The expected return of the pay table on these stakes, and its deviation by luck; null if it depends on play. */
function expected(played: readonly Played[], staked: number): { exact: number; bound: number } | null {
	let [mean, variance] = [0, 0];
	for (const { game: code, bet, staked: onBet, squares } of played) {
		const game = gameOf(code);
		const terms = game && 'betOf' in game ? game.betOf(bet) : null;
		if (!terms) return null;
		mean += onBet * toNumber(returnOf(terms));
		variance += squares * varianceOf(terms);
	}
	return staked === 0 ? null : { exact: mean / staked, bound: (SIGMAS * Math.sqrt(variance)) / staked };
}

/** As shown to players: the house's own, or a provider's. */
export const gameName = ({ providers }: Pick<OperatorOptions, 'providers'>, code: string): string =>
	gameOf(code)?.name ?? providers.games.find(null, code)?.name ?? code;

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

interface Round {
	id: number;
	wallet_id: number;
	brand: string;
	user_name: string;
	pool: string;
	state: string;
	at: number;
	/** Of a round of any kind; a bet on a shared round has no text for its result. */
	data: { game: string; stake: AnyMinor; payout?: AnyMinor; result?: string; provider?: string };
}

export const CASINO_ACTS: ActsOf<'casino-games' | 'casino-rounds' | 'casino-providers' | 'round-close'> = {
	'casino-games': async ({ days }, parts, { member }) => {
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		const [played, { rows: open }] = await Promise.all([
			playedSince(parts, Date.now() - days * DAY_MS, hosts),
			parts.reads.query<{ game: string; pool: string; open: number }>(
				`select data ->> 'game' as game, workflow.pool, count(*)::int as open from workflow
				 join player on player_id = wallet_id where kind = 'CASINO' and is_open and brand = any ($1) and not is_demo group by 1, 2`,
				[hosts],
			),
		]);
		// A game may have open rounds alone.
		const games = new Map([...played, ...open].map(({ game, pool }) => [`${game} ${pool}`, { game, pool }]));
		return [...games.values()].map(({ game, pool }) => {
			const ended = played.filter((row) => row.game === game && row.pool === pool);
			const [staked, paid] = [sum(ended, 'staked'), sum(ended, 'paid')];
			const { exact = null, bound = null } = expected(ended, staked) ?? {};
			return {
				game,
				name: gameName(parts, game),
				pool,
				rounds: sum(ended, 'rounds'),
				staked: majorFromMinor(staked),
				paid: majorFromMinor(paid),
				house: majorFromMinor(staked - paid),
				measured: staked === 0 ? null : paid / staked,
				exact,
				bound,
				open: open.find((row) => row.game === game && row.pool === pool)?.open ?? 0,
				liveSince: isoOrNull(parts.liveGames.since(game)),
			};
		});
	},
	'casino-rounds': async ({ game, playerId, open, before }, parts, { member }) => {
		const hosts = visibleBrands(parts, member).map(({ host }) => host);
		const { rows } = await parts.reads.query<Round>(
			`select id, wallet_id, brand, user_name, workflow.pool, state, at, data from workflow
			 join player on player_id = wallet_id
			 where kind = 'CASINO' and ($1 = '' or data ->> 'game' = $1) and ($2::bigint is null or wallet_id = $2)
			   and (not $3 or is_open) and ($4::bigint is null or id < $4) and brand = any ($5)
			 order by kind desc, id desc limit ${PAGE}`,
			[game, playerId === null ? null : Number(playerId), open, before === null ? null : Number(before), hosts],
		);
		return rows.map(({ data, ...row }) => ({
			roundId: String(row.id),
			game: gameName(parts, data.game),
			playerId: String(row.wallet_id),
			who: row.user_name,
			brand: row.brand,
			pool: row.pool,
			state: row.state,
			at: isoTime(row.at),
			stake: majorFromMinor(data.stake),
			payout: majorFromMinor(data.payout ?? 0),
			result: data.result ?? '',
			provider: data.provider ?? null,
		}));
	},
	'casino-providers': async (_, { providers, reads }) => {
		const [{ rows: open }, { rows: days }] = await Promise.all([
			reads.query<{ provider: string; open: number; late: number }>(
				`select data ->> 'provider' as provider, count(*)::int as open,
				   (count(*) filter (where opened_at < $1))::int as late
				 from workflow where kind = 'CASINO' and is_open and data ->> 'provider' is not null group by 1`,
				[Date.now() - providers.roundAlarmMs],
			),
			reads.query<{ provider: string; day: number; differences: number }>(
				'select distinct on (provider) provider, day, differences from provider_day order by provider, day desc',
				[],
			),
		]);
		return providers.all.map(({ id, name, dialect }) => {
			const games = providers.games.all().filter(({ provider }) => provider.id === id);
			const counted = open.find(({ provider }) => provider === id);
			const compared = days.find(({ provider }) => provider === id);
			return {
				provider: id,
				name,
				dialect,
				games: games.length,
				resting: games.filter(({ isEnabled }) => !isEnabled).length,
				open: counted?.open ?? 0,
				late: counted?.late ?? 0,
				day: compared ? isoTime(compared.day * DAY_MS).slice(0, 10) : null,
				differences: compared?.differences ?? 0,
			};
		});
	},
	'round-close': async ({ id, reason }, { providers }, { actor }) => {
		if (actor === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		const { state, returned } = await providers.wallet.close(Number(id), { actor, reason });
		return { id, state, returned: majorFromMinor(returned) };
	},
};

const sum = (rows: readonly Played[], name: 'rounds' | 'staked' | 'paid'): number =>
	rows.reduce((total, row) => total + row[name], 0);
