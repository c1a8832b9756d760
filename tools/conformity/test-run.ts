/** Runs the tests of the register's rows, and says of each row what came of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Finding } from '#conformity/profiles/all-profiles.ts';
import type { Row } from '#conformity/register/register.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `missing`: at least one title ran nowhere. */
export type Outcome = 'passed' | 'failed' | 'missing';

/** What vitest's JSON reporter writes, as far as it is read here. */
export interface TestReport {
	testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

/** Titles of tables and templates have places for values: `%s`, `$name`, `${count}`. */
const PLACES = /%%|%[sdifjo#]|\$\{[^}]*\}|\$[a-z]\w*/gi;

/** A pattern for the titles that tests have when they run. */
export const titlePattern = (title: string): string =>
	title
		.split(PLACES)
		.map((words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		.join('.*');

/** The outcome of a row's tests; a row without tests has none. */
export function outcomeOf({ tests }: Pick<Row, 'tests'>, report: TestReport): Outcome | null {
	const outcomes = Object.entries(tests).flatMap(([file, titles]) => {
		const ran = report.testResults
			.filter(({ name }) => relative(ROOT, name).split(sep).join('/') === file)
			.flatMap(({ assertionResults }) => assertionResults);
		return titles.map((title): Outcome => {
			const pattern = new RegExp(`^${titlePattern(title)}$`, 's');
			const cases = ran.filter((one) => pattern.test(one.title) && one.status !== 'skipped');
			if (cases.length === 0) return 'missing';
			return cases.every(({ status }) => status === 'passed') ? 'passed' : 'failed';
		});
	});
	if (outcomes.length === 0) return null;
	return (['failed', 'missing'] as const).find((bad) => outcomes.includes(bad)) ?? 'passed';
}

/** @returns outcomes by the row's name, of rows that apply and have tests */
export function runTests(findings: readonly Finding[]): Map<string, Outcome> {
	const rows = findings.filter(({ state }) => state !== 'not applicable').map(({ row }) => row);
	const files = [...new Set(rows.flatMap(({ tests }) => Object.keys(tests)))];
	if (files.length === 0) return new Map();
	const titles = [...new Set(rows.flatMap(({ tests }) => Object.values(tests).flat()))];
	const folder = mkdtempSync(join(tmpdir(), 'backlay-conformity-'));
	try {
		const path = join(folder, 'report.json');
		// Progress goes to the error stream: the output is the report alone.
		spawnSync(
			'vitest',
			[
				'run',
				...files,
				'--testNamePattern',
				titles.map(titlePattern).join('|'),
				'--reporter=default',
				'--reporter=json',
				`--outputFile.json=${path}`,
			],
			{ cwd: ROOT, stdio: ['ignore', 2, 2] },
		);
		const report = JSON.parse(readFileSync(path, 'utf8')) as TestReport;
		return new Map(
			rows.flatMap((row): [string, Outcome][] => {
				const outcome = outcomeOf(row, report);
				return outcome === null ? [] : [[row.name, outcome]];
			}),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
