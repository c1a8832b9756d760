/**
 * Memory of one market. What a market needs stands together, in pages of its own: most bets are on markets that the
 * processor has not seen for long, and each page it has to find anew costs more than reading it. When the market is over
 * all of it is given back at once.
 */
import { at, give, NONE, PAGE, roomFor, take } from './lines';

@unmanaged
export class Room {
	/** Lines that are not in use, from one to another. */
	unused: i32;
	end: i32;
	/** The latest pages; their first line names those before them, and how many lines they are. */
	pages: i32;
	/** The line that was given back last; each names the one before in its first word. */
	spareLine: i32;
}

@unmanaged
class Pages {
	before: i32;
	lines: i32;
}

/** A row of so many lines, all zeros. */
export function takeIn(room: Room, lines: i32): i32 {
	if (room.unused + lines > room.end) addPages(room, lines);
	const row = room.unused;
	room.unused += lines;
	return row;
}

/** A single line with whatever was in it. */
export function takeLineIn(room: Room): i32 {
	const row = room.spareLine;
	if (row == NONE) return takeIn(room, 1);
	room.spareLine = load<i32>(at(row));
	return row;
}

/** Takes a single line back; only its first word changes. */
export function giveLineIn(room: Room, row: i32): void {
	store<i32>(at(row), room.spareLine);
	room.spareLine = row;
}

/** Gives back everything. */
export function giveRoom(room: Room): void {
	for (let row = room.pages; row != NONE; ) {
		const before = changetype<Pages>(at(row)).before;
		give(row, changetype<Pages>(at(row)).lines);
		row = before;
	}
	room.unused = room.end = room.pages = room.spareLine = NONE;
}

function addPages(room: Room, needed: i32): void {
	const lines = roomFor(((needed + PAGE) / PAGE) * PAGE);
	const row = take(lines);
	const pages = changetype<Pages>(at(row));
	pages.before = room.pages;
	pages.lines = lines;
	room.pages = row;
	room.unused = row + 1;
	room.end = row + lines;
}
