/**
 * Which chain a round takes its hash from. The next chain is announced while the one in use has rounds left, and its
 * announcement is in the public log before the last of them: so the house cannot make it by what the last rounds came to.
 * What was announced is played. A chain is left before its end for two reasons alone, which its successor names.
 */
import type { Beacon } from '#server/money/casino/beacon/beacon.ts';
import { type ChainReplaced, type ChainStore, HashChain } from '#server/money/casino/tables/hash-chain.ts';
import type { RoundBeacon } from '#server/money/casino/tables/round-beacon.ts';

/** Rounds before the end of a chain from which on the next one is announced: half an hour of Crash. */
const AHEAD = 100;

interface TableChainsOptions extends ChainStore {
	returnPercent: number;
	beacon: Beacon;
	roundBeacon: Pick<RoundBeacon, 'isOf'>;
	signal: AbortSignal;
}

export class TableChains {
	readonly #options: TableChainsOptions;
	#inUse: HashChain | null = null;
	/** The one that begins where the one in use ends; null until that is near. */
	#following: Promise<HashChain> | null = null;

	constructor(options: TableChainsOptions) {
		this.#options = options;
	}

	/** Of the newest round; null before the first. */
	get inUse(): HashChain | null {
		return this.#inUse;
	}

	/** From here on this process runs the game. */
	async takeOver(): Promise<void> {
		await HashChain.takeOver(this.#options);
	}

	/** After a start: goes on with the chain that was announced for the round, if one was. */
	async resume(round: number): Promise<HashChain | null> {
		this.#inUse = await HashChain.ofRound(this.#options, round);
		return this.#inUse;
	}

	/** The chain of a round that is to begin: in the public log, and salted. Not salted if the signal aborted meanwhile. */
	async ofRound(round: number): Promise<HashChain> {
		const chain = await this.#chainOf(round);
		if (chain !== this.#inUse) this.#following = null;
		this.#inUse = chain;
		if (round < chain.end - AHEAD) return chain;
		this.#following ??= this.#from(chain.end, chain, null);
		// Its failure is one of the last round.
		this.#following.catch(() => undefined);
		if (round === chain.end - 1) await this.#following;
		return chain;
	}

	/** Resolves when nothing is on its way after the signal aborted. */
	async settled(): Promise<void> {
		await this.#following?.catch(() => undefined);
	}

	async #chainOf(round: number): Promise<HashChain> {
		const chain = this.#inUse;
		if (!chain) return await this.#from(round, null, null);
		if (round >= chain.end) return await (this.#following ?? this.#from(round, chain, null));
		const left = await this.#whyLeft(chain);
		return left === null ? chain : await this.#from(round, chain, left);
	}

	/** The chain that begins with the round, after another one. */
	async #from(firstRound: number, after: HashChain | null, reason: ChainReplaced | null): Promise<HashChain> {
		let replaced = reason;
		let lateBefore = 0;
		for (let number = (after?.facts.number ?? 0) + 1; ; number++) {
			const chain = await HashChain.begin({ ...this.#options, number, firstRound, replaced, lateBefore });
			// It was announced to follow a chain that was left, and is left with it.
			if (chain.facts.firstRound !== firstRound) continue;
			const left = await this.#whyLeft(chain);
			if (left === null) return chain;
			if (left === 'LATE') lateBefore++;
			replaced = left;
		}
	}

	/** Waits for the chain's salt. Null for one that is played. */
	async #whyLeft(chain: HashChain): Promise<ChainReplaced | null> {
		const { db, beacon, roundBeacon, signal } = this.#options;
		if (!roundBeacon.isOf(chain.facts)) return 'BEACON';
		return (await chain.salted(db, beacon, signal)) || signal.aborted ? null : 'LATE';
	}
}
