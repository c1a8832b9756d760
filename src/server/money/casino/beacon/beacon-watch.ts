/** What an operator has to know of the beacon, in words. */
import { beaconRoundFrom } from '#games/beacon/beacon-chain.ts';
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import { kindOf, type Pool } from '#values/pools.ts';

export class BeaconWatch {
	readonly #beacon: Beacon;

	constructor(beacon: Beacon) {
		this.#beacon = beacon;
	}

	/** What the tables lack for players of those pools; null for nothing. */
	lackFor(pools: readonly Pool[]): string | null {
		const refused = new Set(pools.filter((pool) => !this.#beacon.pools.includes(pool)).map(kindOf));
		if (refused.size === 0) return null;
		return `Crash and the tables take no bets of ${[...refused].join(', ')}: no public beacon is configured (BEACON_RELAYS).`;
	}

	/** Asks for a value that is out. @returns why no shared round begins; null where the beacon gives it */
	async silence(): Promise<string | null> {
		// One period before the newest, for relays that are a little late.
		const round = beaconRoundFrom(this.#beacon.chain, this.#beacon.nowMs()) - 2;
		if ((await this.#beacon.signatureOf(round)) !== null) return null;
		return `No relay of the beacon gives the value of round ${round}, so no shared round begins.`;
	}
}
