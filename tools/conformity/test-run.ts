/** Runs the tests of the register's rows, and says of each row what came of its own. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Finding } from '#conformity/register/findings.ts';
import type { Row } from '#conformity/register/register.ts';
import { ensureChromium } from '../chromium.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** All tests of all rows take less. */
const LONGEST_RUN_MS = 3_600_000;

/** `missing`: at least one title ran nowhere. */
export type Outcome = 'passed' | 'failed' | 'missing';

/** What vitest's JSON reporter writes, as far as it is read here. A file may fail though its tests passed. */
export interface TestReport {
	testResults: { name: string; status: string; assertionResults: { title: string; status: string }[] }[];
}

/** Titles of tables and templates have places for values: `%s`, `$name`, `${count}`. */
const PLACES = /%%|%[sdifjo#]|\$\{[^}]*\}|\$[a-z]\w*/gi;

/** A pattern for the titles that tests have when they run. */
const titlePattern = (title: string): string =>
	title
		.split(PLACES)
		.map((words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('.*');

/** The outcome of a row's tests; a row without tests has none. */
export function outcomeOf({ tests }: Pick<Row, 'tests'>, report: TestReport, root = ROOT): Outcome | null {
	const outcomes = Object.entries(tests).flatMap(([file, titles]) => {
		const ran = report.testResults.find(({ name }) => relative(root, name).split(sep).join('/') === file);
		return titles.map((title): Outcome => {
			const pattern = new RegExp(`^${titlePattern(title)}$`, 's');
			const cases = ran?.assertionResults.filter((one) => pattern.test(one.title) && one.status !== 'skipped') ?? [];
			if (cases.length === 0) return 'missing';
			if (cases.some(({ status }) => status !== 'passed')) return 'failed';
			const isWhole = ran?.status === 'passed' || ran?.assertionResults.some(({ status }) => status === 'failed');
			return isWhole ? 'passed' : 'failed';
		});
	});
	if (outcomes.length === 0) return null;
	return (['failed', 'missing'] as const).find((bad) => outcomes.includes(bad)) ?? 'passed';
}

/** @param root of the project, or of a copy of it. @param limitMs nothing passes in a run that takes longer */
export function outcomesIn(root: string, rows: readonly Row[], limitMs = LONGEST_RUN_MS): Map<string, Outcome> {
	const files = [...new Set(rows.flatMap(({ tests }) => Object.keys(tests)))];
	if (files.length === 0) return new Map();
	const folder = mkdtempSync(join(tmpdir(), 'backlay-conformity-'));
	const path = join(folder, 'report.json');
	try {
		const needsSite = files.some((file) => file.startsWith('test/browser/'));
		if (needsSite && run(root, 'npm', ['run', '--silent', 'build'], {}, limitMs) !== 0)
			throw new Error('The site could not be built.');
		const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
		run(root, 'vitest', ['run', ...files, ...reporters], needsSite ? { CHROMIUM_PATH: ensureChromium() } : {}, limitMs);
		// A run that was ended for its length wrote none: nothing of it passed.
		const report: TestReport = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [] };
		return new Map(
			rows.flatMap((row): [string, Outcome][] => {
				const outcome = outcomeOf(row, report, root);
				return outcome === null ? [] : [[row.name, outcome]];
			}),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Runs whole files, because a test may follow on those before it in its file. Builds the site where a browser needs it.
 * @returns outcomes by the row's name, of rows that apply and have tests
 */
export function runTests(findings: readonly Finding[]): Map<string, Outcome> {
	const rows = findings.filter(({ state }) => state !== 'not applicable').map(({ row }) => row);
	return outcomesIn(ROOT, rows);
}

/**
 * Progress goes to the error stream: the output is the report alone. What the program started ends with it: a planted break
 * may leave a test that never ends.
 * @returns the exit code
 */
function run(
	root: string,
	program: string,
	options: readonly string[],
	environment: NodeJS.ProcessEnv,
	timeout: number,
): number | null {
	const { pid, status } = spawnSync(program, options, {
		cwd: root,
		env: { ...process.env, ...environment },
		stdio: ['ignore', 2, 2],
		timeout,
		killSignal: 'SIGKILL',
		detached: true,
	} as SpawnSyncOptions);
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// Its group is gone.
	}
	return status;
}
