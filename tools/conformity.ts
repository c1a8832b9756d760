/**
 * `npm run --silent conformity -- --profile NAME [--day 2026-09-30] [--clause TEXT] [--run]`: the values of a
 * jurisdiction and what is found of each row of the register: held, part, not held or not applicable, with the reason.
 * `--run` runs the tests of the rows that apply, and ends with 1 if one fails or none has a title that is named;
 * `--clause` keeps the rows whose name has the text. `--write` writes docs/conformity instead. `--breaks` plants a break
 * of each row that has one in a copy of the project, and ends with 1 if the row's tests do not find it.
 */
import { parseArgs } from 'node:util';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import { findingsOf } from '#conformity/register/findings.ts';
import { writePages } from './conformity/pages.ts';
import { findingLines, valueLines } from './conformity/report.ts';
import { runBreaks } from './conformity/run-breaks.ts';
import { runTests } from './conformity/test-run.ts';

const { values: options } = parseArgs({
	options: {
		profile: { type: 'string', default: '' },
		day: { type: 'string', default: new Date().toISOString().slice(0, 10) },
		clause: { type: 'string', default: '' },
		run: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		breaks: { type: 'boolean', default: false },
	},
});

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

if (options.write) {
	writePages();
} else if (options.breaks) {
	const ran = runBreaks(options.clause);
	for (const { planted, outcome } of ran)
		console.log(
			`${outcome === 'failed' ? 'found' : `not found (${outcome ?? 'its tests do not pass without it'})`}: ${planted.row}. ${planted.fault}`,
		);
	if (ran.length === 0 || ran.some(({ outcome }) => outcome !== 'failed')) process.exitCode = 1;
} else {
	const profile = Object.entries(PROFILES).find(([name]) => name === options.profile)?.[1];
	if (!profile) fail(`Name a profile: --profile ${Object.keys(PROFILES).join('|')}.`);
	if (!/^\d{4}-\d{2}-\d{2}$/.test(options.day)) fail('A day is written as 2026-09-30.');
	const findings = findingsOf(profile).filter(({ row }) => row.name.includes(options.clause));
	if (findings.length === 0) fail(`No row of the register has “${options.clause}” in its name.`);
	const outcomes = options.run ? runTests(findings) : null;
	if (options.clause === '') console.log(`${valueLines(profile, options.day).join('\n')}\n`);
	console.log(findingLines(findings, outcomes).join('\n'));
	if (outcomes && [...outcomes.values()].some((outcome) => outcome !== 'passed')) process.exitCode = 1;
}
