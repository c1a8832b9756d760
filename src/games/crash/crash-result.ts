/**
 * The crash chain and its results. A result follows from the round's hash, the chain's salt, up to three bettors' seeds
 * and the chain's return.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { sharedClientSeed } from '#games/seeded-words.ts';

const RANGE = 2n ** 52n;

/** The number of bettors' seeds in a round. */
export const BETTOR_SEEDS = 3;

export interface CrashRound {
	/** The round's hash of the chain, with the beacon's value in it where there is one (src/games/beacon); 64 hexadecimal digits. */
	hash: string;
	/** A value that was not known when the chain was published; a development chain has one that was. */
	salt: string;
	/** Of the first three players whose bets were accepted. */
	bettorSeeds: readonly string[];
	/** The chain's return to bettors, in per cent. */
	returnPercent: number;
}

/** The hash of the previous round: SHA-256 of the raw bytes. */
export const previousHash = (hash: string): string => bytesToHex(sha256(hexToBytes(hash)));

/** Hundredths from 52 bits; at least 100. Shared by Crash and Limbo. */
export function crashCentsOf(bits: bigint, returnPercent: number): number {
	const cents = (BigInt(returnPercent) * RANGE) / (RANGE - bits);
	return cents < 100n ? 100 : Number(cents);
}

/** The multiplier at which a round crashes, in hundredths. */
export function crashCents({ hash, salt, bettorSeeds, returnPercent }: CrashRound): number {
	const key = sharedClientSeed(salt, bettorSeeds);
	const digest = hmac(sha256, utf8ToBytes(key), hexToBytes(hash));
	const bits = BigInt(`0x${bytesToHex(digest).slice(0, 13)}`);
	return crashCentsOf(bits, returnPercent);
}

/** Another public site's function, so that its rounds can be verified too: 32 bits, key and message swapped. */
export function otherCrashCents(hash: string, seed: string, returnPercent: number): number {
	const digest = hmac(sha256, utf8ToBytes(hash), utf8ToBytes(seed));
	const word = new DataView(digest.buffer, digest.byteOffset).getUint32(0);
	return Math.max(100, Math.floor((returnPercent * 2 ** 32) / (word + 1)));
}

/** A chain's hashes from h_0 to h_N, which is the terminal one; h_0 is published with N before the first round. */
export function chainOf(terminal: string, length: number): string[] {
	const hashes = [terminal];
	for (let made = 0; made < length; made++) hashes.push(previousHash(hashes.at(-1) as string));
	return hashes.reverse();
}
