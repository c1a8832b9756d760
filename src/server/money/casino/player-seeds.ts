/**
 * The seeds of players' rounds. A pair has a server seed, and a client seed that the player's browser makes. The
 * commitment of the next pair is announced while the pair before it is in use, and the next pair begins when the player
 * gives a client seed for that commitment. So the server fixes its seed without knowing the client seed.
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { PairRule } from '#games/pair-proof.ts';
import { commitmentOf } from '#games/seeded-words.ts';
import type { PairAccess } from '#server/money/casino/outcome-access.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';

/** A pair that its player has begun. */
export interface SeedPair {
	number: number;
	rule: PairRule;
	clientSeed: string;
	commitment: string;
	/** Null while the pair is in use. */
	serverSeed: string | null;
	/** The number of rounds played with it; null while the pair is in use, and for rule 1. */
	rounds: number | null;
}

/** The pair that comes next: it has no client seed yet. */
export interface AnnouncedPair {
	number: number;
	commitment: string;
}

/** The pair in use, with its secret. */
export interface ActivePair {
	number: number;
	rule: PairRule;
	clientSeed: string;
	commitment: string;
	serverSeed: string;
	/** The nonce of the next round. */
	nonce: number;
}

/** The state of a player's pairs. */
interface PlayerPairs {
	/** Null before the player's first client seed. */
	active: ActivePair | null;
	next: AnnouncedPair;
}

/** The request that starts the next pair. */
export interface Beginning {
	clientSeed: string;
	/** Of the announced pair that the player saw before making the client seed. */
	commitment: string;
}

export interface Rotation {
	/** Null when the player had no pair. */
	revealed: SeedPair | null;
	seeds: SeedPair;
	next: AnnouncedPair;
}

/** Players in memory; the least recently active are evicted and read again when needed. */
const MOST_KNOWN = 100_000;
/** More than any player's rounds in progress, so the largest nonce is among them. */
const LATEST_ROUNDS = 300;

const COLUMNS = `number, rule, client_seed as "clientSeed", commitment, server_seed as "serverSeed", rounds`;

type StoredPair = Omit<SeedPair, 'clientSeed'> & { clientSeed: string | null };

const hasBegun = (pair: StoredPair | undefined): pair is SeedPair => pair !== undefined && pair.clientSeed !== null;

export class PlayerSeeds {
	readonly #db: pg.Pool;
	readonly #key: Buffer;
	readonly #access: PairAccess;
	readonly #known = recentlyUsed<number, PlayerPairs>(MOST_KNOWN);

	/** @param parts.tokenKey the server's secret; with another one, pairs in use are replaced without being revealed */
	constructor({ db, tokenKey, access }: { db: pg.Pool; tokenKey: string; access: PairAccess }) {
		this.#db = db;
		this.#access = access;
		this.#key = createHmac('sha256', tokenKey).update('casino seeds').digest();
	}

	/**
	 * The pair in use and the next one, which is announced now if it was not before. The caller runs one task per player
	 * at a time.
	 */
	async pairs(walletId: WalletId): Promise<PlayerPairs> {
		const known = this.#known.get(walletId);
		if (known) return known;
		const { rows } = await this.#db.query<StoredPair>(
			`select ${COLUMNS} from game_seed_pair where wallet_id = $1 order by number desc limit 2`,
			[walletId],
		);
		const [latest] = rows;
		const begun = rows.find(hasBegun);
		const isAnnounced = latest?.clientSeed === null && this.#isOurs(walletId, latest);
		const isUsable = begun?.serverSeed === null && this.#isOurs(walletId, begun);
		const active = isUsable ? await this.#withSecret(walletId, begun) : null;
		const next = isAnnounced ? latest : await this.#announce(walletId, (latest?.number ?? 0) + 1);
		const pairs = { active, next: { number: next.number, commitment: next.commitment } };
		this.#known.set(walletId, pairs);
		return pairs;
	}

	/** The pair in use. @throws Refused NO_CLIENT_SEED if the player has not started one */
	async active(walletId: WalletId): Promise<ActivePair> {
		const { active } = await this.pairs(walletId);
		if (!active) throw new Refused('NO_CLIENT_SEED');
		return active;
	}

	/** Advances the pair's nonce after a round. */
	taken(walletId: WalletId, nonce: number): void {
		const pair = this.#known.get(walletId)?.active;
		if (pair) pair.nonce = Math.max(pair.nonce, nonce + 1);
	}

	/** The next nonce is read from the durable rounds again. */
	forget(walletId: WalletId): void {
		this.#known.delete(walletId);
	}

	/** The answer of the earlier rotation that this request repeats; null for a new request. */
	async repeated(walletId: WalletId, { clientSeed, commitment }: Beginning): Promise<Rotation | null> {
		const { active, next } = await this.pairs(walletId);
		if (active?.commitment !== commitment || active.clientSeed !== clientSeed) return null;
		const [seeds, before] = await Promise.all([
			this.shown(walletId, active.number),
			this.shown(walletId, active.number - 1),
		]);
		return { revealed: before?.serverSeed == null ? null : before, seeds: seeds as SeedPair, next };
	}

	/**
	 * Reveals the pair in use, starts the announced one with the player's client seed, and announces another.
	 * @throws Refused SEEDS_REPLACED if the announced pair is not the one in the request
	 */
	async rotate(walletId: WalletId, { clientSeed, commitment }: Beginning): Promise<Rotation> {
		const { active, next } = await this.pairs(walletId);
		if (next.commitment !== commitment) throw new Refused('SEEDS_REPLACED', { pair: active?.number ?? null });
		const after = { number: next.number + 1, commitment: commitmentOf(this.#secret(walletId, next.number + 1)) };
		// Atomic: a revealed pair is never played with, and a started pair always has an announced successor.
		const { rows } = await this.#db.query<SeedPair>(
			`with revealed as (
				update game_seed_pair set server_seed = $3, rounds = $4, revealed_at = $9
				where wallet_id = $1 and number = $2 and server_seed is null returning ${COLUMNS}
			), begun as (
				update game_seed_pair set client_seed = $6, begun_at = $9
				where wallet_id = $1 and number = $5 and client_seed is null
					and ($2::int is null or exists (select from revealed)) returning ${COLUMNS}
			), announced as (
				insert into game_seed_pair (wallet_id, number, rule, commitment, announced_at)
				select $1, $7, 2, $8, $9 from begun
			)
			select * from revealed union all select * from begun order by number`,
			[
				walletId,
				active?.number ?? null,
				active?.serverSeed ?? null,
				active?.nonce ?? null,
				next.number,
				clientSeed,
				after.number,
				after.commitment,
				Date.now(),
			],
		);
		this.#known.delete(walletId);
		const seeds = rows.find(({ number }) => number === next.number);
		const revealed = rows.find(({ number }) => number === active?.number) ?? null;
		if (!seeds) throw new Error(`seed pair ${next.number} of ${walletId} was begun by another process`);
		return { revealed, seeds, next: after };
	}

	/** A pair as its player may see it; null if the player has not started a pair with that number. */
	async shown(walletId: WalletId, number: number): Promise<SeedPair | null> {
		const { rows } = await this.#db.query<StoredPair>(
			`select ${COLUMNS} from game_seed_pair where wallet_id = $1 and number = $2`,
			[walletId, number],
		);
		return rows.find(hasBegun) ?? null;
	}

	/** The client seeds of players at a given time; players without one are left out. */
	async clientSeedsBefore(walletIds: readonly WalletId[], beforeMs: number): Promise<Map<number, string>> {
		const { rows } = await this.#db.query<{ walletId: number; clientSeed: string }>(
			`select distinct on (wallet_id) wallet_id as "walletId", client_seed as "clientSeed" from game_seed_pair
			where wallet_id = any($1) and begun_at < $2 order by wallet_id, number desc`,
			[walletIds, beforeMs],
		);
		return new Map(rows.map(({ walletId, clientSeed }) => [walletId, clientSeed]));
	}

	async #announce(walletId: WalletId, number: number): Promise<AnnouncedPair> {
		const commitment = commitmentOf(this.#secret(walletId, number));
		await this.#db.query(
			`insert into game_seed_pair (wallet_id, number, rule, commitment, announced_at) values ($1, $2, 2, $3, $4)`,
			[walletId, number, commitment, Date.now()],
		);
		return { number, commitment };
	}

	async #withSecret(walletId: WalletId, { number, rule, clientSeed, commitment }: SeedPair): Promise<ActivePair> {
		await this.#access.pair(walletId, number);
		const [nonce, serverSeed] = [await this.#nextNonce(walletId, number), this.#secret(walletId, number)];
		return { number, rule, clientSeed, commitment, serverSeed, nonce };
	}

	/** One more than the largest nonce of the pair's durable rounds. No player has seen a round that is not durable. */
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

	/** False after a change of the server's key. */
	#isOurs(walletId: WalletId, { number, commitment }: AnnouncedPair): boolean {
		return commitment === commitmentOf(this.#secret(walletId, number));
	}

	/** 64 hexadecimal digits. */
	#secret(walletId: WalletId, number: number): string {
		return createHmac('sha256', this.#key).update(`${walletId}:${number}`).digest('hex');
	}
}
