/** The rounds whose stake is at risk, as the ledger has them: read at start, and updated by every committed batch. */

import type { CommittedListener } from '#server/exchange/committed.ts';
import type { CasinoWorkflow } from '#server/exchange/order/workflow.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import type { WalletId } from '#values/ids.ts';

/** More than the number of players with a round in progress. */
const MOST_LATEST = 50_000;

export class OpenRounds {
	readonly #byWallet = new Map<number, Map<number, CasinoWorkflow>>();
	/** Each player's round with the latest step; the least recently active players are evicted. */
	readonly #latest = recentlyUsed<number, CasinoWorkflow>(MOST_LATEST);

	/** When each player last started a round alone, by the ledger's time. */
	readonly #lastStarts = recentlyUsed<number, number>(MOST_LATEST);

	constructor(rounds: readonly CasinoWorkflow[]) {
		for (const round of rounds) this.#put(round);
	}

	readonly onCommitted: CommittedListener = ({ workflows }) => {
		for (const workflow of workflows) if (workflow.kind === 'CASINO') this.#put(workflow);
	};

	all(): CasinoWorkflow[] {
		return [...this.#byWallet.values()].flatMap((rounds) => [...rounds.values()]);
	}

	/** A player's rounds, the oldest first. */
	of(walletId: WalletId): CasinoWorkflow[] {
		return [...(this.#byWallet.get(walletId)?.values() ?? [])];
	}

	/** The player's open round with that id; null if it has ended or belongs to another player. */
	find(walletId: WalletId, id: number): CasinoWorkflow | null {
		return this.#byWallet.get(walletId)?.get(id) ?? null;
	}

	/** The player's round with the latest durable step; null when it is not in memory. */
	latest(walletId: WalletId): CasinoWorkflow | null {
		return this.#latest.get(walletId) ?? null;
	}

	/** Minus infinity when it is not in memory. */
	lastStartMs(walletId: WalletId): number {
		return this.#lastStarts.get(walletId) ?? Number.NEGATIVE_INFINITY;
	}

	#put(round: CasinoWorkflow): void {
		if ('pair' in round.data)
			this.#lastStarts.set(round.walletId, Math.max(this.lastStartMs(round.walletId), round.openedAtMs));
		this.#latest.set(round.walletId, round);
		const rounds = this.#byWallet.get(round.walletId) ?? new Map<number, CasinoWorkflow>();
		if (round.isOpen) rounds.set(round.id, round);
		else rounds.delete(round.id);
		if (rounds.size > 0) this.#byWallet.set(round.walletId, rounds);
		else this.#byWallet.delete(round.walletId);
	}
}
