/** The fate of an unsent message when a newer one of its key arrives. */
import type { HubMessages, MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';

type Runner = MarketBookDelta['runners'][number];

/**
 * The one message to send instead of both. Balances and states have versions, so an older one never overwrites a newer
 * one. Two deltas merge into one that follows where the first did; a delta on an image gives a newer image.
 */
export function supersede(older: BusMessage, newer: BusMessage): BusMessage {
	if (older.code !== newer.code) return newer;
	if (newer.code === 'MarketBook') {
		const data = joinBooks(older.data as HubMessages['MarketBook'], newer.data as HubMessages['MarketBook']);
		return { ...newer, data };
	}
	return versionOf(newer) < versionOf(older) ? older : newer;
}

/** Whether the image that was sent contains this message already. */
export function isOutdated(message: BusMessage, image: BusMessage): boolean {
	const version = versionOf(message);
	const isSame = message.code === image.code && message.key === image.key;
	return isSame && version <= versionOf(image) && version !== Number.POSITIVE_INFINITY;
}

/** Infinity for messages without a version: the later one is the newer one. */
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

/** A side in a delta replaces the whole side, so the newer version of each side wins. */
function joinRunners(older: readonly Runner[], newer: readonly Runner[]): Runner[] {
	const joined = new Map(older.map((runner) => [runner.runnerId, runner]));
	for (const runner of newer) joined.set(runner.runnerId, { ...joined.get(runner.runnerId), ...runner });
	return [...joined.values()];
}
