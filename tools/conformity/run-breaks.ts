/** Plants each break in a copy of the project, and runs the tests of its row there. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REGISTER, type Row } from '#conformity/register/register.ts';
import type { PlantedBreak } from './planted-break.ts';
import { PLANTED_BREAKS } from './planted-breaks.ts';
import { type Outcome, outcomesIn, ROOT } from './test-run.ts';

/** What the copy does without: history, packages, and what builds left. */
const NOT_COPIED = new Set(['.git', 'node_modules', 'dist', 'dist-console', '.tsbuild']);

/** The tests of one row take a minute or two; a break may leave one that never ends. */
const LONGEST_BREAK_MS = 900_000;

const SHARED = join(ROOT, '../shared');

export const rowOf = ({ row }: PlantedBreak): Row => {
	const found = REGISTER.find(({ name }) => name === row);
	if (!found) throw new Error(`The register has no row ${row}.`);
	return found;
};

/** @param text of the file that the break names */
export function brokenText({ row, file, from, to }: PlantedBreak, text: string): string {
	if (text.split(from).length !== 2) throw new Error(`${row}: ${file} has not “${from}” once.`);
	return text.replace(from, () => to);
}

/** The row with those of its tests alone that stand in the file that finds the break. */
function rowBy(planted: PlantedBreak): Row {
	const row = rowOf(planted);
	return { ...row, tests: { [planted.by]: row.tests[planted.by] ?? [] } };
}

interface Planted {
	planted: PlantedBreak;
	/** `failed` says that the row's tests find it; null if they do not pass without it. */
	outcome: Outcome | null;
}

/** Plants one break after another. @param clause keeps the breaks of rows whose name has it */
export function* runBreaks(clause: string): Generator<Planted, void, undefined> {
	const wanted = PLANTED_BREAKS.filter(({ row }) => row.includes(clause));
	const home = mkdtempSync(join(tmpdir(), 'backlay-breaks-'));
	const folder = join(home, 'project');
	try {
		cpSync(ROOT, folder, {
			recursive: true,
			filter: (path) => !NOT_COPIED.has(path.slice(ROOT.length + 1)),
		});
		symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
		// The copy has the vectors of third parties where the project has them.
		if (existsSync(SHARED)) symlinkSync(SHARED, join(home, 'shared'));
		// A test that fails without the break, too, finds nothing.
		const sound = outcomesIn(folder, wanted.map(rowBy));
		for (const planted of wanted) yield { planted, outcome: outcomeWith(folder, planted, sound.get(planted.row)) };
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

function outcomeWith(folder: string, planted: PlantedBreak, sound: Outcome | undefined): Outcome | null {
	if (sound !== 'passed') return null;
	const path = join(folder, planted.file);
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, brokenText(planted, text));
	const outcome = outcomesIn(folder, [rowBy(planted)], LONGEST_BREAK_MS).get(planted.row) ?? null;
	writeFileSync(path, text);
	// A test that no longer ends or loads is red, too.
	return outcome === 'missing' ? 'failed' : outcome;
}
