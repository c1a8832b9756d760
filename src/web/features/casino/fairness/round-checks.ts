/**
 * Checks the last rounds of a shared game in the visitor's browser, from the files of the public log alone: each round is
 * in the signed tree, its hash leads back to the hash that its chain was announced with, its beacon's value is the one that
 * was announced before it, and all that gives the published result.
 */
import { gameOf } from '#games/all-games.ts';
import { type BeaconChain, randomnessOf } from '#games/beacon/beacon-chain.ts';
import { isBeaconSignature } from '#games/beacon/beacon-signature.ts';
import { previousHash } from '#games/crash/crash-result.ts';
import { isPublished } from '#games/round-result.ts';
import { sharedOutcome } from '#games/shared-result.ts';
import { LogReader } from '#public-log/log-reader.ts';
import type { ReadFile } from '#public-log/verify-log.ts';
import { pause } from '#web/pause.ts';

/** A leaf of a public log. */
interface LogPlace {
	log: number;
	entry: number;
}

/** Which leaves are to be checked. */
interface RoundLeaves {
	log: number;
	/** Of the rounds. */
	newest: readonly number[];
	/** Of their announcements. */
	announced: readonly number[];
	/** With what is not known yet when a chain is announced. */
	chains: readonly { leaf: LogPlace | null; saltSignature: string | null }[];
}

/** What the log says of a round. */
interface RoundLeaf {
	round: number;
	chain: number;
	position: number;
	phase: 'ENDED' | 'VOID';
	bettorSeeds: readonly string[];
	hash: string;
	result: unknown;
	/** Missing from rounds that were void before it was kept. */
	voidResult?: unknown;
	/** Missing in chains without a beacon. The signature is null where the beacon was replaced before it gave one. */
	beacon?: { round: number; signature: string | null };
}

interface BettingLeaf {
	round: number;
	beaconRound: number;
}

interface ChainLeaf {
	chain: number;
	commitment: string;
	/** Of a chain without a beacon. */
	salt?: string;
	returnPercent: number;
	beacon?: BeaconChain;
	saltRound?: number;
}

interface AnnouncedChain extends ChainLeaf {
	salt: string;
}

export interface RoundCheck {
	round: number;
	isVoid: boolean;
	/** The signed tree has it. */
	isLogged: boolean;
	/** Its hash belongs to the chain that was announced. */
	isOfChain: boolean;
	/** The beacon of the chain signed the value of the round that was announced; true without a beacon. */
	isOfBeacon: boolean;
	/** All that gives the published result; of a void round, the one it would have had. */
	isResult: boolean;
}

/** Hashes computed before the page gets a turn. */
const HASHES_AT_ONCE = 2_000;

/**
 * @param read reads a file below `/public-log/`
 * @param onChecked gets the number of rounds that were looked at so far
 * @returns newest first
 * @throws Error if a file is missing, or the log is not signed
 */
export async function checkRounds(
	game: string,
	{ log, newest, announced: announcements, chains }: RoundLeaves,
	read: ReadFile,
	onChecked: (count: number) => void = () => undefined,
): Promise<RoundCheck[]> {
	const readers = new Map<number, Promise<LogReader>>();
	const leafAt = async (place: LogPlace) => {
		const reader = readers.get(place.log) ?? LogReader.open(read, place.log);
		readers.set(place.log, reader);
		return await (await reader).leaf(place.entry);
	};
	const announced = new Map<number, AnnouncedChain>();
	for (const { leaf: place, saltSignature } of chains) {
		const found = place && (await leafAt(place));
		if (!found?.isLogged) continue;
		const chain = found.leaf as ChainLeaf;
		const salt = saltOf(chain, saltSignature);
		if (salt !== null) announced.set(chain.chain, { ...chain, salt });
	}
	const beaconRounds = new Map<number, number>();
	for (const entry of announcements) {
		const { leaf, isLogged } = (await leafAt({ log, entry })) as { leaf: BettingLeaf; isLogged: boolean };
		if (isLogged) beaconRounds.set(leaf.round, leaf.beaconRound);
	}
	const rounds: { leaf: RoundLeaf; isLogged: boolean; isOfBeacon: boolean }[] = [];
	for (const entry of newest) {
		const { leaf, isLogged } = (await leafAt({ log, entry })) as { leaf: RoundLeaf; isLogged: boolean };
		const chain = announced.get(leaf.chain);
		rounds.push({ leaf, isLogged, isOfBeacon: isOfBeacon(leaf, chain, beaconRounds.get(leaf.round)) });
		onChecked(rounds.length);
		await pause();
	}
	const ofChain = await hashesOfChains(
		rounds.map(({ leaf }) => leaf),
		announced,
	);
	return rounds
		.map(({ leaf, isLogged, isOfBeacon }) => {
			const chain = announced.get(leaf.chain);
			return {
				round: leaf.round,
				isVoid: leaf.phase === 'VOID',
				isLogged,
				isOfChain: ofChain.has(leaf.hash),
				isOfBeacon,
				isResult: chain !== undefined && givesResult(game, leaf, chain),
			};
		})
		.sort((one, other) => other.round - one.round);
}

/** Null if the beacon of the chain did not sign it. */
function saltOf({ salt, beacon, saltRound }: ChainLeaf, signature: string | null): string | null {
	if (!beacon || saltRound === undefined) return salt ?? null;
	const isSigned = signature !== null && isBeaconSignature(beacon.publicKey, { round: saltRound, signature });
	return isSigned ? randomnessOf(signature) : null;
}

/** @param announced the beacon's round that was announced before the round; undefined if the log has none */
function isOfBeacon(
	{ beacon: value }: RoundLeaf,
	chain: ChainLeaf | undefined,
	announced: number | undefined,
): boolean {
	if (!chain) return false;
	const { beacon } = chain;
	if (!beacon || !value) return !beacon && !value;
	if (value.round !== announced) return false;
	const { round, signature } = value;
	return signature === null || isBeaconSignature(beacon.publicKey, { round, signature });
}

/** The hashes of the chains: from each of them the one is reached that its chain was announced with. */
async function hashesOfChains(
	rounds: readonly RoundLeaf[],
	announced: ReadonlyMap<number, ChainLeaf>,
): Promise<Set<string>> {
	const belonging = new Set<string>();
	for (const [number, { commitment }] of announced) {
		const ofChain = rounds.filter(({ chain }) => chain === number);
		const newestFirst = ofChain.sort((one, other) => other.position - one.position);
		// Earlier hashes follow from the newest one; where that one is not of the chain, they follow from the next.
		for (const { hash, position } of newestFirst) {
			const passed = await hashesFrom(hash, position);
			if (passed.at(0) !== commitment) continue;
			for (const each of ofChain) if (passed[each.position] === each.hash) belonging.add(each.hash);
			break;
		}
	}
	return belonging;
}

/** From position 0 to the given one. */
async function hashesFrom(last: string, position: number): Promise<string[]> {
	const hashes = [last];
	for (let at = position; at > 0; at--) {
		hashes.push(previousHash(hashes.at(-1) as string));
		if (at % HASHES_AT_ONCE === 0) await pause();
	}
	return hashes.reverse();
}

function givesResult(code: string, leaf: RoundLeaf, { salt, returnPercent }: AnnouncedChain): boolean {
	const game = gameOf(code);
	const { phase, voidResult, beacon } = leaf;
	const published = phase === 'VOID' ? voidResult : leaf.result;
	// Void rounds of earlier releases published their hash alone, and without the beacon's value there is no result.
	if (published === undefined || beacon?.signature === null) return phase === 'VOID';
	if (game?.kind !== 'crash' && game?.kind !== 'table') return false;
	const signature = beacon?.signature ?? null;
	return isPublished(sharedOutcome(game, { ...leaf, signature, salt, returnPercent }), published);
}
