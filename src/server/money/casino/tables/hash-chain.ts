/**
 * Shared rounds: one scheduler for all games of that kind, their hash chains, their bets, and the differences between
 * the games.
 *
 * This file has the chain. h_{n-1} is the SHA-256 of h_n; h_0 is published first, and round n uses h_n. The unrevealed
 * hashes are stored only encrypted: every 10,000th, from which the others follow backwards. Memory has those of the next
 * rounds alone, and the journal has an entry before they are read.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay, setImmediate as turnOfOthers } from 'node:timers/promises';
import type pg from 'pg';
import { type BeaconChain, beaconRoundFrom, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { awaitedSignature, type Beacon, untilRound } from '#server/money/casino/beacon/beacon.ts';
import { type HashAccess, type ReadFor, subjectOfChain } from '#server/money/casino/outcome-access.ts';
import type { DataKeys, Sealed } from '#server/platform/keys/data-keys.ts';
import { sha256 } from '#server/platform/keys/sha256.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { Refused } from '#values/error-catalogue.ts';

const CHECKPOINT = 10_000;
const HASH_BYTES = 32;
/** Rounds whose hashes are read together: half an hour of Crash. */
const READ_AHEAD = 100;
/** A few milliseconds of work. */
const HASHES_AT_ONCE = 2_000;
/** Two days of rounds. The next chain follows automatically. */
const LENGTH = 10_000;

/** Between attempts to enter what is to be read. */
const ENTERED_AGAIN_MS = 100;

/** How often a new chain is looked for in the public log, which is written twice a second. */
const ANNOUNCED_AFTER_MS = 100;

/** Between a new chain and its salt: longer than the public log takes for the announcement. */
const SALT_LEAD_MS = 1_000;
const SALT_LEADS = 3;

/**
 * Why the chain before was left before its end; db/migrations/0188-announced-chains.sql. UNSALTED is of earlier releases: a
 * restart leaves no chain any more.
 */
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
const COLUMNS = `${CHAIN_FACTS}, key_id as "keyId", secret as bytes, is_in_time as "isInTime"`;

/** A chain as its row has it, where a beacon's salt follows from the signature. */
export const withSalt = <Row extends ChainFacts>(row: Row): Row =>
	row.saltSignature === null ? row : { ...row, salt: randomnessOf(row.saltSignature) };

/** What chains of a game are read and written with. Statements wait for an unavailable database until the signal aborts. */
export interface ChainStore {
	db: Pick<pg.Pool, 'query'>;
	keys: DataKeys;
	access: HashAccess;
	game: string;
	/** Names the process. */
	owner: string;
	signal?: AbortSignal;
}

interface NewChain {
	returnPercent: number;
	beacon: Beacon;
	number: number;
	firstRound: number;
	replaced: ChainReplaced | null;
	/** How many chains with this first round were announced too late before. */
	lateBefore: number;
}

interface ChainRow extends ChainFacts {
	keyId: string;
	/** The stored hashes, encrypted. */
	bytes: Buffer;
	isInTime: boolean;
}

const before = (hash: Buffer): Buffer => sha256(hash);

export class HashChain {
	#facts: ChainFacts;
	readonly #store: ChainStore;
	/** h_10000, h_20000 … and h_N. */
	readonly #checkpoints: Sealed;
	/** The hashes of the next rounds, and the one before them, by their position. */
	readonly #known = new Map<number, Buffer>();

	#isAnnounced = false;
	/** The announcement was seen in the public log before the salt was out. */
	#isInTime: boolean;

	private constructor(
		store: ChainStore,
		{ facts, checkpoints, isInTime }: { facts: ChainFacts; checkpoints: Sealed; isInTime: boolean },
	) {
		this.#store = store;
		this.#facts = facts;
		this.#checkpoints = checkpoints;
		this.#isInTime = isInTime;
	}

	get facts(): ChainFacts {
		return this.#facts;
	}

	/** The first round that it has no hash for. */
	get end(): number {
		return this.#facts.firstRound + this.#facts.length;
	}

	/** From here on this process runs the game, and an earlier one writes no round and no chain of it. */
	static async takeOver({ db, game, owner, signal }: ChainStore): Promise<void> {
		const take = () =>
			db.query({
				name: 'take-over-game',
				text: 'update game_chain set owner = $2 where game = $1 and owner <> $2',
				values: [game, owner],
			});
		// The earlier process may have been writing a chain, which this statement waited for and did not see.
		while (((await retryFaults(take, signal)).rowCount ?? 0) > 0);
	}

	/** The chain of a round: of those that begin by then, the one that was announced last. Null before the first. */
	static async ofRound(store: ChainStore, round: number): Promise<HashChain | null> {
		const { db, game, signal } = store;
		const read = () =>
			db.query<ChainRow>({
				name: 'chain-of-round',
				text: `select ${COLUMNS} from game_chain where game = $1 and first_round <= $2 order by number desc limit 1`,
				values: [game, round],
			});
		const [row] = (await retryFaults(read, signal)).rows;
		return row ? await HashChain.#opened(store, row) : null;
	}

	/**
	 * The chain of that number. It is created without a salt if there is none; one that an earlier process has announced
	 * stands as it is. @throws Error if another process runs the game
	 */
	static async begin(parts: ChainStore & NewChain): Promise<HashChain> {
		const { db, keys, game, owner, returnPercent, number, firstRound, signal, beacon, replaced, lateBefore } = parts;
		await entered(parts, { chain: number, first: 1, last: LENGTH, purpose: 'MADE' });
		const { commitment, checkpoints } = await madeChain(randomBytes(HASH_BYTES), LENGTH);
		const { keyId, bytes } = keys.seal(checkpoints, subjectOfChain(game, number));
		checkpoints.fill(0);
		const leadMs = Math.max(SALT_LEAD_MS, SALT_LEADS * beacon.leadMs) * 2 ** lateBefore;
		const saltRound = beaconRoundFrom(beacon.chain, beacon.nowMs() + leadMs);
		const isDevelopment = beacon.chain.name === 'local';
		const facts = [game, number, commitment, LENGTH, returnPercent, isDevelopment];
		const salting = [JSON.stringify(beacon.chain), saltRound, replaced];
		// The lock on the chain before orders this write and a takeover of the game. Retried if the first answer was lost.
		const write = () =>
			db.query<ChainRow>(
				`with chain_before as (
					select from game_chain where game = $1 and number = $2 - 1 and owner = $10 for share
				)
				insert into game_chain (game, number, commitment, length, return_percent, is_development, key_id, secret,
					first_round, owner, begun_at, beacon, salt_round, replaced)
				select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
				where $2 = 1 or exists (select from chain_before)
				on conflict (game, number) do update set owner = excluded.owner where $2 > 1 or game_chain.owner = excluded.owner
				returning ${COLUMNS}`,
				[...facts, keyId, bytes, firstRound, owner, Date.now(), ...salting],
			);
		const [row] = (await retryFaults(write, signal)).rows;
		if (!row) throw new Error(`another process runs the rounds of ${game}`);
		return await HashChain.#opened(parts, row);
	}

	static async #opened(store: ChainStore, row: ChainRow): Promise<HashChain> {
		const { db, keys, game, signal } = store;
		const { keyId, bytes, isInTime, ...facts } = row;
		let sealed: Sealed = { keyId, bytes };
		if (keyId !== keys.presentId) {
			await entered(store, { chain: facts.number, first: 1, last: facts.length, purpose: 'SEALED_ANEW' });
			const anew = keys.sealedAnew(sealed, subjectOfChain(game, facts.number)) ?? sealed;
			const write = () =>
				db.query('update game_chain set key_id = $3, secret = $4 where game = $1 and number = $2', [
					game,
					facts.number,
					anew.keyId,
					anew.bytes,
				]);
			await retryFaults(write, signal);
			sealed = anew;
		}
		return new HashChain(store, { facts: withSalt(facts), checkpoints: sealed, isInTime });
	}

	/**
	 * Resolves when the public log has the announcement, or the signal aborts. No round begins before: a stranger who keeps
	 * the log then knows that no chain was left out.
	 */
	async announced(db: Pick<pg.Pool, 'query'>, signal: AbortSignal): Promise<void> {
		const { game, number } = this.facts;
		const isLogged = async () => {
			const { rowCount } = await db.query({
				name: 'is-chain-logged',
				text: 'select from game_chain where game = $1 and number = $2 and is_logged',
				values: [game, number],
			});
			return rowCount === 1;
		};
		while (!this.#isAnnounced && !signal.aborted) {
			this.#isAnnounced = await retryFaults(isLogged, signal);
			if (!this.#isAnnounced) await delay(ANNOUNCED_AFTER_MS, undefined, { signal }).catch(() => undefined);
		}
	}

	/**
	 * Takes the salt from the beacon, which is waited for. That the announcement came in time is written before, so that a
	 * process that ends while it waits leaves a chain that the next one goes on with.
	 * @returns false if the public log has the announcement too late, so that the salt may have been known before; or if
	 * the signal aborted
	 */
	async salted(db: Pick<pg.Pool, 'query'>, beacon: Beacon, signal: AbortSignal): Promise<boolean> {
		const { saltRound, salt } = this.#facts;
		if (saltRound === null || salt !== '') return true;
		await this.announced(db, signal);
		if (signal.aborted || !(await this.#isAnnouncedInTime(db, untilRound(beacon, saltRound) > 0, signal))) return false;
		const saltSignature = await awaitedSignature(beacon, saltRound, { timeoutMs: Number.POSITIVE_INFINITY, signal });
		if (saltSignature === null) return false;
		await this.#write(db, 'salt_signature = $3', saltSignature, signal);
		this.#facts = withSalt({ ...this.#facts, saltSignature });
		return true;
	}

	/** @param isNow whether the salt is still to come, with the announcement in the log */
	async #isAnnouncedInTime(db: Pick<pg.Pool, 'query'>, isNow: boolean, signal: AbortSignal): Promise<boolean> {
		if (!this.#isInTime && isNow) {
			await this.#write(db, 'is_in_time = $3', true, signal);
			this.#isInTime = true;
		}
		return this.#isInTime;
	}

	async #write(db: Pick<pg.Pool, 'query'>, change: string, value: unknown, signal: AbortSignal): Promise<void> {
		const { game, number } = this.#facts;
		const write = () =>
			db.query(`update game_chain set ${change} where game = $1 and number = $2`, [game, number, value]);
		await retryFaults(write, signal);
	}

	/**
	 * Reads the hash of a round, and for ROUNDS those of the rounds after it, unless it is known. The journal has it before; a
	 * database that is away is waited for. @param position from 1 to the chain's length
	 * @throws as the journal does, if the signal aborts
	 */
	async read(position: number, purpose: ReadFor): Promise<void> {
		const { number, length } = this.facts;
		if (!Number.isInteger(position) || position < 1 || position > length) throw new Error(`no hash ${position}`);
		if (this.#known.has(position)) return;
		const last = purpose === 'ROUNDS' ? Math.min(length, position + READ_AHEAD - 1) : position;
		await entered(this.#store, { chain: number, first: position, last, purpose });
		const { keys, game } = this.#store;
		const checkpoints = keys.open(this.#checkpoints, subjectOfChain(game, number));
		const checkpoint = Math.min(length, Math.ceil(last / CHECKPOINT) * CHECKPOINT);
		const at = (Math.ceil(checkpoint / CHECKPOINT) - 1) * HASH_BYTES;
		let hash: Buffer = Buffer.from(checkpoints.subarray(at, at + HASH_BYTES));
		checkpoints.fill(0);
		const read: [number, Buffer][] = [];
		for (let index = checkpoint; index >= position - 1; index--) {
			if (index <= last) read.push([index, hash]);
			if (index % HASHES_AT_ONCE === 0) await turnOfOthers();
			hash = before(hash);
		}
		this.#known.clear();
		for (const [index, known] of read) this.#known.set(index, known);
	}

	/** h_n, 64 hexadecimal digits; secret until its round has ended. @throws Error if it was not read */
	hashOf(position: number): string {
		if (position === 0) return this.facts.commitment;
		const known = this.#known.get(position);
		if (!known) throw new Error(`hash ${position} was not read`);
		return known.toString('hex');
	}
}

/**
 * A row may be there twice if its answer was lost. The journal answers a lost connection like a lost lease; a process that
 * has lost its lease ends, and aborts the signal.
 */
async function entered(
	{ access, game, signal }: ChainStore,
	read: { chain: number; first: number; last: number; purpose: ReadFor },
): Promise<void> {
	for (;;) {
		try {
			await retryFaults(() => access.hashes({ game, ...read }), signal);
			return;
		} catch (error) {
			const mayBeConnection = error instanceof Refused && error.code === 'DRAINING';
			if (!mayBeConnection || signal === undefined || signal.aborted) throw error;
			await delay(ENTERED_AGAIN_MS, undefined, { ref: false });
		}
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
