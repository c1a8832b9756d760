/**
 * A beacon of the house's own, where no public one is configured: a fresh machine, a demonstration, a test. Its key
 * follows from the server's, so it can be checked like a public one and proves nothing. It is refused for real money.
 */
import { hkdfSync } from 'node:crypto';
import { type BeaconChain, beaconTimeOf } from '#games/beacon/beacon-chain.ts';
import { BEACON_SEED_BYTES, beaconKeys, beaconSignature } from '#games/beacon/beacon-signature.ts';
import { type Beacon, leadOf } from '#server/money/casino/beacon/beacon.ts';
import { GRANTED_POOLS, type GrantedPool } from '#values/pools.ts';

const PERIOD_MS = 3_000;

/** The last ones: the servers of one process, one after another, have the same. */
let last: { tokenKey: string; keys: ReturnType<typeof beaconKeys> } | null = null;

function keysOf(tokenKey: string): ReturnType<typeof beaconKeys> {
	if (last?.tokenKey !== tokenKey) {
		const seed = Buffer.from(hkdfSync('sha256', tokenKey, '', 'local beacon', BEACON_SEED_BYTES));
		last = { tokenKey, keys: beaconKeys(seed) };
	}
	return last.keys;
}

export class LocalBeacon implements Beacon<GrantedPool> {
	readonly pools = GRANTED_POOLS;
	readonly chain: BeaconChain;
	readonly leadMs: number;
	readonly #secretKey: Uint8Array;
	/** The last signature: all tables ask for the same ones. */
	#last: { round: number; signature: string } | null = null;

	/** @param speed of shared rounds; its own rounds are as much shorter */
	constructor(tokenKey: string, speed: number) {
		const { secretKey, publicKey } = keysOf(tokenKey);
		this.#secretKey = secretKey;
		this.chain = { name: 'local', publicKey, genesisMs: 0, periodMs: Math.ceil(PERIOD_MS / speed) };
		this.leadMs = leadOf(this.chain);
	}

	/** Setting the wall clock moves none of its rounds. */
	nowMs(): number {
		return performance.timeOrigin + performance.now();
	}

	stop(): Promise<void> {
		return Promise.resolve();
	}

	signatureOf(round: number): Promise<string | null> {
		if (this.nowMs() < beaconTimeOf(this.chain, round)) return Promise.resolve(null);
		if (this.#last?.round !== round) this.#last = { round, signature: beaconSignature(this.#secretKey, round) };
		return Promise.resolve(this.#last.signature);
	}
}
