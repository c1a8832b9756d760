/**
 * The dishonest house: it shows each player a proof, made with all its knowledge and its keys, over a tree that owes less
 * than it should. In every tree at least one player finds it, by the own proof alone.
 */
import { expect, it } from 'vitest';
import { checkpointText } from '#public-log/checkpoint.ts';
import { leafHash, nodeHash } from '#public-log/merkle-tree.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import type { Sums } from '#public-log/sum-tree.ts';
import { checkWalletProof, type WalletOwner, type WalletProof, type WalletShare } from '#public-log/wallet-proof.ts';
import { logKeyOf } from '#server/platform/keys/log-key.ts';
import { type Draw, randomFrom, shuffled } from '#sports/random.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { onSeeds } from '../support/seeds.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { encoded, type SlowNode, slowLeaf, slowPath, slowRoot } from './slow-sum-tree.ts';

const SHARES = 4;
const DAY = '2026-11-25';
const signer = logKeyOf(LEDGER_KEY);
const verifier: VerifierKey = { name: `${signer.name}/1-00000000`, kind: 'log', publicKey: signer.publicKey };
const KEY = verifierKeyText(verifier);

interface Player extends WalletOwner {
	/** What the player knows to have had. */
	money: Sums;
}

/** A leaf as the house has it: what it says to its owner, and what it adds to the sums. */
interface TreeLeaf {
	text: string;
	node: SlowNode;
}

const total = (parts: readonly Sums[]): Sums => ({
	cash: parts.reduce((sum, { cash }) => sum + cash, 0),
	held: parts.reduce((sum, { held }) => sum + held, 0),
	bonus: parts.reduce((sum, { bonus }) => sum + bonus, 0),
});

function players(draw: Draw): Player[] {
	const amount = () => (draw() < 0.3 ? 0 : Math.floor(draw() * 100_000));
	return Array.from({ length: 2 + Math.floor(draw() * 6) }, (_, at) => ({
		brand: 'localhost',
		pool: 'PLAY',
		player: 1000 + at,
		name: `player-${at}`,
		// Someone has something.
		money: { cash: 1 + amount(), held: amount(), bonus: amount() },
	}));
}

function sharesOf({ brand, pool, player, name }: Player, money: Sums, draw: Draw): TreeLeaf[] {
	const parts = { cash: money.cash, held: money.held, bonus: money.bonus };
	return Array.from({ length: SHARES }, (_, share) => {
		const some = (sum: number): number => (share === SHARES - 1 ? sum : Math.floor(draw() * (sum + 1)));
		const amounts = { cash: some(parts.cash), held: some(parts.held), bonus: some(parts.bonus) };
		for (const kind of ['cash', 'held', 'bonus'] as const) parts[kind] -= amounts[kind];
		const salt = Math.floor(draw() * 2 ** 32)
			.toString(16)
			.padStart(32, '0');
		const leaf: WalletShare = {
			type: 'wallet',
			brand,
			player,
			name: `${name}`,
			pool,
			day: DAY,
			share,
			shares: SHARES,
			salt,
			...amounts,
		};
		return leafOf(leaf);
	});
}

function leafOf(leaf: WalletShare): TreeLeaf {
	const text = canonicalJson({ ...leaf });
	return { text, node: slowLeaf(text, leaf) };
}

/** A tree with its leaf in a log of two leaves, and whatever the house wants to say to a player. */
class House {
	readonly leaves: readonly TreeLeaf[];
	readonly tree: string;
	readonly log: WalletProof['log'];

	/** @param says replaces fields of the log's leaf */
	constructor(leaves: readonly TreeLeaf[], says: object = {}) {
		this.leaves = leaves;
		const root = slowRoot(leaves.map(({ node }) => node));
		const [cash = 0, held = 0, bonus = 0] = root.sums.map(Number);
		const sums = { cash, held, bonus, shortfall: 0, pots: 0 };
		const hash = root.hash.toString('base64');
		const leaf = { type: 'liabilities', pool: 'PLAY', day: DAY, batch: 7, size: leaves.length, root: hash, ...sums };
		this.tree = canonicalJson({ ...leaf, ...says });
		const other = leafHash(Buffer.from('another leaf'));
		const own = leafHash(Buffer.from(this.tree));
		const signed = checkpointText({ origin: verifier.name, size: 2, root: nodeHash(other, own) });
		const checkpoint = `${signed}\n${signatureLine(verifier, signer.sign(signed))}`;
		this.log = { index: 1, path: [Buffer.from(other).toString('base64')], checkpoint };
	}

	leaf(index: number): WalletProof['leaves'][number] {
		const nodes = this.leaves.map(({ node }) => node);
		const path = slowPath(nodes, index).map((node) => encoded(node).toString('base64'));
		return { text: this.leaves[index]?.text ?? '', index, path };
	}

	/** With all leaves that bear the player's number. */
	proofFor({ player }: Player): WalletProof {
		const own = this.leaves.flatMap(({ text }, at) => (text.includes(`"player":${player},`) ? [this.leaf(at)] : []));
		return { tree: this.tree, leaves: own, log: this.log };
	}
}

/** Whether a player is content: all holds, and the money is what the player had. */
function isContent(player: Player, proof: WalletProof): boolean {
	const { money, isOwn, isUnderRoot, isLogged } = checkWalletProof(proof, KEY, player);
	return isOwn && isUnderRoot && isLogged && JSON.stringify(money) === JSON.stringify(player.money);
}

/** What the house shows to whom. */
type Shown = readonly (readonly [Player, WalletProof])[];

interface Setting {
	all: readonly Player[];
	victim: Player;
	/** Another player. */
	other: Player;
	/** Shuffled, of all players. */
	leaves: readonly TreeLeaf[];
	draw: Draw;
}

const isOf = ({ text }: TreeLeaf, { player }: Player): boolean => text.includes(`"player":${player},`);
const showAll = (house: House, { all }: Setting): Shown => all.map((player) => [player, house.proofFor(player)]);

const FRAUDS: Readonly<Record<string, (setting: Setting) => Shown>> = {
	'omits a leaf of a player': (setting) => {
		const left = setting.leaves.findIndex((leaf) => isOf(leaf, setting.victim));
		return showAll(new House(setting.leaves.toSpliced(left, 1)), setting);
	},
	'omits a leaf, and gives another of the player’s leaves twice': (setting) => {
		const { victim, leaves } = setting;
		const left = leaves.findIndex((leaf) => isOf(leaf, victim));
		const house = new House(leaves.toSpliced(left, 1));
		const honest = house.proofFor(victim);
		return [[victim, { ...honest, leaves: [...honest.leaves, ...honest.leaves.slice(0, 1)] }]];
	},
	'omits a player, and shows the leaves of a tree that is not in the log': (setting) => {
		const { victim, leaves } = setting;
		const cheap = new House(leaves.filter((leaf) => !isOf(leaf, victim)));
		const honest = new House(leaves).proofFor(victim);
		return [[victim, { ...honest, tree: cheap.tree, log: cheap.log }]];
	},
	'says that three leaves are all': (setting) => {
		const { victim, draw } = setting;
		const shares = sharesOf(victim, victim.money, draw).map(({ text }) => JSON.parse(text) as WalletShare);
		const [, ...kept] = shares.sort((one, another) => another.cash - one.cash);
		const fewer = kept.map((leaf, share) => leafOf({ ...leaf, share, shares: kept.length }));
		const rest = setting.leaves.filter((leaf) => !isOf(leaf, victim));
		return showAll(new House(shuffled([...rest, ...fewer], draw)), setting);
	},
	'has a player with less': (setting) => {
		const { victim, draw } = setting;
		const less = { ...victim.money, cash: victim.money.cash - 1 };
		const rest = setting.leaves.filter((leaf) => !isOf(leaf, victim));
		return showAll(new House(shuffled([...rest, ...sharesOf(victim, less, draw)], draw)), setting);
	},
	'adds a negative leaf of nobody’s': (setting) => {
		const { draw } = setting;
		const owed = total(setting.all.map(({ money }) => money)).cash;
		const node = { hash: Buffer.alloc(32, 7), sums: [BigInt(-1 - Math.floor(draw() * owed)), 0n, 0n] };
		return showAll(new House(shuffled([...setting.leaves, { text: '', node }], draw)), setting);
	},
	'makes a player’s share negative, and another larger': (setting) => {
		const { victim, draw } = setting;
		const parts = [victim.money.cash + 5, -5, 0, 0].map((cash) => ({ ...victim.money, cash, held: 0, bonus: 0 }));
		const own = sharesOf({ ...victim }, { cash: 0, held: victim.money.held, bonus: victim.money.bonus }, draw).map(
			({ text }, at) => leafOf({ ...(JSON.parse(text) as WalletShare), cash: parts[at]?.cash ?? 0 }),
		);
		const rest = setting.leaves.filter((leaf) => !isOf(leaf, victim));
		return showAll(new House(shuffled([...rest, ...own], draw)), setting);
	},
	'gives two players the leaves of one': (setting) => {
		const { victim, other, leaves } = setting;
		const house = new House(leaves.filter((leaf) => !isOf(leaf, victim)));
		return [[{ ...victim, money: other.money }, house.proofFor(other)]];
	},
	'gives two accounts without names the leaves of one': (setting) => {
		const { victim, other, leaves } = setting;
		const house = new House(leaves.filter((leaf) => !isOf(leaf, victim)));
		return [[{ ...victim, name: null, money: other.money }, house.proofFor(other)]];
	},
	'gives two players one number, and the leaves of one': (setting) => {
		const { victim, other, leaves } = setting;
		const house = new House(leaves.filter((leaf) => !isOf(leaf, victim)));
		return [[{ ...victim, player: other.player, money: other.money }, house.proofFor(other)]];
	},
	'splits a player’s money into equal parts, and gives one leaf for two': (setting) => {
		const { victim, leaves, draw } = setting;
		const [part] = sharesOf(victim, victim.money, draw) as [TreeLeaf];
		const leaf = JSON.parse(part.text) as WalletShare;
		const equal = Array.from({ length: SHARES - 1 }, (_, share) =>
			leafOf({ ...leaf, share, cash: 25, held: 0, bonus: 0 }),
		);
		const house = new House([...leaves.filter((each) => !isOf(each, victim)), ...equal]);
		const honest = house.proofFor(victim);
		const twice = { ...honest, leaves: [...honest.leaves, ...honest.leaves.slice(0, 1)] };
		return [[{ ...victim, money: { cash: 25 * SHARES, held: 0, bonus: 0 } }, twice]];
	},
	'gives two players the leaves of one, with the other’s name in them': (setting) => {
		const { victim, other, leaves } = setting;
		const house = new House(leaves.filter((leaf) => !isOf(leaf, victim)));
		const { player, name } = victim;
		const renamed = house.proofFor(other).leaves.map((leaf) => ({
			...leaf,
			text: canonicalJson({ ...(JSON.parse(leaf.text) as object), player, name }),
		}));
		return [
			[
				{ ...victim, money: other.money },
				{ ...house.proofFor(other), leaves: renamed },
			],
		];
	},
	'logs smaller totals than the root has': (setting) => {
		const { cash } = total(setting.all.map(({ money }) => money));
		return showAll(new House(setting.leaves, { cash: cash - 1 }), setting);
	},
	'logs a root of other leaves': (setting) => {
		const { leaves, victim } = setting;
		const cheap = new House(leaves.slice(1));
		return [[victim, { ...new House(leaves).proofFor(victim), log: cheap.log }]];
	},
	'shows smaller sums beside a path than it hashed': (setting) => {
		const { victim, leaves, draw } = setting;
		const honest = new House(leaves).proofFor(victim);
		const at = Math.floor(draw() * honest.leaves.length);
		const changed = honest.leaves.map((leaf, place) => (place === at ? { ...leaf, path: cut(leaf.path, draw) } : leaf));
		return [[victim, { ...honest, leaves: changed }]];
	},
	'signs with another key': (setting) => {
		const honest = new House(setting.leaves).proofFor(setting.victim);
		const { checkpoint } = honest.log;
		const other = logKeyOf('another key of the ledger, which signs another log');
		const [signed = ''] = checkpoint.split('\n\n');
		const line = signatureLine({ ...verifier, publicKey: other.publicKey }, other.sign(`${signed}\n`));
		return [[setting.victim, { ...honest, log: { ...honest.log, checkpoint: `${signed}\n\n${line}` } }]];
	},
	'shows the tree of another pool': (setting) => {
		const honest = new House(setting.leaves, { pool: 'DEMO' });
		return [[setting.victim, honest.proofFor(setting.victim)]];
	},
};

/** A path with a sum that is smaller, or larger where it is nothing. */
function cut(path: readonly string[], draw: Draw): string[] {
	const at = Math.floor(draw() * path.length);
	return path.map((node, place) => {
		const bytes = Buffer.from(node, 'base64');
		if (place === at)
			bytes.writeBigUInt64BE(bytes.readBigUInt64BE(32) === 0n ? 1n : bytes.readBigUInt64BE(32) - 1n, 32);
		return bytes.toString('base64');
	});
}

function settingOf(draw: Draw): Setting {
	const all = players(draw);
	const [victim, other] = shuffled(all, draw) as [Player, Player];
	const leaves = shuffled(
		all.flatMap((player) => sharesOf(player, player.money, draw)),
		draw,
	);
	return { all, victim, other, leaves, draw };
}

onSeeds([1, 2, 3, 4], 'of an honest house every player is content, on seed %i', (seed) => {
	const draw = randomFrom(seed);
	for (let round = 0; round < 5; round++) {
		const setting = settingOf(draw);
		for (const [player, proof] of showAll(new House(setting.leaves), setting))
			expect(isContent(player, proof)).toBe(true);
	}
});

onSeeds([11, 12, 13, 14], 'whatever a dishonest house does, a player finds it, on seed %i', (seed) => {
	const draw = randomFrom(seed);
	for (const [name, fraud] of Object.entries(FRAUDS))
		for (let round = 0; round < 5; round++) {
			const shown = fraud(settingOf(draw));
			expect(
				shown.some(([player, proof]) => !isContent(player, proof)),
				`${name}, round ${round}`,
			).toBe(true);
		}
});

it('a proof that cannot be read proves nothing, and breaks nothing', () => {
	const setting = settingOf(randomFrom(5));
	const honest = new House(setting.leaves).proofFor(setting.victim);
	const strange: WalletProof[] = [
		{ ...honest, leaves: [] },
		{ ...honest, tree: 'null' },
		{ ...honest, tree: honest.tree.replace('"type"', ' "type"') },
		{ ...honest, log: { ...honest.log, checkpoint: 'signed' } },
		{ ...honest, log: { ...honest.log, path: ['%'] } },
		...['[]', '{}', '{"type":"wallet"}', 'no JSON'].map((text) => ({
			...honest,
			leaves: honest.leaves.map((leaf) => ({ ...leaf, text })),
		})),
		{ ...honest, leaves: honest.leaves.map((leaf) => ({ ...leaf, path: ['short', ...leaf.path.slice(1)] })) },
		{ ...honest, leaves: honest.leaves.map((leaf) => ({ ...leaf, index: -1 })) },
	];
	for (const proof of strange) expect(isContent(setting.victim, proof)).toBe(false);
	expect(isContent(setting.victim, honest)).toBe(true);
	expect(checkWalletProof(honest, 'no key', setting.victim)).toMatchObject({ isOwn: true, isLogged: false });
});
