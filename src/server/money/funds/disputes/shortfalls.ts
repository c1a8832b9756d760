/**
 * Players whose disputes lack money. They take no new risk until their money covers the disputes: otherwise the next
 * bet would take the money before the hold.
 */
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { isShort } from '#server/money/funds/disputes/dispute-data.ts';
import type { PlayerId } from '#values/ids.ts';

export class Shortfalls {
	/** By player, the ids of the disputes. */
	readonly #short = new Map<PlayerId, Set<number>>();

	/** @param open the open disputes at start */
	constructor(open: readonly Workflow<'DISPUTE'>[]) {
		for (const dispute of open) this.#follow(dispute);
	}

	has(playerId: PlayerId): boolean {
		return this.#short.has(playerId);
	}

	onCommitted({ workflows }: Pick<Committed, 'workflows'>): void {
		for (const workflow of workflows) if (workflow.kind === 'DISPUTE') this.#follow(workflow);
	}

	#follow(dispute: Workflow<'DISPUTE'>): void {
		const { id, walletId } = dispute;
		const known = this.#short.get(walletId) ?? new Set();
		if (isShort(dispute)) this.#short.set(walletId, known.add(id));
		else if (known.delete(id) && known.size === 0) this.#short.delete(walletId);
	}
}
