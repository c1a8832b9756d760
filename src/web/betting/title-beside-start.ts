import { HORSE_RACING } from '#values/sports.ts';

/**
 * A fixture's title where its start stands beside it by the player's own clock. A race is named by its time of day at
 * the course, so the two times would repeat or, in another time zone, contradict each other.
 */
export const titleBesideStart = ({ sportId, title }: { sportId: number; title: string }): string =>
	sportId === HORSE_RACING ? title.replace(/^\d\d:\d\d /, '') : title;
