/** Sport ids of the product specification, section 3; 0 means all sports. */
export const SPORTS = [
	{ id: 1, key: 'football', name: 'Football' },
	{ id: 2, key: 'tennis', name: 'Tennis' },
	{ id: 3, key: 'cricket', name: 'Cricket' },
	{ id: 25, key: 'kabaddi', name: 'Kabaddi' },
	{ id: 26, key: 'horseRacing', name: 'Horse Racing' },
	{ id: 40, key: 'trade', name: 'Trade' },
] as const;

export type SportKey = (typeof SPORTS)[number]['key'];
export type SportId = (typeof SPORTS)[number]['id'];

export const FOOTBALL = 1;
export const TENNIS = 2;
export const CRICKET = 3;
export const KABADDI = 25;
export const HORSE_RACING = 26;
export const TRADE = 40;

export const sportById = (id: number): (typeof SPORTS)[number] | undefined => SPORTS.find((sport) => sport.id === id);

/** Whether a sport is active for a player: the brand shows it, and it is not closed to the player. */
export function sportIsActive(
	shown: Readonly<Record<SportKey, boolean>>,
	closed: ReadonlySet<SportKey>,
	sportId: number,
): boolean {
	const key = sportById(sportId)?.key;
	return key !== undefined && shown[key] && !closed.has(key);
}
