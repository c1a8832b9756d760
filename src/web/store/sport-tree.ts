/** The stored sport tree, under the key and with the fields of the product specification, section 3. */

import type { SportTree } from '#web/api/answers.ts';
import { readStoredJson, writeStoredJson } from '#web/api/storage.ts';
import { usePreferences } from '#web/store/preferences.ts';

/** An event as it is stored: with its sport, and whether it is one of the player's favourites. */
type StoredEvent = SportTree[number]['events'][number] & { pin: boolean };

/** Stores the tree; each event carries `pin`, `sportId` and `sportName`, each sport its id as `order`. */
export function storeSportTree(tree: SportTree): void {
	const { pinnedEvents } = usePreferences.getState();
	const stored = tree.map(({ id, name, events }) => ({
		id,
		name,
		order: id,
		events: events.map(
			(event): StoredEvent => ({ ...event, sportId: id, sportName: name, pin: pinnedEvents.includes(event.id) }),
		),
	}));
	writeStoredJson('TreeSportWithEvent', stored);
}

const isTree = (value: unknown): value is SportTree =>
	Array.isArray(value) && value.every((sport) => Array.isArray((sport as { events?: unknown } | null)?.events));

/** Keeps the stored flags in step with the favourites; returns the function that ends it. */
export const watchPins = (): (() => void) =>
	usePreferences.subscribe(({ pinnedEvents }, before) => {
		if (pinnedEvents === before.pinnedEvents) return;
		const tree = readStoredJson('TreeSportWithEvent', isTree);
		if (tree) storeSportTree(tree);
	});
