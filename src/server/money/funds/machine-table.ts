/** A machine as the table in docs/FUNDS.md. */
import type { Machine, Row } from '#server/money/funds/machine.ts';
import { ALL_MACHINES } from '#server/money/funds/machines/all-machines.ts';

const postingsOf = ({ moves = [] }: Row): string =>
	moves.map(({ debit, credit, amount }) => `${debit}→${credit} (${amount})`).join(', ') || '–';

const rowOf = (row: Row): string => {
	const { from, event, guard, to, by } = row;
	const cells = [from.join(', ') || '–', event, guard?.text ?? '', to ?? 'stays', by, postingsOf(row)];
	return `| ${cells.join(' | ')} |`;
};

/** Markdown, without a heading. */
const machineTable = ({ rows }: Machine): string =>
	['| from | event | guard | to | by | posting |', '| --- | --- | --- | --- | --- | --- |', ...rows.map(rowOf)].join(
		'\n',
	);

/** The document with each machine's table below its heading, up to the next one. */
export const withTables = (document: string): string =>
	ALL_MACHINES.reduce((text, machine) => {
		const section = new RegExp(`(<!-- table: ${machine.kind} -->\n)[^]*?(<!-- end -->)`);
		if (!section.test(text)) throw new Error(`the document has no place for the table of ${machine.kind}`);
		return text.replace(section, (_, from: string, to: string) => `${from}\n${machineTable(machine)}\n\n${to}`);
	}, document);
