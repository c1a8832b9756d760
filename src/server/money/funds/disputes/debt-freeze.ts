/**
 * The freeze of an account whose lost disputes have a rest that its money did not cover. It ends with the rest: what came free
 * paid it, or the provider took its word back. A freeze of a member, with a reason of its own, is left alone.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import { UnfinishedWork } from '#server/money/funds/unfinished-work.ts';
import type { PlayerId } from '#values/ids.ts';

/** Read by members, and how the server knows its own freeze again. */
const REASON = 'A disputed payment was lost.';
const BY = { actor: 'server', address: null };

interface DebtFreezeOptions {
	db: pg.Pool;
	ledger: Pick<FundsLedger, 'turns'>;
	protection: Pick<Protection, 'freeze' | 'of' | 'barred'>;
	log: Pick<Logger, 'warn'>;
}

export class DebtFreeze {
	readonly #options: DebtFreezeOptions;
	/** Ends that are not done yet. */
	readonly #works = new Set<UnfinishedWork>();

	constructor(options: DebtFreezeOptions) {
		this.#options = options;
	}

	async begin(playerId: PlayerId): Promise<void> {
		const { protection } = this.#options;
		await this.#inTurn(playerId, async () => {
			if (protection.of(playerId).frozen === null) await protection.freeze(playerId, REASON, BY);
		});
	}

	/** Unfreezes the account unless a rest is left; it is tried until that is done, or known. */
	endIfPaid(playerId: PlayerId): void {
		const { protection, log } = this.#options;
		if (protection.of(playerId).frozen !== REASON) return;
		const work = new UnfinishedWork({
			name: 'the end of a freeze for a debt',
			work: async () => {
				await this.#inTurn(playerId, async () => {
					if (protection.of(playerId).frozen === REASON && !(await this.#hasRest(playerId)))
						await protection.freeze(playerId, null, BY);
				});
				this.#works.delete(work);
			},
			log,
		});
		this.#works.add(work);
		work.start();
	}

	/** A server that was killed may have taken the last of a rest, and not unfrozen its player. */
	start(): void {
		for (const playerId of this.#options.protection.barred()) this.endIfPaid(playerId);
	}

	async stop(): Promise<void> {
		await Promise.all([...this.#works].map((work) => work.stop()));
	}

	async #hasRest(playerId: PlayerId): Promise<boolean> {
		const { rowCount } = await this.#options.db.query({
			name: 'rest-of-disputes',
			text: `select 1 from workflow where wallet_id = $1 and kind = 'DISPUTE' and state in ('OWED', 'LOST')
			   and (data ->> 'rest')::bigint > 0 limit 1`,
			values: [playerId],
		});
		return (rowCount ?? 0) > 0;
	}

	/** Two disputes of a player may end at once. */
	async #inTurn(playerId: PlayerId, act: () => Promise<void>): Promise<void> {
		await this.#options.ledger.turns.take(`freeze ${playerId}`, act);
	}
}
