/** Games that the player likes and played last, on this device. */
import { create } from 'zustand';
import { readStoredJson, writeStoredJson } from '#web/api/storage.ts';

const MOST_RECENT = 6;

interface Marks {
	favourites: readonly string[];
	/** The last one first. */
	recent: readonly string[];
}

const isCodes = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((code) => typeof code === 'string');
const isMarks = (value: unknown): value is Marks =>
	typeof value === 'object' &&
	value !== null &&
	'favourites' in value &&
	isCodes(value.favourites) &&
	'recent' in value &&
	isCodes(value.recent);

const useMarks = create<Marks>(() => readStoredJson('casinoMarks', isMarks) ?? { favourites: [], recent: [] });

function change(marks: Partial<Marks>): void {
	useMarks.setState(marks);
	writeStoredJson('casinoMarks', useMarks.getState());
}

function toggleFavourite(code: string): void {
	const { favourites } = useMarks.getState();
	change({
		favourites: favourites.includes(code) ? favourites.filter((other) => other !== code) : [...favourites, code],
	});
}

export function markPlayed(code: string): void {
	const { recent } = useMarks.getState();
	if (recent[0] !== code) change({ recent: [code, ...recent.filter((other) => other !== code)].slice(0, MOST_RECENT) });
}

export const useGameMarks = () => ({ ...useMarks(), toggleFavourite });
