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
import { type BeaconChain, beaconRoundFrom, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { awaitedSignature, type Beacon, untilRound } from '#server/money/casino/beacon/beacon.ts';
import type { DataKeys } from '#server/platform/keys/data-keys.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';

const CHECKPOINT = 10_000;
const HASH_BYTES = 32;
/** A few milliseconds of work. */
const HASHES_AT_ONCE = 2_000;
/** Two days of rounds. The next chain follows automatically. */
const LENGTH = 10_000;

/** How often a new chain is looked for in the public log, which is written twice a second. */
const ANNOUNCED_AFTER_MS = 100;

/** Between a new chain and its salt: longer than the public log takes for the announcement. */
const SALT_LEAD_MS = 1_000;
const SALT_LEADS = 3;

/** Why the chain before was left before its end; db/migrations/0185-beacon.sql. */
export type ChainReplaced = 'BEACON' | 'UNSALTED' | 'LATE';

/** The public part of a chain. */
export interface ChainFacts {
	game: string;
	number: number;
	/** h_0, 64 hexadecimal digits. */
	commitment: string;
	length: number;
	/** Empty until the beacon gives it. */
	salt: string;
	returnPercent: number;
	/** The salt proves nothing: it was known before, or the house's own beacon gave it. */
	isDevelopment: boolean;
	firstRound: number;
	/** Null for a chain from before there was one. */
	beacon: BeaconChain | null;
	/** The salt is the beacon's value of this round. */
	saltRound: number | null;
	saltSignature: string | null;
	replaced: ChainReplaced | null;
}

export const CHAIN_FACTS = `game, number, commitment, length, coalesce(salt, '') as salt,
	return_percent as "returnPercent", is_development as "isDevelopment", first_round as "firstRound", beacon,
	salt_round as "saltRound", salt_signature as "saltSignature", replaced`;

/** A chain as its row has it, where a beacon's salt follows from the signature. */
export const withSalt = <Row extends ChainFacts>(row: Row): Row =>
	row.saltSignature === null ? row : { ...row, salt: randomnessOf(row.saltSignature) };

/** The parameters for opening a chain. Statements wait for an unavailable database until the signal aborts. */
interface Opening {
	db: Pick<pg.Pool, 'query'>;
	keys: DataKeys;
	game: string;
	/** Names the process. */
	owner: string;
	returnPercent: number;
	beacon: Beacon;
	signal?: AbortSignal;
}

interface NewChain {
	number: number;
	firstRound: number;
	replaced: ChainReplaced | null;
	/** How many chains with this first round were announced too late before. */
	lateBefore: number;
}

const before = (hash: Buffer): Buffer => digestOf('sha256', hash, 'buffer');
const aboutOf = (game: string, number: number): string => `chain ${game} ${number}`;

export class HashChain {
	#facts: ChainFacts;
	/** h_10000, h_20000 … and h_N. */
	readonly #checkpoints: Buffer;
	/** The hashes of one stretch between two checkpoints, by their position. */
	readonly #stretch = new Map<number, Buffer>();

	#isAnnounced = false;

	private constructor(facts: ChainFacts, checkpoints: Buffer) {
		this.#facts = facts;
		this.#checkpoints = checkpoints;
	}

	get facts(): ChainFacts {
		return this.#facts;
	}

	/** Claims the chain in use for this process; null if the game has none. */
	static async find(parts: Omit<Opening, 'returnPercent' | 'beacon'>): Promise<HashChain | null> {
		const { db, keys, game, owner, signal } = parts;
		const take = () =>
			db.query<ChainFacts & { keyId: string; bytes: Buffer }>(
				`update game_chain set owner = $2
				where game = $1 and number = (select max(number) from game_chain where game = $1)
				returning ${CHAIN_FACTS}, key_id as "keyId", secret as bytes`,
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
		return new HashChain(withSalt(facts), keys.open(anew ?? { keyId, bytes }, about));
	}

	/** Creates a chain without a salt yet. @throws Error if another process has created the chain with that number */
	static async begin(parts: Opening & NewChain): Promise<HashChain> {
		const { db, keys, game, owner, returnPercent, number, firstRound, signal, beacon, replaced, lateBefore } = parts;
		const { commitment, checkpoints } = await madeChain(randomBytes(HASH_BYTES), LENGTH);
		const { keyId, bytes } = keys.seal(checkpoints, aboutOf(game, number));
		const leadMs = Math.max(SALT_LEAD_MS, SALT_LEADS * beacon.leadMs) * 2 ** lateBefore;
		const saltRound = beaconRoundFrom(beacon.chain, beacon.nowMs() + leadMs);
		const isDevelopment = beacon.chain.name === 'local';
		const first = [
			game,
			number,
			commitment,
			LENGTH,
			returnPercent,
			isDevelopment,
			keyId,
			bytes,
			firstRound,
			owner,
			Date.now(),
		];
		const salting = [JSON.stringify(beacon.chain), saltRound, replaced];
		// Retried if the first answer was lost.
		const write = () =>
			db.query(
				`insert into game_chain (game, number, commitment, length, return_percent, is_development, key_id, secret,
					first_round, owner, begun_at, beacon, salt_round, replaced)
				values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
				on conflict (game, number) do update set owner = excluded.owner
				where game_chain.commitment = excluded.commitment`,
				[...first, ...salting],
			);
		const { rowCount } = await retryFaults(write, signal);
		if (rowCount === 0) throw new Error(`another process runs the rounds of ${game}`);
		const announced = { game, number, commitment, length: LENGTH, returnPercent, isDevelopment, firstRound };
		const unsalted = { salt: '', saltRound, saltSignature: null, beacon: beacon.chain, replaced };
		return new HashChain({ ...announced, ...unsalted }, checkpoints);
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

	/**
	 * Takes the salt from the beacon, which is waited for. @returns false if the public log has the announcement too late,
	 * so that the salt may have been known before; or if the signal aborted
	 */
	async salted(db: Pick<pg.Pool, 'query'>, beacon: Beacon, signal: AbortSignal): Promise<boolean> {
		const { game, number, saltRound, salt } = this.#facts;
		if (saltRound === null || salt !== '') return true;
		await this.announced(db, signal);
		if (untilRound(beacon, saltRound) <= 0 || signal.aborted) return false;
		const saltSignature = await awaitedSignature(beacon, saltRound, { timeoutMs: Number.POSITIVE_INFINITY, signal });
		if (saltSignature === null) return false;
		const write = () =>
			db.query('update game_chain set salt_signature = $3 where game = $1 and number = $2', [
				game,
				number,
				saltSignature,
			]);
		await retryFaults(write, signal);
		this.#facts = withSalt({ ...this.#facts, saltSignature });
		return true;
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
	const { rows } = await db.query<ChainFacts>(`select ${CHAIN_FACTS} from game_chain where game = $1 and number = $2`, [
		game,
		number,
	]);
	if (!rows[0]) throw new Error(`no chain ${number} of ${game}`);
	return withSalt(rows[0]);
}
