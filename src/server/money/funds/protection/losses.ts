/**
 * The net losses of players with a loss limit: results of markets after commission, and casino rounds. A market that is
 * settled again, and a round that is corrected, counts with the difference. A round counts as lost while it is open, however
 * long, and with its result from its end: a stake that comes back days later gives no more room than it took. Only these
 * players are tracked; each is read from the ledger once and then updated by the batches.
 */
import type pg from 'pg';
import type { Committed } from '#server/exchange/committed.ts';
import type { OrderedWallets, UndurableGain } from '#server/exchange/exchange.ts';
import { GAIN, gainOf, MARKET_RESULT_KINDS } from '#server/exchange/ledger/result-gain.ts';
import { PERIOD_NAMES, PERIODS, type Period } from '#server/money/funds/deposit-limits.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { HOUR_MS } from '#values/time.ts';

interface Result {
	/** The time of its latest result. */
	atMs: number;
	/** The player's gain in minor units; negative for a loss. */
	net: AnyMinor;
}

/** Changes by batches during the read of the ledger. */
type Brought = Pick<Committed, 'batchSeq' | 'postings' | 'workflows'>;

interface Followed {
	/** The last batch included in the results. Batches that were in the ledger at the read are not added again. */
	batch: number;
	/** By instant, or by the hour of rounds. */
	results: Map<number, Result>;
	/** What open rounds of the casino brought so far, by their ids. */
	open: Map<number, AnyMinor>;
}

/** Rounds of an hour are summed, so that a month has some hundred entries at any rate of play. */
const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS);

export class Losses {
	readonly #db: Pick<pg.Pool, 'query'>;
	readonly #clock: () => number;
	readonly #followed = new Map<number, Followed>();
	/** Players whose results are being read, and what later batches brought meanwhile. */
	readonly #reading = new Map<number, Brought[]>();
	readonly #reads = new Map<number, Promise<void>>();

	/**
	 * @param db for long reads
	 * @param clock the ledger's time
	 */
	constructor(db: Pick<pg.Pool, 'query'>, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	/** Whether the losses of all these players are known. */
	follows(playerIds: readonly PlayerId[]): boolean {
		return playerIds.every((playerId) => this.#followed.has(playerId));
	}

	/** Tracks these players from now on. Resolves when their earlier losses are known. */
	async follow(playerIds: readonly PlayerId[]): Promise<void> {
		const unknown = playerIds.filter((playerId) => !this.#followed.has(playerId) && !this.#reading.has(playerId));
		if (unknown.length > 0) {
			for (const playerId of unknown) this.#reading.set(playerId, []);
			const read = this.#read(unknown).finally(() => {
				for (const playerId of unknown) {
					this.#reading.delete(playerId);
					this.#reads.delete(playerId);
				}
			});
			for (const playerId of unknown) this.#reads.set(playerId, read);
		}
		await Promise.all(playerIds.map((playerId) => this.#reads.get(playerId)));
	}

	/** One statement reads one state of the ledger; the changes of later batches are applied afterwards. */
	async #read(playerIds: readonly PlayerId[]): Promise<void> {
		const { rows } = await this.#db.query<
			Result & { batch: number; playerId: PlayerId | null; key: number; isOpen: boolean }
		>(
			`with reopened as materialized (select distinct ref as market_id from posting where kind = 'MARKET_REOPENED'),
			 gain as (
			   select wallet_id, at as key, false as is_open, at, profit as net from player_settlement
			   where wallet_id = any($1) and at >= $2 and market_id not in (select market_id from reopened)
			   union all
			   select posting.wallet_id, posting.at, false, posting.at, ${GAIN} from reopened
			   join posting on kind in ${MARKET_RESULT_KINDS} and ref = reopened.market_id
			   where posting.wallet_id = any($1) and posting.at >= $2
			   union all
			   select round.wallet_id, greatest(posting.at, ended.at) / ${HOUR_MS}, false, greatest(posting.at, ended.at), ${GAIN}
			   from workflow as round join posting on posting.kind = 'CASINO' and ref = round.id
			   cross join lateral (
			     select case round.step when 1 then round.at else (
			       select min(at) from workflow_step as step
			       where step.kind = 'CASINO' and step.id = round.id and to_state <> 'OPEN'
			     ) end as at
			   ) as ended
			   where round.kind = 'CASINO' and not is_open and round.wallet_id = any($1) and round.at >= $2
			     and greatest(posting.at, ended.at) >= $2
			   union all
			   select round.wallet_id, round.id, true, posting.at, ${GAIN}
			   from workflow as round join posting on posting.kind = 'CASINO' and ref = round.id
			   where round.kind = 'CASINO' and is_open and round.wallet_id = any($1)
			 )
			 select lease.batch, result.* from lease left join (
			   select wallet_id as "playerId", key, is_open as "isOpen", max(at) as "atMs", sum(net)::bigint as net
			   from gain where net <> 0 group by wallet_id, key, is_open
			 ) as result on true`,
			[playerIds, this.#clock() - PERIODS.MONTH],
		);
		const batch = rows[0]?.batch ?? 0;
		const brought = new Set(playerIds.flatMap((playerId) => this.#reading.get(playerId) ?? []));
		for (const playerId of playerIds) this.#followed.set(playerId, { batch, results: new Map(), open: new Map() });
		for (const { playerId, key, isOpen, atMs, net } of rows) {
			const followed = playerId === null ? undefined : this.#followed.get(playerId);
			if (isOpen) followed?.open.set(key, net);
			else followed?.results.set(key, { atMs, net });
		}
		const own = new Set<number>(playerIds);
		for (const later of brought) this.#apply(later, own);
	}

	/** The tracked players. */
	players(): IterableIterator<number> {
		return this.#followed.keys();
	}

	onCommitted(committed: Committed): void {
		if (this.#reading.size > 0) {
			const { batchSeq, postings, workflows } = committed;
			// One shared object for players who are read together.
			const later = { batchSeq, postings, workflows };
			for (const brought of this.#reading.values()) brought.push(later);
		}
		if (this.#followed.size > 0) this.#apply(committed, null);
	}

	/** @param players null for all tracked players */
	#apply({ batchSeq, postings, workflows }: Brought, players: ReadonlySet<number> | null): void {
		const followedOf = (walletId: number): Followed | undefined => {
			const followed = players === null || players.has(walletId) ? this.#followed.get(walletId) : undefined;
			return followed && followed.batch < batchSeq ? followed : undefined;
		};
		for (const posting of postings) {
			const { kind, ref, walletId, atMs } = posting;
			const followed = followedOf(walletId);
			const gain = followed ? gainOf(posting) : 0;
			if (!followed || gain === 0) continue;
			if (kind === 'CASINO') followed.open.set(ref, (followed.open.get(ref) ?? 0) + gain);
			else addTo(followed, atMs, { atMs, net: gain });
		}
		// A round that ended in the batch, or was corrected after its end.
		for (const { kind, id, walletId, isOpen, atMs } of workflows) {
			const followed = kind === 'CASINO' && !isOpen ? followedOf(walletId) : undefined;
			const net = followed?.open.get(id);
			if (!followed || net === undefined) continue;
			followed.open.delete(id);
			addTo(followed, hourOf(atMs), { atMs, net });
		}
	}

	/**
	 * The first limit that a person's losses would pass if everything at stake were lost.
	 * @param limits minor units; null for none
	 * @param risk the largest possible loss of what is ordered now, minor units
	 * @throws Refused STARTING until the earlier losses of all accounts are read: a default of the domain may limit a
	 * player whose results are not in memory yet
	 */
	passed(
		limits: Readonly<Record<Period, number | null>>,
		{ accounts, risk, wallets }: { accounts: readonly PlayerId[]; risk: AnyMinor; wallets: OrderedWallets },
	): { period: Period; limit: number } | null {
		for (const period of PERIOD_NAMES) {
			const limit = limits[period];
			if (limit === null) continue;
			this.#requireFollowed(accounts);
			let gained = 0;
			let atStake = risk;
			for (const account of accounts) {
				const { exposure, undurable } = wallets(account);
				gained += this.#gained(account, period, undurable);
				atStake += exposure;
			}
			if (Math.max(0, -gained) + atStake > limit) return { period, limit };
		}
		return null;
	}

	#requireFollowed(accounts: readonly PlayerId[]): void {
		if (this.follows(accounts)) return;
		void this.follow(accounts).catch(() => undefined);
		throw new Refused('STARTING');
	}

	/** What a person's accounts lost in the period up to now, in minor units; 0 if they gained. */
	lost(accounts: readonly PlayerId[], period: Period): number {
		return Math.max(0, -accounts.reduce((sum, account) => sum + this.#gained(account, period), 0));
	}

	/**
	 * The player's gain in the period up to now, in minor units; negative for a loss.
	 * @param undurable the results of batches that are not durable yet
	 */
	#gained(playerId: PlayerId, period: Period, undurable: readonly UndurableGain[] = []): number {
		const nowMs = this.#clock();
		const { batch, results, open } = this.#followed.get(playerId) ?? NOTHING;
		let net = 0;
		// What an open round has won may still be lost in it.
		for (const brought of open.values()) net += Math.min(0, brought);
		for (const { batchSeq, gained } of undurable) if (batchSeq === null || batchSeq > batch) net += gained;
		for (const [key, result] of results) {
			if (result.atMs < nowMs - PERIODS.MONTH) results.delete(key);
			else if (result.atMs >= nowMs - PERIODS[period]) net += result.net;
		}
		return net;
	}
}

const NOTHING: Followed = { batch: 0, results: new Map(), open: new Map() };

function addTo({ results }: Followed, key: number, { atMs, net }: Result): void {
	results.set(key, { atMs, net: (results.get(key)?.net ?? 0) + net });
}
