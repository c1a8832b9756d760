/**
 * The seeds of players' rounds. A pair has a client seed, which the player may choose, and a server seed. The server
 * seed's commitment is shown before the first round, and the seed itself when the pair is replaced.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { commitmentOf } from '#games/seeded-words.ts';
import type { WalletId } from '#values/ids.ts';

export interface SeedPair {
	number: number;
	clientSeed: string;
	commitment: string;
	/** Null while the pair is in use. */
	serverSeed: string | null;
}

/** The pair in use, with its secret. */
export interface ActivePair {
	number: number;
	clientSeed: string;
	serverSeed: string;
	/** The nonce of the next round. */
	nonce: number;
}

/** Pairs in memory; the idlest are read again. */
const MOST_ACTIVE = 100_000;
/** More than a player's rounds in progress, so the largest nonce is among them. */
const LATEST_ROUNDS = 300;

const COLUMNS = `number, client_seed as "clientSeed", commitment, server_seed as "serverSeed"`;

export class PlayerSeeds {
	readonly #db: pg.Pool;
	readonly #key: Buffer;
	readonly #active = new Map<number, ActivePair>();

	/** @param tokenKey the server's secret; with another one, pairs in use are replaced without being revealed */
	constructor(db: pg.Pool, tokenKey: string) {
		this.#db = db;
		this.#key = createHmac('sha256', tokenKey).update('casino seeds').digest();
	}

	/** The pair in use; a player without one gets one. The caller runs one task of a player at a time. */
	async active(walletId: WalletId): Promise<ActivePair> {
		const known = this.#active.get(walletId);
		if (known) return known;
		const { rows } = await this.#db.query<SeedPair>(
			`select ${COLUMNS} from game_seed_pair where wallet_id = $1 order by number desc limit 1`,
			[walletId],
		);
		const latest = rows[0];
		const isUsable =
			latest?.serverSeed === null && latest.commitment === commitmentOf(this.#secret(walletId, latest.number));
		const pair = isUsable ? latest : await this.#begin(walletId, (latest?.number ?? 0) + 1, newClientSeed());
		return this.#remember(walletId, { ...pair, nonce: await this.#nextNonce(walletId, pair.number) });
	}

	/** Advances the pair's nonce after a round. */
	taken(walletId: WalletId, nonce: number): void {
		const pair = this.#active.get(walletId);
		if (pair) pair.nonce = Math.max(pair.nonce, nonce + 1);
	}

	/**
	 * Reveals the pair in use and begins the next one.
	 * @param clientSeed the player's choice; null for a random one
	 */
	async rotate(walletId: WalletId, clientSeed: string | null): Promise<{ revealed: SeedPair; next: SeedPair }> {
		const { number, serverSeed } = await this.active(walletId);
		// Both or neither: a revealed pair is never played with.
		const next = { number: number + 1, clientSeed: clientSeed ?? newClientSeed() };
		const commitment = commitmentOf(this.#secret(walletId, next.number));
		const now = Date.now();
		const { rows } = await this.#db.query<SeedPair>(
			`with revealed as (
				update game_seed_pair set server_seed = $3, revealed_at = $6
				where wallet_id = $1 and number = $2 and server_seed is null returning ${COLUMNS}
			), begun as (
				insert into game_seed_pair (wallet_id, number, client_seed, commitment, begun_at)
				select $1, $2 + 1, $4, $5, $6 from revealed
			)
			select * from revealed`,
			[walletId, number, serverSeed, next.clientSeed, commitment, now],
		);
		this.#active.delete(walletId);
		const revealed = rows[0];
		if (!revealed) throw new Error(`seed pair ${number} of ${walletId} was revealed by another process`);
		return { revealed, next: { ...next, commitment, serverSeed: null } };
	}

	/** A pair as its player may see it; null when there is none of that number. */
	async shown(walletId: WalletId, number: number): Promise<SeedPair | null> {
		const { rows } = await this.#db.query<SeedPair>(
			`select ${COLUMNS} from game_seed_pair where wallet_id = $1 and number = $2`,
			[walletId, number],
		);
		return rows[0] ?? null;
	}

	/** The client seeds that players had at a time; a player without one is left out. */
	async clientSeedsBefore(walletIds: readonly WalletId[], beforeMs: number): Promise<Map<number, string>> {
		const { rows } = await this.#db.query<{ walletId: number; clientSeed: string }>(
			`select distinct on (wallet_id) wallet_id as "walletId", client_seed as "clientSeed" from game_seed_pair
			where wallet_id = any($1) and begun_at < $2 order by wallet_id, number desc`,
			[walletIds, beforeMs],
		);
		return new Map(rows.map(({ walletId, clientSeed }) => [walletId, clientSeed]));
	}

	async #begin(
		walletId: WalletId,
		number: number,
		clientSeed: string,
	): Promise<Pick<SeedPair, 'number' | 'clientSeed'>> {
		await this.#db.query(
			`insert into game_seed_pair (wallet_id, number, client_seed, commitment, begun_at) values ($1, $2, $3, $4, $5)`,
			[walletId, number, clientSeed, commitmentOf(this.#secret(walletId, number)), Date.now()],
		);
		return { number, clientSeed };
	}

	/** One more than the largest nonce of the pair's durable rounds: no player saw a round that was not durable. */
	async #nextNonce(walletId: WalletId, pair: number): Promise<number> {
		const { rows } = await this.#db.query<{ nonce: number | null }>(
			`select max((data->>'nonce')::int) as nonce from (
				select data from workflow where wallet_id = $1 and kind = 'CASINO' and data->>'pair' is not null
				order by id desc limit ${LATEST_ROUNDS}
			) as latest where (data->>'pair')::int = $2`,
			[walletId, pair],
		);
		return (rows[0]?.nonce ?? -1) + 1;
	}

	#remember(walletId: WalletId, { number, clientSeed, nonce }: Omit<ActivePair, 'serverSeed'>): ActivePair {
		const pair = { number, clientSeed, nonce, serverSeed: this.#secret(walletId, number) };
		this.#active.set(walletId, pair);
		if (this.#active.size > MOST_ACTIVE) {
			const [oldest] = this.#active.keys();
			if (oldest !== undefined) this.#active.delete(oldest);
		}
		return pair;
	}

	/** 64 hexadecimal digits. */
	#secret(walletId: WalletId, number: number): string {
		return createHmac('sha256', this.#key).update(`${walletId}:${number}`).digest('hex');
	}
}

const newClientSeed = (): string => randomBytes(8).toString('hex');
