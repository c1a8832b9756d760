/**
 * The proof that a player's money is among what the house says that it owes: the leaves of the player's wallet in a sum
 * tree, their paths to its root, and the leaf of the public log that has this root, in a signed checkpoint.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from '#public-log/base64.ts';
import { readCheckpoint } from '#public-log/checkpoint.ts';
import { HASH_BYTES, isSameHash, leafHash, rootOfInclusion } from '#public-log/merkle-tree.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { leafNode, rootOfPath, type Sums, sumsOf } from '#public-log/sum-tree.ts';

/** Whose wallet it is. */
export interface WalletOwner {
	/** Host of the brand. */
	brand: string;
	pool: string;
	player: number;
	/** By which the player logs in; null where the player chose none, as of a demo account. */
	name: string | null;
}

/** The leaf of the public log about a sum tree: what the house owed all players of a pool. */
export interface Liabilities extends Sums {
	type: 'liabilities';
	pool: string;
	/** Of India's calendar, such as 2026-11-25: the balances are those at its end. */
	day: string;
	/** The last batch of the ledger that counts. */
	batch: number;
	/** Leaves of the tree. */
	size: number;
	/** Hash of the tree's root, base64. */
	root: string;
	/** What players owe the house: their balances below zero, which lower no sum. */
	shortfall: number;
	/** Of markets whose settlement was under way: no player's yet. */
	pots: number;
}

/** A leaf of a sum tree: a share of what a wallet has. */
export interface WalletShare extends Sums {
	type: 'wallet';
	brand: string;
	player: number;
	name: string;
	pool: string;
	day: string;
	/** From 0; all shares together are the wallet. */
	share: number;
	shares: number;
	/** Random, so that the leaf tells a stranger nothing: 32 hexadecimal digits. */
	salt: string;
}

export interface WalletProof {
	/** Text of the log's leaf, as it stands in the log. */
	tree: string;
	/** Texts of the wallet's leaves with their place in the tree and the nodes to its root, base64. */
	leaves: readonly { text: string; index: number; path: readonly string[] }[];
	/** That the log has that leaf: its place, the hashes to the root, base64, and the signed checkpoint. */
	log: { index: number; path: readonly string[]; checkpoint: string };
}

/** What a proof shows; money only as far as its leaves can be read. */
export interface CheckedWallet {
	/** Null where the text is not of a sum tree. */
	tree: Liabilities | null;
	/** What all leaves have together. */
	money: Sums;
	/** They are all shares of the owner's wallet, each once. Two leaves of different text have different places. */
	isOwn: boolean;
	/** Each leads to the root and the totals that the log's leaf has, and no sum on the way is below zero. */
	isUnderRoot: boolean;
	/** That leaf is in the log, whose key signed it. */
	isLogged: boolean;
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const areSums = ({ cash, held, bonus }: Partial<Sums>): boolean => [cash, held, bonus].every(isAmount);

/** Null for what is not the text of such a leaf. One fact has one text, by which a second tree of a day is found. */
function read<Leaf extends Sums & { type: string; day: string }>(text: string, type: Leaf['type']): Leaf | null {
	try {
		const leaf = JSON.parse(text) as Partial<Leaf> | null;
		const isOne = leaf?.type === type && areSums(leaf) && /^\d{4}-\d\d-\d\d$/.test(`${leaf.day}`);
		return isOne && JSON.stringify(leaf) === text ? (leaf as Leaf) : null;
	} catch {
		return null;
	}
}

/** A proof comes from the house: whatever cannot be read is a claim that does not hold. */
function holds(claim: () => boolean): boolean {
	try {
		return claim();
	} catch {
		return false;
	}
}

/**
 * @param key of the log, NAME+ID+KEY
 */
export function checkWalletProof(
	{ tree: text, leaves, log }: WalletProof,
	key: string,
	owner: WalletOwner,
): CheckedWallet {
	const tree = read<Liabilities>(text, 'liabilities');
	const shares = leaves.flatMap((leaf) => read<WalletShare>(leaf.text, 'wallet') ?? []);
	const money = { cash: 0, held: 0, bonus: 0 };
	for (const { cash, held, bonus } of shares) {
		money.cash += cash;
		money.held += held;
		money.bonus += bonus;
	}
	const isWhole = tree !== null && shares.length === leaves.length && areSums(money);
	return {
		tree,
		money,
		isOwn: isWhole && areOwn(shares, tree, owner),
		isUnderRoot: isWhole && holds(() => leaves.every((leaf, at) => leadsTo(tree, leaf, shares[at] as WalletShare))),
		isLogged: tree !== null && holds(() => isInLog(text, log, key)),
	};
}

function areOwn(
	shares: readonly WalletShare[],
	tree: Liabilities,
	{ brand, pool, player, name }: WalletOwner,
): boolean {
	const numbers = new Set(shares.map(({ share }) => share));
	const isShareOf = (each: WalletShare): boolean =>
		each.brand === brand &&
		each.player === player &&
		(name === null || each.name === name) &&
		each.pool === pool &&
		tree.pool === pool &&
		each.day === tree.day &&
		each.shares === shares.length;
	return shares.length > 0 && shares.every(isShareOf) && shares.every((_, at) => numbers.has(at));
}

function leadsTo(tree: Liabilities, { text, index, path }: WalletProof['leaves'][number], share: WalletShare): boolean {
	const root = rootOfPath(leafNode(utf8ToBytes(text), share), index, tree.size, path.map(fromBase64));
	if (!root || !isSameHash(root.subarray(0, HASH_BYTES), fromBase64(tree.root))) return false;
	const { cash, held, bonus } = sumsOf(root);
	return cash === tree.cash && held === tree.held && bonus === tree.bonus;
}

function isInLog(text: string, { index, path, checkpoint: note }: WalletProof['log'], key: string): boolean {
	const { root, size } = readCheckpoint(note, parseVerifierKey(key));
	const found = rootOfInclusion(leafHash(utf8ToBytes(text)), index, size, path.map(fromBase64));
	return found !== null && isSameHash(found, root);
}
