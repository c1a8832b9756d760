/**
 * The heartbeat of the process with the engine. It goes to every process with a hub, after all earlier messages, so a
 * hub that receives it has missed nothing; each hub passes it on to its clients (`connections.ts`).
 */
import { HEARTBEAT_MS } from '#contract/hub-messages.ts';
import type { Bus } from '#server/platform/bus/bus.ts';

export const HEARTBEAT_TOPIC = 'heartbeat';

/** @returns a function that ends it */
export function startHeartbeat(bus: Bus): () => void {
	const timer = setInterval(() => bus.publish(HEARTBEAT_TOPIC, { code: 'Heartbeat', data: { sent: 0 } }), HEARTBEAT_MS);
	return () => clearInterval(timer);
}
