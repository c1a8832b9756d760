/**
 * The heartbeat of the process with the engine. It goes to every process with a hub, after all earlier messages, so a
 * hub that receives it has missed nothing; each hub passes it on to its clients (`connections.ts`).
 */
import { HEARTBEAT_MS } from '#contract/hub-messages.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Bus } from '#server/platform/bus/bus.ts';

export const HEARTBEAT_TOPIC = 'heartbeat';

/**
 * A process whose exchange takes nothing sends none, nor one that another process may have deposed: its prices stand still,
 * and those of the other one move.
 * @returns a function that ends it
 */
export function startHeartbeat(bus: Bus, exchange: Pick<Exchange, 'isOpen' | 'fresh'>): () => void {
	const beat = () => bus.publish(HEARTBEAT_TOPIC, { code: 'Heartbeat', data: { sent: 0 } });
	const timer = setInterval(() => {
		if (!exchange.isOpen()) return;
		const fresh = exchange.fresh(performance.now() + HEARTBEAT_MS);
		if (fresh) fresh.then(beat, () => undefined);
		else beat();
	}, HEARTBEAT_MS);
	return () => clearInterval(timer);
}
