/** Cases of compliance: those that are open, soonest due first, or those decided last, and the rules that raise them. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { CASE_COLUMNS } from '#console/parts/case-columns.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import type { Column } from '#ui/table-columns.ts';

/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

type Rule = ResultOf<'case-rules'>['rules'][number];

const RULE_COLUMNS: readonly Column<Rule>[] = [
	{ head: 'Rule', value: ({ title }) => title, width: 1.5 },
	{ head: 'What it finds', value: ({ says }) => says, width: 6 },
	{ head: 'Open', value: ({ open }) => open, isFigure: true },
	{ head: 'Unfounded', value: ({ unfounded }) => unfounded, isFigure: true },
	{ head: 'Watched', value: ({ watched }) => watched, isFigure: true },
	{ head: 'Reported', value: ({ reported }) => reported, isFigure: true },
];

export function CasesScreen(): ReactElement {
	const navigate = useNavigate();
	const decided = useSearch({ from: '/cases' }).decided !== undefined;
	const query = useCall('case-queue', { decided }, EVERY_MS);
	return (
		<>
			<h1>Cases</h1>
			<p className="acts">
				{decided ? (
					<Link to="/cases" search={{}}>
						Those that are open
					</Link>
				) : (
					<Link to="/cases" search={{ decided: 'yes' }}>
						Those that are decided
					</Link>
				)}
			</p>
			<Loaded query={query}>
				{(cases) => (
					<RecordTable
						title={decided ? 'Decided cases' : 'Open cases'}
						columns={CASE_COLUMNS}
						rows={cases}
						keyOf={({ caseId }) => caseId}
						onOpen={({ caseId }) => void navigate({ to: '/cases/$caseId', params: { caseId } })}
						empty={decided ? 'None is decided.' : 'No case waits for a decision.'}
					/>
				)}
			</Loaded>
			<Rules />
		</>
	);
}

function Rules(): ReactElement {
	const query = useCall('case-rules', {}, EVERY_MS);
	return (
		<>
			<h2>Rules</h2>
			<Loaded query={query}>
				{({ rules, lastLookAt }) => (
					<>
						<p className="text-muted">
							They look at the last 30 days, every hour.{' '}
							{lastLookAt === null
								? 'They have not looked yet since the server started.'
								: `They looked ${time(lastLookAt)}.`}
						</p>
						<RecordTable
							title="Rules"
							isPlain
							columns={RULE_COLUMNS}
							rows={rules}
							keyOf={({ rule }) => rule}
							empty="There are none."
						/>
					</>
				)}
			</Loaded>
		</>
	);
}
