/** What the lobby shows of each pool: how many players each game has, and the largest win of the day. Counted as rounds commit. */
import type pg from 'pg';
import type { CommittedListener } from '#server/exchange/committed.ts';
import { WORKFLOW_COLUMNS } from '#server/exchange/stored-workflows.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import type { Pool } from '#values/pools.ts';

const RECENT_MS = 5 * 60_000;
/** More than one win is kept, because a provider may take one back. */
const MOST_WINS = 5;
/** A start reads so many of the newest rounds, however long the day is. */
const MOST_READ = 20_000;

export interface Win {
	game: string;
	/** Paise. */
	stake: number;
	payout: number;
}

type KnownWin = Win & { id: number; day: number };

export class LiveFigures {
	readonly #dayOf: (atMs: number) => number;
	/** By pool and game, each wallet's last step; the oldest first. */
	readonly #players = new Map<string, Map<number, number>>();
	/** By pool, the largest first. */
	readonly #wins = new Map<Pool, KnownWin[]>();

	/** @param dayOf the number of the day that an instant belongs to */
	constructor(dayOf: (atMs: number) => number) {
		this.#dayOf = dayOf;
	}

	/** Continues where an earlier process ended: players of the last minutes and wins of the day. */
	static async open(db: Pick<pg.Pool, 'query'>, dayOf: (atMs: number) => number, nowMs: number): Promise<LiveFigures> {
		const figures = new LiveFigures(dayOf);
		const { rows } = await db.query<Workflow>(
			`select ${WORKFLOW_COLUMNS} from workflow where kind = 'CASINO' order by id desc limit ${MOST_READ}`,
		);
		for (const workflow of rows.reverse()) if (dayOf(workflow.atMs) === dayOf(nowMs)) figures.#count(workflow);
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

	/** Null while nothing was won today. */
	biggestWin(pool: Pool, nowMs: number): Win | null {
		const today = this.#dayOf(nowMs);
		return this.#wins.get(pool)?.find(({ day }) => day === today) ?? null;
	}

	#count(workflow: Workflow): void {
		if (workflow.walletId === 0) return;
		const { pool, walletId, atMs } = workflow;
		const key = `${pool} ${workflow.data['game']}`;
		const players = this.#players.get(key) ?? new Map<number, number>();
		players.delete(walletId);
		players.set(walletId, atMs);
		this.#players.set(key, players);
		this.#remember(workflow);
	}

	#remember({ id, pool, state, atMs, data }: Workflow): void {
		const day = this.#dayOf(atMs);
		const known = this.#wins.get(pool) ?? [];
		const others = known.filter((win) => win.id !== id && win.day === day);
		const win = { id, day, game: String(data['game']), stake: Number(data['stake']), payout: Number(data['payout']) };
		const isWin = state === 'SETTLED' && win.payout > win.stake;
		const last = others.at(MOST_WINS - 1);
		// Most rounds change nothing.
		if (others.length === known.length && (!isWin || (last && last.payout >= win.payout))) return;
		const all = isWin ? [...others, win].sort((one, other) => other.payout - one.payout) : others;
		this.#wins.set(pool, all.slice(0, MOST_WINS));
	}
}
