/** The pinned events in their current state: with prices if they are in play or to come, without if they are over. */

import type { PricedEvent, SportTree } from '#web/api/answers.ts';

export interface Pinned {
	events: PricedEvent[];
	/** Pinned ids that are in no list any more. */
	gone: string[];
}

export function pinnedEvents(pinned: readonly string[], tree: SportTree, priced: readonly PricedEvent[]): Pinned {
	const byId = new Map<string, PricedEvent>();
	for (const { events } of tree) for (const event of events) byId.set(event.id, { ...event, mainMarket: null });
	for (const event of priced) byId.set(event.id, event);
	return {
		events: pinned.flatMap((id) => byId.get(id) ?? []),
		gone: pinned.filter((id) => !byId.has(id)),
	};
}
