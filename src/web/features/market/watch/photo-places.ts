/** The finish of a race as its camera saw it: what passed the line when, and how far apart. */
import { METRES_A_LENGTH } from '#web/features/market/score/lengths.ts';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';

type Race = ScoreOf<'horseRacing'>;
type Horse = Race['runners'][number];

export interface Finisher {
	horse: Horse;
	/** Metres behind the horse before it, at the winner's mean pace; 0 for the winner and in a dead heat. */
	gap: number;
}

/** All horses that passed the line, first to last. A camera at the line sees times; the pace makes lengths of them. */
export function finishersOf({ runners, distanceMetres }: Race): Finisher[] {
	const past = runners
		.flatMap((horse) => (horse.seconds === null ? [] : [{ horse, seconds: horse.seconds }]))
		.sort((one, other) => one.seconds - other.seconds || one.horse.number - other.horse.number);
	const best = past[0]?.seconds ?? 0;
	const pace = best > 0 ? distanceMetres / best : 0;
	return past.map(({ horse, seconds }, at) => ({
		horse,
		gap: (seconds - (past[at - 1]?.seconds ?? seconds)) * pace,
	}));
}

/** The film is cut where the next horse was long in coming, so that horses are large enough to be seen. */
const MOST_GAP = 1.5 * METRES_A_LENGTH;
const LEAST_SPAN = METRES_A_LENGTH;
const IN_THE_PICTURE = 3;

interface OnFilm extends Finisher {
	/** Metres of film from the winner's nose. */
	at: number;
	/** Film is cut out before it. */
	isCut: boolean;
}

export function filmOf(finishers: readonly Finisher[]): OnFilm[] {
	let at = 0;
	return finishers.map((finisher) => {
		at += Math.min(finisher.gap, MOST_GAP);
		return { ...finisher, at, isCut: finisher.gap > MOST_GAP };
	});
}

/** Metres of film in the picture: to the third horse. */
export const spanOf = (film: readonly OnFilm[]): number =>
	Math.max(LEAST_SPAN, film.slice(0, IN_THE_PICTURE).at(-1)?.at ?? 0);
