/**
 * `npm run fair -- crash|draw|verify --file FILE`: computes rounds from their seeds, without the server. FILE has JSON
 * lines, `-` reads standard input. `npm run fair -- games` prints the games with their exact returns.
 *
 *   crash   {hash, salt, seeds, return, beacon?} → the same with `cents`
 *   draw    {serverSeed, clientSeed, nonce, sides, count} → the same with `draws`
 *   verify  {game, choice?, actions?, serverSeed, clientSeed, nonce, result?, previousHash?, beacon?,
 *           pair?, rule?, commitment?, rounds?, witnessed?: {commitment, clientSeed}}
 *           → the same with `outcome`, whether it matches that result, and whether the server seed follows that hash
 *           in the chain. With a commitment, `standing` is the proof given by the pair: proven, unwitnessed, old-rule
 *           or broken (src/games/pair-proof.ts). `witnessed` is the player's note from before giving the client seed.
 *           `beacon` is {round, signature, publicKey?} of a shared round of Crash or a table, whose server seed or hash is the
 *           chain's, and whose client seed is the salt and the bettors' seeds with colons between. The beacon's value is mixed
 *           into the hash, and `isSigned` says whether the beacon signed it; without `publicKey`, drand's quicknet.
 *           Rounds of pairs are followed by a line for each pair with the nonces that are missing or repeated.
 *
 * `npm run fair -- verify-receipt --key KEY --file FILE` checks receipts of answers: {receipt, result?} → the same with
 * `isReceipt` and what the house confirmed. `receipt` is the text of the answer's X-Receipt, `result`
 * is the answer's `result`. Or {later, call, clientRequestId, host, player, result}, where `later` is what
 * /public-log/receipts/REFERENCE gives, and the others are of the request. KEY is what the house publishes at
 * /public-log/receipts-key.
 *
 * `npm run fair -- verify-wallet --key KEY --file FILE` checks a proof of one's money that was saved (Account, Proof):
 * {proof, brand, pool, player, name?} → whether its leaves are the owner's, lead to the root, and stand in the log, with the money
 * and the totals. KEY is the log's, as /public-log/logs.json names it.
 *
 * It exits with 1 if a round, a pair, a receipt or a proof is wrong.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { gameOf } from '#games/all-games.ts';
import { QUICKNET, resultHash } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { crashCents, previousHash } from '#games/crash/crash-result.ts';
import { drawFrom } from '#games/fair-draw.ts';
import { nonceFaults, standingOf } from '#games/pair-proof.ts';
import { resultOf } from '#games/round-result.ts';
import { seededWords } from '#games/seeded-words.ts';
import { checkReceipt, type Receipt, readReceipt, receiptOf, resultDigest } from '../src/public-log/receipt.ts';
import { parseVerifierKey } from '../src/public-log/signed-note.ts';
import { checkWalletProof } from '../src/public-log/wallet-proof.ts';
import { gameList } from './game-list.ts';

const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const seeds = { serverSeed: v.string(), clientSeed: v.string(), nonce: v.pipe(v.number(), v.integer(), v.minValue(0)) };

const Beacon = v.object({
	round: v.pipe(v.number(), v.integer(), v.minValue(1)),
	signature: v.pipe(v.string(), v.regex(/^[0-9a-f]{96}$/)),
	publicKey: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{192}$/)), QUICKNET.publicKey),
});

/** The hash that gives a shared round's result, and whether the beacon signed its value. */
function mixed(hash: string, beacon: v.InferOutput<typeof Beacon> | undefined) {
	if (!beacon) return { hash, signed: {} };
	const isSigned = isBeaconSignature(beacon.publicKey, beacon);
	return { hash: resultHash(v.parse(Hash, hash), beacon.signature), signed: { isSigned } };
}

const CrashLine = v.object({
	beacon: v.optional(Beacon),
	hash: Hash,
	salt: v.string(),
	seeds: v.optional(v.array(v.string()), []),
	return: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
});
const DrawLine = v.object({
	...seeds,
	sides: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 32)),
	count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
});
const VerifyLine = v.object({
	...seeds,
	beacon: v.optional(Beacon),
	game: v.string(),
	choice: v.optional(v.string(), ''),
	actions: v.optional(v.array(v.string()), []),
	result: v.optional(v.string()),
	previousHash: v.optional(Hash),
	pair: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
	rule: v.optional(v.picklist([1, 2]), 2),
	commitment: v.optional(Hash),
	rounds: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
	witnessed: v.optional(v.nullable(v.object({ commitment: Hash, clientSeed: v.string() })), null),
});

/** What the lines of a file are checked with, and the pairs that they name. */
interface Checking {
	key: string | undefined;
	pairs: Map<number, { rounds: number | null; nonces: number[] }>;
}

const MODES = {
	crash: (line: unknown) => {
		const { hash: ofChain, salt, seeds, return: returnPercent, beacon } = v.parse(CrashLine, line);
		const { hash, signed } = mixed(ofChain, beacon);
		return { cents: crashCents({ hash, salt, bettorSeeds: seeds, returnPercent }), ...signed };
	},
	draw: (line: unknown) => {
		const { sides, count, ...of } = v.parse(DrawLine, line);
		const draw = drawFrom(seededWords(of));
		return { draws: Array.from({ length: count }, () => draw(sides)) };
	},
	verify: (line: unknown, { pairs }: Checking) => {
		const { game, choice, actions, serverSeed, clientSeed, nonce, ...said } = v.parse(VerifyLine, line);
		const known = gameOf(game);
		if (!known || known.kind === 'crash') throw new Error(`no game with draws: ${game}`);
		const { hash, signed } = mixed(serverSeed, said.beacon);
		const found = resultOf(known, { serverSeed: hash, clientSeed, nonce }, { choice, actions });
		const { result, previousHash: before, pair, rule, commitment, rounds, witnessed } = said;
		const standing = commitment && standingOf({ rule, clientSeed, commitment, serverSeed }, witnessed);
		if (pair !== undefined) pairOf(pairs, pair, rounds).nonces.push(nonce);
		return {
			outcome: found.outcome,
			result: found.result,
			...signed,
			...(standing ? { standing } : {}),
			...(result === undefined ? {} : { isResult: found.result === result }),
			...(before === undefined ? {} : { isLinked: previousHash(serverSeed) === before }),
		};
	},
	'verify-receipt': verifyReceipt,
	'verify-wallet': verifyWallet,
} satisfies Record<string, (line: unknown, checking: Checking) => object>;

export type FairMode = keyof typeof MODES;

const GivenReceipt = v.object({
	receipt: v.string(),
	result: v.optional(v.unknown()),
});
const ReceiptOnDemand = v.object({
	later: v.object({
		at: v.number(),
		batch: v.number(),
		salt: v.string(),
		index: v.number(),
		path: v.array(v.string()),
		root: v.string(),
	}),
	call: v.string(),
	clientRequestId: v.string(),
	host: v.string(),
	player: v.number(),
	result: v.unknown(),
});
const ReceiptLine = v.union([GivenReceipt, ReceiptOnDemand]);

/** A receipt that was fetched by its reference says only with the client's own words what it confirms. */
function receiptIn(line: v.InferOutput<typeof ReceiptLine>): Receipt {
	if ('receipt' in line) return readReceipt(line.receipt);
	const { later, call, clientRequestId, host, player, result } = line;
	return receiptOf(later, { call, clientRequestId, host, player, result: resultDigest(JSON.stringify(result)) });
}

function verifyReceipt(line: unknown, { key }: Checking): object {
	const asked = v.parse(ReceiptLine, line);
	const { result } = asked;
	if (key === undefined) throw new Error('verify-receipt needs --key.');
	try {
		const { statement, root } = checkReceipt(
			receiptIn(asked),
			parseVerifierKey(key),
			result === undefined ? null : JSON.stringify(result),
		);
		return { isReceipt: true, statement, root: { id: root.origin.split('/').at(-1), size: root.size } };
	} catch (error) {
		return { isReceipt: false, because: (error as Error).message };
	}
}

const WalletLine = v.object({
	proof: v.object({
		tree: v.string(),
		leaves: v.array(v.object({ text: v.string(), index: v.number(), path: v.array(v.string()) })),
		log: v.object({ index: v.number(), path: v.array(v.string()), checkpoint: v.string() }),
	}),
	brand: v.string(),
	pool: v.string(),
	player: v.number(),
	name: v.optional(v.nullable(v.string()), null),
});

function verifyWallet(line: unknown, { key }: Checking): object {
	const { proof, ...owner } = v.parse(WalletLine, line);
	if (key === undefined) throw new Error('verify-wallet needs --key.');
	return checkWalletProof(proof, key, owner);
}

function pairOf(pairs: Checking['pairs'], pair: number, rounds: number | null): { nonces: number[] } {
	const known = pairs.get(pair) ?? { rounds, nonces: [] };
	pairs.set(pair, known);
	return known;
}

const FINDINGS = new Set(['isResult', 'isLinked', 'isReceipt', 'isSigned', 'isOwn', 'isUnderRoot', 'isLogged']);

const isFaulty = (checked: object): boolean =>
	Object.entries(checked).some(
		([name, value]) =>
			(name === 'standing' && value === 'broken') ||
			(FINDINGS.has(name) && value === false) ||
			((name === 'missing' || name === 'repeated') && (value as number[]).length > 0),
	);

/** Each line of a file with what was found of it, then a line for each pair. */
export function* checkedLines(
	mode: FairMode,
	texts: Iterable<string>,
	key?: string,
): Generator<{ line: object; isFaulty: boolean }> {
	const checking: Checking = { key, pairs: new Map() };
	for (const text of texts) {
		if (text.trim() === '') continue;
		const line: unknown = JSON.parse(text);
		const checked = MODES[mode](line, checking);
		yield { line: { ...(line as object), ...checked }, isFaulty: isFaulty(checked) };
	}
	for (const [pair, { rounds, nonces }] of checking.pairs) {
		const faults = nonceFaults(nonces, rounds);
		yield { line: { pair, checked: nonces.length, ...faults }, isFaulty: isFaulty(faults) };
	}
}

const isMode = (name: string): name is FairMode => Object.hasOwn(MODES, name);

function run(): void {
	const { values, positionals } = parseArgs({
		options: { file: { type: 'string' }, key: { type: 'string' } },
		allowPositionals: true,
	});
	const [mode = ''] = positionals;
	if (mode === 'games') {
		console.log(gameList().join('\n'));
		process.exit(0);
	}
	if (!isMode(mode) || !values.file) {
		console.error(
			'npm run fair -- crash|draw|verify|verify-receipt|verify-wallet --file FILE [--key KEY], or npm run fair -- games',
		);
		process.exit(2);
	}
	const texts = readFileSync(values.file === '-' ? 0 : values.file, 'utf8')
		.replace(/^\uFEFF/, '')
		.split('\n');
	for (const { line, isFaulty: isWrong } of checkedLines(mode, texts, values.key)) {
		if (isWrong) process.exitCode = 1;
		process.stdout.write(`${JSON.stringify(line)}\n`);
	}
}

if (import.meta.main) run();
