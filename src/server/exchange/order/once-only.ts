/**
 * Commands that a unique key of the ledger allows once, and that the engine does not remember: a grant by its id, the
 * voiding of a match, and a name that a workflow claims. Commands about the same thing take turns. Each is
 * checked against the tables before it is applied, so no operator's input violates the key.
 */
import type pg from 'pg';
import type { Receipt, Request } from '#server/exchange/exchange.ts';
import type { TransferRequest } from '#server/exchange/order/workflow.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { Refused } from '#values/error-catalogue.ts';

export class OnceOnly {
	readonly #db: pg.Pool;
	readonly #turns = new Turns();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** The names that the command may be done once for; empty for most commands. */
	static namesOf(request: Request): readonly string[] {
		if (request.kind === 'grant-coins') return [`grant ${request.grantId}`];
		if ('matches' in request) return [`matches of market ${request.marketId}`];
		return request.kind === 'transfer' ? claimsOf(request).map((name) => `claim ${name}`) : NOTHING;
	}

	/** Acts when the earlier commands about the same names have ended, whatever their outcome. */
	inTurn(names: readonly string[], act: () => Promise<Receipt>): Promise<Receipt> {
		return this.#turns.takeAll(names, act);
	}

	/**
	 * @throws Refused REQUEST_ID_REUSED for a repeated grant, ORDER_NOT_ACTIVE for a match that is void, ALREADY_CLAIMED
	 */
	async check(request: Request): Promise<void> {
		if (request.kind === 'grant-coins') {
			const isGiven = await this.#exists(`select 1 from posting where kind = 'GRANT' and ref = $1 limit 1`, [
				request.grantId,
			]);
			if (isGiven) throw new Refused('REQUEST_ID_REUSED');
		}
		if ('matches' in request && request.matches) {
			const isVoid = await this.#exists(
				`select 1 from void_match join unnest($1::bigint[], $2::int[]) as asked (batch, line) using (batch, line) limit 1`,
				[request.matches.map(({ batch }) => batch), request.matches.map(({ rowNumber }) => rowNumber)],
			);
			if (isVoid) throw new Refused('ORDER_NOT_ACTIVE');
		}
		if (request.kind === 'transfer') {
			const isClaimed = await this.#exists(
				'select 1 from workflow_claim where name = any($1) limit 1',
				[claimsOf(request)],
				'any-claim',
			);
			if (isClaimed) throw new Refused('ALREADY_CLAIMED');
		}
	}

	/** @param name of the statement, which PostgreSQL then plans once for each connection */
	async #exists(text: string, values: unknown[], name?: string): Promise<boolean> {
		const { rowCount } = await retryFaults(() =>
			this.#db.query({ text, values, ...(name === undefined ? {} : { name }) }),
		);
		return rowCount !== 0;
	}
}

const NOTHING: readonly string[] = [];

const claimsOf = ({ steps }: TransferRequest): string[] => steps.flatMap(({ claims = [] }) => claims);
