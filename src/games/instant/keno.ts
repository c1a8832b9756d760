import { drawSome } from '#games/fair-draw.ts';
import { choose, fraction, hundredths } from '#games/fraction.ts';
import type { Bet, InstantGame } from '#games/game.ts';

/** Numbers from 1 to 40, in the order they were drawn. */
type KenoDraw = readonly number[];

export const KENO_NUMBERS = 40;
const DRAWN = 10;
export const MOST_PICKS = 8;

/** For each number of picks: hits, and the hundredths they pay. */
const PAYS: readonly (readonly (readonly [hits: number, pays: number])[])[] = [
	[],
	[[1, 388]],
	[
		[1, 127],
		[2, 830],
	],
	[
		[2, 363],
		[3, 3_900],
	],
	[
		[2, 155],
		[3, 820],
		[4, 13_700],
	],
	[
		[3, 428],
		[4, 3_300],
		[5, 82_000],
	],
	[
		[3, 338],
		[4, 1_030],
		[5, 12_200],
		[6, 100_000],
	],
	[
		[3, 217],
		[4, 430],
		[5, 3_300],
		[6, 56_000],
		[7, 100_000],
	],
	[
		[4, 685],
		[5, 2_100],
		[6, 11_000],
		[7, 99_000],
		[8, 100_000],
	],
];

/** The chance of that many hits among as many picks: hypergeometric. */
const chanceOf = (hits: number, picks: number) =>
	fraction(choose(picks, hits) * choose(KENO_NUMBERS - picks, DRAWN - hits), choose(KENO_NUMBERS, DRAWN));

/** `3.17.40` are three picks; rising, so that one choice has one code. */
function betOf(code: string): Bet<KenoDraw> | null {
	const picks = code.split('.').map(Number);
	const isChoice = picks.every(
		(pick, index) =>
			Number.isInteger(pick) &&
			pick >= 1 &&
			pick <= KENO_NUMBERS &&
			(index === 0 || pick > (picks[index - 1] as number)),
	);
	if (!isChoice || picks.length > MOST_PICKS || picks.join('.') !== code) return null;
	const pays = PAYS[picks.length] ?? [];
	return {
		code,
		name: picks.length === 1 ? '1 pick' : `${picks.length} picks`,
		prizes: pays.map(([hits, cents]) => ({
			name: hits === 1 ? '1 hit' : `${hits} hits`,
			pays: hundredths(cents),
			chance: chanceOf(hits, picks.length),
		})),
		prizeOf: (drawn) => {
			const hits = picks.filter((pick) => drawn.includes(pick)).length;
			const prize = pays.findIndex(([needed]) => needed === hits);
			return prize < 0 ? null : prize;
		},
	};
}

const firstPicks = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join('.');

export const keno: InstantGame<KenoDraw> = {
	code: 'keno',
	name: 'Keno',
	kind: 'instant',
	summary: 'Pick up to eight of forty numbers; ten are drawn.',
	rules: ['Ten of forty numbers are drawn.', 'How many of your picks are among them says what the stake pays.'],
	bets: Array.from({ length: MOST_PICKS }, (_, index) => betOf(firstPicks(index + 1))).flatMap((bet) => bet ?? []),
	betOf,
	outcomeOf: (draw) => drawSome(draw, DRAWN, KENO_NUMBERS).map((index) => index + 1),
	describe: (drawn) => drawn.join(' '),
};
