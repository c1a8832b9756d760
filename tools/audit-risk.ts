/** The audit of money at risk: each row is computed again from the bets of its market, or the bets of its round. */
import type pg from 'pg';
import { gameOf } from '../src/games/all-games.ts';
import { toNumber } from '../src/games/fraction.ts';
import { type BetTerms, payoutOf, type TableGame } from '../src/games/game.ts';
import type { Pool } from '../src/values/pools.ts';
import type { Check } from './audit-check.ts';
import { isOut, type OpenBet, resultsOn, upToCoins, worstOutcome } from './audit-worst-outcome.ts';

/** Players at a time: a ledger is larger than memory. */
const AT_ONCE = 500;
const FIRST_PLAYER = 1_000;
/** Hundredths. */
const SHORTEST_ODDS = 150;

interface RiskRow {
	wallet_id: number;
	what: string;
	ref: number;
	amount: number;
	long_amount: number;
	/** Empty in rows from before there were rows: their amount is a bound. */
	worths: (number | null)[] | null;
}

const isBound = ({ worths }: RiskRow): boolean => worths?.length === 0;

/** All players that have rows, or had bets or rounds decided, part by part. */
async function* playersOf(client: pg.PoolClient): AsyncGenerator<[from: number, to: number]> {
	for (let after = FIRST_PLAYER - 1; ; ) {
		const { rows } = await client.query<{ last: number | null }>(
			'select max(wallet_id) as last from (select wallet_id from wallet where wallet_id > $1 order by 1 limit $2) as part',
			[after, AT_ONCE],
		);
		const last = rows[0]?.last ?? null;
		if (last === null) return;
		yield [after, last];
		after = last;
	}
}

const rowsOf = (client: pg.PoolClient, part: readonly number[], where: string) =>
	client.query<RiskRow>(
		`select wallet_id, what, ref, amount, long_amount, worths::float8[] as worths from money_at_risk
		where wallet_id > $1 and wallet_id <= $2 and ${where}`,
		[...part],
	);

type Expected = Pick<RiskRow, 'amount' | 'long_amount'> & { worths?: (number | null)[] | null };

export const marketsAreAtRisk: Check = {
	name: 'what players had at risk in settled markets is what their bets could lose',
	run: async (client) => {
		let count = 0;
		for await (const part of playersOf(client)) {
			const { rows } = await rowsOf(
				client,
				part,
				`what = 'market' and ref not in (select market_id from detached_bets)`,
			);
			const { rows: bets } = await client.query<OpenBet & { pool: Pool }>(
				`select wallet_id, market_id, market_state.runners, number_of_winners as winners,
				coalesce((terms ->> 'eachWayDivisor')::int, 0) as divisor,
				case when jsonb_typeof(terms -> 'ladder') = 'object' then terms -> 'ladder' end as lines, fills, removed,
				false as voids, runner, side, price, matched, matched_value, 0 as remaining, pool
				from bet join market_state using (market_id) where wallet_id > $1 and wallet_id <= $2
				and result in ('WON', 'LOST') and matched > 0 and status in ('SETTLING', 'SETTLED')
				and market_id not in (select market_id from detached_bets)`,
				[...part],
			);
			count += rows.length;
			const decided = Map.groupBy(bets, ({ wallet_id, market_id }) => `${wallet_id} ${market_id}`);
			const keyOf = ({ wallet_id, ref }: RiskRow) => `${wallet_id} ${ref}`;
			const known = new Map(rows.map((row) => [keyOf(row), row]));
			for (const key of new Set([...known.keys(), ...decided.keys()])) {
				const row = known.get(key);
				if (row && isBound(row)) continue;
				const expected = expectedOf(decided.get(key) ?? []);
				const { amount = 0, long_amount = 0, worths = null } = row ?? {};
				const isRight = amount === expected.amount && long_amount === expected.long_amount;
				if (!isRight || String(worths) !== String(expected.worths))
					return { rows: count, wrong: { market: key, ...row, recomputed: expected } };
			}
		}
		return { rows: count, wrong: null };
	},
};

function expectedOf(bets: readonly (OpenBet & { pool: Pool })[]): Expected {
	const [first] = bets;
	if (!first) return { amount: 0, long_amount: 0, worths: null };
	const long = bets.filter(
		({ lines, matched, matched_value }) => lines !== null || matched_value >= matched * SHORTEST_ODDS,
	);
	const amount = Number(upToCoins(worstOutcome(bets, first), first.pool));
	const hasOneWinner = first.winners === 1 && first.divisor === 0 && first.lines === null;
	return {
		amount,
		long_amount: Math.min(amount, Number(upToCoins(worstOutcome(long, first), first.pool))),
		worths: hasOneWinner ? worthsOf(bets, first) : null,
	};
}

function worthsOf(bets: readonly OpenBet[], market: OpenBet): (number | null)[] {
	const results = Array.from({ length: market.runners }, (_, runner) => resultsOn(bets, runner));
	const allLose = results.reduce((sum, { loses }) => sum + loses, 0n);
	return results.map(({ wins, loses }, runner) => (isOut(market, runner) ? null : Number(allLose + wins - loses)));
}

interface PlayedRound {
	wallet_id: number;
	game: string;
	ref: number;
	provider: string | null;
	stake: number;
	bets: { bet: string; stake: number }[] | null;
}

export const roundsAreAtRisk: Check = {
	name: 'what players had at risk in rounds of the casino is what their bets could lose',
	run: async (client) => {
		let count = 0;
		for await (const part of playersOf(client)) {
			const { rows } = await rowsOf(client, part, `what <> 'market'`);
			const { rows: played } = await client.query<PlayedRound>(
				`select wallet_id, data ->> 'game' as game, coalesce((data ->> 'round')::bigint, id) as ref,
				data ->> 'provider' as provider, (data ->> 'stake')::bigint as stake,
				coalesce(data -> 'terms' -> 'bets', data -> 'bets') as bets
				from workflow where kind = 'CASINO' and state = 'SETTLED' and wallet_id > $1 and wallet_id <= $2
				and data ? 'stake'`,
				[...part],
			);
			count += rows.length;
			const keyOf = (wallet: number, game: string, ref: number) => `${wallet} ${game} ${ref}`;
			const rounds = Map.groupBy(played, ({ wallet_id, game, ref }) => keyOf(wallet_id, game, ref));
			const known = new Map(rows.map((row) => [keyOf(row.wallet_id, row.what, row.ref), row]));
			for (const key of new Set([...known.keys(), ...rounds.keys()])) {
				const row = known.get(key);
				if (row && isBound(row)) continue;
				const expected = lossOf(rounds.get(key) ?? []);
				// Payouts of a table's bets are rounded one by one.
				if (Math.abs((row?.amount ?? 0) - expected) > 1)
					return { rows: count, wrong: { round: key, ...row, recomputed: expected } };
			}
		}
		return { rows: count, wrong: null };
	},
};

/** The largest combined loss of a player's bets on one round. */
function lossOf(bets: readonly PlayedRound[]): number {
	const stake = bets.reduce((sum, bet) => sum + bet.stake, 0);
	const game = gameOf(bets[0]?.game ?? '');
	if (bets[0]?.provider || (game?.kind !== 'table' && game?.kind !== 'instant')) return stake;
	const chips = Map.groupBy(
		bets.flatMap((round) => round.bets ?? []),
		({ bet }) => bet,
	);
	const byBet = [...chips].map(([code, same]) => ({ code, stakes: same.map((chip) => chip.stake) }));
	if (game.kind === 'table') return Math.max(0, stake - leastPaid(game, byBet));
	const each = byBet.map(({ code, stakes }) => {
		const bet = game.betOf(code) as BetTerms;
		const staked = stakes.reduce((sum, one) => sum + one, 0);
		const paid = (pick: (...of: number[]) => number, none: number) =>
			stakes.reduce((sum, one) => sum + pick(none, ...bet.prizes.map(({ pays }) => payoutOf(one, pays))), 0);
		const isSure = bet.prizes.reduce((sum, { chance }) => sum + toNumber(chance), 0) > 1 - 1e-9;
		return { loss: staked - (isSure ? paid(Math.min, Number.MAX_SAFE_INTEGER) : 0), win: paid(Math.max, 0) - staked };
	});
	const wins = each.reduce((sum, { win }) => sum + Math.max(0, win), 0);
	return Math.max(0, ...each.map(({ loss, win }) => loss - (wins - Math.max(0, win))));
}

/** The worst way of paying of each set of bets that are paid together. */
function leastPaid(game: TableGame, chips: readonly { code: string; stakes: readonly number[] }[]): number {
	let sum = 0;
	for (const { bets, outcomes } of game.faces()) {
		const own = chips.filter(({ code }) => bets.includes(code));
		const paid = outcomes.map((outcome) =>
			own.reduce((total, { code, stakes }) => {
				const bet = game.betOf(code);
				const prize = bet?.prizeOf(outcome) ?? null;
				const pays = prize === null ? 0 : toNumber(bet?.prizes[prize]?.pays ?? { numerator: 0n, denominator: 1n });
				return total + stakes.reduce((of, stake) => of + stake * pays, 0);
			}, 0),
		);
		sum += Math.min(...paid);
	}
	return sum;
}
