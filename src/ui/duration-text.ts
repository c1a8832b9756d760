/** 3723 → "1:02:03". */
export const hoursMinutesSeconds = (seconds: number): string =>
	[
		Math.floor(seconds / 3600),
		...[Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')),
	].join(':');

/** 119 → "1:59". */
export const minutesAndSeconds = (seconds: number): string =>
	`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
