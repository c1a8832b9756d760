/** `npm run fair -- games`: the games of the house as the table in the README. */
import { GAMES } from '#games/all-games.ts';
import { percentText } from '#games/fraction.ts';
import { returnsOf } from '#games/game.ts';

/**
 * One row a game: the returns of its worst and its best bet, and of the worst play that its rules allow, exact, shown to the
 * nearest thousandth.
 */
export function gameList(): string[] {
	const rows = GAMES.map((game) => {
		const { lowest, highest, worst } = returnsOf(game);
		const [least, most] = [percentText(lowest), percentText(highest)];
		return [game.name, game.summary, least === most ? most : `${least} to ${most}`, percentText(worst.returns)];
	});
	const heads = ['game', 'what it is', 'returns by bet', 'at worst'];
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
