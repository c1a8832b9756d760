/** The casino: its games with house figures and returns, and rounds. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, time, words } from '#console/parts/format.ts';
import { GameRules } from '#console/parts/game-rules.tsx';
import { Loaded } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Game = ResultOf<'casino-games'>[number];
type Round = ResultOf<'casino-rounds'>[number];
type Provider = ResultOf<'casino-providers'>[number];
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
		show: ({ house }) => <span className={house < 0 ? 'text-loss' : ''}>{amount(house)}</span>,
		isFigure: true,
	},
	{
		head: 'Return',
		value: ({ measured }) => measured,
		show: (game) => <span className={isStrange(game) ? 'text-loss' : ''}>{percent(game.measured)}</span>,
		isFigure: true,
	},
	{
		head: 'Exact ± luck',
		value: ({ exact }) => exact,
		show: ({ exact, bound }) => `${percent(exact)}${bound === null ? '' : ` ± ${percent(bound)}`}`,
		width: 1.6,
		isFigure: true,
	},
	{
		head: 'Pay table since',
		value: ({ liveSince }) => liveSince ?? '',
		show: ({ liveSince }) => (liveSince === null ? '–' : time(liveSince)),
		width: 1.6,
	},
];

const ROUNDS: readonly Column<Round>[] = [
	{ head: 'Round', value: ({ roundId }) => Number(roundId), isFigure: true },
	{ head: 'Game', value: ({ game }) => game },
	{ head: 'Player', value: ({ who }) => who, width: 1.5 },
	{ head: 'Brand', value: ({ brand }) => brand ?? '', width: 1.5 },
	{ head: 'State', value: ({ state }) => words(state) },
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2.2 },
	{ head: 'Stake', value: ({ stake }) => stake, show: ({ stake }) => amount(stake), isFigure: true },
	{ head: 'Payout', value: ({ payout }) => payout, show: ({ payout }) => amount(payout), isFigure: true },
	{ head: 'Result', value: ({ result }) => result, width: 2 },
];

/** A figure that should be zero. */
const alarming = (count: number): ReactElement => <span className={count > 0 ? 'text-loss' : ''}>{count}</span>;

const PROVIDERS: readonly Column<Provider>[] = [
	{ head: 'Provider', value: ({ name }) => name, width: 2 },
	{ head: 'Dialect', value: ({ dialect }) => dialect },
	{ head: 'Games', value: ({ games }) => games, isFigure: true },
	{ head: 'Resting', value: ({ resting }) => resting, show: ({ resting }) => alarming(resting), isFigure: true },
	{ head: 'Open rounds', value: ({ open }) => open, isFigure: true },
	{ head: 'Open too long', value: ({ late }) => late, show: ({ late }) => alarming(late), isFigure: true },
	{ head: 'Books compared', value: ({ day }) => day ?? 'never', width: 1.4 },
	{
		head: 'Differences',
		value: ({ differences }) => differences,
		show: ({ differences }) => alarming(differences),
		isFigure: true,
	},
];

export function CasinoScreen(): ReactElement {
	const [days, setDays] = useState<(typeof PERIODS)[number]>(1);
	const [game, setGame] = useState<Game | null>(null);
	const query = useCall('casino-games', { days }, EVERY_MS);
	return (
		<>
			<h1>Casino</h1>
			<fieldset className="acts">
				<legend className="unseen">Period</legend>
				{PERIODS.map((period) => (
					<Button key={period} aria-pressed={period === days} onClick={() => setDays(period)}>
						{period === 1 ? '24 hours' : `${period} days`}
					</Button>
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
			<GameRules />
			<Providers />
			<Rounds game={game} onAll={() => setGame(null)} />
		</>
	);
}

/** Outside providers; nothing where there are none, and for staff of single brands, whom they do not concern. */
function Providers(): ReactElement | null {
	const { data: providers = [] } = useCall('casino-providers', {}, EVERY_MS);
	if (providers.length === 0) return null;
	return (
		<>
			<h2>Providers</h2>
			<RecordTable
				title="Providers"
				isPlain
				columns={PROVIDERS}
				rows={providers}
				keyOf={({ provider }) => provider}
				empty="There is no provider."
			/>
		</>
	);
}

/** A provider's round that is still open, with the way to end it. */
function OpenRound({ round, onClose }: { round: Round; onClose: () => void }): ReactElement {
	const close = useAct('round-close');
	const { roundId, game, provider, who, playerId, stake, at } = round;
	return (
		<Dialog title={`Round ${roundId}`} onClose={onClose}>
			<p>
				{game} of {provider}, open since {time(at)}, {amount(stake)} staked by{' '}
				<Link to="/players/$playerId" params={{ playerId }}>
					{who}
				</Link>
				.
			</p>
			<p>Ending it gives back what nothing was paid for. The provider can pay nothing more in it.</p>
			<RecordForm
				schema={OPERATOR_CALLS['round-close'].input}
				fields={{ reason: 'Reason' }}
				fixed={{ id: roundId }}
				submit="End the round"
				error={close.error}
				isBusy={close.isPending}
				onSubmit={({ reason }) => close.mutate({ id: roundId, reason: String(reason) }, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}

function Rounds({ game, onAll }: { game: Game | null; onAll: () => void }): ReactElement {
	const navigate = useNavigate();
	const [open, setOpen] = useState(false);
	const [before, setBefore] = useState<string | null>(null);
	const [chosen, setChosen] = useState<Round | null>(null);
	const mayEnd = useMe().data?.permissions.includes('casino.edit') ?? false;
	const openRow = (round: Round) => {
		if (mayEnd && round.provider !== null && round.state === 'OPEN') setChosen(round);
		else void navigate({ to: '/players/$playerId', params: { playerId: round.playerId } });
	};
	const query = useCall('casino-rounds', { game: game?.game ?? '', open, before }, before === null ? EVERY_MS : 0);
	return (
		<>
			<h2>Rounds{game ? ` of ${game.name}` : ''}</h2>
			<p className="acts">
				<label className="check">
					<input type="checkbox" checked={open} onChange={({ target }) => setOpen(target.checked)} />
					Only open ones
				</label>
				{game && <Button onClick={onAll}>All games</Button>}
			</p>
			<Loaded query={query}>
				{(rounds) => (
					<>
						<RecordTable
							title="Rounds"
							columns={ROUNDS}
							rows={rounds}
							keyOf={({ roundId }) => roundId}
							onOpen={openRow}
							empty="There is no round."
						/>
						<OlderNewest
							onOlder={rounds.length === 0 ? null : () => setBefore(rounds.at(-1)?.roundId ?? null)}
							onNewest={before === null ? null : () => setBefore(null)}
						/>
						{chosen && <OpenRound round={chosen} onClose={() => setChosen(null)} />}
					</>
				)}
			</Loaded>
		</>
	);
}
