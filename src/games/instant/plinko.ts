import { choose, fraction, hundredths, multipleText } from '#games/fraction.ts';
import { type Bet, betFinder, type InstantGame } from '#games/game.ts';

/** For each row of pins, 1 when the ball goes right. A board with fewer rows uses the first ones. */
type PlinkoPath = readonly number[];
export type PlinkoRows = 8 | 12 | 16;
export type PlinkoRisk = 'low' | 'medium' | 'high';

const MOST_ROWS = 16;
const NAMES: Record<PlinkoRisk, string> = { low: 'low risk', medium: 'medium risk', high: 'high risk' };

/** Hundredths from the edge to the centre. */
const PAYS: Readonly<Record<PlinkoRows, Readonly<Record<PlinkoRisk, readonly number[]>>>> = {
	8: {
		low: [540, 200, 107, 100, 48],
		medium: [1_290, 290, 129, 69, 38],
		high: [2_800, 390, 149, 29, 20],
	},
	12: {
		low: [980, 290, 158, 138, 108, 97, 50],
		medium: [3_200, 1_060, 380, 194, 106, 62, 29],
		high: [16_400, 2_300, 780, 194, 67, 24, 18],
	},
	16: {
		low: [1_560, 870, 195, 136, 136, 117, 107, 99, 49],
		medium: [10_600, 3_900, 960, 480, 290, 145, 96, 54, 27],
		high: [100_000, 13_000, 2_600, 900, 400, 200, 20, 17, 15],
	},
};

/** The payout of each slot in hundredths, from left to right. */
export const slotsOf = (rows: PlinkoRows, risk: PlinkoRisk): number[] =>
	Array.from({ length: rows + 1 }, (_, slot) => PAYS[rows][risk][Math.min(slot, rows - slot)] as number);

/** The slot that a path ends in, counted from the left. */
export const slotOf = (path: PlinkoPath, rows: PlinkoRows): number =>
	path.slice(0, rows).reduce((steps, step) => steps + step, 0);

function plinkoBet(rows: PlinkoRows, risk: PlinkoRisk): Bet<PlinkoPath> {
	const pays = PAYS[rows][risk];
	return {
		code: `${rows}-${risk}`,
		name: `${rows} rows, ${NAMES[risk]}`,
		prizes: pays.map((cents, fromEdge) => ({
			name: multipleText(hundredths(cents)),
			pays: hundredths(cents),
			chance: fraction(choose(rows, fromEdge) * (2 * fromEdge === rows ? 1n : 2n), 2n ** BigInt(rows)),
		})),
		prizeOf: (path) => {
			const slot = slotOf(path, rows);
			return Math.min(slot, rows - slot);
		},
	};
}

const bets = ([8, 12, 16] as const).flatMap((rows) =>
	(['low', 'medium', 'high'] as const).map((risk) => plinkoBet(rows, risk)),
);

export const plinko: InstantGame<PlinkoPath> = {
	code: 'plinko',
	name: 'Plinko',
	kind: 'instant',
	summary: 'A ball falls through rows of pins into a slot.',
	rules: [
		'At each row the ball goes left or right, each equally likely.',
		'The path is drawn before the ball falls; the board replays it.',
		'The slot says what the stake pays.',
	],
	bets,
	betOf: betFinder(bets),
	outcomeOf: (draw) => Array.from({ length: MOST_ROWS }, () => draw(2)),
	describe: (path) => path.map((step) => (step ? 'R' : 'L')).join(''),
};
