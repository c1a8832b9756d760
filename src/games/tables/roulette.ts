import { fraction } from '#games/fraction.ts';
import { type Bet, betFinder, faceOf, simpleBet, type TableGame } from '#games/game.ts';

/** The pockets in the order of the wheel, clockwise. */
export const WHEEL_ORDER: readonly number[] = [
	0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7,
	28, 12, 35, 3, 26,
];
const POCKETS = WHEEL_ORDER.length;
const RED = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);
const isRedPocket = (pocket: number): boolean => RED.has(pocket);
type Tone = 'green' | 'red' | 'black';
export const toneOf = (pocket: number): Tone => (pocket === 0 ? 'green' : isRedPocket(pocket) ? 'red' : 'black');

const NUMBERS = Array.from({ length: 36 }, (_, index) => index + 1);

function betOn(code: string, name: string, pockets: readonly number[]): Bet<number> {
	const covered = new Set(pockets);
	const chance = fraction(covered.size, POCKETS);
	return simpleBet({ code, name, pays: fraction(36, covered.size), chance }, (pocket) => covered.has(pocket));
}

/** Inside bets are named by their pockets: `split-17-20`. */
const inside = (kind: string, name: string, pockets: readonly number[]): Bet<number> =>
	betOn(`${kind}-${pockets.join('-')}`, `${name} ${pockets.join(', ')}`, pockets);

const isLastOfRow = (pocket: number): boolean => pocket % 3 === 0;
const rowStarts = NUMBERS.filter((pocket) => pocket % 3 === 1);

const insideBets: readonly Bet<number>[] = [
	...[0, ...NUMBERS].map((pocket) => inside('straight', 'Number', [pocket])),
	...[1, 2, 3].map((pocket) => inside('split', 'Split', [0, pocket])),
	...NUMBERS.filter((pocket) => !isLastOfRow(pocket)).map((pocket) => inside('split', 'Split', [pocket, pocket + 1])),
	...NUMBERS.filter((pocket) => pocket <= 33).map((pocket) => inside('split', 'Split', [pocket, pocket + 3])),
	inside('trio', 'Trio', [0, 1, 2]),
	inside('trio', 'Trio', [0, 2, 3]),
	...rowStarts.map((pocket) => inside('street', 'Street', [pocket, pocket + 1, pocket + 2])),
	inside('corner', 'First four', [0, 1, 2, 3]),
	...NUMBERS.filter((pocket) => pocket <= 32 && !isLastOfRow(pocket)).map((pocket) =>
		inside('corner', 'Corner', [pocket, pocket + 1, pocket + 3, pocket + 4]),
	),
	...rowStarts
		.filter((pocket) => pocket <= 31)
		.map((pocket) =>
			inside(
				'line',
				'Line',
				[0, 1, 2, 3, 4, 5].map((step) => pocket + step),
			),
		),
];

const among = (condition: (pocket: number) => boolean): number[] => NUMBERS.filter(condition);

const outsideBets: readonly Bet<number>[] = [
	betOn('red', 'Red', among(isRedPocket)),
	betOn(
		'black',
		'Black',
		among((pocket) => !isRedPocket(pocket)),
	),
	betOn(
		'odd',
		'Odd',
		among((pocket) => pocket % 2 === 1),
	),
	betOn(
		'even',
		'Even',
		among((pocket) => pocket % 2 === 0),
	),
	betOn(
		'low',
		'1 to 18',
		among((pocket) => pocket <= 18),
	),
	betOn(
		'high',
		'19 to 36',
		among((pocket) => pocket > 18),
	),
	...[1, 2, 3].map((dozen) => {
		const first = dozen * 12 - 11;
		return betOn(
			`dozen-${dozen}`,
			`${first} to ${first + 11}`,
			among((pocket) => Math.ceil(pocket / 12) === dozen),
		);
	}),
	...[1, 2, 3].map((column) =>
		betOn(
			`column-${column}`,
			`Column ${column}`,
			among((pocket) => pocket % 3 === column % 3),
		),
	),
];

const bets = [...insideBets, ...outsideBets];

export const roulette: TableGame<number> = {
	code: 'roulette',
	name: 'Roulette',
	kind: 'table',
	summary: 'A wheel of thirty-seven pockets with a single zero.',
	rules: [
		'The ball falls into one of 37 pockets, each equally likely.',
		'A bet on n numbers pays 36 divided by n, the stake included. At zero all outside bets lose.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => draw(POCKETS),
	describe: (pocket) => (pocket === 0 ? '0' : `${pocket} ${toneOf(pocket)}`),
	windowMs: 15_000,
	// Browsers animate the ball: bets are already locked.
	revealsOf: (pocket) => [{ atMs: 200, shown: pocket }],
	holdMs: 7_000,
	faces: () => [faceOf(bets, WHEEL_ORDER)],
	markOf: (pocket) => ({ side: toneOf(pocket), text: String(pocket) }),
};
