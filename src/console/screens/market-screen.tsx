/** A market: its books, the positions in it, the acts that move it, and its result. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { useDayBefore } from '#console/parts/days.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, money, time, wholeAmount } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { type SeenVersion, useSeenVersion } from '#console/parts/seen-version.ts';
import { type Proposal, ProposalDialog } from '#console/screens/proposal-dialog.tsx';
import { PROPOSABLE, type Proposable, ProposeDialog } from '#console/screens/propose-dialog.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import { ENDED_STATUSES } from '#values/market-statuses.ts';
import type { Permission } from '#values/staff-permissions.ts';

type Risk = ResultOf<'market-risk'>;
type Position = Risk['house'][number];
type Simple = 'suspend' | 'resume' | 'turn-in-play' | 'close';
/** Beside the server's word on changes. */
const EVERY_MS = 10_000;
/** Levels shown of a side, from the best. */
const LEVELS = ['best', 'second', 'third'] as const;

const ACTS: readonly { name: Simple; label: string; allowed: readonly string[] }[] = [
	{ name: 'suspend', label: 'Suspend', allowed: ['OPEN', 'BALL_RUNNING', 'SUSPENDED'] },
	{ name: 'resume', label: 'Resume', allowed: ['SUSPENDED', 'BALL_RUNNING'] },
	{ name: 'turn-in-play', label: 'Turn in-play', allowed: ['OPEN', 'SUSPENDED'] },
	{ name: 'close', label: 'Close', allowed: ['OPEN', 'SUSPENDED', 'BALL_RUNNING'] },
];

/** How far back the link to a market's postings reaches. */
const MONTH_DAYS = 30;

export function MarketScreen(): ReactElement {
	const { marketId } = useParams({ from: '/markets/$eventId/$marketId' });
	const query = useCall('market-risk', { marketId }, EVERY_MS);
	return <Loaded query={query}>{(risk) => <MarketView key={marketId} risk={risk} />}</Loaded>;
}

function MarketView({ risk }: { risk: Risk }): ReactElement {
	const { eventId } = useParams({ from: '/markets/$eventId/$marketId' });
	const { data: me } = useMe();
	const dayBefore = useDayBefore();
	const [proposing, setProposing] = useState<Proposable | null>(null);
	const seen = useSeenVersion(risk.version);
	const has = (permission: Permission) => me?.permissions.includes(permission) ?? false;
	const proposable = PROPOSABLE.filter(({ allowed }) => allowed.includes(risk.status));
	return (
		<>
			<p>
				<Link to="/markets/$eventId" params={{ eventId }}>
					← All markets of the event
				</Link>
			</p>
			<h1>
				{risk.market} <span className="text-muted">· {risk.event}</span>
			</h1>
			<p>
				<StateBadge state={risk.status} inPlay={risk.inPlay} />{' '}
				<Link to="/markets/$eventId/$marketId/bets" params={{ eventId, marketId: risk.marketId }}>
					All bets
				</Link>{' '}
				<Link to="/markets/$eventId/$marketId/replay" params={{ eventId, marketId: risk.marketId }}>
					Replay
				</Link>{' '}
				{has('reports.read') && (
					<Link to="/postings" search={{ marketId: risk.marketId, from: dayBefore(MONTH_DAYS), to: dayBefore(0) }}>
						Postings of the last {MONTH_DAYS} days
					</Link>
				)}
			</p>
			<WaitingProposals marketId={risk.marketId} />
			{has('markets.trade') && <MarketActs risk={risk} seen={seen} />}
			<Terms risk={risk} mayChange={has('markets.trade') && !ENDED_STATUSES.has(risk.status)} />
			{has('results.propose') && (
				<p className="acts">
					{proposable.map((one) => (
						<Button key={one.act} onClick={() => setProposing(one)}>
							{one.label} …
						</Button>
					))}
				</p>
			)}
			{risk.books.map((book) => (
				<Book key={book.pool} book={book} runners={risk.runners} />
			))}
			{has('markets.trade') && !ENDED_STATUSES.has(risk.status) && <RunnerActs risk={risk} seen={seen} />}
			<Positions title="The house" positions={risk.house} runners={risk.runners} />
			<Positions title={`Largest of ${risk.players} players`} positions={risk.largest} runners={risk.runners} />
			{proposing && <ProposeDialog risk={risk} proposable={proposing} onClose={() => setProposing(null)} />}
		</>
	);
}

/** What is proposed about the market and waits for a member. */
export function WaitingProposals({ marketId }: { marketId: string }): ReactElement | null {
	const query = useCall('proposals', { open: true, marketId }, EVERY_MS);
	const [opened, setOpened] = useState<Proposal | null>(null);
	const waiting = query.data ?? [];
	// One that was decided leaves the list; its dialog stays with the answer.
	const proposal = opened && (waiting.find(({ proposalId }) => proposalId === opened.proposalId) ?? opened);
	return (
		<>
			{waiting.length > 0 && (
				<section className="book-box" aria-label="Waits to be confirmed">
					<h2>Waits to be confirmed</h2>
					<ul>
						{waiting.map((one) => (
							<li key={one.proposalId}>
								<Button onClick={() => setOpened(one)}>{one.act} …</Button> {one.preview.summary.slice(1).join('; ')}{' '}
								<span className="text-muted">
									proposed by {one.proposedBy}, {time(one.proposedAt)}
								</span>
							</li>
						))}
					</ul>
				</section>
			)}
			{proposal && <ProposalDialog key={proposal.proposalId} proposal={proposal} onClose={() => setOpened(null)} />}
		</>
	);
}

/** A market as the screen shows it, and the versions that its trader saw. */
interface Acted {
	risk: Risk;
	seen: SeenVersion;
}

function MarketActs({ risk: { marketId, status, inPlay }, seen }: Acted): ReactElement {
	const suspend = useAct('suspend', seen.showOwn);
	const resume = useAct('resume');
	const turn = useAct('turn-in-play');
	const close = useAct('close');
	const acts = { suspend, resume, 'turn-in-play': turn, close };
	const error = Object.values(acts).find((one) => one.error)?.error ?? null;
	const [isClosing, setClosing] = useState(false);
	return (
		<>
			<p className="acts">
				{ACTS.filter(({ name, allowed }) => allowed.includes(status) && !(inPlay && name === 'turn-in-play')).map(
					({ name, label }) => (
						<Button
							key={name}
							variant={name === 'suspend' ? 'danger' : 'secondary'}
							className={name === 'close' ? 'order-last ml-auto' : ''}
							disabled={acts[name].isPending}
							// A suspension that this screen does not show yet is not lifted by it.
							onClick={() =>
								name === 'close'
									? setClosing(true)
									: acts[name].mutate({ marketId, ...(name === 'resume' ? { seenVersion: seen.latest } : {}) })
							}
						>
							{label}
						</Button>
					),
				)}
			</p>
			<Problem error={error} />
			{isClosing && (
				<Dialog title="Close the market" onClose={() => setClosing(false)}>
					<p>
						It takes no more bets and is not opened again. Unmatched bets lapse, and the market waits for its result.
					</p>
					<p className="acts">
						<Button
							variant="danger"
							disabled={close.isPending}
							onClick={() => close.mutate({ marketId }, { onSettled: () => setClosing(false) })}
						>
							Close it for good
						</Button>
					</p>
				</Dialog>
			)}
		</>
	);
}

/** Runners that are suspended and resumed by themselves; the lines of a fancy are not. */
function RunnerActs({ risk: { marketId, runners }, seen }: Acted): ReactElement | null {
	const suspend = useAct('suspend-runner', seen.showOwn);
	const resume = useAct('resume-runner');
	const shown = runners.filter((runner) => runner['line'] === undefined && runner.status !== 'REMOVED');
	if (shown.length === 0) return null;
	return (
		<section className="book-box" aria-label="Runners">
			<h2>Runners</h2>
			<p className="acts">
				{shown.map(({ id, name, status }) =>
					status === 'SUSPENDED' ? (
						<Button
							key={id}
							disabled={resume.isPending}
							onClick={() => resume.mutate({ marketId, runner: id, seenVersion: seen.latest })}
						>
							Resume {name}
						</Button>
					) : (
						<Button
							key={id}
							variant="danger"
							disabled={suspend.isPending}
							onClick={() => suspend.mutate({ marketId, runner: id })}
						>
							Suspend {name}
						</Button>
					),
				)}
			</p>
			<Problem error={suspend.error ?? resume.error} />
		</section>
	);
}

const TERMS = {
	betDelaySeconds: 'Bet delay in-play, seconds',
	minStake: 'Smallest stake',
	maxStake: 'Largest stake',
	maxProfit: 'Largest profit of a bet, 0 for none',
	maxExposure: 'Largest exposure of a player, 0 for none',
} as const;

/** The delay and the limits of the next bets. */
function Terms({ risk: { marketId, terms }, mayChange }: { risk: Risk; mayChange: boolean }): ReactElement {
	const [isOpen, setOpen] = useState(false);
	const change = useAct('change-terms');
	const { currency, betDelaySeconds, minStake, maxStake, maxProfit, maxExposure } = terms;
	const said = (major: number) => money(currency, major);
	const most = maxProfit === 0 ? 'no limit of profit' : `profit to ${said(maxProfit)}`;
	const now: Record<string, string> = {
		betDelaySeconds: String(betDelaySeconds),
		minStake: said(minStake),
		maxStake: said(maxStake),
		maxProfit: said(maxProfit),
		maxExposure: said(maxExposure),
	};
	return (
		<div className="acts">
			<span>
				Delay {betDelaySeconds} s · stakes {said(minStake)} to {said(maxStake)} · {most}
				{maxExposure > 0 && ` · exposure to ${said(maxExposure)}`}
			</span>
			{mayChange && <Button onClick={() => setOpen(true)}>Change delay and limits</Button>}
			{isOpen && (
				<Dialog title="Delay and limits of the next bets" onClose={() => setOpen(false)}>
					<p className="text-muted">
						A field that is left empty stays as it is. Amounts are in {currency}, and count as much in every other
						currency.
					</p>
					<RecordForm
						schema={OPERATOR_CALLS['change-terms'].input}
						fields={Object.fromEntries(
							Object.entries(TERMS).map(([name, label]) => [name, `${label} (now ${now[name]})`]),
						)}
						fixed={{ marketId, currency }}
						submit="Change"
						error={change.error}
						isBusy={change.isPending}
						onSubmit={(input) => change.mutate(input, { onSuccess: () => setOpen(false) })}
					/>
				</Dialog>
			)}
		</div>
	);
}

function Book({ book, runners }: { book: Risk['books'][number]; runners: Risk['runners'] }): ReactElement {
	const levels = (side: { price: number; size: number }[]) =>
		LEVELS.map((place, at) => ({ place, level: side[at] ?? null }));
	return (
		<section className="book-box" aria-label={`Book of the ${book.pool} pool`}>
			<h2>
				{book.pool} · matched {wholeAmount(book.matched)}
			</h2>
			<table className="book">
				<thead>
					<tr>
						<th scope="col">Runner</th>
						<th scope="col" colSpan={LEVELS.length}>
							Back
						</th>
						<th scope="col" colSpan={LEVELS.length}>
							Lay
						</th>
						<th scope="col" data-number>
							Last
						</th>
						<th scope="col" data-number>
							Matched
						</th>
					</tr>
				</thead>
				<tbody>
					{book.runners.map((runner, at) => (
						<tr key={runners[at]?.id ?? at}>
							<th scope="row">{runners[at]?.name ?? `line ${at}`}</th>
							{levels(runner.back)
								.toReversed()
								.map(({ place, level }) => (
									<td key={place} data-number className="back">
										{level && (
											<>
												<b>{level.price.toFixed(2)}</b> {wholeAmount(level.size)}
											</>
										)}
									</td>
								))}
							{levels(runner.lay).map(({ place, level }) => (
								<td key={place} data-number className="lay">
									{level && (
										<>
											<b>{level.price.toFixed(2)}</b> {wholeAmount(level.size)}
										</>
									)}
								</td>
							))}
							<td data-number>{runner.last?.toFixed(2) ?? '–'}</td>
							<td data-number>{wholeAmount(runner.matched)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

function Positions({
	title,
	positions,
	runners,
}: {
	title: string;
	positions: readonly Position[];
	runners: Risk['runners'];
}): ReactElement {
	return (
		<section className="book-box" aria-label={title}>
			<h2>{title}</h2>
			{positions.length === 0 && <p className="py-2 text-muted">Nothing is matched.</p>}
			{positions.length > 0 && (
				<table className="book">
					<thead>
						<tr>
							<th scope="col">Who</th>
							<th scope="col">Pool</th>
							{positions[0]?.outcomes.map((_, at) => (
								<th scope="col" data-number key={runners[at]?.id ?? at}>
									{runners[at]?.name ?? `outcome ${at + 1}`}
								</th>
							))}
							<th scope="col" data-number>
								Worst
							</th>
						</tr>
					</thead>
					<tbody>
						{positions.map(({ walletId, who, brand, pool, outcomes, worst }) => (
							<tr key={walletId}>
								<th scope="row">
									{brand === null ? (
										who
									) : (
										<Link to="/players/$playerId" params={{ playerId: walletId }}>
											{who}
										</Link>
									)}
								</th>
								<td>{pool}</td>
								{outcomes.map((outcome, at) => (
									<td key={runners[at]?.id ?? at} data-number className={outcome < 0 ? 'text-loss' : ''}>
										{amount(outcome)}
									</td>
								))}
								<td data-number className="text-loss">
									{amount(worst)}
								</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
		</section>
	);
}
