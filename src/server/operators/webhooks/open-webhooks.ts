/** Opens the webhooks. They are opened before the exchange, so that no batch is without its events. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BatchRows, EventRow } from '#server/exchange/order/batch-rows.ts';
import { batchEvents } from '#server/operators/webhooks/batch-events.ts';
import { WebhookDeliveries } from '#server/operators/webhooks/webhook-deliveries.ts';
import { WebhookEndpoints } from '#server/operators/webhooks/webhook-endpoints.ts';
import { WebhookSender } from '#server/operators/webhooks/webhook-sender.ts';
import { DataKeys } from '#server/platform/keys/data-keys.ts';

export interface Webhooks {
	endpoints: WebhookEndpoints;
	deliveries: WebhookDeliveries;
	/** Only HTTPS to public addresses. */
	isGuarded: boolean;
	/** What a batch tells. */
	eventsOf: (rows: BatchRows) => readonly EventRow[];
	start(): void;
}

interface OpenWebhooksOptions {
	config: { production: boolean; dataKeys: readonly string[] };
	db: pg.Pool;
	log: Logger;
}

export async function openWebhooks(
	{ config, db, log }: OpenWebhooksOptions,
	started: AsyncDisposableStack,
): Promise<Webhooks> {
	const clock = Date.now;
	const isGuarded = config.production;
	const endpoints = new WebhookEndpoints({ db, keys: new DataKeys(config.dataKeys), clock });
	await endpoints.load();
	const deliveries = new WebhookDeliveries({ db, clock });
	const sender = new WebhookSender({ db, log, clock, endpoints, deliveries, isGuarded });
	started.defer(() => sender.stop());
	return {
		endpoints,
		deliveries,
		isGuarded,
		eventsOf: (rows) => batchEvents(rows, endpoints.isSubscribed),
		start: () => sender.start(),
	};
}
