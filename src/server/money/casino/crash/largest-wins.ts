/** The largest wins of each pool in the rounds that Crash's history shows. */
import type pg from 'pg';
import { type CrashRowView, rowView } from '#server/money/casino/crash/crash-views.ts';
import type { CrashBet } from '#server/money/casino/crash/flight.ts';
import { shortName } from '#server/money/casino/tables/short-name.ts';
import { majorFromMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

const MOST = 20;

interface Win {
	round: number;
	pool: Pool;
	/** Minor units. */
	payout: number;
	row: CrashRowView;
}

export class LargestWins {
	/** The largest first. */
	#wins: readonly Win[];

	private constructor(wins: readonly Win[]) {
		this.#wins = wins;
	}

	/** @param history the number of rounds in the history */
	static async open(db: Pick<pg.Pool, 'query'>, history: number): Promise<LargestWins> {
		const { rows: bets } = await db.query<{ firstBet: number | null }>(
			`select first_bet as "firstBet" from table_round where game = 'crash' order by round desc limit ${history}`,
		);
		const since = bets.findLast(({ firstBet }) => firstBet !== null)?.firstBet;
		if (since === undefined) return new LargestWins([]);
		const { rows } = await db.query<{
			id: number;
			pool: Pool;
			data: { round: number; stake: number; payout: number; outcome: { cents: number } };
			name: string;
		}>(
			`select id, workflow.pool, data, user_name as name from workflow join player on player_id = wallet_id
			where kind = 'CASINO' and id >= $1 and data->>'game' = 'crash' and (data->>'payout')::bigint > (data->>'stake')::bigint
			order by (data->>'payout')::bigint desc limit ${MOST * 3}`,
			[since],
		);
		const wins = rows.map(({ id, pool, data, name }): Win => {
			const { round, stake, payout, outcome } = data;
			const row = {
				betId: String(id),
				name: shortName(name),
				stake: majorFromMinor(stake),
				cents: outcome.cents,
				payout: majorFromMinor(payout),
			};
			return { round, pool, payout, row };
		});
		return new LargestWins(wins);
	}

	of(pool: Pool): CrashRowView[] {
		return this.#wins.filter((win) => win.pool === pool).map(({ row }) => row);
	}

	onBet(bet: CrashBet): void {
		const { state, payout, name, round, player } = bet;
		if (state !== 'SETTLED' || payout === 0 || name === '') return;
		const shown = this.#wins.filter(({ pool }) => pool === player.pool);
		// Most wins are smaller than all listed ones, and thousands may arrive at once.
		if (shown.length >= MOST && shown.every((win) => win.payout >= payout)) return;
		this.#wins = largest([...this.#wins, { round, pool: player.pool, payout, row: rowView(bet) }]);
	}

	onDecided(oldestRound: number): void {
		this.#wins = this.#wins.filter(({ round }) => round >= oldestRound);
	}
}

/** By pool. */
function largest(wins: Win[]): Win[] {
	const left = new Map<Pool, number>();
	return wins
		.sort((one, other) => other.payout - one.payout)
		.filter(({ pool }) => {
			const taken = left.get(pool) ?? 0;
			left.set(pool, taken + 1);
			return taken < MOST;
		});
}
