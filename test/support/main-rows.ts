/** Tables of cases: with `npm test` those that show the rule, the others are thorough. */
import { it } from 'vitest';

/**
 * `it.each` for a table whose rows show one rule.
 * @param isMain whether `npm test` runs the row: those that differ most, and the risky one
 */
export const mainlyEach =
	<Row extends readonly unknown[]>(rows: readonly Row[], isMain: (row: Row) => boolean) =>
	(title: string, test: (...row: Row) => void | Promise<void>): void => {
		it.each<Row>(rows.filter((row) => isMain(row)))(title, test as never);
		it.each<Row>(rows.filter((row) => !isMain(row)))(title, { tags: 'thorough' }, test as never);
	};
