/**
 * The net losses of players with a loss limit: results of markets after commission, and casino rounds. Only these
 * players are followed; each is read from the ledger once and then updated by the batches.
 */
import type pg from 'pg';
import type { Committed } from '#server/exchange/committed.ts';
import { PERIODS, type Period } from '#server/funds/deposit-limits.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

interface Result {
	/** Of the latest result among them. */
	atMs: number;
	/** The player's gain in paise; below zero for a loss. */
	net: AnyPaise;
}

/** What batches brought while the ledger was read. */
type Brought = Pick<Committed, 'batchSeq' | 'settlements' | 'postings'>;

const HOUR_MS = 3_600_000;

/** Rounds of an hour count together, so that a month has some hundred entries however fast a player plays. */
const hourOf = (atMs: number): string => `hour ${Math.floor(atMs / HOUR_MS)}`;

export class Losses {
	readonly #db: pg.Pool;
	/** By player, then by market or hour of rounds: a reopened market gets another result. */
	readonly #results = new Map<number, Map<string, Result>>();
	/** Players whose results are being read. */
	readonly #reading = new Map<number, Brought[]>();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Follows these players from now on. */
	async follow(playerIds: readonly PlayerId[], nowMs: number): Promise<void> {
		const unknown = playerIds.filter((playerId) => !this.#results.has(playerId) && !this.#reading.has(playerId));
		if (unknown.length === 0) return;
		for (const playerId of unknown) this.#reading.set(playerId, []);
		try {
			await this.#read(unknown, nowMs);
		} finally {
			for (const playerId of unknown) this.#reading.delete(playerId);
		}
	}

	/** One statement sees one state of the ledger; what batches after it brought is applied then. */
	async #read(playerIds: readonly PlayerId[], nowMs: number): Promise<void> {
		const { rows } = await this.#db.query<Result & { batch: number; playerId: PlayerId | null; name: string }>(
			`select lease.batch, result.* from lease left join (
			   select wallet_id as "playerId", 'market ' || market_id as name, at as "atMs", profit as net
			   from player_settlement where wallet_id = any($1) and at >= $2
			   union all
			   select round.wallet_id, 'hour ' || posting.at / ${HOUR_MS}, max(posting.at),
			     sum(case when credit = 'cash' then amount else -amount end)::bigint
			   from workflow as round join posting on posting.kind = 'CASINO' and ref = round.id
			   where round.kind = 'CASINO' and round.wallet_id = any($1) and round.at >= $2 and posting.at >= $2
			     and (debit = 'cash' or credit = 'cash')
			   group by round.wallet_id, posting.at / ${HOUR_MS}
			 ) as result on true`,
			[playerIds, nowMs - PERIODS.MONTH],
		);
		const batch = rows[0]?.batch ?? 0;
		const brought = new Set(playerIds.flatMap((playerId) => this.#reading.get(playerId) ?? []));
		for (const playerId of playerIds) this.#results.set(playerId, new Map());
		for (const { playerId, name, atMs, net } of rows) {
			if (playerId !== null) this.#results.get(playerId)?.set(name, { atMs, net });
		}
		const own = new Set<number>(playerIds);
		for (const later of brought) if (later.batchSeq > batch) this.#apply(later, own);
	}

	/** Whether what the player lost before is known. */
	isFollowed(playerId: PlayerId): boolean {
		return this.#results.has(playerId);
	}

	onCommitted(committed: Committed): void {
		if (this.#reading.size > 0) {
			const { batchSeq, settlements, postings } = committed;
			// One object, so that players who are read together have it once.
			const later = { batchSeq, settlements, postings };
			for (const brought of this.#reading.values()) brought.push(later);
		}
		if (this.#results.size > 0) this.#apply(committed, null);
	}

	/** @param players null for all that are followed */
	#apply({ settlements, postings }: Brought, players: ReadonlySet<number> | null): void {
		const resultsOf = (walletId: number) =>
			players === null || players.has(walletId) ? this.#results.get(walletId) : undefined;
		for (const { walletId, marketId, profit, atMs } of settlements) {
			resultsOf(walletId)?.set(`market ${marketId}`, { atMs, net: profit });
		}
		for (const { kind, walletId, credit, debit, amount, atMs } of postings) {
			const results = kind === 'CASINO' ? resultsOf(walletId) : undefined;
			if (!results || (credit !== 'cash' && debit !== 'cash')) continue;
			const net = (results.get(hourOf(atMs))?.net ?? 0) + (credit === 'cash' ? amount : -amount);
			results.set(hourOf(atMs), { atMs, net });
		}
	}

	/** Paise lost in the period before now; zero when the player is ahead. */
	lost(playerId: PlayerId, period: Period, nowMs: number): number {
		let net = 0;
		const results = this.#results.get(playerId);
		for (const [name, result] of results ?? []) {
			if (result.atMs < nowMs - PERIODS.MONTH) results?.delete(name);
			else if (result.atMs >= nowMs - PERIODS[period]) net += result.net;
		}
		return Math.max(0, -net);
	}
}
