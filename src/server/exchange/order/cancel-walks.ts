/**
 * Cancelling or lapsing everything unmatched of a player may concern thousands of bets. It is then a walk: some bets a step,
 * each step a command of its own, with the bets of others between them. The walk cancels the bets that were unmatched when
 * it began; one that is placed later stays, because its player or its admission knew of the walk. A walk that is cut short
 * leaves the rest, and the same request again, which is a new walk, cancels it.
 */

import type { Receipt, Request } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import type { BetId, WalletId } from '#values/ids.ts';

/** A few milliseconds of work. */
export const BETS_A_STEP = 500;

export type WalkRequest = Request & { kind: 'cancel-all' | 'lapse-all' };

export const isWalk = (request: Request): request is WalkRequest =>
	request.kind === 'cancel-all' || request.kind === 'lapse-all';

/** A part of the walk, and what the parts before it cancelled, paise. */
export interface WalkStep {
	bets: readonly BetId[];
	cancelledBefore: number;
	isLast: boolean;
}

/** Refusals of a step that say that nothing was done, which is not true of the walk. */
const NOTHING_DONE: ReadonlySet<ErrorCode> = new Set([
	'STARTING',
	'DRAINING',
	'OVERLOADED',
	'DEADLINE_PASSED',
	'INTERNAL',
]);

export class CancelWalks {
	/** The walk of a wallet, until it ends. */
	readonly #walks = new Map<WalletId, Promise<void>>();

	isUnderWay(walletId: WalletId): boolean {
		return this.#walks.has(walletId);
	}

	/**
	 * Walks of one wallet take turns, so that a repeated request finds the answer of the first.
	 * @param unmatched the bets as they are when its turn comes, oldest first; null when they are few, or the request is known
	 * @param take takes a step; null takes everything at once
	 * @throws Refused OUTCOME_UNKNOWN when only some steps were taken
	 */
	async take(
		{ walletId }: WalkRequest,
		untilMs: number,
		unmatched: () => Promise<readonly BetId[] | null>,
		take: (step: WalkStep | null) => Promise<Receipt>,
	): Promise<Receipt> {
		for (let walk = this.#walks.get(walletId); walk; walk = this.#walks.get(walletId))
			await before(walk, untilMs, 'DEADLINE_PASSED');
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#walks.set(walletId, promise);
		try {
			const bets = await unmatched();
			return bets ? await walk(bets, take) : await take(null);
		} finally {
			this.#walks.delete(walletId);
			resolve();
		}
	}
}

async function walk(bets: readonly BetId[], take: (step: WalkStep) => Promise<Receipt>): Promise<Receipt> {
	for (let from = 0, cancelledBefore = 0; ; from += BETS_A_STEP) {
		const isLast = from + BETS_A_STEP >= bets.length;
		try {
			const receipt = await take({ bets: bets.slice(from, from + BETS_A_STEP), cancelledBefore, isLast });
			if (isLast) return receipt;
			cancelledBefore = receipt.cancelled;
		} catch (error) {
			const isUncertain = from > 0 && error instanceof Refused && NOTHING_DONE.has(error.code);
			throw isUncertain ? new Refused('OUTCOME_UNKNOWN') : error;
		}
	}
}
