/** One proposal: what it would move, and the buttons that decide about it. */
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time, words } from '#console/parts/format.ts';
import { Problem } from '#console/parts/loaded.tsx';
import { PreviewView } from '#console/parts/preview-view.tsx';
import { Button } from '#ui/button.tsx';

export type Proposal = ResultOf<'proposals'>[number];

/** What a feed did with its own proposal. */
const BY_FEED: Readonly<Record<string, string>> = {
	REPLACED: 'replaced by a later result of the feed',
	RETRACTED: 'taken back by the feed',
};

/** The state, and of one that is applied what the server is doing. */
export const stateOf = ({ state, progress, preview, outcome }: Proposal): string =>
	progress
		? `${progress.phase === 'CHECKING' ? 'checking' : 'writing'} ${preview.total} movements since ${time(progress.since)}`
		: (BY_FEED[outcome ?? ''] ?? words(state));

function whoConfirms({ isOfFeed, hasProposerLeft }: Proposal): string {
	if (hasProposerLeft) return 'The member who proposed this may not do so any more. Propose it again.';
	return isOfFeed ? 'A member who may settle confirms this.' : 'Another member confirms this.';
}

export function ProposalDialog({ proposal, onClose }: { proposal: Proposal; onClose: () => void }): ReactElement {
	const confirm = useAct('confirm');
	const withdraw = useAct('withdraw');
	const decided = confirm.data ?? withdraw.data;
	const { proposalId, act, subject, reason, preview, proposedBy, isOfFeed, state, outcome } = decided ?? proposal;
	const { mayConfirm, mayWithdraw, hasProposerLeft } = decided ?? proposal;
	const secret = (confirm.data?.result as { initialPassword?: string } | null | undefined)?.initialPassword;
	return (
		<Dialog title={`${act} · ${subject}`} onClose={onClose}>
			<p>{isOfFeed ? `Proposed by the feed. ${reason}` : `${proposedBy}: ${reason}`}</p>
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
					<Button variant="primary" disabled={confirm.isPending} onClick={() => confirm.mutate({ proposalId })}>
						Confirm
					</Button>
				)}
				{mayWithdraw && (
					<Button disabled={withdraw.isPending} onClick={() => withdraw.mutate({ proposalId })}>
						{mayConfirm || hasProposerLeft ? 'Reject' : 'Withdraw'}
					</Button>
				)}
				{!mayConfirm && state === 'OPEN' && <span className="text-muted">{whoConfirms(decided ?? proposal)}</span>}
				{state !== 'OPEN' && (
					<output>
						{stateOf(decided ?? proposal)}
						{outcome && outcome !== 'done' && !(outcome in BY_FEED) ? `: ${outcome}` : ''}
					</output>
				)}
			</p>
		</Dialog>
	);
}
