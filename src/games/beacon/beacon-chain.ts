/**
 * Public randomness: a beacon publishes a signature for each of its rounds, at a time that is known beforehand. No player
 * and no house knows the signature before, and every stranger can check it.
 *
 * This file has a beacon's clock, and how its value enters a round.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** What a stranger needs to check a beacon's values. */
export interface BeaconChain {
	/** local: the house's own, which stands in where no public one is configured. Its values prove nothing. */
	name: 'quicknet' | 'local';
	/** Of BLS signatures, a compressed point of G2 in hexadecimal digits. */
	publicKey: string;
	/** When round 1 is published, milliseconds since 1970. */
	genesisMs: number;
	periodMs: number;
}

/** What a beacon published in one of its rounds. */
export interface BeaconValue {
	/** From 1. */
	round: number;
	/** A compressed point of G1, 96 hexadecimal digits. */
	signature: string;
}

/** drand's network of the League of Entropy. https://docs.drand.love/blog/2023/10/16/quicknet-is-live */
export const QUICKNET: BeaconChain = {
	name: 'quicknet',
	publicKey:
		'83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
	genesisMs: 1_692_803_367_000,
	periodMs: 3_000,
};

export const beaconTimeOf = ({ genesisMs, periodMs }: BeaconChain, round: number): number =>
	genesisMs + (round - 1) * periodMs;

/** The first round whose time is that one or later. */
export const beaconRoundFrom = ({ genesisMs, periodMs }: BeaconChain, ms: number): number =>
	Math.max(1, Math.ceil((ms - genesisMs) / periodMs) + 1);

export const isSameBeacon = (one: BeaconChain, other: BeaconChain): boolean =>
	one.publicKey === other.publicKey && one.genesisMs === other.genesisMs && one.periodMs === other.periodMs;

/** The random value of a signature, 64 hexadecimal digits; drand's definition. */
export const randomnessOf = (signature: string): string => bytesToHex(sha256(hexToBytes(signature)));

/**
 * The hash that gives a round's result, 64 hexadecimal digits: HMAC-SHA-256 of the chain's hash, keyed with the beacon's
 * random value. Neither of the two tells anything about it without the other.
 * @param signature null for rounds of chains without a beacon, whose own hash gives the result
 */
export const resultHash = (hash: string, signature: string | null): string =>
	signature === null ? hash : bytesToHex(hmac(sha256, hexToBytes(randomnessOf(signature)), hexToBytes(hash)));
