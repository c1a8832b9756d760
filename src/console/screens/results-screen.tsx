/** Proposals: what one member asked for and another confirms. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { PreviewView } from '#console/parts/preview-view.tsx';
import { type Column, RecordTable } from '#console/parts/record-table.tsx';

type Proposal = ResultOf<'proposals'>[number];
/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Proposal>[] = [
	// What a phone shows without scrolling is what is decided.
	{ head: 'What', value: ({ preview }) => preview.summary.join(' '), width: 4 },
	{ head: 'Reason', value: ({ reason }) => reason, width: 2 },
	{ head: 'Act', value: ({ act }) => act },
	{ head: 'About', value: ({ subject }) => subject, width: 1.4 },
	{ head: 'Proposed by', value: ({ proposedBy }) => proposedBy },
	{ head: 'At', value: ({ proposedAt }) => proposedAt, show: ({ proposedAt }) => time(proposedAt), width: 1.3 },
	{ head: 'State', value: (row) => stateOf(row) },
	{ head: 'Decided by', value: ({ decidedBy }) => decidedBy ?? '' },
];

/** The state, and of one that is applied what the server is doing. */
const stateOf = ({ state, progress, preview }: Proposal): string =>
	progress
		? `${progress.phase === 'CHECKING' ? 'checking' : 'writing'} ${preview.total} movements since ${time(progress.since)}`
		: words(state);

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

function ProposalDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }): ReactElement {
	const confirm = useAct('confirm');
	const withdraw = useAct('withdraw');
	const decided = confirm.data ?? withdraw.data;
	const { proposalId, act, subject, reason, preview, proposedBy, mayConfirm, mayWithdraw, state, outcome } =
		decided ?? proposal;
	const secret = (confirm.data?.result as { initialPassword?: string } | null | undefined)?.initialPassword;
	return (
		<Dialog title={`${act} · ${subject}`} onClose={onClose}>
			<p>
				{proposedBy}: {reason}
			</p>
			<PreviewView preview={preview} />
			<Problem error={confirm.error ?? withdraw.error} />
			{secret !== undefined && (
				<output>
					Second half of the password, after the half that the proposing member has; shown this once:{' '}
					<code>{secret}</code>
				</output>
			)}
			<p className="acts">
				{mayConfirm && (
					<button
						type="button"
						className="primary"
						disabled={confirm.isPending}
						onClick={() => confirm.mutate({ proposalId })}
					>
						Confirm
					</button>
				)}
				{mayWithdraw && (
					<button type="button" disabled={withdraw.isPending} onClick={() => withdraw.mutate({ proposalId })}>
						{mayConfirm ? 'Reject' : 'Withdraw'}
					</button>
				)}
				{!mayConfirm && state === 'OPEN' && <span className="muted">Another member confirms this.</span>}
				{state !== 'OPEN' && (
					<output>
						{stateOf(decided ?? proposal)}
						{outcome && outcome !== 'done' ? `: ${outcome}` : ''}
					</output>
				)}
			</p>
		</Dialog>
	);
}
