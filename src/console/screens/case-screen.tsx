/** One case of compliance: who it is about, its evidence, its notes, and its decision by two members. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { operate, type ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { dueIn, money, time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { useSeenCount } from '#console/parts/seen-count.ts';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { saveFile } from '#ui/save-text.ts';
import type { Column } from '#ui/table-columns.ts';
import { CASE_AMOUNTS, CASE_RULES } from '#values/cases.ts';

type Shown = ResultOf<'case-show'>;
type Evidence = Shown['evidence'][number];
const EVERY_MS = 15_000;

export function CaseScreen(): ReactElement {
	const { caseId } = useParams({ from: '/cases/$caseId' });
	const query = useCall('case-show', { caseId }, EVERY_MS);
	return (
		<Loaded query={query}>
			{(shown) => <CaseView key={shown.caseId} shown={shown} askedAtMs={query.dataUpdatedAt} />}
		</Loaded>
	);
}

const referenceOf = ({ reference }: Evidence): string => `${reference.kind} ${reference.id}`;

const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [
	// What a phone shows without scrolling comes first.
	{ head: 'What', value: referenceOf, width: 1.5 },
	{
		head: 'Amount',
		value: (fact) => fact.amount ?? '',
		show: (fact) => (fact.amount === null ? '' : money(fact.currency, fact.amount)),
		isFigure: true,
	},
	{ head: 'What happened', value: (fact) => fact.words, width: 5 },
	{ head: 'Player', value: ({ playerId }) => playerId },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2 },
];

function CaseView({ shown, askedAtMs }: { shown: Shown; askedAtMs: number }): ReactElement {
	const navigate = useNavigate();
	const { caseId, rule, state, outcome, dueAt, isOverdue, owner, evidence, decisions } = shown;
	const { data: me } = useMe();
	const mayEdit = me?.permissions.includes('cases.edit') ?? false;
	return (
		<>
			<h1>
				{CASE_RULES[rule].title}, case {caseId}
			</h1>
			<p className="acts">
				<StateBadge state={outcome ?? state} />
				{dueAt !== null && (
					<span className={isOverdue ? 'text-loss' : 'text-muted'}>To be decided {dueIn(dueAt, askedAtMs)}</span>
				)}
				<span className="text-muted">{owner === null ? 'Without an owner' : `Owned by ${owner}`}</span>
			</p>
			<p>
				{CASE_RULES[rule].says} {CASE_AMOUNTS}
			</p>
			<CaseActs shown={shown} ownName={me?.name ?? ''} mayEdit={mayEdit} />
			<Players shown={shown} />
			<h2>Evidence</h2>
			<RecordTable
				title="Evidence"
				isPlain
				columns={EVIDENCE_COLUMNS}
				rows={evidence}
				keyOf={({ fact }) => fact}
				onOpen={(fact) => void navigate({ to: '/find', search: { reference: referenceOf(fact) } })}
				empty="There is none."
			/>
			<h2>What happened to the case</h2>
			<Entries entries={shown.entries} />
			{mayEdit && (
				<div className="thread-answer">
					<Note caseId={caseId} />
				</div>
			)}
			{decisions.length > 0 && <h2>Proposed decisions</h2>}
			<ul>
				{decisions.map(({ proposalId, state: proposed, outcome: wanted, reason, proposedBy, decidedBy }) => (
					<li key={proposalId}>
						{words(wanted)}, {words(proposed)}: {reason} (proposed by {proposedBy}
						{decidedBy !== null && `, decided by ${decidedBy}`}
						{proposed === 'OPEN' && (
							<>
								; <Link to="/results">confirm it under Proposals</Link>
							</>
						)}
						)
					</li>
				))}
			</ul>
		</>
	);
}

const ENTRY_WORDS: Readonly<Record<Shown['entries'][number]['kind'], string>> = {
	OPENED: 'opened the case',
	EXTENDED: 'found more',
	REOPENED: 'opened the case again',
	NOTE: 'noted',
	DECIDED: 'decided',
};

const Entries = ({ entries }: Pick<Shown, 'entries'>): ReactElement => (
	<ol className="thread" aria-label="What happened to the case">
		{entries.map(({ number, at, author, kind, text }) => (
			<li key={number} data-staff={author === null ? undefined : true}>
				<p className="text-muted">
					<strong>{author ?? 'The rule'}</strong> {ENTRY_WORDS[kind]} {time(at)}
				</p>
				<p className="thread-text" dir="auto">
					{text}
				</p>
			</li>
		))}
	</ol>
);

function Note({ caseId }: { caseId: string }): ReactElement {
	const note = useAct('case-note');
	return (
		<RecordForm
			// A note that was sent leaves an empty form.
			key={note.data?.entries ?? 0}
			schema={OPERATOR_CALLS['case-note'].input}
			fields={{ note: 'Note, which is never changed' }}
			fixed={{ caseId }}
			submit="Add the note"
			error={note.error}
			isBusy={note.isPending}
			onSubmit={(input) => note.mutate(input)}
		/>
	);
}

/** The players, each with the act that stops its bets and deposits meanwhile. */
function Players({ shown: { caseId, players } }: { shown: Shown }): ReactElement {
	const { data: me } = useMe();
	const [freezing, setFreezing] = useState<Shown['players'][number] | null>(null);
	const freeze = useAct('player-freeze');
	const mayFreeze = me?.permissions.includes('players.protect') ?? false;
	return (
		<section aria-label="Players of the case">
			<h2>Players</h2>
			<ul>
				{players.map((player) => (
					<li key={player.playerId} className="acts">
						<Link to="/players/$playerId" params={{ playerId: player.playerId }}>
							{player.userName}
						</Link>
						<span className="text-muted">{player.brand}</span>
						{mayFreeze && <Button onClick={() => setFreezing(player)}>Freeze {player.userName} …</Button>}
					</li>
				))}
			</ul>
			{freezing && (
				<Dialog title={`Freeze ${freezing.userName}`} onClose={() => setFreezing(null)}>
					<p>{OPERATOR_CALLS['player-freeze'].summary}</p>
					<RecordForm
						schema={OPERATOR_CALLS['case-decide'].input}
						fields={{ reason: 'Reason' }}
						fixed={{ caseId, seen: 1, outcome: 'WATCHED' }}
						submit="Freeze"
						error={freeze.error}
						isBusy={freeze.isPending}
						onSubmit={({ reason }) =>
							freeze.mutate(
								{ playerId: freezing.playerId, reason: `Case ${caseId}: ${reason}` },
								{ onSuccess: () => setFreezing(null) },
							)
						}
					/>
				</Dialog>
			)}
		</section>
	);
}

type Asked = 'assign' | 'decide';

function CaseActs({
	shown: { caseId, state, owner, entries },
	ownName,
	mayEdit,
}: {
	shown: Shown;
	ownName: string;
	mayEdit: boolean;
}): ReactElement {
	const [asked, setAsked] = useState<Asked | null>(null);
	const [failed, setFailed] = useState<Error | null>(null);
	const assign = useAct('case-assign');
	const save = async () => {
		setFailed(null);
		try {
			const { file } = await operate('case-export', { caseId });
			saveFile(`case-${caseId}.json`, 'application/json', file);
		} catch (error) {
			setFailed(error as Error);
		}
	};
	const isOpen = state === 'OPEN' && mayEdit;
	return (
		<>
			<p className="acts">
				{isOpen && owner !== ownName && (
					<Button busy={assign.isPending} onClick={() => assign.mutate({ caseId, to: ownName })}>
						Take it over
					</Button>
				)}
				{isOpen && <Button onClick={() => setAsked('assign')}>Assign …</Button>}
				{isOpen && <Button onClick={() => setAsked('decide')}>Propose a decision …</Button>}
				<Button onClick={() => void save()}>Export</Button>
			</p>
			<Problem error={failed ?? assign.error} />
			{asked === 'assign' && <AssignDialog caseId={caseId} onClose={() => setAsked(null)} />}
			{asked === 'decide' && <DecideDialog caseId={caseId} entries={entries.length} onClose={() => setAsked(null)} />}
		</>
	);
}

function AssignDialog({ caseId, onClose }: { caseId: string; onClose: () => void }): ReactElement {
	const assign = useAct('case-assign');
	return (
		<Dialog title="Assign" onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['case-assign'].input}
				fields={{ to: 'Name of a member; empty for nobody' }}
				fixed={{ caseId, to: null }}
				submit="Assign"
				error={assign.error}
				isBusy={assign.isPending}
				onSubmit={(input) => assign.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}

/** @param props.entries how many the case has now */
function DecideDialog({
	caseId,
	entries,
	onClose,
}: {
	caseId: string;
	entries: number;
	onClose: () => void;
}): ReactElement {
	const { seen, unread } = useSeenCount(entries);
	const propose = useAct('propose');
	return (
		<Dialog title="Propose a decision" onClose={onClose}>
			<p>{OPERATOR_CALLS['case-decide'].summary} Another member confirms it.</p>
			<RecordForm
				schema={OPERATOR_CALLS['case-decide'].input}
				fields={{ outcome: 'Decision', reason: 'Reason' }}
				fixed={{ caseId, seen }}
				submit="Propose"
				error={unread(propose.error)}
				isBusy={propose.isPending}
				onSubmit={(input) =>
					propose.mutate({ act: 'case-decide', input: { ...input }, reason: input.reason }, { onSuccess: onClose })
				}
			/>
		</Dialog>
	);
}
