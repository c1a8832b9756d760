/**
 * Commands that the ledger takes once only by a unique key, and of which the engine does not remember that they were done:
 * a grant by its id, and the voiding of a match. Commands about the same thing wait for one another, and each is checked
 * against the tables before it is applied, so that no operator's input reaches the key.
 */
import type pg from 'pg';
import { retryFaults } from '#server/exchange/database-fault.ts';
import type { Receipt, Request } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';

export class OnceOnly {
	readonly #db: pg.Pool;
	/** The last command about each thing, while one is under way. */
	readonly #underWay = new Map<string, Promise<unknown>>();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** What a command must be done once about; null for the others. */
	static nameOf(request: Request): string | null {
		if (request.kind === 'grant-coins') return `grant ${request.grantId}`;
		return request.kind === 'void-matches' ? `matches of market ${request.marketId}` : null;
	}

	/** Acts when the commands before it about the same thing have ended, one way or the other. */
	async inTurn(name: string, act: () => Promise<Receipt>): Promise<Receipt> {
		const turn = (this.#underWay.get(name) ?? Promise.resolve()).then(act, act);
		this.#underWay.set(name, turn);
		try {
			return await turn;
		} finally {
			if (this.#underWay.get(name) === turn) this.#underWay.delete(name);
		}
	}

	/** @throws Refused REQUEST_ID_REUSED for a grant that was given, ORDER_NOT_ACTIVE for a match that is void */
	async check(request: Request): Promise<void> {
		if (request.kind === 'grant-coins') {
			const isGiven = await this.#exists(`select 1 from posting where kind = 'GRANT' and ref = $1 limit 1`, [
				request.grantId,
			]);
			if (isGiven) throw new Refused('REQUEST_ID_REUSED');
		}
		if (request.kind === 'void-matches') {
			const isVoid = await this.#exists(
				`select 1 from void_match join unnest($1::bigint[], $2::int[]) as asked (batch, line) using (batch, line) limit 1`,
				[request.matches.map(({ batch }) => batch), request.matches.map(({ rowNumber }) => rowNumber)],
			);
			if (isVoid) throw new Refused('ORDER_NOT_ACTIVE');
		}
	}

	async #exists(sql: string, values: unknown[]): Promise<boolean> {
		const { rowCount } = await retryFaults(() => this.#db.query(sql, values));
		return rowCount !== 0;
	}
}
