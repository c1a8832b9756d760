/**
 * The lobby's figures for each pool: the number of players of each game, and the largest win of the day. Updated as
 * rounds commit. Brands of one pool have days of their own, so wins are kept by the quarter of an hour, on which every
 * zone's midnight falls.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { CasinoWorkflow } from '#server/exchange/order/workflow.ts';
import { thoseReadable, WORKFLOW_COLUMNS, type WorkflowRow } from '#server/exchange/recovery/stored-workflows.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import { HOUR_MS } from '#values/time.ts';
import { QUARTER_MS } from '#values/zoned-calendar.ts';

const RECENT_MS = 5 * 60_000;
/** No zone's day is longer. */
const LONGEST_DAY_MS = 27 * HOUR_MS;
/** Of each quarter more than one win is kept, because a provider may take one back. */
const MOST_WINS = 5;
/** At start the players of this many of the newest rounds are counted. */
const NEWEST_READ = 5_000;

const RECENT_PLAYERS = `select * from (
	   select wallet_id as "walletId", pool, data ->> 'game' as game, at as "atMs" from workflow
	   where kind = 'CASINO' order by id desc limit ${NEWEST_READ}) as newest
	 where "walletId" <> 0 and "atMs" > $1 order by "atMs"`;
/** Of the quarters from $2 to $3, by the index `workflow_win_of_quarter`. */
export const WINS_BY_QUARTER = `select wins.* from unnest($1::text[]) as of_pool
	 cross join generate_series($2::bigint, $3::bigint) as quarter cross join lateral (
	   select ${WORKFLOW_COLUMNS} from workflow
	   where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake'
	     and data -> 'bets' is distinct from '[]'
	     and pool = of_pool and at / ${QUARTER_MS} = quarter and wallet_id <> 0
	   order by data -> 'payout' desc limit ${MOST_WINS}) as wins`;

interface Win {
	game: string;
	/** Minor units. */
	stake: number;
	payout: number;
}

/** A player's step in a game. */
interface Seen {
	walletId: number;
	pool: Pool;
	game: string;
	atMs: number;
}

type KnownWin = Win & { id: number };

/** The number of quarters of an hour since 1970. */
export const quarterOf = (atMs: number): number => Math.floor(atMs / QUARTER_MS);

export class LiveFigures {
	/** By pool and game: the last step of each wallet, oldest first. */
	readonly #players = new Map<string, Map<number, number>>();
	readonly #wins = new Map(POOLS.map((pool) => [pool, new QuarterWins()]));

	/** Restores the state of an earlier process: players of the last minutes and wins of the longest day. */
	static async open(
		{ db, log }: { db: Pick<pg.Pool, 'query'>; log: Pick<Logger, 'error'> },
		nowMs: number,
	): Promise<LiveFigures> {
		const figures = new LiveFigures();
		const { rows: seen } = await db.query<Seen>(RECENT_PLAYERS, [nowMs - RECENT_MS]);
		for (const one of seen) figures.#see(one);
		const { rows: wins } = await db.query<WorkflowRow<'CASINO'>>(WINS_BY_QUARTER, [
			POOLS,
			quarterOf(nowMs - LONGEST_DAY_MS),
			quarterOf(nowMs),
		]);
		for (const workflow of thoseReadable(wins, log)) figures.#remember(workflow);
		return figures;
	}

	readonly onCommitted: CommittedListener = ({ workflows }) => {
		for (const workflow of workflows) if (workflow.kind === 'CASINO') this.#count(workflow);
	};

	playersOf(pool: Pool, game: string, nowMs: number): number {
		const players = this.#players.get(`${pool} ${game}`);
		if (!players) return 0;
		for (const [walletId, atMs] of players) {
			if (atMs > nowMs - RECENT_MS) break;
			players.delete(walletId);
		}
		return players.size;
	}

	/**
	 * The largest win since the start of a day, which is not more than the longest day ago; null before the first.
	 * @param sinceMs a zone's midnight
	 */
	biggestWin(pool: Pool, sinceMs: number): Win | null {
		return this.#wins.get(pool)?.biggestSince(quarterOf(sinceMs)) ?? null;
	}

	#count(workflow: CasinoWorkflow): void {
		const { walletId, pool, atMs, data } = workflow;
		if (!('game' in data)) return;
		this.#see({ walletId, pool, atMs, game: data.game });
		this.#remember(workflow);
	}

	#see({ walletId, pool, game, atMs }: Seen): void {
		const key = `${pool} ${game}`;
		const players = this.#players.get(key) ?? new Map<number, number>();
		players.delete(walletId);
		players.set(walletId, atMs);
		this.#players.set(key, players);
	}

	/** A later step of a round replaces what the earlier one said. */
	#remember({ id, pool, state, atMs, data }: CasinoWorkflow): void {
		if (!('game' in data)) return;
		this.#wins.get(pool)?.forget(id);
		// A promotion of a provider has no bets: no round won it, and the lobby has no game of its name.
		const isGiven = 'bets' in data && data.bets.length === 0;
		if (isGiven || state !== 'SETTLED' || data.payout <= data.stake) return;
		this.#wins.get(pool)?.add({ id, game: data.game, stake: data.stake, payout: data.payout }, atMs);
	}
}

/** The largest wins of a pool's quarters, as far back as the longest day. */
class QuarterWins {
	/** The largest first. */
	readonly #wins = new Map<number, KnownWin[]>();
	readonly #quarters = new Map<number, number>();

	add(win: KnownWin, atMs: number): void {
		const quarter = quarterOf(atMs);
		if (!this.#wins.has(quarter)) this.#drop(quarterOf(atMs - LONGEST_DAY_MS));
		const all = [...(this.#wins.get(quarter) ?? []), win].sort((one, other) => other.payout - one.payout);
		this.#wins.set(quarter, all.slice(0, MOST_WINS));
		this.#quarters.set(win.id, quarter);
		for (const { id } of all.slice(MOST_WINS)) this.#quarters.delete(id);
	}

	forget(id: number): void {
		const quarter = this.#quarters.get(id);
		if (quarter === undefined) return;
		this.#quarters.delete(id);
		this.#wins.set(quarter, this.#wins.get(quarter)?.filter((win) => win.id !== id) ?? []);
	}

	biggestSince(first: number): Win | null {
		const largest = [...this.#wins].flatMap(([quarter, [win]]) => (win && quarter >= first ? [win] : []));
		return largest.reduce<Win | null>((biggest, win) => (win.payout > (biggest?.payout ?? 0) ? win : biggest), null);
	}

	#drop(before: number): void {
		for (const [quarter, wins] of this.#wins) {
			if (quarter >= before) continue;
			this.#wins.delete(quarter);
			for (const { id } of wins) this.#quarters.delete(id);
		}
	}
}
