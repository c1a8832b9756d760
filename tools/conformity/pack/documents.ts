/** Pages of an evidence pack that are taken from the project itself: rules, network, data, register. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROFILES } from '#conformity/profiles/all-profiles.ts';
import type { Profile } from '#conformity/profiles/profile.ts';
import { findingsOf } from '#conformity/register/findings.ts';
import { RULES_TEXTS } from '#web/texts/en/rules.ts';
import { aligned } from '../../markdown-table.ts';
import { findingLines, valueLines } from '../report.ts';
import { type Outcome, ROOT } from '../test-run.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A section of a document, with the sections below it. @throws Error if the document has none of that heading */
function section(path: string, heading: string): string {
	const text = read(path);
	const start = text.indexOf(`\n## ${heading}\n`);
	if (start === -1) throw new Error(`${path} has no section “${heading}”.`);
	const end = text.indexOf('\n## ', start + 1);
	return text.slice(start + 1, end === -1 ? undefined : end).trimEnd();
}

export function voidPolicy(): string {
	const published = RULES_TEXTS.sections.map(({ title, text }) => `### ${title}\n\n${text.join('\n\n')}`);
	return `# Void policy\n\nWhat players read on the page of rules, and the rule of each type of market.\n\n## Published rules\n\n${published.join('\n\n')}\n\n${section('docs/MARKETS.md', 'When play stops early')}\n`;
}

export const networkPicture = (): string =>
	`# Network\n\n${['One picture', 'Engines by pool'].map((heading) => section('docs/ARCHITECTURE.md', heading)).join('\n\n')}\n\n${section('docs/RUNBOOK.md', 'Deploy')}\n`;

/** Each table with what its comment says. */
export function dataPicture(): string {
	const rows = [...read('db/schema.sql').matchAll(/((?:^-- .*\n)*)^create table (\w+) \(/gm)].map(
		([, comments = '', table = '']) => [`\`${table}\``, (comments.split('\n')[0] ?? '').replace(/^-- /, '')],
	);
	return `# Data\n\nThe tables of the database, as their comments describe them; \`db/schema.sql\` has the columns.\n\n${aligned([['table', 'what it holds'], ...rows])}\n`;
}

/** @param outcomes of the rows' tests; null if none was run */
function registerOf(profile: Profile, day: string, outcomes: ReadonlyMap<string, Outcome> | null): string {
	const lines = findingLines(findingsOf(profile), outcomes).map((line) => (line === '' ? line : `- ${line}`));
	return `# Register: ${profile.title}\n\n${valueLines(profile, day).join('\n\n')}\n\n${outcomes === null ? 'The tests of the rows were not run for this pack.\n\n' : ''}${lines.join('\n')}\n`;
}

export const registers = (day: string, outcomes: ReadonlyMap<string, Outcome> | null): Map<string, string> =>
	new Map(
		Object.entries(PROFILES).map(([name, profile]): [string, string] => [
			`register/${name}.md`,
			registerOf(profile, day, outcomes),
		]),
	);
