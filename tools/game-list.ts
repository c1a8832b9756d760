/** `npm run fair -- games`: the games of the house as the table that the README shows. */
import { GAMES } from '#games/all-games.ts';
import { compare, type Fraction, percentText } from '#games/fraction.ts';
import { returnOf } from '#games/game.ts';

/** One row a game; the returns are those of its worst and its best bet, exact, shown to the nearest thousandth. */
export function gameList(): string[] {
	const rows = GAMES.map(({ name, summary, bets }) => {
		const returns = bets.map(returnOf).sort(compare);
		const [worst, best] = [returns[0] as Fraction, returns.at(-1) as Fraction].map(percentText);
		return [name, summary, worst === best ? `${best}` : `${worst} to ${best}`];
	});
	const heads = ['game', 'what it is', 'returns'];
	const widths = heads.map((head, cell) => Math.max(head.length, ...rows.map((row) => (row[cell] as string).length)));
	const lineOf = (cells: readonly string[], fill = ' ') =>
		`| ${cells.map((text, cell) => text.padEnd(widths[cell] as number, fill)).join(' | ')} |`;
	return [
		lineOf(heads),
		lineOf(
			heads.map(() => ''),
			'-',
		),
		...rows.map((row) => lineOf(row)),
	];
}
