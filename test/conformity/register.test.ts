/** The register claims no more than tests show, and the profiles name clauses that it has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import { play } from '#conformity/profiles/play.ts';
import { type Dated, type Profile, valueOn } from '#conformity/profiles/profile.ts';
import { uk } from '#conformity/profiles/uk.ts';
import { findingsOf } from '#conformity/register/findings.ts';
import { REGISTER, type Row, verdictOf } from '#conformity/register/register.ts';
import { KINDS, type Standard } from '#conformity/requirement.ts';
import { DomainSetting } from '#contract/domain-setting.ts';
import { conformityPages, FOLDER } from '../../tools/conformity/pages.ts';
import { PLANTED_BREAKS } from '../../tools/conformity/planted-breaks.ts';
import { brokenText, rowOf } from '../../tools/conformity/run-breaks.ts';
import { outcomeOf } from '../../tools/conformity/test-run.ts';
import { testsOf } from '../../tools/test-table.ts';
import { runTool } from '../support/run-tool.ts';

const ROOT = join(import.meta.dirname, '../..');
const namesOf = (rows: readonly Row[]) => rows.map(({ name }) => name);
const isBlank = (text: string) => text.trim() === '';

describe('the register', () => {
	it('has a hundred rows or more, each under a name of its own, and some of each kind', () => {
		expect(new Set(namesOf(REGISTER)).size).toBe(REGISTER.length);
		expect(REGISTER.length).toBeGreaterThanOrEqual(100);
		expect(new Set(REGISTER.map(({ kind }) => kind))).toEqual(new Set(KINDS));
	});

	it('gives each row a requirement and a reason', () =>
		expect(namesOf(REGISTER.filter((row) => isBlank(row.requirement) || isBlank(row.reason)))).toEqual([]));

	it('says “held” of rows with code and tests alone, “part” of rows with code, “not held” of rows with neither', () => {
		const wrong = REGISTER.filter(({ state, places, tests }) => {
			const hasTests = Object.values(tests).flat().length > 0;
			if (state === 'not held') return places.length > 0 || hasTests;
			return places.length === 0 || (state === 'held' && !hasTests);
		});
		expect(namesOf(wrong)).toEqual([]);
	});

	it('says “held” of no row whose clause was written from memory', () => {
		const fromMemory = REGISTER.filter((row) => row.fromMemory);
		expect(fromMemory.some(({ state }) => state === 'held')).toBe(true);
		expect(namesOf(fromMemory.filter((row) => verdictOf(row).state === 'held'))).toEqual([]);
	});

	it('names files that exist', () => {
		const gone = REGISTER.flatMap(({ name, places }) =>
			places.filter((place) => !existsSync(join(ROOT, place))).map((place) => `${name}: ${place}`),
		);
		expect(gone, 'Name the file that decides it now.').toEqual([]);
	});

	it('names tests by the titles that their files declare', () => {
		const declared = new Map<string, Set<string>>();
		const titlesIn = (file: string): Set<string> => {
			const known = declared.get(file);
			if (known) return known;
			const { quick, thorough } = existsSync(join(ROOT, file)) ? testsOf(file) : { quick: [], thorough: [] };
			const titles = new Set([...quick, ...thorough]);
			declared.set(file, titles);
			return titles;
		};
		const gone = REGISTER.flatMap(({ name, tests }) =>
			Object.entries(tests).flatMap(([file, titles]) =>
				titles.filter((title) => !titlesIn(file).has(title)).map((title) => `${name}: ${file} “${title}”`),
			),
		);
		expect(gone, 'Name the test that shows the row now, or lower the row’s state.').toEqual([]);
	});

	it('is what docs/conformity shows', () => {
		const pages = conformityPages();
		const shown = new Map(
			readdirSync(join(ROOT, FOLDER)).map((name) => [name, readFileSync(join(ROOT, FOLDER, name), 'utf8')]),
		);
		expect([...shown.keys()].sort()).toEqual([...pages.keys()].sort());
		for (const [name, text] of pages) expect(shown.get(name), 'Run `npm run conformity -- --write`.').toBe(text);
	});
});

it('each row that is held has a planted break', () => {
	const broken = new Set(PLANTED_BREAKS.map(({ row }) => row));
	const held = REGISTER.filter((row) => verdictOf(row).state === 'held');
	expect(namesOf(held.filter(({ name }) => !broken.has(name))), 'Plant one that its tests find.').toEqual([]);
});

it('a planted break names a row, a file of its tests, and text that its file has once', () => {
	for (const planted of PLANTED_BREAKS) {
		const { file, row, by } = planted;
		expect(rowOf(planted).tests[by]?.length, `${row}: ${by}`).toBeGreaterThan(0);
		const text = readFileSync(join(ROOT, file), 'utf8');
		expect(brokenText(planted, text), row).not.toBe(text);
	}
});

describe('a profile', () => {
	const clauses = new Map(REGISTER.map(({ standard, clause }) => [`${standard} ${clause}`, standard]));
	const datedOf = ({ values }: Profile): [string, readonly Dated<unknown>[]][] => Object.entries(values);

	it.each(Object.entries(PROFILES))('%s has dates that are days and rise', (_name, profile) => {
		for (const [field, dated] of datedOf(profile)) {
			const days = dated.map(({ from }) => from);
			expect(days.length, field).toBeGreaterThan(0);
			expect(
				days.map((day) => new Date(day).toISOString().slice(0, 10)),
				field,
			).toEqual(days);
			expect([...new Set(days)].sort(), field).toEqual(days);
		}
	});

	it.each(Object.entries(PROFILES))(
		'%s names clauses of the register, of standards that it needs',
		(_name, profile) => {
			const named = [
				...datedOf(profile).flatMap(([, dated]) => dated.map(({ clause }) => clause)),
				...Object.keys(profile.leavesOut),
			];
			const unneeded = named.filter((clause) => {
				const standard = clauses.get(clause);
				return standard === undefined || profile.needs[standard] === undefined;
			});
			expect(unneeded).toEqual([]);
		},
	);

	it('decides a value from its day on', () => {
		const stakes = uk.values.largestSlotStakes ?? [];
		const on = (day: string) => valueOn(stakes, day)?.value?.map(({ fromAge, stake }) => [fromAge, stake]) ?? null;
		expect(on('2025-04-08')).toBeNull();
		expect(on('2025-04-09')).toEqual([[18, 500]]);
		expect(on('2025-05-20')).toEqual([[18, 500]]);
		expect(on('2025-05-21')).toEqual([
			[18, 200],
			[25, 500],
		]);
	});

	it('leaves to others what its standards do not have, and says why of every row', () => {
		for (const [name, profile] of Object.entries(PROFILES)) {
			const findings = findingsOf(profile);
			expect(findings.map(({ row }) => row)).toEqual(REGISTER);
			expect(findings.filter(({ reason }) => isBlank(reason))).toEqual([]);
			const applied = new Set(
				findings.filter(({ state }) => state !== 'not applicable').map(({ row }) => row.standard),
			);
			expect(applied, name).toEqual(new Set(Object.keys(profile.needs) as Standard[]));
		}
		const location = findingsOf(play).filter(({ row }) => row.name === 'GLI-19 2.7.2: location first');
		expect(location.map(({ state }) => state)).toEqual(['not applicable']);
	});
});

it('the profile play is what a brand has by default', () => {
	const today = '2026-11-26';
	const { values } = play;
	const setting = v.parse(DomainSetting, { domain: 'play.test', version: 1 });
	const minor = (rupees: number | null) => (rupees === null ? null : rupees * 100);
	const { playerProtection, realMoney, funds } = setting;
	const value = <T>(dated: readonly Dated<T>[]) => valueOn(dated, today)?.value;
	expect(value(values.currency)).toBe(setting.currency);
	expect(value(values.pools)).toContain(setting.pool);
	expect(value(values.depositLimits)).toEqual({
		day: minor(playerProtection.depositLimitDay),
		week: minor(playerProtection.depositLimitWeek),
		month: minor(playerProtection.depositLimitMonth),
	});
	expect(value(values.lossLimitDay)).toBe(minor(playerProtection.lossLimitDay));
	expect(value(values.stakeLimit)).toBe(minor(playerProtection.stakeLimit));
	expect(value(values.realityCheckMinutes)).toBe(playerProtection.realityCheckMinutes);
	expect(value(values.autoplay)).toBe(setting.autoBet);
	expect(value(values.cancelsWithdrawals)).toBe(funds.cancelWithdrawals);
	const { atFirstWithdrawal, aboveWithdrawal, aboveTotal } = funds.identity;
	const asksNever = realMoney.identity === 'NONE' && !atFirstWithdrawal && (aboveWithdrawal ?? aboveTotal) === null;
	expect(value(values.identity) === 'never').toBe(asksNever);
	expect(value(values.location)?.source === 'none').toBe(realMoney.location === 'NONE');
});

describe('npm run conformity', () => {
	const tool = (...options: string[]) => runTool('tools/conformity.ts', options, process.env);
	const outcome = (tests: Row['tests'], ...ran: [string, string][]) => outcomeIn('passed', tests, ...ran);
	const outcomeIn = (status: string, tests: Row['tests'], ...ran: [string, string][]) =>
		outcomeOf(
			{ tests },
			{
				testResults: [
					{
						name: join(ROOT, 'test/games/tables.test.ts'),
						status,
						assertionResults: ran.map(([title, status]) => ({ title, status })),
					},
				],
			},
		);

	it('prints the values of a day and a line for each row, with sums', async () => {
		const { code, stdout } = await tool('--profile', 'uk', '--day', '2026-09-29');
		expect(code).toBe(0);
		expect(stdout).toContain('depositFrames: nothing before 2026-09-30');
		const lines = stdout.split('\n');
		for (const { row, state } of findingsOf(uk))
			expect(lines.filter((line) => line.startsWith(`${state}: ${row.name}. `)).length, row.name).toBe(1);
	});

	it.each([
		[['--profile', 'atlantis'], 'Name a profile: --profile play|uk|'],
		[['--profile', 'uk', '--day', 'tomorrow'], 'A day is written as 2026-09-30.'],
		[['--profile', 'uk', '--clause', 'RTS 99'], 'No row of the register has “RTS 99” in its name.'],
	])('ends with 1 at %s, and says what it takes', async (options, words) => {
		const { code, stdout, stderr } = await tool(...options);
		expect([code, stdout]).toEqual([1, '']);
		expect(stderr).toContain(words);
	});

	it('says of a row whether its tests passed, failed or ran nowhere, those of tables too', () => {
		const tests = { 'test/games/tables.test.ts': ['of %i is $name (${COUNT})'] };
		expect(outcome(tests, ['of 3 is dice (7)', 'passed'], ['of 4 is wheel (7)', 'passed'])).toBe('passed');
		expect(outcome(tests, ['of 3 is dice (7)', 'passed'], ['of 4 is wheel (7)', 'failed'])).toBe('failed');
		expect(outcome(tests, ['of 3 is dice (7)', 'skipped'])).toBe('missing');
		expect(outcome(tests, ['not of 3 is dice (7)', 'passed'])).toBe('missing');
		expect(outcome({})).toBeNull();
		// A file fails by another test of its own, or by what comes after all of them.
		expect(outcomeIn('failed', tests, ['of 3 is dice (7)', 'passed'], ['other', 'failed'])).toBe('passed');
		expect(outcomeIn('failed', tests, ['of 3 is dice (7)', 'passed'])).toBe('failed');
	});

	it('runs the tests of the rows that apply', { tags: 'thorough' }, async () => {
		const { code, stdout } = await tool('--profile', 'play', '--clause', 'GLI-19 2.9', '--run');
		expect(stdout).toContain('held (tests passed): GLI-19 2.9: game results.');
		expect(stdout).toMatch(/^part.*: GLI-19 2\.9: liability\./m);
		expect(code).toBe(0);
	});
});
