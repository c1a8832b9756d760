/**
 * The month whose partitions take a batch's rows directly. PostgreSQL finds the partition of each row that is written
 * into the parent table, which costs about a seventh of its time for a bet. Nearly all batches change bets of one month.
 */

import type { BatchRows } from '#server/exchange/order/batch-rows.ts';
import { boundsOf, type Month, monthOf } from '#server/platform/postgres/months.ts';

/** How soon a month without partitions is asked for again; until then its rows are in the default ones. */
const ASKED_AGAIN_MS = 3_600_000;

type IsOpen = (month: Month) => Promise<boolean>;

export class BatchMonth {
	/** The latest month with partitions. */
	#month: { name: Month; fromMs: number; toMs: number } | null = null;
	#askAtMs = Number.NEGATIVE_INFINITY;

	/**
	 * The month of all bets, matches and events of the batch; null when they are of several, or of one without partitions.
	 * @param isOpen asked once a month: whether its partitions are attached
	 * @throws the error of `isOpen`; the next call asks again
	 */
	async of(batch: BatchRows, isOpen: IsOpen): Promise<Month | null> {
		if (batch.atMs >= this.#askAtMs) await this.#ask(batch.atMs, isOpen);
		const month = this.#month;
		if (!month) return null;
		const isWithin = (atMs: number) => atMs >= month.fromMs && atMs < month.toMs;
		const { bets, matches, marketEvents } = batch;
		const isOfMonth = ({ atMs }: { atMs: number }) => isWithin(atMs);
		const areWithin =
			bets.every(({ placedAtMs }) => isWithin(placedAtMs)) && matches.every(isOfMonth) && marketEvents.every(isOfMonth);
		return areWithin ? month.name : null;
	}

	async #ask(atMs: number, isOpen: IsOpen): Promise<void> {
		const name = monthOf(atMs);
		const bounds = boundsOf(name);
		const hasPartitions = await isOpen(name);
		this.#month = hasPartitions ? { name, ...bounds } : null;
		this.#askAtMs = hasPartitions ? bounds.toMs : atMs + ASKED_AGAIN_MS;
	}
}
