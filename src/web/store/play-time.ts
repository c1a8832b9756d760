/**
 * The length of the player's stay, over reloads and tabs of this browser. Half an hour away starts a new stay; so does
 * a jump of the clock, which delays the reminder but never claims hours that were not played.
 */
import type { Major } from '#contract/fields.ts';
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
	/** Wins less losses, over all games, when the stay began. */
	netPosition: Major;
	/** Stakes of bets and rounds, over all games, when the stay began. */
	staked: Major;
}
export type Stay = Inside<StoredStay>;
const UNITS = { netPosition: 1, staked: 1 } as const;

/** The player's figures, over all time. */
type Figures = Pick<Stay, 'netPosition' | 'staked'>;

const FIELDS: FieldTypes<StoredStay> = {
	userId: 'string',
	startedAtMs: 'number',
	seenAtMs: 'number',
	remindedAtMs: 'number',
	netPosition: 'number',
	staked: 'number',
};
const isStay = (value: unknown): value is StoredStay => hasFields(value, FIELDS);

/** The stay at a moment: the previous one continues, or a new one begins. */
export function stayAt(before: Stay | null, userId: string, { netPosition, staked }: Figures, nowMs: number): Stay {
	const goesOn = before?.userId === userId && nowMs >= before.seenAtMs && nowMs - before.seenAtMs <= AWAY_MS;
	if (before && goesOn) return { ...before, seenAtMs: nowMs };
	return { userId, startedAtMs: nowMs, seenAtMs: nowMs, remindedAtMs: nowMs, netPosition, staked };
}

function keep(stay: Stay): Stay {
	writeStoredJson('playTime', toWire(stay, UNITS));
	return stay;
}

/** Counts the player as present now. @param figures those from which a new stay counts */
export function keepStay(userId: string, figures: Figures): Stay {
	const stored = readStoredJson('playTime', isStay);
	return keep(stayAt(stored && fromWire(stored, UNITS), userId, figures, Date.now()));
}

/** The next reality check is a whole period from now. */
export const confirmReminder = (stay: Stay): Stay => keep({ ...stay, seenAtMs: Date.now(), remindedAtMs: Date.now() });
