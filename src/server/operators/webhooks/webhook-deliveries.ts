/** The rows of deliveries: taken by the sender for an attempt, ended by its outcome, read and replayed by operators. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { WebhookKind } from '#contract/webhook-events.ts';
import { deliver } from '#server/operators/webhooks/spread-events.ts';
import type { WebhookEndpoint } from '#server/operators/webhooks/webhook-endpoints.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** The pause after each failed attempt of one delivery; the last one repeats. */
const PAUSES_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS];
const LONGEST_PAUSE_MS = Math.max(...PAUSES_MS);
/** An attempt ends sooner; one that a kill interrupted is repeated after this. */
const ATTEMPT_MS = 30_000;
/** How long an event is tried. */
const TRIED_FOR_MS = 3 * DAY_MS;
/** A clock that jumps ahead gives nothing up before this number of attempts. */
const LEAST_TRIES = 12;
const KEPT_MS = 30 * DAY_MS;
const A_PAGE = 100;

type DeliveryState = 'WAITING' | 'DELIVERED' | 'DEAD';

/** One that is sent now. */
export interface TakenDelivery {
	sequence: number;
	eventId: string;
	kind: WebhookKind;
	atMs: number;
	data: object;
	/** With this attempt. */
	tries: number;
}

/** What became of an attempt: the status of its answer, and null or why it failed. */
export interface Attempted {
	delivery: TakenDelivery;
	status: number | null;
	reason: string | null;
}

interface DeliveryRow extends Omit<TakenDelivery, 'data'> {
	state: DeliveryState;
	nextAtMs: number;
	status: number | null;
	reason: string | null;
}

type Named = Pick<WebhookEndpoint, 'endpointId'>;

export class WebhookDeliveries {
	readonly #db: pg.Pool;
	readonly #clock: () => number;

	constructor({ db, clock }: { db: pg.Pool; clock: () => number }) {
		this.#db = db;
		this.#clock = clock;
	}

	/**
	 * Takes deliveries that are due, the longest due first, so that no other process sends them meanwhile. One that is
	 * due later than the longest pause was written before the clock was set back.
	 */
	async take({ endpointId }: Named, most: number): Promise<TakenDelivery[]> {
		const now = this.#clock();
		const { rows } = await this.#db.query<TakenDelivery>(
			`update webhook_delivery set next_at = $2::bigint + ${ATTEMPT_MS}, tries = tries + 1
			 where endpoint_id = $1 and sequence in (
			   select sequence from webhook_delivery where endpoint_id = $1 and state = 'WAITING'
			     and (next_at <= $2 or next_at > $2::bigint + ${LONGEST_PAUSE_MS})
			   order by next_at, sequence limit $3 for update skip locked)
			 returning sequence, event_id as "eventId", kind, at as "atMs", data, tries`,
			[endpointId, now, most],
		);
		return rows;
	}

	/** Ends deliveries that were taken by the receiver, and gives each other one its next time, or up. */
	async note({ endpointId }: Named, attempts: readonly Attempted[]): Promise<void> {
		const now = this.#clock();
		const outcomes = attempts.map(({ delivery, status, reason }) => {
			const isOld = delivery.atMs < now - TRIED_FOR_MS && delivery.tries >= LEAST_TRIES;
			const state: DeliveryState = reason === null ? 'DELIVERED' : isOld ? 'DEAD' : 'WAITING';
			const pauseMs = PAUSES_MS[delivery.tries - 1] ?? LONGEST_PAUSE_MS;
			return { sequence: delivery.sequence, state, nextAtMs: now + pauseMs, status, reason };
		});
		await this.#db.query(
			`update webhook_delivery set state = outcome.state, next_at = outcome.next_at, status = outcome.status,
			   reason = outcome.reason, ended_at = case when outcome.state <> 'WAITING' then $2::bigint end
			 from unnest($3::bigint[], $4::text[], $5::bigint[], $6::int[], $7::text[])
			   as outcome (sequence, state, next_at, status, reason)
			 where endpoint_id = $1 and webhook_delivery.sequence = outcome.sequence and webhook_delivery.state = 'WAITING'`,
			[
				endpointId,
				now,
				outcomes.map(({ sequence }) => sequence),
				outcomes.map(({ state }) => state),
				outcomes.map(({ nextAtMs }) => nextAtMs),
				outcomes.map(({ status }) => status),
				outcomes.map(({ reason }) => reason),
			],
		);
	}

	/** The endpoint was away for days: what is as old is given up. */
	async giveUpOld({ endpointId }: Named): Promise<number> {
		const now = this.#clock();
		const { rowCount } = await this.#db.query(
			`update webhook_delivery set state = 'DEAD', ended_at = $2, reason = coalesce(reason, 'the endpoint was away')
			 where endpoint_id = $1 and state = 'WAITING' and at < $3`,
			[endpointId, now, now - TRIED_FOR_MS],
		);
		return rowCount ?? 0;
	}

	/** Since when an endpoint has to fail for that. */
	isAwayFor(failingSinceMs: number): boolean {
		return failingSinceMs < this.#clock() - TRIED_FOR_MS;
	}

	async deleteOld(): Promise<void> {
		await this.#db.query(`delete from webhook_delivery where state <> 'WAITING' and ended_at < $1`, [
			this.#clock() - KEPT_MS,
		]);
	}

	/** @throws Refused NOT_FOUND for an endpoint that was removed meanwhile */
	async test(endpoint: Named): Promise<{ eventId: string; sequence: number }> {
		const eventId = randomUUID();
		const event = { eventId, kind: 'webhook.test', walletId: null, data: {}, atMs: this.#clock() } as const;
		const sequence = await inTransaction(this.#db, (client) => deliver(client, endpoint, [event]));
		if (sequence === null) throw new Refused('NOT_FOUND');
		return { eventId, sequence };
	}

	/** @param sequence one that has ended; null for all that were given up */
	async replay({ endpointId }: Named, sequence: number | null): Promise<number> {
		const { rowCount } = await this.#db.query(
			`update webhook_delivery set state = 'WAITING', ended_at = null, tries = 0, next_at = $3, status = null, reason = null
			 where endpoint_id = $1 and case when $2::bigint is null then state = 'DEAD' else state <> 'WAITING' and sequence = $2 end`,
			[endpointId, sequence, this.#clock()],
		);
		return rowCount ?? 0;
	}

	/** The newest, a hundred at most. */
	async list({ endpointId }: Named, before: number | null, state: DeliveryState | null): Promise<DeliveryRow[]> {
		const { rows } = await this.#db.query<DeliveryRow>(
			`select sequence, event_id as "eventId", kind, at as "atMs", state, tries, next_at as "nextAtMs", status, reason
			 from webhook_delivery where endpoint_id = $1 and ($2::bigint is null or sequence < $2)
			   and ($3::text is null or state = $3) order by sequence desc limit ${A_PAGE}`,
			[endpointId, before, state],
		);
		return rows;
	}

	/** How many wait and how many were given up, by endpoint. */
	async counts(brand: string): Promise<Map<string, { waiting: number; dead: number }>> {
		const { rows } = await this.#db.query<{ endpointId: string; waiting: number; dead: number }>(
			`select endpoint_id as "endpointId", count(*) filter (where state = 'WAITING')::int as waiting,
			   count(*) filter (where state = 'DEAD')::int as dead
			 from webhook_delivery join webhook_endpoint using (endpoint_id) where brand = $1 group by endpoint_id`,
			[brand],
		);
		return new Map(rows.map((row) => [row.endpointId, row]));
	}
}
