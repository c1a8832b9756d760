/** The pages of docs/conformity, as the register and the profiles have them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import type { Dated, Profile, ProfileField } from '#conformity/profiles/profile.ts';
import { type Finding, findingsOf } from '#conformity/register/findings.ts';
import { REGISTER, type Row, verdictOf } from '#conformity/register/register.ts';
import { STANDARDS, type Standard } from '#conformity/requirement.ts';
import { aligned } from '../markdown-table.ts';
import { PLANTED_BREAKS } from './planted-breaks.ts';

const ROOT = join(import.meta.dirname, '../..');
export const FOLDER = 'docs/conformity';

const standards = Object.keys(STANDARDS) as Standard[];
const pageOf = (standard: Standard): string => `${standard.toLowerCase().replaceAll(' ', '-')}.md`;
const GENERATED = '`npm run conformity -- --write` writes this page, and a test compares it.';

function sumsOf(findings: readonly Pick<Finding, 'state'>[]): string[] {
	return (['held', 'part', 'not held', 'not applicable'] as const).map((state) =>
		String(findings.filter((one) => one.state === state).length),
	);
}

function rowText(row: Row): string {
	const { state, reason } = verdictOf(row);
	const tests = Object.entries(row.tests).flatMap(([file, titles]) =>
		titles.map((title) => `- Test: \`${file}\` “${title}”`),
	);
	return [
		`### ${row.name}`,
		'',
		`${row.requirement} _${state}_, ${row.kind}${row.fromMemory ? ', (m)' : ''}. ${reason}`,
		'',
		...row.places.map((place) => `- Held in \`${place}\``),
		...tests,
		...(row.evidence ? [`- Evidence: \`${row.evidence}\``] : []),
	]
		.join('\n')
		.trimEnd();
}

function standardPage(standard: Standard): string {
	const rows = REGISTER.filter((row) => row.standard === standard);
	return `# ${STANDARDS[standard]}\n\n${GENERATED} The requirements are in our words.\n\n${rows.map(rowText).join('\n\n')}\n`;
}

function profileText(name: string, { title, needs, leavesOut, values }: Profile): string {
	const fields = Object.entries(values) as [ProfileField, readonly Dated<unknown>[]][];
	const rows = fields.flatMap(([field, dated]) =>
		dated.map(({ from, value, clause }) => [`\`${field}\``, `\`${JSON.stringify(value)}\``, from, clause]),
	);
	const reasons = [
		...Object.entries(needs).map(([standard, reason]) => `- Needs ${standard}: ${reason}`),
		...Object.entries(leavesOut).map(([clause, reason]) => `- Leaves out ${clause}: ${reason}`),
	];
	return `## ${name}: ${title}\n\n${reasons.join('\n')}\n\n${aligned([['field', 'value', 'from', 'clause'], ...rows])}`;
}

function profilesPage(): string {
	const texts = Object.entries(PROFILES).map(([name, profile]) => profileText(name, profile));
	return `# Profiles of jurisdictions

${GENERATED} Two members choose the profile of a brand with an instant from which it holds (\`brand-profile\`). \`src/contract/brand-rules.ts\` has the fields that server and site obey. Amounts are in minor units of the profile’s currency. A field that a profile leaves out is decided by no clause that is known here. Dates were written from memory, except that of \`depositFrames\`.

${texts.join('\n\n')}
`;
}

function firstPage(): string {
	const byStandard = standards.map((standard) => [
		`[${standard}](${pageOf(standard)})`,
		...sumsOf(REGISTER.filter((row) => row.standard === standard).map(verdictOf)).slice(0, 3),
	]);
	const isHeld = ({ state }: Row): boolean => state === 'held';
	const held = REGISTER.filter(isHeld).length;
	const broken = REGISTER.filter(
		(row) => isHeld(row) && PLANTED_BREAKS.some((planted) => planted.row === row.name),
	).length;
	const byProfile = Object.entries(PROFILES).map(([name, profile]) => [name, ...sumsOf(findingsOf(profile))]);
	return `# What standards and laws ask, and what is shown of it

${GENERATED} The rows are data of \`src/conformity\`; [PROFILES](profiles.md) has what each jurisdiction decides.

- _held_: the tests of the row show the requirement.
- _part_: they show a part of it, or code holds it and no test shows it. The reason says which.
- _not held_: it is not built.
- (m): the clause was written from memory. Such a row is _part_ at most, until its clause was compared with the text.

No laboratory and no authority looked at this register. \`npm run conformity -- --profile uk\` prints the rows of a profile; with \`--run\` it runs their tests. \`npm run conformity -- --breaks\` plants a fault for each row of \`tools/conformity/planted-breaks.ts\` in a copy of the project, and says whether the row’s tests find it; ${broken} of ${held} held rows have one. \`npm run conformity -- --pack FOLDER\` writes an evidence pack: hashes of the build, returns with their bands, a statistical battery at 99 % with its known answers, sample logs without persons, void policy, network, data and this register.

## By standard

${aligned([['standard', 'held', 'part', 'not held'], ...byStandard])}

## By profile

${aligned([['profile', 'held', 'part', 'not held', 'not applicable'], ...byProfile])}
`;
}

/** The expected text of each page by its name in the folder. */
export const conformityPages = (): Map<string, string> =>
	new Map([
		['README.md', firstPage()],
		['profiles.md', profilesPage()],
		...standards.map((standard): [string, string] => [pageOf(standard), standardPage(standard)]),
	]);

export function writePages(): void {
	for (const [name, text] of conformityPages()) writeFileSync(join(ROOT, FOLDER, name), text);
}
