/** The folder of a day: its tables, and a manifest that is written last. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { dayName, dayNumber, dayStart, HOME_ZONE } from '../../src/values/zoned-calendar.ts';

const FORMAT = 1;
export const MANIFEST = 'manifest.json';

const Manifest = v.strictObject({
	format: v.literal(FORMAT),
	/** The time zone of the day; folders from before there were others have India's days. */
	zone: v.optional(v.string(), HOME_ZONE),
	/** Such as 2026-11-25. */
	day: v.pipe(v.string(), v.isoDate()),
	from: v.pipe(v.string(), v.isoTimestamp()),
	to: v.pipe(v.string(), v.isoTimestamp()),
	/** The last batch before the day with the chain of the seals there, in hexadecimal digits, and the last of the day. */
	batches: v.strictObject({ after: v.number(), chain: v.string(), last: v.number() }),
	files: v.record(v.string(), v.strictObject({ rows: v.number(), sha256: v.string() })),
});

export type DayManifest = v.InferOutput<typeof Manifest>;

export const filePath = (folder: string, table: string): string => join(folder, `${table}.parquet`);

/** The manifest of a day whose files are not written yet. */
export const manifestOf = (
	{ day, zone }: { day: number; zone: string },
	batches: DayManifest['batches'],
	files: DayManifest['files'],
): DayManifest => ({
	format: FORMAT,
	zone,
	day: dayName(day),
	from: new Date(dayStart(day, zone)).toISOString(),
	to: new Date(dayStart(day + 1, zone)).toISOString(),
	batches,
	files,
});

/** Null where the day was not written. @throws Error for a manifest of another form */
export async function readManifest(folder: string): Promise<DayManifest | null> {
	const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return null;
		throw error;
	});
	return text === null ? null : v.parse(Manifest, JSON.parse(text));
}

/** The days that were written, the oldest first. */
export async function daysIn(into: string): Promise<number[]> {
	const names = await readdir(into).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return [];
		throw error;
	});
	return names
		.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
		.map(dayNumber)
		.sort((one, other) => one - other);
}
