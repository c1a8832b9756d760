/** The connection to NATS, for a process with gateways. */
import type { Logger } from 'pino';
import { NatsBus } from '#server/platform/bus/nats-bus.ts';
import { type Pool, poolsNumber } from '#values/pools.ts';

/** The processes of an engine hear one another, and none of another engine, whose players and markets have the same numbers. */
export const scopeOf = (pools: readonly Pool[]): string => (poolsNumber(pools) === 0 ? '' : pools.join('-'));

/** Null without gateways. @throws when NATS is unreachable */
export async function openNats(
	{ natsUrl, pools }: { natsUrl: string | null; pools: readonly Pool[] },
	log: Logger,
	started: AsyncDisposableStack,
): Promise<NatsBus | null> {
	const nats = natsUrl ? await NatsBus.connect(natsUrl, log, scopeOf(pools)) : null;
	started.defer(async () => await nats?.close());
	return nats;
}
