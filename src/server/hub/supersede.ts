/** What becomes of an older message when a newer one of its key arrives before it was sent. */
import type { HubMessages, MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import type { BusMessage } from '#server/bus.ts';

type Runner = MarketBookDelta['runners'][number];

/**
 * The one message to send instead of both. Balances and states go by their versions, so that an older one never
 * overwrites a newer. Deltas become one that follows on where the first did; on an image they become a newer image.
 */
export function supersede(older: BusMessage, newer: BusMessage): BusMessage {
	if (older.code !== newer.code) return newer;
	if (newer.code === 'MarketBook') {
		const data = joinBooks(older.data as HubMessages['MarketBook'], newer.data as HubMessages['MarketBook']);
		return { ...newer, data };
	}
	return versionOf(newer) < versionOf(older) ? older : newer;
}

/** Whether a message tells nothing that the image sent before it did not. */
export function isOutdated(message: BusMessage, image: BusMessage): boolean {
	const version = versionOf(message);
	const isSame = message.code === image.code && message.key === image.key;
	return isSame && version <= versionOf(image) && version !== Number.POSITIVE_INFINITY;
}

/** Infinity for what has no version: the later one is then the newer one. */
function versionOf({ data }: BusMessage): number {
	const { version, Version } = data as { version?: number; Version?: number };
	return version ?? Version ?? Number.POSITIVE_INFINITY;
}

function joinBooks(
	older: MarketBookImage | MarketBookDelta,
	newer: MarketBookImage | MarketBookDelta,
): MarketBookImage | MarketBookDelta {
	if (newer.kind === 'IMAGE') return newer;
	if (newer.version <= older.version) return older;
	const { kind: _, from: __, runners: changed, ...news } = newer;
	if (older.kind === 'DELTA') return { ...older, ...news, runners: joinRunners(older.runners, changed) };
	const changes = new Map(changed.map((runner) => [runner.runnerId, runner]));
	return {
		...older,
		...news,
		runners: older.runners.map((runner) => ({ ...runner, ...changes.get(runner.runnerId) })),
	};
}

/** A side that is present replaces the whole side, so the newer one of each stands. */
function joinRunners(older: readonly Runner[], newer: readonly Runner[]): Runner[] {
	const joined = new Map(older.map((runner) => [runner.runnerId, runner]));
	for (const runner of newer) joined.set(runner.runnerId, { ...joined.get(runner.runnerId), ...runner });
	return [...joined.values()];
}
