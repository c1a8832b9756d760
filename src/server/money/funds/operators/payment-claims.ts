/**
 * Claims on payments in the queue: while one member holds a payment, no other member decides about it. Whether a claim
 * holds is computed from its row, the workflow's steps and the staff, so a kill leaves nothing to clean up.
 */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { WAITING } from '#server/money/funds/operators/waiting.ts';
import { Refused } from '#values/error-catalogue.ts';
import { nameKey } from '#values/name-key.ts';

/** A claim expires, so that an absent holder does not block a payment for long. */
const CLAIM_MS = 10 * 60_000;

export interface PaymentClaim {
	holder: string;
	sinceMs: number;
	untilMs: number;
}

/** A member, or an operator at the command line, who has no staff id. */
export interface Claimant {
	actor: string;
	staffId: number | null;
}

type Key = Pick<Workflow, 'kind' | 'id'>;

interface ClaimRow extends Key {
	holder: string;
	since: number;
	until: number;
	/** Of the steps after the claim. */
	actors: string[];
}

interface PaymentClaimsOptions {
	ledger: FundsLedger;
	db: Pick<pg.Pool, 'query'>;
	clock: () => number;
}

const isHolder = (holder: string, operator: string): boolean => nameKey(holder) === nameKey(operator);

export class PaymentClaims {
	readonly #options: PaymentClaimsOptions;

	constructor(options: PaymentClaimsOptions) {
		this.#options = options;
	}

	/** The claims that hold, in the order of the keys; null for an unclaimed payment. */
	async of(keys: readonly Key[]): Promise<(PaymentClaim | null)[]> {
		const { rows } = await this.#options.db.query<ClaimRow>(
			`select kind, id, holder, since, until, array(
			   select actor from workflow_step as later
			   where later.kind = claim.kind and later.id = claim.id and later.step > claim.step
			 ) as actors
			 from payment_claim as claim left join staff using (staff_id)
			 where (kind, id) in (select * from unnest($1::text[], $2::bigint[])) and until > $3 and removed_at is null`,
			[keys.map(({ kind }) => kind), keys.map(({ id }) => id), this.#options.clock()],
		);
		const held = rows.filter(({ holder, actors }) => !actors.some((actor) => isHolder(holder, actor)));
		const byKey = new Map(held.map((row) => [`${row.kind} ${row.id}`, row]));
		return keys.map(({ kind, id }) => {
			const row = byKey.get(`${kind} ${id}`);
			return row ? { holder: row.holder, sinceMs: row.since, untilMs: row.until } : null;
		});
	}

	/**
	 * Claims a pending payment, or prolongs the member's own claim.
	 * @throws Refused NOT_FOUND, WRONG_STATE, UNNAMED_OPERATOR, CLAIMED_BY_OTHER
	 */
	async claim(kind: TransferKind, id: number, by: Claimant): Promise<PaymentClaim> {
		return await this.#inTurn(kind, id, by, async (workflow) => {
			await this.check(workflow, by.actor);
			return await this.#write(workflow, by);
		});
	}

	/**
	 * Claims a pending payment, even if another member holds it. @throws Refused NOT_FOUND, WRONG_STATE,
	 * UNNAMED_OPERATOR
	 */
	async takeOver(kind: TransferKind, id: number, by: Claimant): Promise<PaymentClaim> {
		return await this.#inTurn(kind, id, by, (workflow) => this.#write(workflow, by));
	}

	/** Releases the member's own claim, if there is one. @throws Refused UNNAMED_OPERATOR, CLAIMED_BY_OTHER */
	async release(kind: TransferKind, id: number, by: Claimant): Promise<void> {
		await this.#inTurn(kind, id, by, async (workflow) => {
			await this.check(workflow, by.actor);
			await this.#options.db.query('delete from payment_claim where kind = $1 and id = $2', [kind, id]);
		});
	}

	/** Called within the turn of the payment. @throws Refused CLAIMED_BY_OTHER if another operator holds it */
	async check(key: Key, operator: string): Promise<void> {
		const [claim] = await this.of([key]);
		if (!claim || isHolder(claim.holder, operator)) return;
		const since = new Date(claim.sinceMs).toISOString();
		throw new Refused('CLAIMED_BY_OTHER', { holder: claim.holder, since }, `${claim.holder} has claimed this.`);
	}

	async #inTurn<Result>(
		kind: TransferKind,
		id: number,
		{ actor }: Claimant,
		act: (workflow: Workflow) => Promise<Result>,
	): Promise<Result> {
		if (actor === 'unnamed') throw new Refused('UNNAMED_OPERATOR');
		return await this.#options.ledger.inTurnOf({ kind, id }, act);
	}

	async #write({ kind, id, step, state }: Workflow, { actor, staffId }: Claimant): Promise<PaymentClaim> {
		const { db, clock } = this.#options;
		const [own] = await this.of([{ kind, id }]);
		const now = clock();
		const sinceMs = own && isHolder(own.holder, actor) ? own.sinceMs : now;
		const claim = { holder: actor, sinceMs, untilMs: now + CLAIM_MS };
		const { rowCount } = await db.query(
			`insert into payment_claim (kind, id, holder, staff_id, step, since, until)
			 select kind, id, $3, $4::bigint, $5::int, $6::bigint, $7::bigint from workflow
			 where kind = $1 and id = $2 and is_open and ${WAITING}
			   and not exists (select 1 from staff where staff_id = $4 and removed_at is not null)
			 on conflict (kind, id) do update set holder = excluded.holder, staff_id = excluded.staff_id,
			   step = excluded.step, since = excluded.since, until = excluded.until`,
			[kind, id, actor, staffId, step, claim.sinceMs, claim.untilMs],
		);
		if (rowCount === 0) throw new Refused('WRONG_STATE', { state });
		return claim;
	}
}
