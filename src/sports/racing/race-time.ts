/** How races are called: by their time of day where the players are, and what follows it. */

const INDIA_AHEAD_MINUTES = 5 * 60 + 30;
const DAY_MINUTES = 24 * 60;

/** 10:00 UTC → "15:30". */
export function timeInIndia(atMs: number): string {
	const minutes = (Math.floor(atMs / 60_000) + INDIA_AHEAD_MINUTES) % DAY_MINUTES;
	const two = (of: number) => String(of).padStart(2, '0');
	return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export const raceTitle = (name: string, startsAtMs: number): string => `${timeInIndia(startsAtMs)} ${name}`;

/** The title of a race after its start has moved. A title without a time stays. */
export const retimedTitle = (title: string, startsAtMs: number): string =>
	title.replace(/^\d\d:\d\d(?= )/, timeInIndia(startsAtMs));
