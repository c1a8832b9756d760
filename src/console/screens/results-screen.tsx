/** Proposals: what one member asked for, or a feed reports, and another member confirms. */
import { type ReactElement, useState } from 'react';
import { useCall } from '#console/api/queries.ts';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { type Proposal, ProposalDialog, stateOf } from '#console/screens/proposal-dialog.tsx';
import type { Column } from '#ui/table-columns.ts';

/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Proposal>[] = [
	// What a phone shows without scrolling is what is decided.
	{ head: 'What', value: ({ preview }) => preview.summary.join(' '), width: 4 },
	{ head: 'Reason', value: ({ reason }) => reason, width: 2 },
	{ head: 'Act', value: ({ act }) => act },
	{ head: 'About', value: ({ subject }) => subject, width: 1.4 },
	{ head: 'Proposed by', value: ({ proposedBy }) => proposedBy },
	{ head: 'At', value: ({ proposedAt }) => proposedAt, show: ({ proposedAt }) => time(proposedAt), width: 2.2 },
	{ head: 'State', value: (row) => stateOf(row) },
	{ head: 'Decided by', value: ({ decidedBy }) => decidedBy ?? '' },
];

export function ResultsScreen(): ReactElement {
	const [isOpenOnly, setOpenOnly] = useState(true);
	const [opened, setOpened] = useState<Proposal | null>(null);
	const query = useCall('proposals', { open: isOpenOnly }, EVERY_MS);
	return (
		<>
			<h1>Proposals</h1>
			<label className="check">
				<input type="checkbox" checked={isOpenOnly} onChange={({ target }) => setOpenOnly(target.checked)} />
				Only those that wait
			</label>
			<Loaded query={query}>
				{(proposals) => {
					// One that was decided leaves the list; its dialog stays with the answer.
					const proposal = opened && (proposals.find(({ proposalId }) => proposalId === opened.proposalId) ?? opened);
					return (
						<>
							<RecordTable
								title="Proposals"
								columns={COLUMNS}
								rows={proposals}
								keyOf={({ proposalId }) => proposalId}
								onOpen={setOpened}
								empty="Nothing waits to be confirmed."
							/>
							{proposal && (
								<ProposalDialog key={proposal.proposalId} proposal={proposal} onClose={() => setOpened(null)} />
							)}
						</>
					);
				}}
			</Loaded>
		</>
	);
}
