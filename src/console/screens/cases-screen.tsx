/** Cases of compliance: those that are open, soonest due first, or those decided last, and the rules that raise them. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '#console/api/queries.ts';
import { CASE_COLUMNS } from '#console/parts/case-columns.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';

/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const COUNTS = ['open', 'unfounded', 'watched', 'reported'] as const;

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
						<ul aria-label="Rules">
							{rules.map((rule) => (
								<li key={rule.rule} className="py-2">
									<strong>{rule.title}.</strong> {rule.says}{' '}
									<span className="text-muted">{COUNTS.map((count) => `${rule[count]} ${count}`).join(', ')}</span>
								</li>
							))}
						</ul>
					</>
				)}
			</Loaded>
		</>
	);
}
