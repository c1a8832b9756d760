/** The casino: its games with house figures and returns, and rounds. */
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { type Column, RecordTable } from '#console/parts/record-table.tsx';

type Game = ResultOf<'casino-games'>[number];
type Round = ResultOf<'casino-rounds'>[number];
const EVERY_MS = 5_000;
const PERIODS = [1, 7, 30] as const;

const percent = (part: number | null): string => (part === null ? '–' : `${(part * 100).toFixed(2)} %`);

/** Whether luck explains how far the measured return is from the exact one. */
const isStrange = ({ measured, exact, bound }: Game): boolean =>
	measured !== null && exact !== null && bound !== null && Math.abs(measured - exact) > bound;

const GAMES: readonly Column<Game>[] = [
	{ head: 'Game', value: ({ name }) => name, width: 2 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	{ head: 'Rounds', value: ({ rounds }) => rounds, isFigure: true },
	{ head: 'Open', value: ({ open }) => open, isFigure: true, width: 0.6 },
	{ head: 'Staked', value: ({ staked }) => staked, show: ({ staked }) => amount(staked), isFigure: true },
	{ head: 'Paid', value: ({ paid }) => paid, show: ({ paid }) => amount(paid), isFigure: true },
	{
		head: 'House',
		value: ({ house }) => house,
		show: ({ house }) => <span className={house < 0 ? 'loss' : ''}>{amount(house)}</span>,
		isFigure: true,
	},
	{
		head: 'Return',
		value: ({ measured }) => measured,
		show: (game) => <span className={isStrange(game) ? 'loss' : ''}>{percent(game.measured)}</span>,
		isFigure: true,
	},
	{
		head: 'Exact ± luck',
		value: ({ exact }) => exact,
		show: ({ exact, bound }) => `${percent(exact)}${bound === null ? '' : ` ± ${percent(bound)}`}`,
		width: 1.6,
		isFigure: true,
	},
];

const ROUNDS: readonly Column<Round>[] = [
	{ head: 'Round', value: ({ roundId }) => Number(roundId), isFigure: true },
	{ head: 'Game', value: ({ game }) => game },
	{ head: 'Player', value: ({ who }) => who, width: 1.5 },
	{ head: 'Brand', value: ({ brand }) => brand ?? '', width: 1.5 },
	{ head: 'State', value: ({ state }) => words(state) },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 1.4 },
	{ head: 'Stake', value: ({ stake }) => stake, show: ({ stake }) => amount(stake), isFigure: true },
	{ head: 'Payout', value: ({ payout }) => payout, show: ({ payout }) => amount(payout), isFigure: true },
	{ head: 'Result', value: ({ result }) => result, width: 2 },
];

export function CasinoScreen(): ReactElement {
	const [days, setDays] = useState<(typeof PERIODS)[number]>(1);
	const [game, setGame] = useState<Game | null>(null);
	const query = useCall('casino-games', { days }, EVERY_MS);
	return (
		<>
			<h1>Casino</h1>
			<fieldset className="acts choice">
				<legend className="sr">Period</legend>
				{PERIODS.map((period) => (
					<button key={period} type="button" aria-pressed={period === days} onClick={() => setDays(period)}>
						{period === 1 ? '24 hours' : `${period} days`}
					</button>
				))}
			</fieldset>
			<Loaded query={query}>
				{(games) => (
					<RecordTable
						title="Games"
						isPlain
						columns={GAMES}
						rows={games}
						keyOf={({ game: code, pool }) => `${code} ${pool}`}
						onOpen={setGame}
						empty="No round was played in this period."
					/>
				)}
			</Loaded>
			<Rounds game={game} onAll={() => setGame(null)} />
		</>
	);
}

function Rounds({ game, onAll }: { game: Game | null; onAll: () => void }): ReactElement {
	const navigate = useNavigate();
	const [open, setOpen] = useState(false);
	const [before, setBefore] = useState<string | null>(null);
	const query = useCall('casino-rounds', { game: game?.game ?? '', open, before }, before === null ? EVERY_MS : 0);
	return (
		<>
			<h2>Rounds{game ? ` of ${game.name}` : ''}</h2>
			<p className="acts">
				<label className="check">
					<input type="checkbox" checked={open} onChange={({ target }) => setOpen(target.checked)} />
					Only open ones
				</label>
				{game && (
					<button type="button" onClick={onAll}>
						All games
					</button>
				)}
			</p>
			<Loaded query={query}>
				{(rounds) => (
					<>
						<RecordTable
							title="Rounds"
							columns={ROUNDS}
							rows={rounds}
							keyOf={({ roundId }) => roundId}
							onOpen={({ playerId }) => void navigate({ to: '/players/$playerId', params: { playerId } })}
							empty="There is no round."
						/>
						<p className="acts">
							<button
								type="button"
								disabled={rounds.length === 0}
								onClick={() => setBefore(rounds.at(-1)?.roundId ?? null)}
							>
								Older
							</button>
							<button type="button" disabled={before === null} onClick={() => setBefore(null)}>
								Newest
							</button>
						</p>
					</>
				)}
			</Loaded>
		</>
	);
}
