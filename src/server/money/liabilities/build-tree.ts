/**
 * A sum tree over wallets. The money of each is split at random over four leaves, whose places are shuffled among those of
 * all (as BitMEX publishes its liabilities), so that the sums beside a path are parts of unknown wallets.
 *
 * Memory: the leaves are 224 bytes a wallet, their places and their index 40; levels above take a 128th of that.
 */
import { createCipheriv, hash as hashOf, randomInt } from 'node:crypto';
import { HASH_BYTES } from '#public-log/merkle-tree.ts';
import { leafNode, NODE_BYTES, rootOver, type Sums, sumsOf } from '#public-log/sum-tree.ts';
import type { WalletShare } from '#public-log/wallet-proof.ts';
import { dayName } from '#server/money/funds/calendar.ts';
import type { WalletThen } from '#server/money/liabilities/day-end.ts';

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

const sha256 = (bytes: Uint8Array): Uint8Array => hashOf('sha256', bytes, 'buffer');

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

/** Of the leaves with these numbers, which count all shares of all wallets: a block of AES a leaf. */
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

/** Numbers below the count, each once, in random order. */
function shuffledPlaces(count: number): Uint32Array {
	const places = Uint32Array.from({ length: count }, (_, at) => at);
	for (let at = count - 1; at > 0; at--) {
		const other = randomInt(at + 1);
		const place = places[at] as number;
		places[at] = places[other] as number;
		places[other] = place;
	}
	return places;
}

/** An entry of the index: a wallet, and where its leaves stand. */
export function entryAt(places: Buffer, rank: number): { walletId: number; places: number[] } {
	const at = rank * ENTRY_BYTES;
	return {
		walletId: places.readUIntBE(at + ID_BYTES - 6, 6),
		places: Array.from({ length: SHARES }, (_, share) => places.readUInt32BE(at + ID_BYTES + share * PLACE_BYTES)),
	};
}

interface Leafed {
	pool: string;
	day: number;
	secret: Buffer;
}

/** The leaves of a wallet, each with its text, in the order of their numbers. @param rank of the wallet, from 0 */
export function leavesOf(
	{ pool, day, secret }: Leafed,
	rank: number,
	{ walletId, brand, name }: Pick<WalletThen, 'walletId' | 'brand' | 'name'>,
	parts: readonly Sums[],
): { text: Buffer; amounts: Sums }[] {
	const salts = saltsOf(secret, rank * SHARES, SHARES);
	return parts.map(({ cash, held, bonus }, share) => {
		const salt = salts.toString('hex', share * SALT_BYTES, (share + 1) * SALT_BYTES);
		const leaf: WalletShare = {
			bonus,
			brand,
			cash,
			day: dayName(day),
			held,
			name,
			player: walletId,
			pool,
			salt,
			share,
			shares: SHARES,
			type: 'wallet',
		};
		return { text: Buffer.from(JSON.stringify(leaf)), amounts: { cash, held, bonus } };
	});
}

/**
 * @param count how many wallets come, at least one
 * @param wallets in the order of their ids
 */
export async function buildTree(
	leafed: Leafed,
	count: number,
	wallets: AsyncIterable<readonly WalletThen[]>,
): Promise<SumTree> {
	const size = count * SHARES;
	if (size >= MOST_LEAVES) throw new Error(`${count} wallets are too many for a tree`);
	const shuffled = shuffledPlaces(size);
	const leaves = Buffer.alloc(size * NODE_BYTES);
	const places = Buffer.alloc(count * ENTRY_BYTES);
	let [rank, shortfall] = [0, 0];
	for await (const some of wallets) {
		for (const wallet of some) {
			// A debt is no part of what the house owes to others.
			shortfall += Math.max(0, -wallet.cash);
			const [cash, held, bonus] = [split(Math.max(0, wallet.cash)), split(wallet.held), split(wallet.bonus)];
			const parts = cash.map((part, at) => ({ cash: part, held: held[at] ?? 0, bonus: bonus[at] ?? 0 }));
			const entry = rank * ENTRY_BYTES;
			places.writeUIntBE(wallet.walletId, entry + ID_BYTES - 6, 6);
			for (const [share, { text, amounts }] of leavesOf(leafed, rank, wallet, parts).entries()) {
				const place = shuffled[rank * SHARES + share] as number;
				leaves.set(leafNode(text, amounts, sha256), place * NODE_BYTES);
				places.writeUInt32BE(place, entry + ID_BYTES + share * PLACE_BYTES);
			}
			rank++;
		}
	}
	if (rank !== count) throw new Error(`${rank} wallets came instead of ${count}`);
	const levels: Buffer[] = [leaves];
	let level: Buffer = leaves;
	while (level.length > TILE_NODES * NODE_BYTES) {
		level = rootsOfTiles(level);
		levels.push(level);
	}
	const root = Buffer.from(rootOver(level, sha256));
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

/** The level eight above. */
function rootsOfTiles(level: Buffer): Buffer {
	const bytes = TILE_NODES * NODE_BYTES;
	const roots = Buffer.alloc(Math.ceil(level.length / bytes) * NODE_BYTES);
	for (let tile = 0; tile * bytes < level.length; tile++)
		roots.set(rootOver(level.subarray(tile * bytes, (tile + 1) * bytes), sha256), tile * NODE_BYTES);
	return roots;
}
