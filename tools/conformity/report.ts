/** The lines that `npm run conformity` prints. */
import { type Dated, type Profile, type ProfileField, valueOn } from '#conformity/profiles/profile.ts';
import type { Finding } from '#conformity/register/findings.ts';
import type { Outcome } from './test-run.ts';

const STATES = ['held', 'part', 'not held', 'not applicable'] as const;

/** A line for each value that a clause decides on a day. */
export function valueLines({ title, values }: Profile, day: string): string[] {
	const lines = (Object.entries(values) as [ProfileField, readonly Dated<unknown>[]][]).map(([field, dated]) => {
		const held = valueOn(dated, day);
		return held === null
			? `  ${field}: nothing before ${dated[0]?.from}`
			: `  ${field}: ${JSON.stringify(held.value)} from ${held.from} by ${held.clause}`;
	});
	return [`${title} on ${day}`, ...lines];
}

/**
 * A line for each finding, by state, and one with the sums.
 * @param outcomes by the row's name; null if no test was run
 */
export function findingLines(findings: readonly Finding[], outcomes: ReadonlyMap<string, Outcome> | null): string[] {
	const sums = STATES.map((state) => `${state} ${findings.filter((one) => one.state === state).length}`);
	const lines = STATES.flatMap((state) =>
		findings
			.filter((one) => one.state === state)
			.map(({ row, reason }) => {
				const outcome = outcomes?.get(row.name);
				return `${state}${outcome ? ` (tests ${outcome})` : ''}: ${row.name}. ${row.requirement} ${reason}`;
			}),
	);
	return [...lines, '', sums.join(', ')];
}
