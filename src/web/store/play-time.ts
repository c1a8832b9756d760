/**
 * How long the player has been here, over reloads and tabs of this browser. Half an hour away begins a new stay; a clock
 * that jumps does the same, which reminds later but never claims hours that were not played.
 */
import type { Major } from '#contract/fields.ts';
import type { Paise } from '#values/money.ts';
import { type FieldTypes, hasFields, readStoredJson, writeStoredJson } from '#web/api/storage.ts';
import { fromWire, type Inside, toWire } from '#web/api/units.ts';

const AWAY_MS = 30 * 60_000;

/** As it is stored. */
interface StoredStay {
	userId: string;
	startedAtMs: number;
	/** The site was last open then. */
	seenAtMs: number;
	/** The player last confirmed the reality check then. */
	remindedAtMs: number;
	/** Won less lost, over everything, when the stay began. */
	netPosition: Major;
}
export type Stay = Inside<StoredStay>;
const UNITS = { netPosition: 1 } as const;

const FIELDS: FieldTypes<StoredStay> = {
	userId: 'string',
	startedAtMs: 'number',
	seenAtMs: 'number',
	remindedAtMs: 'number',
	netPosition: 'number',
};
const isStay = (value: unknown): value is StoredStay => hasFields(value, FIELDS);

/** The stay as it is at a moment: the one before goes on, or a new one begins. */
export function stayAt(before: Stay | null, userId: string, netPosition: Paise, nowMs: number): Stay {
	const goesOn = before?.userId === userId && nowMs >= before.seenAtMs && nowMs - before.seenAtMs <= AWAY_MS;
	if (before && goesOn) return { ...before, seenAtMs: nowMs };
	return { userId, startedAtMs: nowMs, seenAtMs: nowMs, remindedAtMs: nowMs, netPosition };
}

function keep(stay: Stay): Stay {
	writeStoredJson('playTime', toWire(stay, UNITS));
	return stay;
}

/** Counts the player as here now. @param netPosition what a new stay begins with */
export function keepStay(userId: string, netPosition: Paise): Stay {
	const stored = readStoredJson('playTime', isStay);
	return keep(stayAt(stored && fromWire(stored, UNITS), userId, netPosition, Date.now()));
}

/** The next reality check comes a whole period from now. */
export const confirmReminder = (stay: Stay): Stay => keep({ ...stay, seenAtMs: Date.now(), remindedAtMs: Date.now() });
