/**
 * The lobby's figures for each pool: the number of players of each game, and the largest win of the day. Updated as
 * rounds commit.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CommittedListener } from '#server/exchange/committed.ts';
import type { CasinoWorkflow } from '#server/exchange/order/workflow.ts';
import { thoseReadable, WORKFLOW_COLUMNS, type WorkflowRow } from '#server/exchange/recovery/stored-workflows.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { POOLS, type Pool } from '#values/pools.ts';

const RECENT_MS = 5 * 60_000;
/** More than one win is kept, because a provider may take one back. */
const MOST_WINS = 5;
/** At start the players of this many of the newest rounds are counted. */
const NEWEST_READ = 5_000;

const RECENT_PLAYERS = `select * from (
	   select wallet_id as "walletId", pool, data ->> 'game' as game, at as "atMs" from workflow
	   where kind = 'CASINO' order by id desc limit ${NEWEST_READ}) as newest
	 where "walletId" <> 0 and "atMs" > $1 order by "atMs"`;
/** By the index `workflow_win_of_day`, whose day is that of `funds/calendar`. */
export const WINS_OF_DAY = `select wins.* from unnest($1::text[]) as of_pool cross join lateral (
	   select ${WORKFLOW_COLUMNS} from workflow
	   where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake'
	     and pool = of_pool and (at + ${INDIA_OFFSET_MS}) / 86400000 = $2 and wallet_id <> 0
	   order by data -> 'payout' desc limit ${MOST_WINS}) as wins`;

interface Win {
	game: string;
	/** Paise. */
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

type KnownWin = Win & { id: number; day: number };

export class LiveFigures {
	readonly #dayOf: (atMs: number) => number;
	/** By pool and game: the last step of each wallet, oldest first. */
	readonly #players = new Map<string, Map<number, number>>();
	/** By pool, the largest first. */
	readonly #wins = new Map<Pool, KnownWin[]>();

	/** @param dayOf the number of the day that an instant belongs to */
	constructor(dayOf: (atMs: number) => number) {
		this.#dayOf = dayOf;
	}

	/** Restores the state of an earlier process: players of the last minutes and wins of the day. */
	static async open(
		{ db, log, dayOf }: { db: Pick<pg.Pool, 'query'>; log: Pick<Logger, 'error'>; dayOf: (atMs: number) => number },
		nowMs: number,
	): Promise<LiveFigures> {
		const figures = new LiveFigures(dayOf);
		const { rows: seen } = await db.query<Seen>(RECENT_PLAYERS, [nowMs - RECENT_MS]);
		for (const one of seen) figures.#see(one);
		const { rows: wins } = await db.query<WorkflowRow<'CASINO'>>(WINS_OF_DAY, [POOLS, dayOf(nowMs)]);
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

	/** Null before the first win of today. */
	biggestWin(pool: Pool, nowMs: number): Win | null {
		const today = this.#dayOf(nowMs);
		return this.#wins.get(pool)?.find(({ day }) => day === today) ?? null;
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

	#remember({ id, pool, state, atMs, data }: CasinoWorkflow): void {
		if (!('game' in data)) return;
		const day = this.#dayOf(atMs);
		const known = this.#wins.get(pool) ?? [];
		const others = known.filter((win) => win.id !== id && win.day === day);
		const win = { id, day, game: data.game, stake: data.stake, payout: data.payout };
		const isWin = state === 'SETTLED' && win.payout > win.stake;
		const last = others.at(MOST_WINS - 1);
		// Most rounds change nothing.
		if (others.length === known.length && (!isWin || (last && last.payout >= win.payout))) return;
		const all = isWin ? [...others, win].sort((one, other) => other.payout - one.payout) : others;
		this.#wins.set(pool, all.slice(0, MOST_WINS));
	}
}
