/** One market at the result desk: the evidence, who gains and who loses by each result, and its proposal. */
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { WaitingProposals } from '#console/screens/market-screen.tsx';
import { PreviewedProposal } from '#console/screens/propose-dialog.tsx';
import { OPERATOR_CALLS, type OperatorCallName } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Shown = ResultOf<'result-evidence'>;
type Evidence = Shown['evidence'][number];
type Possible = Shown['results'][number];
interface Asked {
	act: OperatorCallName;
	input: Record<string, unknown>;
	result: string;
}

/** Beside the server's word on changes. */
const EVERY_MS = 10_000;

export function ResultScreen(): ReactElement {
	const { marketId } = useParams({ from: '/desk/$marketId' });
	const query = useCall('result-evidence', { marketId }, EVERY_MS);
	return <Loaded query={query}>{(shown) => <ResultView key={shown.marketId} shown={shown} />}</Loaded>;
}

const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [
	{ head: 'What', value: ({ what }) => what, width: 3 },
	{
		head: 'Agrees',
		value: ({ agrees }) => (agrees === null ? '' : agrees ? 'agrees' : 'contradicts'),
		show: ({ agrees }) =>
			agrees === null ? '' : agrees ? 'agrees' : <strong className="text-loss">contradicts</strong>,
	},
	{ head: 'Who', value: ({ who }) => who },
	{ head: 'State', value: ({ state }) => (state === null ? '' : words(state)) },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2 },
];

function ResultView({ shown }: { shown: Shown }): ReactElement {
	const { marketId, market, eventId, event, status, inPlay, eventStatus, source, score, conflicts } = shown;
	const { data: me } = useMe();
	const [asked, setAsked] = useState<Asked | null>(null);
	const mayPropose = me?.permissions.includes('results.propose') ?? false;
	return (
		<>
			<p>
				<Link to="/desk">← Result desk</Link>
			</p>
			<h1>
				{market} <span className="text-muted">· {event}</span>
			</h1>
			<p className="acts">
				<StateBadge state={status} inPlay={inPlay} />
				<span>
					{words(eventStatus)}, {source}
					{score ? `, ${score}` : ''}
				</span>
				<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
					The market
				</Link>
				<Link to="/markets/$eventId/$marketId/bets" params={{ eventId, marketId }}>
					All bets
				</Link>
				<Link to="/markets/$eventId/$marketId/replay" params={{ eventId, marketId }}>
					Replay
				</Link>
			</p>
			{conflicts.length > 0 && (
				<ul aria-label="Contradictions">
					{conflicts.map((one) => (
						<li key={one} className="text-loss">
							{one}
						</li>
					))}
				</ul>
			)}
			<WaitingProposals marketId={marketId} />
			<Results shown={shown} mayPropose={mayPropose} onAsk={setAsked} />
			<h2>Evidence</h2>
			<RecordTable
				title="Evidence"
				columns={EVIDENCE_COLUMNS}
				rows={shown.evidence}
				keyOf={({ at, who, what, state }) => `${at} ${who} ${what} ${state}`}
				empty="Nothing was said about its result."
				isPlain
			/>
			{asked && (
				<Dialog title={`Propose: ${asked.result}`} onClose={() => setAsked(null)}>
					<PreviewedProposal act={asked.act} input={asked.input} onClose={() => setAsked(null)} />
				</Dialog>
			)}
		</>
	);
}

type Paid = Possible['largest'][number];
const winnersOf = ({ largest }: Possible): Paid[] => largest.filter((one) => one.amount > 0);
const losersOf = ({ largest }: Possible): Paid[] => largest.filter((one) => one.amount < 0);
const named = (paid: readonly Paid[]): string => paid.map((one) => `${one.player} ${amount(one.amount)}`).join(' · ');

/** The one with the largest amount. */
function first([largest]: readonly Paid[]): ReactElement | string {
	if (!largest) return '–';
	const { playerId, player, amount: of } = largest;
	return (
		<>
			<Link to="/players/$playerId" params={{ playerId }}>
				{player}
			</Link>{' '}
			{signed(of)}
		</>
	);
}

const signed = (of: number): ReactElement => <span className={of < 0 ? 'text-loss' : ''}>{amount(of)}</span>;

const isCall = (name: string): name is OperatorCallName => Object.hasOwn(OPERATOR_CALLS, name);

/** @param ask proposes a row; null for members who may not */
function columnsFor(ask: ((row: Possible) => void) | null): Column<Possible>[] {
	return [
		{
			head: 'Result',
			value: ({ result }) => result,
			show: ({ result, isPaid }) => (isPaid ? <strong>{result}, paid</strong> : result),
			width: 1.6,
		},
		...(ask
			? [
					{
						head: 'Propose',
						value: () => '',
						width: 1.2,
						show: (row: Possible) =>
							row.asked && (
								<Button size="small" aria-label={`Propose ${row.result}`} onClick={() => ask(row)}>
									Propose
								</Button>
							),
					},
				]
			: []),
		{ head: 'Said by', value: ({ saidBy }) => saidBy.join(', ') },
		{
			head: 'House',
			value: ({ house }) => house.map((one) => `${one.pool} ${amount(one.amount)}`).join(' · '),
			isFigure: true,
			width: 1.6,
		},
		{ head: 'Win', value: ({ winners }) => winners, isFigure: true, width: 0.6 },
		{ head: 'Lose', value: ({ losers }) => losers, isFigure: true, width: 0.6 },
		// A row has one line: the largest is shown, and the others are in its title.
		{ head: 'Wins most', value: (row) => named(winnersOf(row)), show: (row) => first(winnersOf(row)), width: 1.8 },
		{ head: 'Loses most', value: (row) => named(losersOf(row)), show: (row) => first(losersOf(row)), width: 1.8 },
	];
}

function Results({
	shown: { results, isPartial, status },
	mayPropose,
	onAsk,
}: {
	shown: Shown;
	mayPropose: boolean;
	onAsk: (asked: Asked) => void;
}): ReactElement {
	const ask = ({ asked, result }: Possible) => {
		if (asked && isCall(asked.act)) onAsk({ act: asked.act, input: asked.input, result });
	};
	return (
		<>
			<h2>Who gains and who loses</h2>
			{isPartial && (
				<p className="text-muted">More results are possible than are listed. Propose others from the market.</p>
			)}
			{(status === 'OPEN' || status === 'BALL_RUNNING') && (
				<p className="text-muted">It takes bets: suspend it before a result is proposed.</p>
			)}
			<RecordTable
				title="Results"
				columns={columnsFor(mayPropose ? ask : null)}
				rows={results}
				keyOf={({ result }) => result}
				empty="It has no result to compare."
				isPlain
			/>
		</>
	);
}
