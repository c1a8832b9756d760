/** The keys for signatures of webhooks: those of the configuration, and the simulator's own. */
import { createHmac } from 'node:crypto';
import type { WebhookKeys } from '#server/platform/keys/signature.ts';

const SIMULATOR_KEY_ID = 'simulator';

/** The simulator lives in this process; its key is derived from the server's secret. */
export const simulatorKey = (tokenKey: string): { id: string; secret: string } => ({
	id: SIMULATOR_KEY_ID,
	secret: createHmac('sha256', tokenKey).update('payment simulator').digest('hex'),
});

export function webhookKeys({
	tokenKey,
	payments,
}: {
	tokenKey: string;
	payments: { webhookKeys: Readonly<Record<string, string>> };
}): WebhookKeys {
	const { id, secret } = simulatorKey(tokenKey);
	return new Map([...Object.entries(payments.webhookKeys), [id, secret]]);
}
