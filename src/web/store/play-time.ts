/**
 * The length of the player's stay, over reloads and tabs of this browser, by the server's clock. Half an hour away starts
 * a new stay; so does a device's clock that is as wrong before the server has told its time: that delays the reminder
 * but never claims hours that were not played.
 */
import type { Major } from '#contract/fields.ts';
import { type FieldTypes, hasFields, readStoredJson, writeStoredJson } from '#web/api/storage.ts';
import { fromWire, type Inside, toWire } from '#web/api/units.ts';
import { serverNow, useServerClock } from '#web/store/server-clock.ts';

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
export type Figures = Pick<Stay, 'netPosition' | 'staked'>;

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
	const goesOn = before?.userId === userId && Math.abs(nowMs - before.seenAtMs) <= AWAY_MS;
	if (before && goesOn) return { ...before, seenAtMs: Math.max(nowMs, before.startedAtMs) };
	return { userId, startedAtMs: nowMs, seenAtMs: nowMs, remindedAtMs: nowMs, netPosition, staked };
}

function keep(stay: Stay): Stay {
	writeStoredJson('playTime', toWire(stay, UNITS));
	return stay;
}

function readStay(): Stay | null {
	const stored = readStoredJson('playTime', isStay);
	return stored && fromWire(stored, UNITS);
}

/** The device's clock alone has timed its beginning. */
let begunByDevice: Stay | null = null;

/** Counts the player as present now. @param figures those from which a new stay counts */
export function keepStay(userId: string, figures: Figures): Stay {
	const before = readStay();
	const stay = keep(stayAt(before, userId, figures, serverNow()));
	const isTimed = stay.startedAtMs === before?.startedAtMs || useServerClock.getState().startMs !== null;
	if (!isTimed) begunByDevice = stay;
	return stay;
}

useServerClock.subscribe(({ startMs }) => {
	if (begunByDevice === null || startMs === null) return;
	const stay = readStay();
	const isBegun = stay?.startedAtMs === begunByDevice.startedAtMs;
	begunByDevice = null;
	if (!stay || !isBegun) return;
	const sinceMs = stay.startedAtMs + serverNow() - Date.now();
	keep({ ...stay, startedAtMs: sinceMs, seenAtMs: sinceMs, remindedAtMs: sinceMs });
});

/** The next reality check is a whole period from now. */
export const confirmReminder = (stay: Stay): Stay =>
	keep({ ...stay, seenAtMs: serverNow(), remindedAtMs: serverNow() });
