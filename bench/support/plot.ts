/** Drawings of figures for the documents. */

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 320, 48, 216, 16, 48];
/** Readable on white and on black, and apart for those who do not tell red from green. */
const COLOURS = ['#2f7ed8', '#d9822b', '#8a63d2', '#7f8c8d'];
const INK = '#7a828c';

/**
 * An SVG with a line for each name, from 0 to the next half above the largest value, over a logarithmic axis.
 * @param at the values of that axis, ascending, one for each value of a line
 */
export function plotOf(
	at: readonly number[],
	lines: Readonly<Record<string, readonly number[]>>,
	axis: string,
): string {
	const top = Math.ceil(Math.max(...Object.values(lines).flat()) * 2) / 2;
	const [from, to] = [Math.log(at[0] ?? 1), Math.log(at.at(-1) ?? 1)];
	const x = (value: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (Math.log(value) - from)) / (to - from);
	const y = (value: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / top;
	const point = (value: number, index: number) => `${x(at[index] ?? 1).toFixed(1)},${y(value).toFixed(1)}`;
	const levels = Array.from({ length: top * 2 + 1 }, (_, index) => index / 2);
	const names = apart(Object.values(lines).map((line) => y(line.at(-1) ?? 0)));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
		...levels.flatMap((level) => [
			`<path d="M${LEFT} ${y(level)}H${WIDTH - RIGHT}" stroke="${INK}" stroke-opacity=".3"/>`,
			`<text x="${LEFT - 8}" y="${y(level) + 4}" text-anchor="end" fill="${INK}">${level}</text>`,
		]),
		...at.map(
			(value) =>
				`<text x="${x(value).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="${INK}">${value.toLocaleString('en')}</text>`,
		),
		`<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle" fill="${INK}">${axis}</text>`,
		...Object.entries(lines).flatMap(([name, line], index) => [
			`<polyline points="${line.map(point).join(' ')}" fill="none" stroke="${COLOURS[index]}" stroke-width="2.5"/>`,
			`<text x="${WIDTH - RIGHT + 8}" y="${(names[index] ?? 0) + 4}" fill="${COLOURS[index]}">${name}</text>`,
		]),
		'</svg>\n',
	].join('\n');
}

const LINE_HEIGHT = 18;

/** Heights of names at the ends of their lines, moved down where one would cover another. */
function apart(heights: readonly number[]): number[] {
	const placed = [...heights];
	let last = Number.NEGATIVE_INFINITY;
	for (const index of [...heights.keys()].sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0))) {
		last = Math.max(heights[index] ?? 0, last + LINE_HEIGHT);
		placed[index] = last;
	}
	return placed;
}
