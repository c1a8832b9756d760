/**
 * A sum tree over wallets. The money of each is split at random over four leaves, whose places are shuffled among those of
 * all (as BitMEX publishes its liabilities), so that the sums beside a path are parts of unknown wallets.
 *
 * Memory: 280 bytes a wallet, of which its leaves are 224; the stored levels above take a 256th of that.
 */
import { createCipheriv, randomInt } from 'node:crypto';
import { HASH_BYTES } from '#public-log/merkle-tree.ts';
import { leafNode, NODE_BYTES, rootOver, type Sums, sumsOf } from '#public-log/sum-tree.ts';
import type { WalletShare } from '#public-log/wallet-proof.ts';
import type { WalletThen } from '#server/money/liabilities/day-end.ts';
import { sha256 } from '#server/platform/keys/sha256.ts';

export const SHARES = 4;
/** Neighbours that are stored together, of every eighth level: the levels between are computed faster than read. */
export const TILE_NODES = 256;
/** Wallets in a block of the index. */
export const BLOCK_WALLETS = 256;
const ID_BYTES = 8;
const PLACE_BYTES = 4;
/** Of a wallet in the index: its id, and the places of its leaves. */
export const ENTRY_BYTES = ID_BYTES + SHARES * PLACE_BYTES;
const SALT_BYTES = 16;
/** A place has four bytes. */
const MOST_LEAVES = 2 ** 32;
/** Above it, an amount is not split evenly at random: `randomInt` ends there. */
const LARGEST_CUT = 2 ** 48 - 2;

export interface SumTree extends Sums {
	/** How many leaves it has. */
	size: number;
	/** Hash of its root. */
	root: Buffer;
	/** What players owe, which is in no sum. */
	shortfall: number;
	/** Key of the leaves' salts. */
	secret: Buffer;
	/** Nodes of every eighth level, from the leaves up to the level that one tile has. */
	levels: Buffer[];
	/** Entries of the wallets, by their ids. */
	places: Buffer;
}

/** Of leaves by their numbers, which count all shares of all wallets: a block of AES a leaf. */
export function saltsOf(secret: Buffer, first: number, count: number): Buffer {
	const counter = Buffer.alloc(SALT_BYTES);
	counter.writeUIntBE(first, SALT_BYTES - 6, 6);
	return createCipheriv('aes-256-ctr', secret, counter).update(Buffer.alloc(count * SALT_BYTES));
}

/** Four parts of an amount: the differences of three cuts at random. */
function split(amount: number): number[] {
	if (amount === 0) return Array.from({ length: SHARES }, () => 0);
	const cuts = Array.from({ length: SHARES - 1 }, () => randomInt(Math.min(amount, LARGEST_CUT) + 1));
	const ends = [...cuts.sort((one, other) => one - other), amount];
	return ends.map((end, at) => end - (ends[at - 1] ?? 0));
}

/**
 * Puts the leaves into random order.
 * @returns the place of each, by the place that it had
 */
function shuffle(leaves: Buffer): Uint32Array {
	const count = leaves.length / NODE_BYTES;
	const cameFrom = Uint32Array.from({ length: count }, (_, at) => at);
	const spare = Buffer.alloc(NODE_BYTES);
	for (let at = count - 1; at > 0; at--) {
		const other = randomInt(at + 1);
		leaves.copy(spare, 0, at * NODE_BYTES, (at + 1) * NODE_BYTES);
		leaves.copyWithin(at * NODE_BYTES, other * NODE_BYTES, (other + 1) * NODE_BYTES);
		spare.copy(leaves, other * NODE_BYTES);
		const place = cameFrom[at] as number;
		cameFrom[at] = cameFrom[other] as number;
		cameFrom[other] = place;
	}
	const places = new Uint32Array(count);
	for (const [place, from] of cameFrom.entries()) places[from] = place;
	return places;
}

/** The parts of a wallet's money. */
function splitAll(money: Sums): Sums[] {
	const [cash, held, bonus] = [split(money.cash), split(money.held), split(money.bonus)];
	return cash.map((part, at) => ({ cash: part, held: held[at] as number, bonus: bonus[at] as number }));
}

/** An entry of the index: a wallet, and where its leaves stand. */
export function entryAt(places: Buffer, rank: number): { walletId: number; places: number[] } {
	const at = rank * ENTRY_BYTES;
	return {
		walletId: places.readUIntBE(at + ID_BYTES - 6, 6),
		places: Array.from({ length: SHARES }, (_, share) => places.readUInt32BE(at + ID_BYTES + share * PLACE_BYTES)),
	};
}

/** What the leaves of one wallet say besides amounts. */
interface LeafedWallet extends Pick<WalletThen, 'walletId' | 'brand' | 'name'> {
	pool: string;
	/** Such as 2026-11-25. */
	day: string;
}

/**
 * The texts of a wallet's leaves, in the order of their numbers.
 * @param salts of these leaves
 */
export const leafTexts = (
	{ pool, day, walletId, brand, name }: LeafedWallet,
	parts: readonly Sums[],
	salts: Buffer,
): Buffer[] =>
	parts.map(({ cash, held, bonus }, share) => {
		const salt = salts.toString('hex', share * SALT_BYTES, (share + 1) * SALT_BYTES);
		// The names in order, as in all leaves of the log.
		const leaf: WalletShare = {
			bonus,
			brand,
			cash,
			day,
			held,
			name,
			player: walletId,
			pool,
			salt,
			share,
			shares: SHARES,
			type: 'wallet',
		};
		return Buffer.from(JSON.stringify(leaf));
	});

interface Leafed {
	pool: string;
	day: string;
	/** Key of the leaves' salts. */
	secret: Buffer;
}

/**
 * @param most wallets that can come
 * @param wallets in the order of their ids, at least one
 */
export async function buildTree(
	leafed: Leafed,
	most: number,
	wallets: AsyncIterable<readonly WalletThen[]>,
): Promise<SumTree> {
	if (most * SHARES > MOST_LEAVES) throw new Error(`${most} wallets are too many for a tree`);
	const written = new WrittenLeaves(leafed, most);
	for await (const some of wallets) written.add(some);
	const { leaves, places, shortfall } = written.shuffled();
	const levels = [leaves];
	let level = leaves;
	while (level.length > TILE_NODES * NODE_BYTES) {
		level = rootsOfTiles(level);
		levels.push(level);
	}
	const root = Buffer.from(rootOver(level, sha256));
	const size = leaves.length / NODE_BYTES;
	return {
		size,
		root: root.subarray(0, HASH_BYTES),
		...sumsOf(root),
		shortfall,
		secret: leafed.secret,
		levels,
		places,
	};
}

/** The leaves as they come, wallet after wallet, and then shuffled. */
class WrittenLeaves {
	readonly #leafed: Leafed;
	readonly #leaves: Buffer;
	readonly #places: Buffer;
	#wallets = 0;
	#shortfall = 0;

	constructor(leafed: Leafed, most: number) {
		this.#leafed = leafed;
		this.#leaves = Buffer.alloc(most * SHARES * NODE_BYTES);
		this.#places = Buffer.alloc(most * ENTRY_BYTES);
	}

	add(some: readonly WalletThen[]): void {
		const { pool, day, secret } = this.#leafed;
		const salts = saltsOf(secret, this.#wallets * SHARES, some.length * SHARES);
		for (const [at, wallet] of some.entries()) {
			const { walletId, brand, name, cash, held, bonus } = wallet;
			if (held < 0 || bonus < 0) throw new Error(`Wallet ${walletId} held ${held}, and had ${bonus} of bonus.`);
			// A debt is no part of what the house owes to others.
			this.#shortfall += Math.max(0, -cash);
			const parts = splitAll({ cash: Math.max(0, cash), held, bonus });
			const own = salts.subarray(at * SHARES * SALT_BYTES, (at + 1) * SHARES * SALT_BYTES);
			const first = this.#wallets * SHARES;
			for (const [share, text] of leafTexts({ pool, day, walletId, brand, name }, parts, own).entries())
				this.#leaves.set(leafNode(text, parts[share] as Sums, sha256), (first + share) * NODE_BYTES);
			this.#places.writeUIntBE(walletId, this.#wallets * ENTRY_BYTES + ID_BYTES - 6, 6);
			this.#wallets++;
		}
	}

	shuffled(): Pick<SumTree, 'places' | 'shortfall'> & { leaves: Buffer } {
		if (this.#wallets === 0) throw new Error('a tree needs a wallet');
		const leaves = this.#leaves.subarray(0, this.#wallets * SHARES * NODE_BYTES);
		const places = this.#places.subarray(0, this.#wallets * ENTRY_BYTES);
		for (const [leaf, place] of shuffle(leaves).entries()) {
			const entry = Math.floor(leaf / SHARES) * ENTRY_BYTES;
			places.writeUInt32BE(place, entry + ID_BYTES + (leaf % SHARES) * PLACE_BYTES);
		}
		return { leaves, places, shortfall: this.#shortfall };
	}
}

/** The level eight above. */
function rootsOfTiles(level: Buffer): Buffer {
	const bytes = TILE_NODES * NODE_BYTES;
	const roots = Buffer.alloc(Math.ceil(level.length / bytes) * NODE_BYTES);
	for (let tile = 0; tile * bytes < level.length; tile++)
		roots.set(rootOver(level.subarray(tile * bytes, (tile + 1) * bytes), sha256), tile * NODE_BYTES);
	return roots;
}
