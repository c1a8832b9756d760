import { TEXTS } from '#web/texts.ts';

/**
 * A score's figures, and its clock, over, points or distance, which come last, in brackets or after a comma: "2 – 1
 * (67′)", "NED 142/6 (18.0)", "1130.73, 1:40 to go". Of a chase in cricket it says what is needed: "NED 41/1 (5.4 · 64
 * off 86)".
 */
export interface ScoreParts {
	figures: string;
	note: string;
	/** The side whose score it is, as in cricket the one that bats; null where the figures count for both. */
	scorer: string | null;
}

/** Over, runs and balls of a chase. */
const CHASE = /^(\d+\.\d) · (\d+) off (\d+)$/;

/** @param names of the sides, which stand beside the score and are not repeated in it */
export function scorePartsOf(score: string, names: readonly string[]): ScoreParts {
	const [, scored = score, inBrackets, after = ''] = /^(.*\S)(?: \(([^()]*)\)|, ([^,]*))$/.exec(score) ?? [];
	const named = names.filter((name) => scored.startsWith(`${name} `));
	// One side's name may be the start of another's.
	const scorer = named.toSorted((one, other) => other.length - one.length)[0] ?? null;
	const figures = scorer === null ? scored : scored.slice(scorer.length + 1);
	const [, over, runs = '', balls = ''] = CHASE.exec(inBrackets ?? '') ?? [];
	const note = over === undefined ? (inBrackets ?? after) : `${over} · ${TEXTS.matches.needs(runs, balls)}`;
	return { figures, note, scorer };
}
