import { drawSome } from '#games/fair-draw.ts';
import { choose, compare, type Fraction, fraction, hundredths, multipleText, NONE } from '#games/fraction.ts';
import { type BetTerms, returnOf, type Turn, type TurnGame } from '#games/game.ts';

export const MINES_FIELDS = 25;
const MOST_MINES = MINES_FIELDS - 1;

export interface MinesShown {
	/** Safe fields in the order they were opened. */
	opened: readonly number[];
	/** Null until the round has ended. */
	mines: readonly number[] | null;
	/** The mine that was opened. */
	hit: number | null;
	/** Hundredths that ending the round would pay now, and after one more safe field; null if there is none. */
	pays: number | null;
	next: number | null;
}

/** Hundredths after N safe fields. */
export const minesCents = (mines: number, picks: number): number =>
	Number((97n * choose(MINES_FIELDS, picks)) / choose(MINES_FIELDS - mines, picks));

const safeFields = (mines: number): number => MINES_FIELDS - mines;
const CHOICE = /^([1-9]|1\d|2[0-4])$/;

function turn(
	shown: Omit<MinesShown, 'pays' | 'next'>,
	mines: number,
	actions: string[],
	pays: Fraction,
): Turn<MinesShown> {
	const picks = shown.opened.length;
	return {
		shown: {
			...shown,
			pays: picks > 0 && shown.hit === null ? minesCents(mines, picks) : null,
			next: actions.length > 0 ? minesCents(mines, picks + 1) : null,
		},
		actions,
		stakes: 1,
		pays,
		result: actions.length > 0 ? '' : shown.hit === null ? `${picks} safe` : `Mine after ${picks} safe`,
	};
}

/** Actions are `open-7`, and `cash-out` after the first safe field. The last safe field ends the round. */
function turnAfter(hidden: readonly number[], choice: string, actions: readonly string[]): Turn<MinesShown> | null {
	const mines = Number(choice);
	const opened: number[] = [];
	for (const [index, action] of actions.entries()) {
		const isLast = index === actions.length - 1;
		if (action === 'cash-out')
			return isLast && opened.length > 0
				? turn({ opened, mines: hidden, hit: null }, mines, [], hundredths(minesCents(mines, opened.length)))
				: null;
		const field = fieldOf(action);
		if (field === null || opened.includes(field) || opened.length === safeFields(mines)) return null;
		if (hidden.includes(field)) return isLast ? turn({ opened, mines: hidden, hit: field }, mines, [], NONE) : null;
		opened.push(field);
	}
	if (opened.length === safeFields(mines))
		return turn({ opened, mines: hidden, hit: null }, mines, [], hundredths(minesCents(mines, opened.length)));
	const closed = Array.from({ length: MINES_FIELDS }, (_, field) => field).filter((field) => !opened.includes(field));
	const next = [...closed.map((field) => `open-${field}`), ...(opened.length > 0 ? ['cash-out'] : [])];
	return turn({ opened, mines: null, hit: null }, mines, next, NONE);
}

function fieldOf(action: string): number | null {
	const field = Number(/^open-(\d{1,2})$/.exec(action)?.[1] ?? Number.NaN);
	return field < MINES_FIELDS && action === `open-${field}` ? field : null;
}

/** Ending the round after a number of safe fields. */
export const minesBet = (mines: number, picks: number): BetTerms => ({
	code: `${mines}-${picks}`,
	name: `${mines === 1 ? '1 mine' : `${mines} mines`}, ${picks === 1 ? '1 field' : `${picks} fields`}`,
	prizes: [
		{
			name: multipleText(hundredths(minesCents(mines, picks))),
			pays: hundredths(minesCents(mines, picks)),
			chance: fraction(choose(MINES_FIELDS - mines, picks), choose(MINES_FIELDS, picks)),
		},
	],
});

/**
 * Every choice of mines and stopping point: all fields are equivalent, so no decisions are worse than the worst of
 * these.
 */
const everyMinesBet: readonly BetTerms[] = Array.from({ length: MOST_MINES }, (_, index) => index + 1).flatMap(
	(count) => Array.from({ length: safeFields(count) }, (_, picked) => minesBet(count, picked + 1)),
);

const worstBet = everyMinesBet
	.map((bet) => ({ name: bet.name, returns: returnOf(bet) }))
	.reduce((least, bet) => (compare(bet.returns, least.returns) < 0 ? bet : least));

/** Mines and safe fields of the bets in the pay table. */
const LISTED: readonly (readonly [mineCount: number, picks: number])[] = [
	[1, 1],
	[2, 3],
	[3, 1],
	[3, 5],
	[5, 3],
	[10, 5],
	[24, 1],
];

export const mines: TurnGame<readonly number[], MinesShown> = {
	code: 'mines',
	name: 'Mines',
	kind: 'turns',
	summary: 'Open safe fields, and stop before you open a mine.',
	rules: [
		'Of 25 fields, 1 to 24 hide a mine: you choose how many before the round.',
		'Each safe field raises the multiplier. Cash out after any of them; a mine loses the stake.',
		'The mines lie where they lie before you open the first field.',
	],
	bets: LISTED.map(([mineCount, picks]) => minesBet(mineCount, picks)),
	worstPlay: { ...worstBet, name: `stop after ${worstBet.name}` },
	isChoice: (choice) => CHOICE.test(choice) && Number(choice) <= MOST_MINES,
	deal: (draw, choice) => drawSome(draw, Number(choice), MINES_FIELDS).sort((one, other) => one - other),
	turnAfter,
	abandonedAction: ({ actions }) => (actions.includes('cash-out') ? 'cash-out' : null),
	abandoned: 'what stands is cashed out, and before the first safe field the stake goes back.',
	// All fields are equivalent: the first ones are opened.
	decidedBets: (hidden, choice) =>
		LISTED.filter(([mineCount]) => mineCount === Number(choice)).map(([mineCount, picks]) => [
			minesBet(mineCount, picks).code,
			hidden.every((field) => field >= picks) ? 0 : null,
		]),
	mostAfter: ({ shown }, action) => hundredths((action === 'cash-out' ? shown.pays : shown.next) ?? 0),
};
