/**
 * What a bar ends beside the doors that it closes: whatever could still become a bet of the player. Unmatched bets, those
 * in their delay, triggers and plans are cancelled, whichever bar it is and whichever account brought it. A player who
 * leaves, for long or for good, forfeits bonuses, too. What is matched is settled, and a cash-out of it stays possible.
 */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Bonuses } from '#server/money/funds/bonuses/bonuses.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { UnfinishedWork } from '#server/money/funds/unfinished-work.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

interface LeavingOptions {
	exchange: Pick<Exchange, 'submit' | 'wallet' | 'walletsWithUnmatchedBets'>;
	protection: Pick<Protection, 'barOf' | 'barred' | 'hasLeft'>;
	bonuses: Pick<Bonuses, 'forfeit'>;
	log: Pick<Logger, 'warn'>;
}

export class Leaving {
	readonly #options: LeavingOptions;
	/** Of barred accounts whose orders are not cancelled yet. */
	readonly #works = new Set<UnfinishedWork>();

	constructor(options: LeavingOptions) {
		this.#options = options;
	}

	/** Cancels what the player ordered, and forfeits the bonuses of one who has left; resolves when that is durable. */
	async leave(playerId: PlayerId): Promise<void> {
		const { exchange, protection, bonuses } = this.#options;
		await exchange.submit({ kind: 'cancel-all', walletId: playerId });
		if (protection.hasLeft(playerId)) await bonuses.forfeit(playerId);
	}

	/** A proof may have shown that the player is an excluded person. */
	async leaveIfLeft(playerId: PlayerId): Promise<void> {
		if (this.#options.protection.hasLeft(playerId)) await this.leave(playerId);
	}

	/**
	 * An account is barred, and its bets are refused where they are ordered. So what is cancelled after this is all that
	 * there is; it is tried until it is done, or the bar has ended.
	 */
	onBarred(playerId: PlayerId): void {
		const work = new UnfinishedWork({
			name: 'orders of a barred player',
			work: async () => {
				if (this.#options.protection.barOf(playerId)) await this.leave(playerId).catch(unlessNothingIs);
				this.#works.delete(work);
			},
			log: this.#options.log,
		});
		this.#works.add(work);
		work.start();
	}

	/** A server that was killed may have stored a bar and nothing of what it ends. */
	async finish(): Promise<void> {
		const { exchange, protection } = this.#options;
		const barred = new Set<number>(protection.barred());
		const waiting = exchange.walletsWithUnmatchedBets((walletId) => barred.has(walletId));
		for (const playerId of protection.barred()) {
			const hasBonus = protection.hasLeft(playerId) && (exchange.wallet(playerId)?.bonus ?? 0) > 0;
			if (waiting.has(playerId) || hasBonus) await this.leave(playerId);
		}
	}

	async stop(): Promise<void> {
		await Promise.all([...this.#works].map((work) => work.stop()));
	}
}

/** An account that is barred as it is made has no wallet yet. @throws any other error */
function unlessNothingIs(error: unknown): void {
	if (!(error instanceof Refused && error.code === 'UNKNOWN_USER')) throw error;
}
