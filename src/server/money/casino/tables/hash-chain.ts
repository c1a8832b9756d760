/**
 * Shared rounds: one scheduler for all games of that kind, their hash chains, their bets, and the differences between
 * the games.
 *
 * This file has the chain. h_{n-1} is the SHA-256 of h_n; h_0 is published first, and round n uses h_n. The unrevealed
 * hashes are stored only encrypted: every 10,000th, from which the others follow backwards.
 */
import { hash as digestOf, randomBytes } from 'node:crypto';
import { setTimeout as delay, setImmediate as turnOfOthers } from 'node:timers/promises';
import type pg from 'pg';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';

const CHECKPOINT = 10_000;
const HASH_BYTES = 32;
/** A few milliseconds of work. */
const HASHES_AT_ONCE = 2_000;
/** Two days of rounds: each table computes a chain at start. The next chain follows automatically. */
const DEVELOPMENT_LENGTH = 10_000;
/** Of the development chains: known in advance, so they prove less, and are marked as such. */
const DEVELOPMENT_SALT = 'development chain: this salt was known before the chain was made';

/** How often a new chain is looked for in the public log, which is written twice a second. */
const ANNOUNCED_AFTER_MS = 100;

/** The public part of a chain. */
export interface ChainFacts {
	game: string;
	number: number;
	/** h_0, 64 hexadecimal digits. */
	commitment: string;
	length: number;
	salt: string;
	returnPercent: number;
	isDevelopment: boolean;
	firstRound: number;
}

const COLUMNS = `game, number, commitment, length, salt, return_percent as "returnPercent",
	is_development as "isDevelopment", first_round as "firstRound"`;

/** The parameters for opening a chain. Statements wait for an unavailable database until the signal aborts. */
interface Opening {
	db: Pick<pg.Pool, 'query'>;
	keys: DataKeys;
	game: string;
	/** Names the process. */
	owner: string;
	returnPercent: number;
	signal?: AbortSignal;
}

const before = (hash: Buffer): Buffer => digestOf('sha256', hash, 'buffer');
const aboutOf = (game: string, number: number): string => `chain ${game} ${number}`;

export class HashChain {
	readonly facts: ChainFacts;
	/** h_10000, h_20000 … and h_N. */
	readonly #checkpoints: Buffer;
	/** The hashes of one stretch between two checkpoints, by their position. */
	readonly #stretch = new Map<number, Buffer>();

	#isAnnounced = false;

	private constructor(facts: ChainFacts, checkpoints: Buffer) {
		this.facts = facts;
		this.#checkpoints = checkpoints;
	}

	/** Claims the chain in use for this process; null if the game has none. */
	static async find(parts: Omit<Opening, 'returnPercent'>): Promise<HashChain | null> {
		const { db, keys, game, owner, signal } = parts;
		const take = () =>
			db.query<ChainFacts & { keyId: string; bytes: Buffer }>(
				`update game_chain set owner = $2
				where game = $1 and number = (select max(number) from game_chain where game = $1)
				returning ${COLUMNS}, key_id as "keyId", secret as bytes`,
				[game, owner],
			);
		const { rows } = await retryFaults(take, signal);
		const [found] = rows;
		if (!found) return null;
		const { keyId, bytes, ...facts } = found;
		const about = aboutOf(game, facts.number);
		const anew = keys.sealedAnew({ keyId, bytes }, about);
		if (anew) {
			const write = () =>
				db.query('update game_chain set key_id = $3, secret = $4 where game = $1 and number = $2', [
					game,
					facts.number,
					anew.keyId,
					anew.bytes,
				]);
			await retryFaults(write, signal);
		}
		return new HashChain(facts, keys.open(anew ?? { keyId, bytes }, about));
	}

	/** Creates a development chain. @throws Error if another process has created the chain with that number */
	static async begin(parts: Opening & { number: number; firstRound: number }): Promise<HashChain> {
		const { db, keys, game, owner, returnPercent, number, firstRound, signal } = parts;
		const length = DEVELOPMENT_LENGTH;
		const { commitment, checkpoints } = await madeChain(randomBytes(HASH_BYTES), length);
		const { keyId, bytes } = keys.seal(checkpoints, aboutOf(game, number));
		const salt = DEVELOPMENT_SALT;
		// Retried if the first answer was lost.
		const write = () =>
			db.query(
				`insert into game_chain (game, number, commitment, length, salt, return_percent, is_development, key_id, secret,
					first_round, owner, begun_at) values ($1, $2, $3, $4, $5, $6, true, $7, $8, $9, $10, $11)
				on conflict (game, number) do update set owner = excluded.owner
				where game_chain.commitment = excluded.commitment`,
				[game, number, commitment, length, salt, returnPercent, keyId, bytes, firstRound, owner, Date.now()],
			);
		const { rowCount } = await retryFaults(write, signal);
		if (rowCount === 0) throw new Error(`another process runs the rounds of ${game}`);
		return new HashChain(
			{ game, number, commitment, length, salt, returnPercent, isDevelopment: true, firstRound },
			checkpoints,
		);
	}

	/**
	 * Resolves when the public log has the announcement, or the signal aborts. No round begins before: a stranger who keeps
	 * the log then knows that no chain was left out.
	 */
	async announced(db: Pick<pg.Pool, 'query'>, signal: AbortSignal): Promise<void> {
		const { game, number } = this.facts;
		const isLogged = async () => {
			const { rowCount } = await db.query('select from game_chain where game = $1 and number = $2 and is_logged', [
				game,
				number,
			]);
			return rowCount === 1;
		};
		while (!this.#isAnnounced && !signal.aborted) {
			this.#isAnnounced = await retryFaults(isLogged, signal);
			if (!this.#isAnnounced) await delay(ANNOUNCED_AFTER_MS, undefined, { signal }).catch(() => undefined);
		}
	}

	/** h_n, 64 hexadecimal digits; secret until its round has ended. @param position n, from 0 to the chain's length */
	hashOf(position: number): string {
		const { length, commitment } = this.facts;
		if (position === 0) return commitment;
		if (!Number.isInteger(position) || position < 0 || position > length) throw new Error(`no hash ${position}`);
		const known = this.#stretch.get(position);
		if (known) return known.toString('hex');
		this.#stretch.clear();
		const checkpoint = Math.min(length, Math.ceil(position / CHECKPOINT) * CHECKPOINT);
		const at = (Math.ceil(checkpoint / CHECKPOINT) - 1) * HASH_BYTES;
		let hash = this.#checkpoints.subarray(at, at + HASH_BYTES);
		for (let index = checkpoint; index > checkpoint - CHECKPOINT && index > 0; index--) {
			this.#stretch.set(index, hash);
			hash = before(hash);
		}
		return (this.#stretch.get(position) as Buffer).toString('hex');
	}
}

/** A chain from its terminal hash h_N: h_0, and the stored hashes. The work yields to the event loop. */
export async function madeChain(
	terminal: Buffer,
	length: number,
): Promise<{ commitment: string; checkpoints: Buffer }> {
	const checkpoints = Buffer.alloc(Math.ceil(length / CHECKPOINT) * HASH_BYTES);
	let hash = terminal;
	for (let index = length; index > 0; index--) {
		if (index % CHECKPOINT === 0 || index === length)
			hash.copy(checkpoints, (Math.ceil(index / CHECKPOINT) - 1) * HASH_BYTES);
		if (index % HASHES_AT_ONCE === 0) await turnOfOthers();
		hash = before(hash);
	}
	return { commitment: hash.toString('hex'), checkpoints };
}

/** A chain that may no longer be in use. @throws Error if no chain has that number */
export async function chainFacts(db: Pick<pg.Pool, 'query'>, game: string, number: number): Promise<ChainFacts> {
	const { rows } = await db.query<ChainFacts>(`select ${COLUMNS} from game_chain where game = $1 and number = $2`, [
		game,
		number,
	]);
	if (!rows[0]) throw new Error(`no chain ${number} of ${game}`);
	return rows[0];
}
