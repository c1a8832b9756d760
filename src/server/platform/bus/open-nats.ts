/** The connection to NATS, for a process with gateways. */
import type { Logger } from 'pino';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';

/** Null without gateways. @throws when NATS is unreachable */
export async function openNats(
	natsUrl: string | null,
	log: Logger,
	started: AsyncDisposableStack,
): Promise<NatsBus | null> {
	const nats = natsUrl ? await NatsBus.connect(natsUrl, log) : null;
	started.defer(async () => await nats?.close());
	return nats;
}
