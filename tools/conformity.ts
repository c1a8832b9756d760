/**
 * `npm run --silent conformity -- --profile NAME [--day 2026-09-30] [--clause TEXT] [--run]`: the values of a
 * jurisdiction and what is found of each row of the register: held, part, not held or not applicable, with the reason.
 * `--run` runs the tests of the rows that apply, and ends with 1 if one fails or none has a title that is named;
 * `--clause` keeps the rows whose name has the text. `--write` writes docs/conformity instead. `--breaks` plants a break
 * of each row that has one in a copy of the project, and ends with 1 if the row's tests do not find it. `--pack FOLDER`
 * writes an evidence pack in about two minutes, and ends with 1 if something in it is wrong: hashes of the build, returns,
 * the statistical battery with `--count` numbers a test and a `--seed`, sample logs of DATABASE_URL or of a demo life,
 * void policy, network, data and the register; with `--run` the tests of all rows are run for it.
 */
import { parseArgs } from 'node:util';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import { findingsOf } from '#conformity/register/findings.ts';
import { REGISTER } from '#conformity/register/register.ts';
import { writePages } from './conformity/pages.ts';
import { findingLines, valueLines } from './conformity/report.ts';
import { runBreaks } from './conformity/run-breaks.ts';
import { outcomesIn, ROOT, runTests } from './conformity/test-run.ts';

const { values: options } = parseArgs({
	options: {
		profile: { type: 'string', default: '' },
		day: { type: 'string', default: new Date().toISOString().slice(0, 10) },
		clause: { type: 'string', default: '' },
		run: { type: 'boolean', default: false },
		write: { type: 'boolean', default: false },
		breaks: { type: 'boolean', default: false },
		pack: { type: 'string' },
		count: { type: 'string', default: '20000' },
		seed: { type: 'string' },
	},
});

/** Fewer numbers find no bias; more take hours. */
const [LEAST_COUNT, MOST_COUNT] = [1_000, 10_000_000];

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

/** A break is found if a test of its row fails. */
function plantBreaks(clause: string): void {
	let [count, found] = [0, 0];
	for (const { planted, outcome } of runBreaks(clause)) {
		const isFound = outcome === 'failed';
		count++;
		if (isFound) found++;
		const verdict = isFound ? 'found' : `not found (${outcome ?? 'its tests do not pass without it'})`;
		console.log(`${verdict}: ${planted.row}. ${planted.fault}`);
	}
	console.log(`${found} of ${count} found.`);
	if (count === 0 || found < count) process.exitCode = 1;
}

async function pack(folder: string): Promise<void> {
	const count = Number(options.count);
	if (!Number.isInteger(count) || count < LEAST_COUNT || count > MOST_COUNT)
		fail(`--count is a whole number from ${LEAST_COUNT} to ${MOST_COUNT}.`);
	// Opens a server and its tests' helpers, which no other option needs.
	const { writePack } = await import('./conformity/pack/write-pack.ts');
	const wrong = await writePack({
		folder,
		databaseUrl: process.env['DATABASE_URL'] ?? null,
		seed: options.seed ?? null,
		count,
		day: options.day,
		outcomes: options.run ? outcomesIn(ROOT, REGISTER) : null,
	}).catch((error: unknown) => fail((error as Error).message));
	console.log(wrong.length === 0 ? `The pack is in ${folder}.` : wrong.join('\n'));
	if (wrong.length > 0) process.exitCode = 1;
}

if (options.write) {
	writePages();
} else if (options.pack !== undefined) {
	await pack(options.pack);
} else if (options.breaks) {
	plantBreaks(options.clause);
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
