/** The lines of a fancy: whole numbers from one to another, each a runner with the number as its id. */
export function linesBetween(from: number, to: number, step = 1): number[] {
	return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

export const lineRunners = (lines: readonly number[]): { id: string; name: string }[] =>
	lines.map((line) => ({ id: String(line), name: String(line) }));
