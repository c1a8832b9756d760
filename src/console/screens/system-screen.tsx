/** The health of the process that answers: each check with what was found and what to do. */
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import type { Column } from '#ui/table-columns.ts';

type Check = ResultOf<'doctor'>[number];
const EVERY_MS = 30_000;

const STATES: Readonly<Record<Check['state'], { text: string; look: string }>> = {
	ok: { text: 'Well', look: '' },
	warning: { text: 'Warning', look: 'text-suspended' },
	failing: { text: 'Failing', look: 'text-loss' },
};

const COLUMNS: readonly Column<Check>[] = [
	{ head: 'Check', value: ({ name }) => name },
	{
		head: 'State',
		value: ({ state }) => STATES[state].text,
		show: ({ state }) => <span className={STATES[state].look}>{STATES[state].text}</span>,
	},
	{ head: 'Found', value: ({ words }) => words, width: 4 },
	{ head: 'Do', value: ({ todo }) => todo, width: 4 },
];

export function SystemScreen(): ReactElement {
	const query = useCall('doctor', {}, EVERY_MS);
	return (
		<>
			<h1>System</h1>
			<Loaded query={query}>
				{(checks) => (
					<RecordTable
						title="Checks of the system"
						isPlain
						columns={COLUMNS}
						rows={checks}
						keyOf={({ name }) => name}
						empty="Nothing was checked."
					/>
				)}
			</Loaded>
		</>
	);
}
