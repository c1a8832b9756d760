/** Shared rounds from before there was a beacon: a visitor's browser verifies them by the rule that they were played by. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { checkpointText } from '#public-log/checkpoint.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { bundleOf } from '#public-log/tiles.ts';
import { chainLeaf, type LoggedRound, roundLeaf } from '#server/money/casino/tables/log-rounds.ts';
import { logKeyOf } from '#server/platform/keys/log-key.ts';
import { type Leaf, leafText } from '#server/platform/public-log/leaf-source.ts';
import { checkRounds } from '#web/features/casino/fairness/round-checks.ts';
import { slowRoot, slowTiles } from '../public-log/slow-tree.ts';
import { LEDGER_KEY } from '../support/server.ts';

const ROUNDS = 5;
const SALT = 'a salt from before the chain';

/** h_0 to h_ROUNDS. */
const hashes = [createHash('sha256').update('the last hash').digest('hex')];
while (hashes.length <= ROUNDS) hashes.unshift(previousHash(hashes[0] ?? ''));

/** As a server of that release announced it: without a beacon, with its salt. */
const announced = chainLeaf({
	game: 'crash',
	number: 1,
	commitment: hashes[0] ?? '',
	length: ROUNDS,
	salt: SALT,
	returnPercent: 97,
	isDevelopment: false,
	firstRound: 1,
	beacon: null,
	saltRound: null,
	saltSignature: null,
	replaced: null,
});

function played(round: number, changes: Partial<LoggedRound> = {}): Leaf {
	const [hash, bettorSeeds] = [hashes[round] ?? '', [`seed-${round}`]];
	const cents = crashCents({ hash, salt: SALT, bettorSeeds, returnPercent: 97 });
	const place = { game: 'crash', round, chain: 1, position: round, phase: 'ENDED' } as const;
	const open = { voidReason: null, voidResult: null, beaconRound: null, beaconSignature: null, isInterrupted: false };
	return roundLeaf({ ...place, ...open, bettorSeeds, hash, result: { cents }, ...changes });
}

/** What a browser finds in a log with those rounds. */
async function checked(rounds: readonly Leaf[]) {
	const leaves = [announced, ...rounds].map((leaf) => Buffer.from(leafText(leaf)));
	const signer = logKeyOf(LEDGER_KEY);
	const key: VerifierKey = { name: signer.name, kind: 'log', publicKey: signer.publicKey };
	const text = checkpointText({ origin: key.name, size: leaves.length, root: slowRoot(leaves) });
	const files = new Map<string, Uint8Array>([
		['logs.json', Buffer.from(JSON.stringify([{ log: 1, key: verifierKeyText(key) }]))],
		['1/checkpoint', Buffer.from(`${text}\n${signatureLine(key, signer.sign(text))}`)],
		[`1/tile/entries/000.p/${leaves.length}`, bundleOf(leaves)],
		...[...slowTiles(leaves)].map(([path, tile]) => [`1/${path}`, tile] as const),
	]);
	const newest = rounds.map((_, at) => at + 1);
	const chains = [{ leaf: { log: 1, entry: 0 }, saltSignature: null }];
	const checks = await checkRounds('crash', { log: 1, newest, announced: [], chains }, async (path) => {
		const file = files.get(path);
		if (!file) throw new Error(`no ${path}`);
		return file;
	});
	return checks.map(({ round, isOfChain, isOfBeacon, isResult }) => [round, isOfChain, isOfBeacon, isResult]);
}

it('verify by their own hash, without a beacon', async () => {
	const rounds = [1, 2, 3, 4, 5].map((round) => played(round));
	expect(await checked(rounds)).toEqual([5, 4, 3, 2, 1].map((round) => [round, true, true, true]));
});

it('are not as announced with another result, or with a value of a beacon that the chain has not', async () => {
	const signature = 'ab'.repeat(48);
	const rounds = [
		played(1),
		played(2, { result: { cents: 100_000 } }),
		played(3, { beaconRound: 7, beaconSignature: signature }),
	];
	expect(await checked(rounds)).toEqual([
		[3, true, false, false],
		[2, true, true, false],
		[1, true, true, true],
	]);
});
