/** Players' identity documents: those that wait, and one of them with its pictures and the decision. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useCallOnce, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { age, amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import type { Column } from '#ui/table-columns.ts';

type Waiting = ResultOf<'document-queue'>[number];
export type DocumentView = ResultOf<'player'>['documents'][number];
/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Waiting>[] = [
	{ head: 'Document', value: ({ kind }) => words(kind) },
	{ head: 'Number', value: ({ masked }) => masked },
	{ head: 'Waits', value: ({ at }) => at, show: ({ at }) => age(at, Date.now()), width: 0.7 },
	{ head: 'Player', value: ({ who }) => who, width: 2 },
	{ head: 'Brand', value: ({ brand }) => brand, width: 2 },
	{ head: 'Withdrawals', value: ({ waiting }) => waiting, show: ({ waiting }) => amount(waiting), isFigure: true },
];

export function DocumentsScreen(): ReactElement {
	const query = useCall('document-queue', {}, EVERY_MS);
	const [open, setOpen] = useState<Waiting | null>(null);
	return (
		<>
			<h1>Identity documents</h1>
			<Loaded query={query}>
				{(entries) => (
					<RecordTable
						title="Documents that wait"
						columns={COLUMNS}
						rows={entries}
						keyOf={({ documentId }) => documentId}
						onOpen={setOpen}
						empty="No document waits for a decision."
					/>
				)}
			</Loaded>
			{open && <DocumentDialog shown={open} who={open.who} onClose={() => setOpen(null)} />}
		</>
	);
}

/** One document beside what may be decided about it. Each look at its number and pictures is recorded. */
export function DocumentDialog({
	shown,
	who,
	onClose,
}: {
	shown: DocumentView;
	who: string;
	onClose: () => void;
}): ReactElement {
	const { playerId, documentId, kind, masked, state, at, decidedAt, decidedBy, reason } = shown;
	const { data: me } = useMe();
	const mayDecide = state === 'SUBMITTED' && me?.permissions.includes('documents.decide');
	return (
		<Dialog title={`${words(kind)} ${masked} of ${who}`} onClose={onClose}>
			<p>
				Sent {time(at)} by{' '}
				<Link to="/players/$playerId" params={{ playerId }}>
					{who}
				</Link>
				{decidedAt && ` · ${words(state)} ${time(decidedAt)} by ${decidedBy}`}
				{reason && ` · ${reason}`}
			</p>
			<div className="columns">
				<Pictures playerId={playerId} documentId={documentId} />
				{mayDecide && <Decisions playerId={playerId} documentId={documentId} onClose={onClose} />}
			</div>
		</Dialog>
	);
}

interface OnDocument {
	playerId: string;
	documentId: string;
}

function Pictures(on: OnDocument): ReactElement {
	const query = useCallOnce('document-show', on);
	return (
		<section aria-label="Document">
			<Loaded query={query}>
				{({ number, images }) => (
					<>
						<p>
							Number <strong>{number}</strong>
						</p>
						{images.map((image, index) => (
							<img key={image.slice(-40)} className="receipt" src={image} alt={`The document, side ${index + 1}`} />
						))}
					</>
				)}
			</Loaded>
		</section>
	);
}

function Decisions({ onClose, ...on }: OnDocument & { onClose: () => void }): ReactElement {
	const accept = useAct('document-accept');
	const reject = useAct('document-reject');
	return (
		<section aria-label="Decision">
			<h3>Accept</h3>
			<RecordForm
				schema={OPERATOR_CALLS['document-accept'].input}
				fields={{ age: 'Age, as the document says' }}
				fixed={{ ...on }}
				submit="Accept"
				error={accept.error}
				isBusy={accept.isPending}
				onSubmit={(input) => accept.mutate(input, { onSuccess: onClose })}
			/>
			<h3>Reject</h3>
			<RecordForm
				schema={OPERATOR_CALLS['document-reject'].input}
				fields={{ reason: 'Reason, which the player reads' }}
				fixed={{ ...on }}
				submit="Reject"
				error={reject.error}
				isBusy={reject.isPending}
				onSubmit={(input) => reject.mutate(input, { onSuccess: onClose })}
			/>
		</section>
	);
}
