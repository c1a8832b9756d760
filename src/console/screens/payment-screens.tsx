/** The payment queue, and one of its entries with what may be decided. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { isMe, useAct, useCall, useCallOnce, useMe } from '#console/api/queries.ts';
import { amountProblem, amountSaid, majorFromText } from '#console/parts/amount-words.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { age, amount, time, words } from '#console/parts/format.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { PreviewView } from '#console/parts/preview-view.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { WORKFLOW_AMOUNTS } from '#contract/operators/workflow-amounts.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import type { Column } from '#ui/table-columns.ts';

type Entry = ResultOf<'payment-queue'>[number];
type Shown = ResultOf<'payment-show'>;
/** Beside the server's word on changes. */
const EVERY_MS = 15_000;

const figureOf = (entry: Entry): number => Number(entry['amount'] ?? 0);

const COLUMNS: readonly Column<Entry>[] = [
	{ head: 'Kind', value: ({ kind }) => words(kind) },
	{ head: 'Amount', value: figureOf, show: (entry) => amount(figureOf(entry)), isFigure: true },
	{ head: 'State', value: ({ state }) => words(state) },
	{ head: 'Waits', value: ({ since }) => since, show: ({ since }) => age(since, Date.now()), width: 0.7 },
	{ head: 'Player', value: ({ who }) => who ?? 'the house', width: 2 },
	{ head: 'Brand', value: ({ brand }) => brand ?? '', width: 2 },
	{ head: 'Claimed by', value: ({ claim }) => claim?.holder ?? '' },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	{ head: 'Id', value: ({ id }) => id },
	{
		head: 'Proposed',
		value: ({ proposedEvent, proposedBy }) => (proposedEvent ? `${proposedEvent} by ${proposedBy}` : ''),
		width: 1.5,
	},
];

export function PaymentsScreen(): ReactElement {
	const navigate = useNavigate();
	const query = useCall('payment-queue', {}, EVERY_MS);
	return (
		<>
			<h1>Payments</h1>
			<Loaded query={query}>
				{(entries) => (
					<RecordTable
						title="Payment queue"
						columns={COLUMNS}
						rows={entries}
						keyOf={({ kind, id }) => `${kind} ${id}`}
						onOpen={({ kind, id }) => void navigate({ to: '/payments/$kind/$id', params: { kind, id } })}
						empty="Nothing waits for a person."
					/>
				)}
			</Loaded>
		</>
	);
}

export function PaymentScreen(): ReactElement {
	const { kind, id } = useParams({ from: '/payments/$kind/$id' });
	const query = useCall('payment-show', { kind, id }, EVERY_MS);
	return <Loaded query={query}>{(shown) => <PaymentView shown={shown} />}</Loaded>;
}

/** Fields that have a place of their own on the page. */
const PLACED: ReadonlySet<string> = new Set([
	'kind',
	'id',
	'player',
	'who',
	'brand',
	'pool',
	'state',
	'since',
	'at',
	'decisions',
	'proposedEvent',
	'proposedBy',
	'proposed',
	'claim',
	'steps',
	'postings',
	'hasReceipt',
	'waits',
	'imageRef',
	'sameTransfer',
	'disputes',
	'payment',
	'evidence',
]);

const IS_TIME = /Ms$/;

/** The name of a field as words: `requestedBy` is "requested by". */
const labelOf = (name: string): string =>
	name.replace(IS_TIME, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function shownAs(name: string, value: unknown): string {
	if (typeof value === 'number' && IS_TIME.test(name)) return time(new Date(value).toISOString());
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (typeof value === 'number' && WORKFLOW_AMOUNTS.has(name)) return amount(value);
	if (name === 'reading') return words(String(value));
	if (Array.isArray(value)) return value.map((part) => shownAs(name, part)).join(', ') || 'none';
	if (typeof value !== 'object' || value === null) return String(value ?? 'none');
	return Object.entries(value)
		.map(([part, known]) => `${labelOf(part)} ${shownAs(part, known)}`)
		.join(' · ');
}

function PaymentView({ shown }: { shown: Shown }): ReactElement {
	const { data: me } = useMe();
	const [deciding, setDeciding] = useState<string | null>(null);
	const mayDecide = me?.permissions.includes('payments.decide') ?? false;
	const isForeign = shown.claim !== null && !isMe(shown.claim.holder, me);
	const known = Object.entries(shown).filter(([name, value]) => !PLACED.has(name) && value !== null);
	const { kind, id, player, who, brand, pool, state, since, decisions, proposedEvent, proposedBy, sameTransfer } =
		shown;
	return (
		<>
			<p>
				<Link to="/payments">← The queue</Link>
			</p>
			<h1>
				{words(kind)} {id}
			</h1>
			<p>
				<StateBadge state={state} /> since {time(since)} · {pool}
				{player && who && (
					<>
						{' · '}
						<Link to="/players/$playerId" params={{ playerId: player }}>
							{who}
						</Link>{' '}
						of {brand}
					</>
				)}
				{shown.payment !== undefined && (
					<>
						{' · '}
						<Link to="/payments/$kind/$id" params={{ kind: 'PAYMENT', id: String(shown.payment) }}>
							the payment and its other disputes
						</Link>
					</>
				)}
			</p>
			{sameTransfer.length > 0 && (
				<p className="text-loss">
					The same transfer or picture:{' '}
					{sameTransfer.map((other) => (
						<span key={`${other.kind} ${other.id}`}>
							<Link to="/payments/$kind/$id" params={{ kind: other.kind, id: other.id }}>
								{words(other.kind)} {other.id}
							</Link>{' '}
							({words(other.state)}){' '}
						</span>
					))}
				</p>
			)}
			{proposedEvent && (
				<output>
					{proposedBy} proposed “{words(proposedEvent)}”; another member who decides the same makes it happen.
				</output>
			)}
			{mayDecide && (shown.waits || shown.claim) && <ClaimLine shown={shown} />}
			{mayDecide && (
				<p className="acts">
					{decisions.map(({ event, twoPersons }) => (
						<Button
							key={event}
							disabled={isForeign}
							variant={event === 'approve' ? 'primary' : event === 'reject' ? 'danger' : 'secondary'}
							className={event === 'reject' ? 'order-last ml-auto' : ''}
							onClick={() => setDeciding(event)}
						>
							{words(event)}
							{twoPersons ? ' (two persons)' : ''} …
						</Button>
					))}
				</p>
			)}
			<div className="columns">
				<section aria-label="What is known">
					<h2>What is known</h2>
					<dl className="facts">
						{known.map(([name, value]) => (
							<div key={name}>
								<dt>{labelOf(name)}</dt>
								<dd>{shownAs(name, value)}</dd>
							</div>
						))}
					</dl>
				</section>
				<Disputes shown={shown} />
				<Evidence shown={shown} />
				{shown.hasReceipt && <Receipt key={`${kind} ${id}`} kind={kind} id={id} />}
				<History shown={shown} />
			</div>
			{deciding && <DecideDialog shown={shown} event={deciding} onClose={() => setDeciding(null)} />}
		</>
	);
}

/** By the key, what it does now; null for nothing. */
function useClaimKeys(acts: { k: (() => void) | null; l: (() => void) | null }): void {
	const current = useRef(acts);
	useEffect(() => {
		current.current = acts;
	});
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			if (isFreeKey(event) && (event.key === 'k' || event.key === 'l')) current.current[event.key]?.();
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, []);
}

/** Who works at the entry, and what this member may do about it. */
function ClaimLine({ shown: { kind, id, claim } }: { shown: Shown }): ReactElement {
	const { data: me } = useMe();
	const [isTaking, setTaking] = useState(false);
	const claiming = useAct('payment-claim');
	const releasing = useAct('payment-release');
	const problem = claiming.error ?? releasing.error;
	const mine = claim !== null && isMe(claim.holder, me);
	const take = () => claiming.mutate({ kind, id });
	const release = () => releasing.mutate({ kind, id });
	useClaimKeys({ k: !claim || mine ? take : null, l: mine ? release : null });
	return (
		<>
			<p className="acts">
				{claim && (
					<output>
						{mine ? 'You work' : `${claim.holder} works`} at this since {time(claim.since)}, until {time(claim.until)}.
					</output>
				)}
				{(!claim || mine) && (
					<Button disabled={claiming.isPending} onClick={take} aria-keyshortcuts="k">
						{mine ? 'Claim for longer' : 'Claim'}
					</Button>
				)}
				{mine && (
					<Button disabled={releasing.isPending} onClick={release} aria-keyshortcuts="l">
						Release
					</Button>
				)}
				{claim && !mine && me?.permissions.includes('payments.take-over') && (
					<Button onClick={() => setTaking(true)}>Take over …</Button>
				)}
			</p>
			{problem && <Problem error={problem} />}
			{isTaking && <TakeOverDialog kind={kind} id={id} onClose={() => setTaking(false)} />}
		</>
	);
}

function TakeOverDialog({ kind, id, onClose }: { kind: string; id: string; onClose: () => void }): ReactElement {
	const taking = useAct('payment-take-over');
	return (
		<Dialog title={`Take over ${words(kind)} ${id}`} onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['payment-take-over'].input}
				fields={{ reason: 'Reason' }}
				fixed={{ kind, id }}
				submit="Take over"
				error={taking.error}
				isBusy={taking.isPending}
				onSubmit={(input) => taking.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}

function Receipt({ kind, id }: { kind: string; id: string }): ReactElement {
	const query = useCallOnce('payment-receipt', { kind, id });
	return (
		<section aria-label="Receipt">
			<h2>Receipt</h2>
			<Loaded query={query}>
				{({ image }) => <img className="receipt" src={image} alt="The receipt that the player sent" />}
			</Loaded>
		</section>
	);
}

/** What the bank was told in a dispute. */
function Evidence({ shown: { evidence } }: { shown: Shown }): ReactElement | null {
	if (!evidence) return null;
	return (
		<section aria-label="Evidence">
			<h2>Evidence</h2>
			<ol>
				{evidence.map(({ atMs, by, text }) => (
					<li key={`${atMs} ${text}`}>
						{time(new Date(atMs).toISOString())} {text} <span className="text-muted">by {by}</span>
					</li>
				))}
			</ol>
		</section>
	);
}

/** The cycles of a payment's disputes. */
function Disputes({ shown: { disputes } }: { shown: Shown }): ReactElement | null {
	if (disputes.length === 0) return null;
	return (
		<section aria-label="Disputes">
			<h2>Disputes</h2>
			<ol>
				{disputes.map(({ id, state, amount: disputed, held, taken, rest, since, deadline }) => (
					<li key={id}>
						<Link to="/payments/$kind/$id" params={{ kind: 'DISPUTE', id }}>
							{words(state)}
						</Link>{' '}
						{amount(disputed)} since {time(since)}
						{state === 'OPEN' && ` · holds ${amount(held)}`}
						{state === 'OPEN' && deadline && ` · evidence until ${time(deadline)}`}
						{(state === 'OWED' || state === 'LOST') && ` · the player paid ${amount(taken)}, the house ${amount(rest)}`}
					</li>
				))}
			</ol>
		</section>
	);
}

function History({ shown: { steps, postings } }: { shown: Shown }): ReactElement {
	return (
		<section aria-label="Steps and postings">
			<h2>Steps</h2>
			<ol>
				{steps.map(({ step, to, actor, at }) => (
					<li key={step}>
						{time(at)} {words(to)} <span className="text-muted">by {actor}</span>
					</li>
				))}
			</ol>
			<h2>Postings</h2>
			<ul>
				{postings.map(({ at, debit, credit, amount: moved }) => (
					<li key={`${at} ${debit} ${credit}`}>
						{debit} → {credit} {amount(moved)}
					</li>
				))}
				{postings.length === 0 && <li className="text-muted">No money has moved.</li>}
			</ul>
		</section>
	);
}

/** What is asked for in place of a reason. */
const REASONS: Readonly<Record<string, string>> = { approve: 'Note, if any', evidence: 'Evidence' };

interface DecideDialogProps {
	shown: Shown;
	event: string;
	onClose: () => void;
}

/** The decision with what it would move, beside the receipt that it is about. */
function DecideDialog({ shown: { kind, id, hasReceipt }, event, onClose }: DecideDialogProps): ReactElement {
	const decide = useAct('payment-decide');
	const [part, setPart] = useState('');
	const most = majorFromText(part);
	const decision = { kind, id, event, ...(most === undefined ? {} : { amount: most }) };
	const preview = useCall('payment-preview', decision);
	return (
		<Dialog title={`${words(event)} ${words(kind)} ${id}`} onClose={onClose}>
			<div className="columns">
				{hasReceipt && <Receipt kind={kind} id={id} />}
				<section>
					{event === 'dispute' && (
						<Field
							label="Amount, if not all"
							autoComplete="off"
							value={part}
							hint={amountSaid(part)}
							onChange={({ target }) => setPart(target.value)}
						/>
					)}
					{/* A text that is no amount must not be decided as the whole amount. */}
					{amountProblem(part) === null && (
						<>
							<Loaded query={preview}>{(shown) => <PreviewView preview={shown} />}</Loaded>
							<RecordForm
								schema={OPERATOR_CALLS['payment-decide'].input}
								fields={{ reason: REASONS[event] ?? 'Reason' }}
								fixed={decision}
								submit={words(event)}
								error={decide.error}
								isBusy={decide.isPending}
								onSubmit={(input) => decide.mutate(input, { onSuccess: onClose })}
							/>
						</>
					)}
				</section>
			</div>
		</Dialog>
	);
}
