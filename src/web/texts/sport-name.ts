import { sportById } from '#values/sports.ts';
import { TEXTS } from '#web/texts.ts';

/** A sport as the page's language calls it; all sports for the id of none. */
export function sportName(id: number): string {
	const sport = sportById(id);
	return sport ? TEXTS.sports[sport.key] : TEXTS.matches.all;
}
