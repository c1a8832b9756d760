/**
 * Makes deliveries of what became durable: each event goes to the endpoints of its player's brand, or of every brand,
 * that subscribed to its kind. Reading, writing and forgetting are one transaction behind the cursor's lock, so an event
 * is spread once by whichever process.
 */
import type pg from 'pg';
import type { EventRow } from '#server/exchange/order/batch-rows.ts';
import { EVENT_ACTS, type JournalAct, journalEvent } from '#server/operators/webhooks/batch-events.ts';
import type { WebhookEndpoint } from '#server/operators/webhooks/webhook-endpoints.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

/** Of the batches, and rows of the journal. */
const MOST_AT_ONCE = 500;

interface DurableEvent extends EventRow {
	atMs: number;
}

/**
 * For the endpoints of the table: a process that was replaced spreads events for a while, too, and does not know what was
 * added since.
 * @returns whether there may be more
 */
export async function spreadEvents(db: pg.Pool): Promise<boolean> {
	return await inTransaction(db, async (client) => {
		const { rows: cursors } = await client.query<{ seq: number }>(
			'select journal_seq as seq from webhook_cursor where id = 1 for update',
		);
		const ofJournal = await journalEvents(client, cursors[0]?.seq ?? 0);
		const ofBatches = await takeBatchEvents(client);
		const events = [...ofBatches, ...ofJournal.events];
		const brands = await brandsOf(client, events);
		for (const endpoint of events.length > 0 ? await endpointsOf(client) : []) {
			const { kinds, brand } = endpoint;
			const own = events.filter(
				({ kind, walletId }) => kinds.includes(kind) && (walletId === null || brands.get(walletId) === brand),
			);
			await deliver(client, endpoint, own);
		}
		return ofJournal.isMore || ofBatches.length === MOST_AT_ONCE;
	});
}

type Subscriber = Pick<WebhookEndpoint, 'endpointId' | 'brand' | 'kinds'>;

async function endpointsOf(client: pg.PoolClient): Promise<Subscriber[]> {
	const { rows } = await client.query<Subscriber>(
		'select endpoint_id as "endpointId", brand, kinds from webhook_endpoint order by created_at, endpoint_id',
	);
	return rows;
}

async function takeBatchEvents(client: pg.PoolClient): Promise<DurableEvent[]> {
	const { rows } = await client.query<DurableEvent & { line: number }>(
		`delete from webhook_event where event_id in
		   (select event_id from webhook_event order by at, line limit ${MOST_AT_ONCE})
		 returning event_id as "eventId", kind, wallet_id as "walletId", data, at as "atMs", line`,
	);
	return rows.sort((one, other) => one.atMs - other.atMs || one.line - other.line);
}

/** The journal is appended to in turns, so a row that is visible has all earlier ones before it. */
async function journalEvents(
	client: pg.PoolClient,
	after: number,
): Promise<{ events: DurableEvent[]; isMore: boolean }> {
	const { rows } = await client.query<JournalAct & { seq: number; atMs: number; isEvent: boolean }>(
		`select seq, at as "atMs", act, act = any($2) as "isEvent",
		   case when act = any($2) then substring(subject from '^player (\\d+)$')::bigint end as "playerId",
		   case when act = any($2) then after end as after
		 from journal where seq > $1 order by seq limit ${MOST_AT_ONCE}`,
		[after, EVENT_ACTS],
	);
	const last = rows.at(-1);
	if (!last) return { events: [], isMore: false };
	await client.query('update webhook_cursor set journal_seq = $1 where id = 1', [last.seq]);
	const events = rows
		.filter(({ isEvent, playerId }) => isEvent && playerId !== null)
		.flatMap((row) => {
			const event = journalEvent(row);
			return event ? [{ ...event, atMs: row.atMs }] : [];
		});
	return { events, isMore: rows.length === MOST_AT_ONCE };
}

/** Hosts of the players' brands; demo players are not told of. */
async function brandsOf(client: pg.PoolClient, events: readonly EventRow[]): Promise<Map<number, string>> {
	const players = [...new Set(events.flatMap(({ walletId }) => walletId ?? []))];
	if (players.length === 0) return new Map();
	const { rows } = await client.query<{ playerId: number; brand: string }>(
		'select player_id as "playerId", brand from player where player_id = any($1) and not is_demo',
		[players],
	);
	return new Map(rows.map(({ playerId, brand }) => [playerId, brand]));
}

/**
 * Writes deliveries, numbered in the order of the events; none for an endpoint that was removed meanwhile.
 * @returns the number of the last one; null for an endpoint that is gone
 */
export async function deliver(
	client: pg.PoolClient,
	{ endpointId }: Pick<WebhookEndpoint, 'endpointId'>,
	events: readonly DurableEvent[],
): Promise<number | null> {
	if (events.length === 0) return null;
	const { rows } = await client.query<{ sequence: number }>(
		'update webhook_endpoint set sequence = sequence + $2 where endpoint_id = $1 returning sequence',
		[endpointId, events.length],
	);
	const [numbered] = rows;
	if (!numbered) return null;
	await client.query(
		`insert into webhook_delivery (endpoint_id, sequence, event_id, at, kind, data, state, next_at)
		 select $1, $2 + place, event_id, at, kind, data, 'WAITING', at
		 from unnest($3::uuid[], $4::bigint[], $5::text[], $6::jsonb[]) with ordinality
		   as row (event_id, at, kind, data, place)`,
		[
			endpointId,
			numbered.sequence - events.length,
			events.map(({ eventId }) => eventId),
			events.map(({ atMs }) => atMs),
			events.map(({ kind }) => kind),
			events.map(({ data }) => JSON.stringify(data)),
		],
	);
	return numbered.sequence;
}
