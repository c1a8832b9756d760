/**
 * The net losses of players with a loss limit: results of markets after commission, and casino rounds. Only these
 * players are followed; each is read from the ledger once and then updated by the batches.
 */
import type pg from 'pg';
import { gainOfRound } from '#server/exchange/batch.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { UndurableResults } from '#server/exchange/exchange.ts';
import { PERIODS, type Period } from '#server/funds/deposit-limits.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

interface Result {
	/** Of the latest result among them. */
	atMs: number;
	/** The player's gain in paise; below zero for a loss. */
	net: AnyPaise;
}

/** What batches brought while the ledger was read. */
type Brought = Pick<Committed, 'batchSeq' | 'settlements' | 'postings'>;

interface Followed {
	/** The last batch that the results include: one that the ledger had when it was read is not added again. */
	batch: number;
	/** By market or hour of rounds: a reopened market gets another result. */
	results: Map<string, Result>;
}

const HOUR_MS = 3_600_000;

/** Rounds of an hour count together, so that a month has some hundred entries however fast a player plays. */
const hourOf = (atMs: number): string => `hour ${Math.floor(atMs / HOUR_MS)}`;
const nameOf = (marketId: MarketId): string => `market ${marketId}`;

export class Losses {
	readonly #db: pg.Pool;
	readonly #followed = new Map<number, Followed>();
	/** Players whose results are being read. */
	readonly #reading = new Map<number, Brought[]>();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Follows these players from now on. */
	async follow(playerIds: readonly PlayerId[], nowMs: number): Promise<void> {
		const unknown = playerIds.filter((playerId) => !this.#followed.has(playerId) && !this.#reading.has(playerId));
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
		for (const playerId of playerIds) this.#followed.set(playerId, { batch, results: new Map() });
		for (const { playerId, name, atMs, net } of rows) {
			if (playerId !== null) this.#followed.get(playerId)?.results.set(name, { atMs, net });
		}
		const own = new Set<number>(playerIds);
		for (const later of brought) this.#apply(later, own);
	}

	/** Those that are followed. */
	players(): IterableIterator<number> {
		return this.#followed.keys();
	}

	/** Whether what the player lost before is known. */
	isFollowed(playerId: PlayerId): boolean {
		return this.#followed.has(playerId);
	}

	onCommitted(committed: Committed): void {
		if (this.#reading.size > 0) {
			const { batchSeq, settlements, postings } = committed;
			// One object, so that players who are read together have it once.
			const later = { batchSeq, settlements, postings };
			for (const brought of this.#reading.values()) brought.push(later);
		}
		if (this.#followed.size > 0) this.#apply(committed, null);
	}

	/** @param players null for all that are followed */
	#apply({ batchSeq, settlements, postings }: Brought, players: ReadonlySet<number> | null): void {
		const resultsOf = (walletId: number) => {
			const followed = players === null || players.has(walletId) ? this.#followed.get(walletId) : undefined;
			return followed && followed.batch < batchSeq ? followed.results : undefined;
		};
		for (const { walletId, marketId, profit, atMs } of settlements) {
			resultsOf(walletId)?.set(nameOf(marketId), { atMs, net: profit });
		}
		for (const posting of postings) {
			const results = posting.kind === 'CASINO' ? resultsOf(posting.walletId) : undefined;
			const gain = results ? gainOfRound(posting) : 0;
			if (!results || gain === 0) continue;
			const { atMs } = posting;
			results.set(hourOf(atMs), { atMs, net: (results.get(hourOf(atMs))?.net ?? 0) + gain });
		}
	}

	/**
	 * Paise that the player gained in the period before now; below zero for a loss.
	 * @param undurable of the batches that are not durable yet
	 */
	gained(playerId: PlayerId, period: Period, nowMs: number, undurable: readonly UndurableResults[] = []): number {
		const { batch, results } = this.#followed.get(playerId) ?? NOTHING;
		let net = 0;
		const later = new Map<string, AnyPaise>();
		for (const { batchSeq, markets, rounds } of undurable) {
			if (batchSeq !== null && batchSeq <= batch) continue;
			net += rounds;
			for (const [marketId, gain] of markets) later.set(nameOf(marketId), gain);
		}
		for (const [name, result] of results) {
			if (result.atMs < nowMs - PERIODS.MONTH) results.delete(name);
			else if (result.atMs >= nowMs - PERIODS[period] && !later.has(name)) net += result.net;
		}
		for (const gain of later.values()) net += gain;
		return net;
	}
}

const NOTHING: Followed = { batch: 0, results: new Map() };
