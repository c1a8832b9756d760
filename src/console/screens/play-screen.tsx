/** An event that traders play: its score by keyboard, its markets from templates, their prices, and its end. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { sportName, time } from '#console/parts/format.ts';
import { isFreeKey } from '#console/parts/free-key.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { movedOn } from '#console/parts/moved-on.ts';
import { RecordForm } from '#console/parts/record-form.tsx';
import { useSeenVersion } from '#console/parts/seen-version.ts';
import { PriceDesk } from '#console/screens/price-desk.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { isScoredSport, SCORE_ACTS, UNDO } from '#values/score-acts.ts';

type Event = ResultOf<'event-show'>;
/** Beside the server's word on changes. */
const EVERY_MS = 10_000;
const UNFINISHED: ReadonlySet<string> = new Set(['UPCOMING', 'IN_PLAY']);

export function PlayScreen(): ReactElement {
	const { eventId } = useParams({ from: '/play/$eventId' });
	const query = useCall('event-show', { eventId }, EVERY_MS);
	return <Loaded query={query}>{(event) => <PlayView event={event} />}</Loaded>;
}

function PlayView({ event }: { event: Event }): ReactElement {
	const { eventId, status } = event;
	const { data: me } = useMe();
	const mayTrade = (me?.permissions.includes('markets.trade') ?? false) && UNFINISHED.has(status);
	const mayEnd = me?.permissions.includes('results.propose') ?? false;
	return (
		<>
			<p>
				<Link to="/markets/$eventId" params={{ eventId }}>
					← Markets and risk of the event
				</Link>
			</p>
			<h1>{event.event}</h1>
			<p className="text-muted">
				{sportName(event.sport)} · {event.competition} · starts {time(event.startsAt)} <StateBadge state={status} />
			</p>
			<p className="score" aria-live="polite">
				<strong>{event.score === '' ? 'No score yet' : event.score}</strong> {event.card.note}
			</p>
			{mayTrade && <PlayActs event={event} mayEnd={mayEnd} />}
			{mayTrade && status === 'IN_PLAY' && <ScorePad key={eventId} event={event} />}
			{mayTrade && <Templates event={event} />}
			{mayTrade && <PriceDesk eventId={eventId} />}
		</>
	);
}

type Opened = 'edit' | 'end' | 'abandon' | null;

function PlayActs({ event, mayEnd }: { event: Event; mayEnd: boolean }): ReactElement {
	const { eventId, card } = event;
	const [opened, setOpened] = useState<Opened>(null);
	const start = useAct('event-start');
	const close = () => setOpened(null);
	return (
		<>
			<p className="acts">
				{card.state === 'PRE_MATCH' && (
					<Button variant="primary" disabled={start.isPending} onClick={() => start.mutate({ eventId })}>
						Start play
					</Button>
				)}
				<Button onClick={() => setOpened('edit')}>Correct names and start</Button>
				{mayEnd && card.state !== 'PRE_MATCH' && <Button onClick={() => setOpened('end')}>End the match …</Button>}
				{mayEnd && (
					<Button variant="danger" onClick={() => setOpened('abandon')}>
						Abandon …
					</Button>
				)}
			</p>
			<Problem error={start.error} />
			{opened === 'edit' && <EditDialog eventId={eventId} onClose={close} />}
			{(opened === 'end' || opened === 'abandon') && (
				<EndDialog event={event} isAbandoned={opened === 'abandon'} onClose={close} />
			)}
		</>
	);
}

function EditDialog({ eventId, onClose }: { eventId: string; onClose: () => void }): ReactElement {
	const edit = useAct('event-edit');
	return (
		<Dialog title="Names and start" onClose={onClose}>
			<p className="text-muted">A field that is left empty stays as it is.</p>
			<RecordForm
				schema={OPERATOR_CALLS['event-edit'].input}
				fields={{ title: 'Title', competition: 'Competition', startsAt: 'Starts at, by your clock' }}
				fixed={{ eventId }}
				submit="Correct"
				error={edit.error}
				isBusy={edit.isPending}
				onSubmit={(input) => edit.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}

interface EndProps {
	event: Event;
	isAbandoned: boolean;
	onClose: () => void;
}

function EndDialog({ event, isAbandoned, onClose }: EndProps): ReactElement {
	const end = useAct('event-end');
	return (
		<Dialog title={isAbandoned ? 'Abandon the match' : 'End the match'} onClose={onClose}>
			<p>
				{isAbandoned
					? 'Every market closes and ends by the rule of its type for play that stops early.'
					: `The score is final: ${event.score || 'none'}. Every market closes.`}{' '}
				The results that follow are proposed, and another member confirms them.
			</p>
			<p className="acts">
				<Button
					variant="danger"
					busy={end.isPending}
					onClick={() => end.mutate({ eventId: event.eventId, isAbandoned }, { onSuccess: onClose })}
				>
					{isAbandoned ? 'Abandon' : 'End'} and propose results
				</Button>
			</p>
			<Problem error={end.error} />
		</Dialog>
	);
}

/** One press, by mouse or key, is one score; the server refuses a second one made on the same score. */
function ScorePad({ event }: { event: Event }): ReactElement {
	const { eventId, version, sides, sport, canUndo } = event;
	const seen = useSeenVersion(version);
	const score = useAct('event-score', seen.showOwn);
	const { mutate, isPending } = score;
	const acts = isScoredSport(sport) ? SCORE_ACTS[sport] : [];
	useEffect(() => {
		const press = (pressed: KeyboardEvent) => {
			if (!isFreeKey(pressed) || pressed.repeat || isPending) return;
			const found = [...(isScoredSport(sport) ? SCORE_ACTS[sport] : []), UNDO].find(({ keys }) =>
				keys.some((key) => key === pressed.key),
			);
			if (!found) return;
			const side = found.keys.length === 2 ? (found.keys[0] === pressed.key ? 0 : 1) : null;
			mutate({ eventId, act: found.act, side, seenVersion: seen.latest });
		};
		globalThis.addEventListener('keydown', press);
		return () => globalThis.removeEventListener('keydown', press);
	}, [eventId, seen, sport, isPending, mutate]);
	return (
		<section className="book-box" aria-label="Score">
			<h2>Score</h2>
			<p className="text-muted">A goal, a wicket or what is taken back suspends every market; price them to go on.</p>
			<div className="score-pad">
				{acts.flatMap(({ act, label, keys, isIncident }) =>
					keys.map((key, at) => (
						<Button
							key={key}
							variant={isIncident ? 'primary' : 'secondary'}
							disabled={isPending}
							onClick={() =>
								mutate({ eventId, act, side: keys.length === 2 ? (at === 0 ? 0 : 1) : null, seenVersion: seen.latest })
							}
						>
							<kbd>{key}</kbd> {label}
							{keys.length === 2 ? `, ${sides[at]}` : ''}
						</Button>
					)),
				)}
				<Button
					disabled={isPending || !canUndo}
					onClick={() => mutate({ eventId, act: UNDO.act, side: null, seenVersion: seen.latest })}
				>
					<kbd>{UNDO.keys[0]}</kbd> {UNDO.label}
				</Button>
			</div>
			<Problem error={movedOn(score.error)} />
		</section>
	);
}

function Templates({ event: { eventId, templates } }: { event: Event }): ReactElement | null {
	const open = useAct('event-open-market');
	const [crossMatching, setCrossMatching] = useState(false);
	const left = templates.filter(({ isListed }) => !isListed);
	if (left.length === 0) return null;
	return (
		<section aria-label="Markets to open">
			<h2>Markets to open</h2>
			<p className="acts">
				{left.map(({ name, mayCross }) => (
					<Button
						key={name}
						disabled={open.isPending}
						onClick={() => open.mutate({ eventId, template: name, crossMatching: crossMatching && mayCross })}
					>
						{name}
					</Button>
				))}
			</p>
			{left.some(({ mayCross }) => mayCross) && (
				<label className="check">
					<input type="checkbox" checked={crossMatching} onChange={({ target }) => setCrossMatching(target.checked)} />
					Match bets across runners: players see virtual prices beside real ones. For markets with one winner.
				</label>
			)}
			<Problem error={open.error} />
		</section>
	);
}
