/** The rows of shared rounds: their progress, and their revealed results. No secret is written here. */
import type pg from 'pg';
import type { WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { PlayerDecision } from '#server/money/casino/tables/decision-writer.ts';
import type { ChainFacts } from '#server/money/casino/tables/hash-chain.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';

type RoundPhase = 'BETTING' | 'LOCKED' | 'DECIDED' | 'ENDED' | 'VOID';

/**
 * The published rules by which a round is void, and no other reason is. RESTART: the server ended while the round took
 * bets. BEACON: the beacon gave no value in time. CLOCK: the value was out before the last bet, so the clock is behind.
 */
export type VoidReason = 'RESTART' | 'BEACON' | 'CLOCK';

/** What is revealed of a void round, so that its result can be computed and voids be counted by their results. */
interface RevealedVoid {
	hash: string;
	bettorSeeds: readonly string[];
	reason: VoidReason;
}

export interface RoundRecord {
	round: number;
	chain: number;
	position: number;
	phase: RoundPhase;
	bettorSeeds: readonly string[];
	openedAtMs: number;
	/** The smallest id of its bets; null before the lock, and without bets. */
	firstBet: number | null;
	/** Milliseconds of play that are known to have passed; null before the first. */
	tickMs: number | null;
	/** Null until it is revealed. */
	hash: string | null;
	result: WorkflowValue;
	isInterrupted: boolean;
	/** Null for a round that is not void. */
	voidReason: VoidReason | null;
	/** What a void round would have had as its result; null while it is not known. */
	voidResult: WorkflowValue;
	/** The beacon's round that decides with the hash; null in a chain without a beacon. */
	beaconRound: number | null;
	/** Null until the beacon has published it. */
	beaconSignature: string | null;
}

const COLUMNS = `round, chain, position, phase, bettor_seeds as "bettorSeeds", opened_at as "openedAtMs", first_bet as "firstBet",
	tick_ms as "tickMs", hash, result, is_interrupted as "isInterrupted", void_reason as "voidReason",
	void_result as "voidResult", beacon_round as "beaconRound", beacon_signature as "beaconSignature"`;

/** A round that is to begin. */
interface BegunRound {
	round: number;
	position: number;
	openedAtMs: number;
	beaconRound: number | null;
}

export class RoundRecords {
	readonly #db: pg.Pool;
	readonly #game: string;
	readonly #owner: string;
	readonly #signal: AbortSignal;

	/**
	 * @param owner names the process; after its replacement by a newer one it can no longer write
	 * @param signal ends the wait for an unavailable database
	 */
	constructor(db: pg.Pool, game: string, owner: string, signal: AbortSignal) {
		this.#db = db;
		this.#game = game;
		this.#owner = owner;
		this.#signal = signal;
	}

	/** Unfinished rounds of an earlier process, oldest first. Waits for an unavailable database. */
	running(): Promise<RoundRecord[]> {
		return retryFaults(
			() => this.#read('running-rounds', `phase not in ('ENDED', 'VOID') order by round`, []),
			this.#signal,
		);
	}

	/** The number of the newest round; 0 before the first. Waits for an unavailable database. */
	async last(): Promise<number> {
		const [newest] = await retryFaults(() => this.latest(1), this.#signal);
		return newest?.round ?? 0;
	}

	/** Newest first, in any state. */
	latest(count: number): Promise<RoundRecord[]> {
		return this.#read('newest-rounds', `true order by round desc limit $2`, [count]);
	}

	of(rounds: readonly number[]): Promise<RoundRecord[]> {
		return this.#read('rounds-by-number', 'round = any($2)', [rounds]);
	}

	/**
	 * Durable before the round is announced, so that no hash is used twice. @throws Error if another process runs the
	 * game
	 */
	async begin({ round, position, openedAtMs, beaconRound }: BegunRound, { number }: ChainFacts): Promise<void> {
		// Retried if the first answer was lost.
		await this.#write(
			`insert into table_round (game, round, chain, position, phase, opened_at, beacon_round)
			select game, $3, number, $4, 'BETTING', $5, $7 from game_chain where game = $1 and owner = $2 and number = $6
			on conflict (game, round) do update set phase = excluded.phase where table_round.opened_at = excluded.opened_at`,
			[round, position, openedAtMs, number, beaconRound],
		);
	}

	/** The bets are final, and without a beacon the result, too. */
	lock(round: number, bettorSeeds: readonly string[], firstBet: number | null): Promise<void> {
		const values = [JSON.stringify(bettorSeeds), firstBet];
		return this.#change(round, `phase = 'LOCKED', bettor_seeds = $4, first_bet = $5`, values);
	}

	/** From here on the result is final. */
	takeValue(round: number, signature: string): Promise<void> {
		return this.#change(round, 'beacon_signature = $4', [signature]);
	}

	tick(round: number, tickMs: number): Promise<void> {
		return this.#change(round, 'tick_ms = $4', [tickMs]);
	}

	/**
	 * From here on players' decisions stand. The lock on the round's chain orders this write and the takeover of the
	 * game by another process: one of the two sees the other. The process may still own chains that are used up.
	 */
	async writeDecisions(round: number, part: number, decisions: readonly PlayerDecision[]): Promise<void> {
		// Retried if the first answer was lost.
		await this.#write(
			`with chain as (
				select game from game_chain join table_round using (game)
				where game = $1 and owner = $2 and round = $3 and number = chain for share of game_chain
			)
			insert into table_decision (game, round, part, decisions) select game, $3, $4, $5 from chain
			on conflict (game, round, part) do update set decisions = excluded.decisions`,
			[round, part, JSON.stringify(decisions)],
		);
	}

	/** The decisions of an unsettled round, in order. Waits for an unavailable database. */
	async decisions(round: number): Promise<PlayerDecision[]> {
		const read = () =>
			this.#db.query<{ decisions: PlayerDecision[] }>(
				'select decisions from table_decision where game = $1 and round = $2 order by part',
				[this.#game, round],
			);
		const { rows } = await retryFaults(read, this.#signal);
		return rows.flatMap(({ decisions }) => decisions);
	}

	/** The result is revealed, and the bets are being settled. */
	decide(round: number, revealed: { hash: string; result: WorkflowValue; tickMs: number }): Promise<void> {
		const { hash, result, tickMs } = revealed;
		return this.#change(round, `phase = 'DECIDED', hash = $4, result = $5, tick_ms = $6`, [
			hash,
			JSON.stringify(result),
			tickMs,
		]);
	}

	/** Every bet is settled. @param isInterrupted whether a restart settled them */
	async end(round: number, isInterrupted: boolean): Promise<void> {
		await this.#change(round, `phase = 'ENDED', is_interrupted = $4, ended_at = $5`, [isInterrupted, Date.now()]);
		await retryFaults(
			() => this.#db.query('delete from table_decision where game = $1 and round <= $2', [this.#game, round]),
			this.#signal,
		);
	}

	/** Written before stakes go back, so that another restart meanwhile changes nothing of it. */
	revealVoid(round: number, { hash, bettorSeeds, reason }: RevealedVoid): Promise<void> {
		const changes = 'hash = $4, bettor_seeds = $5, void_reason = $6, is_interrupted = true';
		return this.#change(round, changes, [hash, JSON.stringify(bettorSeeds), reason]);
	}

	/** Every stake is returned. @param result what the round would have had; null if it cannot be known */
	void(round: number, { result, signature }: { result: WorkflowValue; signature: string | null }): Promise<void> {
		const changes = `phase = 'VOID', ended_at = $4, void_result = $5, beacon_signature = $6`;
		return this.#change(round, changes, [Date.now(), JSON.stringify(result), signature]);
	}

	#change(round: number, changes: string, values: readonly unknown[]): Promise<void> {
		return this.#write(
			`update table_round set ${changes} where game = $1 and round = $3
				and exists (select from game_chain where game = $1 and number = table_round.chain and owner = $2)`,
			[round, ...values],
		);
	}

	/** Waits for an unavailable database. @throws Error if nothing was written, because another process runs the game */
	async #write(statement: string, values: readonly unknown[]): Promise<void> {
		const write = () => this.#db.query(statement, [this.#game, this.#owner, ...values]);
		const { rowCount } = await retryFaults(write, this.#signal);
		if (rowCount === 0) throw new Error(`another process runs the rounds of ${this.#game}`);
	}

	/** @param name of the statement, which a connection plans once for all games */
	async #read(name: string, condition: string, values: readonly unknown[]): Promise<RoundRecord[]> {
		const { rows } = await this.#db.query<RoundRecord>({
			name,
			text: `select ${COLUMNS} from table_round where game = $1 and ${condition}`,
			values: [this.#game, ...values],
		});
		return rows;
	}
}
