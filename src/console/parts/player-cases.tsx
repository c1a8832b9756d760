/** A player's cases on the player's page. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall, useMe } from '#console/api/queries.ts';
import { CASE_COLUMNS } from '#console/parts/case-columns.tsx';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';

export function PlayerCases({ playerId }: { playerId: string }): ReactElement | null {
	const { data: me } = useMe();
	if (!me?.permissions.includes('cases.read')) return null;
	return (
		<>
			<h2>Cases</h2>
			<CasesOf playerId={playerId} />
		</>
	);
}

function CasesOf({ playerId }: { playerId: string }): ReactElement {
	const navigate = useNavigate();
	const query = useCall('case-queue', { playerId });
	return (
		<Loaded query={query}>
			{(cases) => (
				<RecordTable
					title="Cases"
					isPlain
					columns={CASE_COLUMNS}
					rows={cases}
					keyOf={({ caseId }) => caseId}
					onOpen={({ caseId }) => void navigate({ to: '/cases/$caseId', params: { caseId } })}
					empty="There are none."
				/>
			)}
		</Loaded>
	);
}
