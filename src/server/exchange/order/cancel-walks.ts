/**
 * Cancelling or lapsing everything unmatched of a player may concern thousands of bets. It is then a walk: some bets a step,
 * each step a command of its own, with other players' bets between them. The walk cancels the bets that were unmatched when
 * it began; one that is placed later stays, because its player or its admission knew of the walk. A walk that is cut short
 * leaves the rest, and the same request again, which is a new walk, cancels it.
 */

import type { Engine } from '#engine/engine.ts';
import type { Receipt, Request } from '#server/exchange/exchange.ts';
import { before } from '#server/exchange/order/deadline.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import type { BetId, WalletId } from '#values/ids.ts';

/** A few milliseconds of work. */
export const BETS_A_STEP = 500;

export type WalkRequest = Request & { kind: 'cancel-all' | 'lapse-all' };

/** A request that names its bets is about no others. */
export const isWalk = (request: Request): request is WalkRequest =>
	(request.kind === 'cancel-all' || request.kind === 'lapse-all') && request.bets === undefined;

/** A part of the walk, and what the parts before it cancelled, minor units. */
interface WalkStep {
	request: WalkRequest;
	cancelledBefore?: number;
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
	readonly #engine: Engine;
	readonly #bets: LiveBets;
	/** The walk of a wallet, until it ends. */
	readonly #walks = new Map<WalletId, Promise<void>>();

	constructor(engine: Engine, bets: LiveBets) {
		this.#engine = engine;
		this.#bets = bets;
	}

	/** Others are applied at once, in the order of submission. */
	isLong({ walletId }: WalkRequest): boolean {
		return this.#walks.has(walletId) || this.#bets.countOf(walletId) > BETS_A_STEP;
	}

	/**
	 * Walks of one wallet take turns, so that a repeated request finds the answer of the first.
	 * @param isDecided whether the request was answered or is refused anyway, asked when its turn comes
	 * @param take applies a step; the last one, or the only one, answers the request
	 * @throws Refused OUTCOME_UNKNOWN when only some steps were taken
	 */
	async take(
		request: WalkRequest,
		untilMs: number,
		isDecided: () => Promise<boolean>,
		take: (step: WalkStep) => Promise<Receipt>,
	): Promise<Receipt> {
		const { walletId } = request;
		for (let walk = this.#walks.get(walletId); walk; walk = this.#walks.get(walletId))
			await before(walk, untilMs, 'DEADLINE_PASSED');
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#walks.set(walletId, promise);
		try {
			const bets = (await isDecided()) ? [] : this.#unmatched(request);
			return bets.length > BETS_A_STEP ? await walk(request, bets, take) : await take({ request, isLast: true });
		} finally {
			this.#walks.delete(walletId);
			resolve();
		}
	}

	/** The bets as they are when its turn comes, oldest first. */
	#unmatched(request: WalkRequest): readonly BetId[] {
		return this.#engine.unmatchedBets(request.walletId, request.kind === 'cancel-all' ? request.marketId : undefined);
	}
}

async function walk(
	request: WalkRequest,
	unmatched: readonly BetId[],
	take: (step: WalkStep) => Promise<Receipt>,
): Promise<Receipt> {
	for (let from = 0, cancelledBefore = 0; ; from += BETS_A_STEP) {
		const isLast = from + BETS_A_STEP >= unmatched.length;
		const bets = unmatched.slice(from, from + BETS_A_STEP);
		try {
			const receipt = await take({ request: { ...request, bets }, cancelledBefore, isLast });
			if (isLast) return receipt;
			cancelledBefore = receipt.cancelled;
		} catch (error) {
			const isUncertain = from > 0 && error instanceof Refused && NOTHING_DONE.has(error.code);
			throw isUncertain ? new Refused('OUTCOME_UNKNOWN') : error;
		}
	}
}
