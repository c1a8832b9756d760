/**
 * Withdraws all unmatched quotes. An exchange that runs does it in steps, one a batch: tens of thousands at once would keep
 * it from bets and from its heartbeat for so long that its standbys take it for dead.
 */
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import type { QuotedMarket } from '#server/exchange/order/standing-quotes.ts';

/** A few milliseconds of work. */
export const QUOTES_A_STEP = 500;

type Withdrawal = EngineInput & { kind: 'cancel-all' };

/** Commands that cancel every unmatched quote. */
export const withdrawals = (bets: LiveBets, atMs: number): Withdrawal[] =>
	bets.quotedMarkets().map((quoted) => withdrawal(quoted, atMs));

export class QuoteWithdrawal {
	#quotesAStep = QUOTES_A_STEP;
	/** Found at the last look, and not withdrawn yet. */
	#left: QuotedMarket[] = [];

	/**
	 * The commands of the next step, at most one market more than a step has. A market may have left memory since it was
	 * found.
	 * @returns `isLast` when no quote is left after them
	 */
	next(bets: LiveBets, atMs: number): { commands: Withdrawal[]; isLast: boolean } {
		const isFresh = this.#left.length === 0;
		if (isFresh) this.#left = bets.quotedMarkets();
		const commands: Withdrawal[] = [];
		for (let quotes = 0; quotes < this.#quotesAStep; ) {
			const quoted = this.#left.pop();
			if (!quoted) break;
			quotes += quoted.quotes;
			commands.push(withdrawal(quoted, atMs));
		}
		const isEmpty = this.#left.length === 0;
		// Makers go on quoting meanwhile. Larger steps come to an end however fast they are.
		if (isEmpty) this.#quotesAStep *= 2;
		return { commands, isLast: isFresh && isEmpty };
	}
}

const withdrawal = ({ walletId, marketId }: QuotedMarket, atMs: number): Withdrawal => ({
	kind: 'cancel-all',
	atMs,
	walletId,
	marketId,
});
