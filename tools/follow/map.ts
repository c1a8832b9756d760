/** The path of a job as text: the files that it passed, in order. */
import type { MarkedFunction } from './marks.ts';

/** Wings from the wire inwards; deeper wings are indented further. Shared code is not indented. */
const DEPTHS: readonly (readonly [folder: string, depth: number])[] = [
	['src/server/doors/', 0],
	['src/server/process/', 0],
	['src/server/calls/', 1],
	['src/server/operators/', 1],
	['src/server/money/', 2],
	['src/server/people/', 2],
	['src/server/world/', 2],
	['src/server/exchange/', 3],
	['src/server/platform/', 4],
	['src/engine/', 4],
	['src/games/', 4],
	['src/kernel/', 5],
];
/** Writes here change the state of the exchange and of other money, in memory and in the ledger. */
const HOLDS_STATE = /^src\/(engine|kernel|server\/exchange\/(order|ledger)|server\/money\/(funds|casino|cash-out))\//;

export interface WayMap {
	lines: string[];
	files: number;
	/** Files in which the job can be refused, or that write the state. */
	deciding: number;
	/** How often the path returns to a file that it had left. */
	returns: number;
}

export function mapOf(passed: readonly MarkedFunction[]): WayMap {
	const files = Map.groupBy(passed, ({ file }) => file);
	let returns = 0;
	let last = '';
	const seen = new Set<string>();
	for (const { file } of passed) {
		if (file !== last && seen.has(file)) returns += 1;
		seen.add(file);
		last = file;
	}
	const rows = [...files].map(([file, functions]) => {
		const refuses = functions.some((one) => one.refuses);
		const writes = HOLDS_STATE.test(file) && functions.some((one) => one.writes);
		const what = [refuses ? 'decides' : '', writes ? 'changes' : ''].filter(Boolean).join(' and ');
		const names = [...new Set(functions.map(({ name }) => name))].join(', ');
		return { file, what, names, depth: DEPTHS.find(([folder]) => file.startsWith(folder))?.[1] ?? 0 };
	});
	const lines = rows.map(
		({ file, what, names, depth }, at) =>
			`${String(at + 1).padStart(3)} ${'  '.repeat(depth)}${file}${what ? ` [${what}]` : ''}: ${names}`,
	);
	return { lines, files: rows.length, deciding: rows.filter(({ what }) => what !== '').length, returns };
}
