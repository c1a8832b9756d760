/** A market as it was at any time: a slider over what happened, the books, the bets and the acts by then. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactElement, useState } from 'react';
import { operate, type ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { amount, time, wholeAmount } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import { saveFile } from '#ui/save-text.ts';
import type { Column } from '#ui/table-columns.ts';

type Replay = ResultOf<'market-replay'>;
type Bet = Replay['bets'][number];
type Act = Replay['acts'][number];
type Runner = Replay['books'][number]['runners'][number] & { name: string };

export function ReplayScreen(): ReactElement {
	const { marketId } = useParams({ from: '/markets/$eventId/$marketId/replay' });
	const { at } = useSearch({ from: '/markets/$eventId/$marketId/replay' });
	const query = useCall('market-replay', { marketId, ...(at === undefined ? {} : { at }) });
	return <Loaded query={query}>{(replay) => <ReplayView replay={replay} />}</Loaded>;
}

const BET_COLUMNS: readonly Column<Bet>[] = [
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 1.6 },
	{ head: 'Runner', value: ({ runner }) => runner, width: 1.4 },
	{ head: 'Side', value: ({ side }) => side.toLowerCase(), width: 0.7 },
	{ head: 'Price', value: ({ price }) => price, isFigure: true, width: 0.7 },
	{ head: 'Stake', value: ({ stake }) => stake, show: ({ stake }) => amount(stake), isFigure: true },
	{ head: 'Matched', value: ({ matched }) => matched, show: ({ matched }) => amount(matched), isFigure: true },
	{ head: 'Resting', value: ({ resting }) => resting, show: ({ resting }) => amount(resting), isFigure: true },
	{
		head: 'Player',
		value: ({ playerId }) => playerId ?? '',
		show: ({ playerId }) =>
			playerId === null ? (
				'–'
			) : (
				<Link to="/players/$playerId" params={{ playerId }}>
					{playerId}
				</Link>
			),
	},
];

const ACT_COLUMNS: readonly Column<Act>[] = [
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 1.6 },
	{ head: 'What', value: ({ what }) => what, width: 2 },
	{ head: 'Who', value: ({ who }) => who },
];

const levelsOf = (levels: Runner['back']): string =>
	levels
		.slice(0, 3)
		.map(({ price, size }) => `${price} × ${wholeAmount(size)}`)
		.join('  ');

const RUNNER_COLUMNS: readonly Column<Runner>[] = [
	{ head: 'Runner', value: ({ name }) => name, width: 1.4 },
	{ head: 'To back', value: ({ back }) => levelsOf(back), width: 2 },
	{ head: 'To lay', value: ({ lay }) => levelsOf(lay), width: 2 },
	{ head: 'Last', value: ({ last }) => last ?? '', isFigure: true, width: 0.7 },
	{ head: 'Matched', value: ({ matched }) => matched, show: ({ matched }) => amount(matched), isFigure: true },
];

function ReplayView({ replay }: { replay: Replay }): ReactElement {
	const { eventId } = useParams({ from: '/markets/$eventId/$marketId/replay' });
	const { marketId, market, event, at, state, runners, books, bets, acts } = replay;
	return (
		<>
			<p>
				<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
					← The market
				</Link>
			</p>
			<h1>
				{market} <span className="text-muted">· {event}</span>
			</h1>
			<Scrubber replay={replay} />
			<p className="acts">
				<output aria-label="Instant">{time(at)}</output>
				{state && <StateBadge state={state.status} inPlay={state.inPlay} />}
			</p>
			<Export marketId={marketId} />
			{books.map(({ pool, runners: rows }) => (
				<Fragment key={pool}>
					<h2>{pool}</h2>
					<RecordTable
						title={`Book of ${pool}`}
						columns={RUNNER_COLUMNS}
						rows={rows.map((row, runner) => ({ ...row, name: runners[runner] ?? '' }))}
						keyOf={({ name }) => name}
						empty="No runner."
						isPlain
					/>
				</Fragment>
			))}
			<p className="text-muted">Bets of players alone: unmatched quotes of the house are not kept.</p>
			<h2>Bets by then</h2>
			<RecordTable
				title="Bets by then"
				columns={BET_COLUMNS}
				rows={bets}
				keyOf={({ betId }) => betId}
				empty="No bet was placed by then."
				isPlain
			/>
			<h2>Play and operators by then</h2>
			<RecordTable
				title="Play and operators by then"
				columns={ACT_COLUMNS}
				rows={acts}
				keyOf={({ at: on, who, what }) => `${on} ${who} ${what}`}
				empty="Nothing was done by then."
				isPlain
			/>
		</>
	);
}

function Scrubber({ replay: { moments, at } }: { replay: Replay }): ReactElement | null {
	const navigate = useNavigate({ from: '/markets/$eventId/$marketId/replay' });
	if (moments.length === 0) return null;
	const found = moments.findLastIndex((moment) => moment <= at);
	const go = (to: number) => {
		const moment = moments[Math.min(Math.max(to, 0), moments.length - 1)];
		if (moment !== undefined) void navigate({ search: { at: moment }, replace: true });
	};
	return (
		<div className="acts">
			<Button aria-label="One step back" disabled={found <= 0} onClick={() => go(found - 1)}>
				←
			</Button>
			<input
				className="grow"
				type="range"
				aria-label="Instant of the market"
				aria-valuetext={time(at)}
				min={0}
				max={moments.length - 1}
				value={Math.max(found, 0)}
				onChange={({ target }) => go(Number(target.value))}
			/>
			<Button aria-label="One step on" disabled={found >= moments.length - 1} onClick={() => go(found + 1)}>
				→
			</Button>
		</div>
	);
}

function Export({ marketId }: { marketId: string }): ReactElement {
	const { data: me } = useMe();
	const [persons, setPersons] = useState(false);
	const made = useMutation<ResultOf<'market-export'>, Error>({
		mutationFn: () => operate('market-export', { marketId, persons }),
		onSuccess: ({ file }) => saveFile(`market-${marketId}.txt`, 'text/plain', file),
	});
	return (
		<div className="acts">
			<Button disabled={made.isPending} onClick={() => made.mutate()}>
				Sealed export
			</Button>
			{me?.permissions.includes('players.read') && (
				<label className="check">
					<input type="checkbox" checked={persons} onChange={({ target }) => setPersons(target.checked)} />
					With the wallets of players
				</label>
			)}
			{made.data && <output>SHA-256 {made.data.sha256}</output>}
			<Problem error={made.error} />
		</div>
	);
}
