/** `npm run fair` computes rounds again from files. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resultHash } from '#games/beacon/beacon-chain.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { commitmentOf } from '#games/seeded-words.ts';
import { checkedLines, type FairMode } from '../../tools/fair.ts';
import { gameList } from '../../tools/game-list.ts';
import { signatureOf, TEST_BEACON } from '../support/beacon-relay.ts';
import { hasVectors, readVectors } from './vectors.ts';

/** As a command on its standard input, some of whose rounds are wrong. */
function fairCommand(mode: FairMode, lines: readonly string[]): unknown[] {
	const { stdout, stderr, status } = spawnSync(process.execPath, ['tools/fair.ts', mode, '--file', '-'], {
		input: lines.join('\n'),
		encoding: 'utf8',
	});
	expect([stderr, status]).toEqual(['', 1]);
	return stdout
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as unknown);
}

/** The same without a process of its own. */
function fair(mode: FairMode, rounds: readonly object[], check = inProcess): unknown[] {
	return check(
		mode,
		rounds.map((line) => JSON.stringify(line)),
	);
}
const inProcess: typeof fairCommand = (mode, lines) =>
	[...checkedLines(mode, lines)].map(({ line }) => JSON.parse(JSON.stringify(line)) as unknown);

it.skipIf(!hasVectors)('says where rounds of a chain crash', () => {
	const { v3 } = readVectors<{ v3: { salt: string; explicit: { hash: string; crash: string }[] } }>('crash-rounds');
	const rounds = v3.explicit.map(({ hash }) => ({ hash, salt: v3.salt, seeds: [], return: 99 }));
	expect(fair('crash', rounds)).toEqual(
		rounds.map((round, index) => ({ ...round, cents: Math.round(Number(v3.explicit[index]?.crash) * 100) })),
	);
});

it.skipIf(!hasVectors)('draws from seeds', () => {
	const { roulette } = readVectors<{ roulette: { serverSeed: string; clientSeed: string; byNonce: number[] } }>(
		'seed-stream',
	);
	const { serverSeed, clientSeed, byNonce } = roulette;
	const lines = byNonce.map((_, nonce) => ({ serverSeed, clientSeed, nonce, sides: 37, count: 1 }));
	expect(fair('draw', lines)).toEqual(lines.map((line, nonce) => ({ ...line, draws: [byNonce[nonce]] })));
});

it('says what a pair proves by what its player noted before, and whether a round of a table is linked', () => {
	const round = { serverSeed: 'abc', clientSeed: 'player', nonce: 3 };
	const commitment = commitmentOf('abc');
	const dice = { ...round, game: 'dice', commitment };
	const hash = 'ab'.repeat(32);
	const table = { game: 'dragon-tiger', serverSeed: hash, clientSeed: 'salt', nonce: 7 };
	const noted = { commitment, clientSeed: 'player' };
	const [proven, unwitnessed, old, otherSeed, otherNote, mines, linked, broken] = fair(
		'verify',
		[
			{ ...dice, witnessed: noted },
			dice,
			{ ...dice, rule: 1 },
			{ ...dice, commitment: commitmentOf('other'), witnessed: noted },
			{ ...dice, witnessed: { ...noted, commitment: commitmentOf('other') } },
			{ ...round, game: 'mines', choice: '3', result: 'no such result' },
			{ ...table, previousHash: previousHash(hash) },
			{ ...table, previousHash: hash },
		],
		fairCommand,
	);
	const standings = [proven, unwitnessed, old, otherSeed, otherNote].map(
		(line) => (line as { standing: string }).standing,
	);
	expect(standings).toEqual(['proven', 'unwitnessed', 'old-rule', 'broken', 'broken']);
	expect(proven).toMatchObject({ outcome: expect.any(Number) });
	expect(mines).toMatchObject({
		outcome: [expect.any(Number), expect.any(Number), expect.any(Number)],
		isResult: false,
	});
	const cards = { dragon: expect.any(Number), tiger: expect.any(Number) };
	expect(linked).toMatchObject({ outcome: cards, isLinked: true });
	expect(broken).toMatchObject({ outcome: cards, isLinked: false });
});

it('mixes a beacon’s value into the hash of a shared round, and says whether the beacon signed it', () => {
	const hash = 'ab'.repeat(32);
	const beacon = { round: 7, signature: signatureOf(7), publicKey: TEST_BEACON.publicKey };
	const ofHash = { game: 'roulette', clientSeed: 'salt:seed', nonce: 9 };
	const [table, plain, forged] = fair('verify', [
		{ ...ofHash, serverSeed: hash, beacon, previousHash: previousHash(hash) },
		{ ...ofHash, serverSeed: resultHash(hash, beacon.signature) },
		{ ...ofHash, serverSeed: hash, beacon: { ...beacon, round: 8 } },
	]) as { outcome: unknown; isSigned?: boolean; isLinked?: boolean }[];
	expect(table).toMatchObject({ outcome: plain?.outcome, isSigned: true, isLinked: true });
	expect(forged).toMatchObject({ isSigned: false });
	const flight = { salt: 'salt', seeds: ['seed'], return: 97 };
	const [mixed, done] = fair('crash', [
		{ ...flight, hash, beacon },
		{ ...flight, hash: resultHash(hash, beacon.signature) },
	]) as { cents: number; isSigned?: boolean }[];
	expect(mixed).toMatchObject({ cents: done?.cents, isSigned: true });
	expect(mixed).not.toMatchObject({
		cents: crashCents({ hash, salt: 'salt', bettorSeeds: ['seed'], returnPercent: 97 }),
	});
});

it('README.md lists the games as their definitions have them', () => {
	const readme = readFileSync('README.md', 'utf8');
	expect(readme, 'Replace the table by what `npm run --silent fair -- games` prints.').toContain(gameList().join('\n'));
});
