/** The beacon's part in the rounds of a table: when a round is decided, by which value, and what it is void by. */
import { type BeaconChain, beaconRoundFrom, beaconTimeOf, isSameBeacon } from '#games/beacon/beacon-chain.ts';
import { awaitedSignature, type Beacon, isOutEarly } from '#server/money/casino/beacon/beacon.ts';
import type { ChainFacts } from '#server/money/casino/tables/hash-chain.ts';
import type { VoidReason } from '#server/money/casino/tables/round-records.ts';
import type { TableClock } from '#server/money/casino/tables/table-game.ts';
import type { Pool } from '#values/pools.ts';

/** A round whose beacon gives no value within five of its periods is void: 15 seconds of drand's. */
const TIMEOUT_PERIODS = 5;

/** The value of a round; null in a chain without a beacon. */
type Value = { signature: string | null } | { reason: VoidReason };

export class RoundBeacon {
	readonly #beacon: Beacon;
	readonly #clock: TableClock;
	readonly #signal: AbortSignal;

	/** @param signal ends every wait */
	constructor(beacon: Beacon, clock: TableClock, signal: AbortSignal) {
		this.#beacon = beacon;
		this.#clock = clock;
		this.#signal = signal;
	}

	/** Whether the chain's beacon may decide bets of that pool. */
	decidesFor(pool: Pool, chain: BeaconChain | null): boolean {
		return chain === null || this.#beacon.pools.includes(pool);
	}

	/** Whether the rounds of the chain may take the values of the beacon that is configured. */
	isOf({ beacon, isDevelopment }: ChainFacts): boolean {
		// A chain whose salt was not known beforehand is played to its end by the rule that it was announced with.
		return beacon === null ? !isDevelopment : this.#isInUse(beacon);
	}

	/**
	 * The beacon's round that decides a round that begins now, and how long that one takes bets: until shortly before the
	 * value is out.
	 * @param leastMs of the betting window, by the table's clock like the answer
	 */
	schedule({ beacon: chain }: ChainFacts, leastMs: number): { beaconRound: number | null; windowMs: number } {
		if (!chain) return { beaconRound: null, windowMs: leastMs };
		const { speed } = this.#clock;
		const nowMs = this.#beacon.nowMs();
		const beaconRound = beaconRoundFrom(chain, nowMs + leastMs / speed + this.#beacon.leadMs);
		return { beaconRound, windowMs: (beaconTimeOf(chain, beaconRound) - this.#beacon.leadMs - nowMs) * speed };
	}

	/** Called when the window has closed. */
	async isOutEarly(beaconRound: number | null): Promise<boolean> {
		return beaconRound !== null && (await isOutEarly(this.#beacon, beaconRound));
	}

	/** The value of a locked round, or the rule by which the round is void. */
	async valueOf(beaconRound: number | null, outEarly: Promise<boolean>): Promise<Value> {
		if (beaconRound === null) return { signature: null };
		if (await outEarly) return { reason: 'CLOCK' };
		return await this.#inTime(beaconRound);
	}

	/** The same after a restart, which gives the value as much time again. */
	async valueAfterRestart(beaconRound: number, { beacon }: ChainFacts): Promise<Value> {
		return this.#isInUse(beacon) ? await this.#inTime(beaconRound) : { reason: 'BEACON' };
	}

	/** The value of a void round, waited for as long as it takes; null if another beacon is configured, or on a stop. */
	async late(beaconRound: number, { beacon }: ChainFacts): Promise<string | null> {
		if (!this.#isInUse(beacon)) return null;
		const wait = { timeoutMs: Number.POSITIVE_INFINITY, signal: this.#signal };
		return await awaitedSignature(this.#beacon, beaconRound, wait);
	}

	async #inTime(beaconRound: number): Promise<Value> {
		const timeoutMs = TIMEOUT_PERIODS * this.#beacon.chain.periodMs;
		const signature = await awaitedSignature(this.#beacon, beaconRound, { timeoutMs, signal: this.#signal });
		return signature === null ? { reason: 'BEACON' } : { signature };
	}

	#isInUse(chain: BeaconChain | null): boolean {
		return chain !== null && isSameBeacon(chain, this.#beacon.chain);
	}
}
