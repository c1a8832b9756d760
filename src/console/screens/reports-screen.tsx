/** Reports: profit in groups, and the trial balance; what is asked for stands in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useMemo, useState } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { useDayBefore } from '#console/parts/days.ts';
import { amount, time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { type PostingsAsked, PostingsLink } from '#console/parts/postings-link.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { SuspiciousMatches } from '#console/parts/suspicious-matches.tsx';
import { TaxReport } from '#console/parts/tax-report.tsx';
import { GROUPS } from '#contract/operators/reports.ts';
import { Button } from '#ui/button.tsx';
import { FilterSelect } from '#ui/filter-select.tsx';
import type { Column } from '#ui/table-columns.ts';
import { POOLS } from '#values/pools.ts';

type Profit = ResultOf<'report-profit'>[number];
type Balance = ResultOf<'trial-balance'>[number];
type DayEntry = ResultOf<'day-books'>[number];
type Life = ResultOf<'report-lifetime'>[number];
type Asked = InputOf<'report-profit'>;

const WEEK_DAYS = 6;

const money = (head: string, value: (row: Profit) => number): Column<Profit> => ({
	head,
	value,
	show: (row) => <span className={value(row) < 0 ? 'text-loss' : ''}>{amount(value(row))}</span>,
	isFigure: true,
});

/** Commission is the one figure that one account has; of a brand, a day or an hour it leads to its postings. */
function Commission({ row, asked }: { row: Profit; asked: Asked }): ReactElement {
	const { group, pool, zone, commission } = row;
	const { by, from, to } = asked;
	const times =
		by === 'day' || by === 'hour' ? { from: group, to: group, zone: zone ?? '' } : { from, to, brand: group };
	const of: PostingsAsked = { account: 'commission', pool, ...times };
	return by === 'brand' || by === 'day' || by === 'hour' ? (
		<PostingsLink value={commission} of={of} />
	) : (
		<>{amount(commission)}</>
	);
}

const columnsOf = (by: string, asked: Asked): readonly Column<Profit>[] => [
	{ head: by[0]?.toUpperCase() + by.slice(1), value: ({ group }) => group, width: 3 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	...(by === 'day' || by === 'hour' ? [{ head: 'Zone', value: ({ zone }: Profit) => zone ?? '', width: 1.5 }] : []),
	{ head: 'Players', value: ({ players }) => players, isFigure: true },
	{ head: by === 'game' ? 'Rounds' : 'Results', value: ({ results }) => results, isFigure: true },
	money('Turnover', ({ turnover }) => turnover),
	money('Players won', ({ playersWon }) => playersWon),
	...(by === 'game'
		? []
		: [
				{
					...money('Commission', ({ commission }) => commission),
					show: (row: Profit) => <Commission row={row} asked={asked} />,
				},
			]),
	money('GGR', ({ ggr }) => ggr),
	...(by === 'brand' ? [money('Bonuses', ({ bonuses }) => bonuses), money('House', ({ house }) => house)] : []),
];

function useAsked(): { asked: Asked & { pool: string }; ask: (changed: Record<string, string>) => void } {
	const navigate = useNavigate();
	const search = useSearch({ from: '/reports' });
	const dayBefore = useDayBefore();
	const by = GROUPS.find((group) => group === search.by) ?? 'brand';
	const asked = {
		from: search.from ?? dayBefore(WEEK_DAYS),
		to: search.to ?? dayBefore(0),
		by,
		pool: search.pool ?? 'PLAY',
	};
	return { asked, ask: (changed) => void navigate({ to: '/reports', search: { ...asked, ...changed } }) };
}

export function ReportsScreen(): ReactElement {
	const { data: me } = useMe();
	const { asked, ask } = useAsked();
	// The books of a period read the whole ledger, so they are asked for by hand.
	const [isOpen, setIsOpen] = useState(false);
	const [isLifetimeOpen, setIsLifetimeOpen] = useState(false);
	const [isMatchesOpen, setIsMatchesOpen] = useState(false);
	const [isTaxesOpen, setIsTaxesOpen] = useState(false);
	const { pool, ...profit } = asked;
	const query = useCall('report-profit', profit);
	const send = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		ask(Object.fromEntries(['from', 'to', 'by'].map((name) => [name, String(form.get(name))])));
	};
	return (
		<>
			<h1>Reports</h1>
			<form className="asked" onSubmit={send}>
				<label className="filter">
					From <input type="date" name="from" defaultValue={asked.from} required />
				</label>
				<label className="filter">
					To <input type="date" name="to" defaultValue={asked.to} required />
				</label>
				<label className="filter">
					By{' '}
					<select name="by" defaultValue={asked.by}>
						{GROUPS.map((group) => (
							<option key={group}>{group}</option>
						))}
					</select>
				</label>
				<Button type="submit" variant="primary">
					Show
				</Button>
			</form>
			<Loaded query={query}>
				{(rows) => (
					<RecordTable
						key={asked.by}
						title={`Profit by ${asked.by}`}
						columns={columnsOf(asked.by, profit)}
						rows={rows}
						keyOf={({ group, pool: of, zone }) => `${group} ${of} ${zone}`}
						empty="Nothing was settled in this period."
					/>
				)}
			</Loaded>
			<details onToggle={({ currentTarget }) => setIsLifetimeOpen(currentTarget.open)}>
				<summary>Lifetime of players who signed up in this period</summary>
				{isLifetimeOpen && <Lifetime from={asked.from} to={asked.to} />}
			</details>
			<details onToggle={({ currentTarget }) => setIsMatchesOpen(currentTarget.open)}>
				<summary>Suspicious matches</summary>
				{isMatchesOpen && <SuspiciousMatches from={asked.from} to={asked.to} />}
			</details>
			<details onToggle={({ currentTarget }) => setIsTaxesOpen(currentTarget.open)}>
				<summary>Taxes</summary>
				{isTaxesOpen && <TaxReport from={asked.from} to={asked.to} />}
			</details>
			{me?.permissions.includes('books.read') && me.brands === null && (
				<>
					<TrialBalance pool={pool} day={asked.to} onPool={(wanted) => ask({ pool: wanted })} />
					<details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
						<summary>Books day by day</summary>
						{isOpen && <DayBooks pool={pool} from={asked.from} to={asked.to} />}
					</details>
				</>
			)}
		</>
	);
}

const LIFETIME_MONEY = ['deposits', 'withdrawals', 'turnover', 'ggr', 'bonuses'] as const;
const lifetimeColumns = (by: 'player' | 'month'): readonly Column<Life>[] => [
	{ head: by === 'player' ? 'Player' : 'Signed up in', value: ({ group }) => group, width: 1.5 },
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.5 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	...(by === 'player'
		? []
		: [
				{ head: 'Players', value: ({ players }: Life) => players, isFigure: true },
				{ head: 'Active', value: ({ active }: Life) => active, isFigure: true },
			]),
	{
		head: 'First bet',
		value: ({ firstBet }) => firstBet ?? '',
		show: ({ firstBet }) => firstBet && time(firstBet),
		width: 2.2,
	},
	{ head: 'Days active', value: ({ days }) => days, isFigure: true },
	...LIFETIME_MONEY.map(
		(name): Column<Life> => ({
			head: name === 'ggr' ? 'GGR' : name[0]?.toUpperCase() + name.slice(1),
			value: (row) => row[name],
			show: (row) => <span className={row[name] < 0 ? 'text-loss' : ''}>{amount(row[name])}</span>,
			isFigure: true,
		}),
	),
];
const LIFETIME_ROWS = [
	{ value: 'month', text: 'month of sign-up' },
	{ value: 'player', text: 'player' },
] as const;
const LIFETIME_COLUMNS = { player: lifetimeColumns('player'), month: lifetimeColumns('month') };

/** What players of a period of sign-ups have done since. */
function Lifetime({ from, to }: { from: string; to: string }): ReactElement {
	const navigate = useNavigate();
	const [by, setBy] = useState<'player' | 'month'>('month');
	const query = useCall('report-lifetime', { from, to, by });
	return (
		<>
			<FilterSelect label="Each row is a" value={by} options={LIFETIME_ROWS} onChange={setBy} />
			<Loaded query={query}>
				{(rows) => (
					<RecordTable
						key={by}
						title={`Lifetime by ${by}`}
						columns={LIFETIME_COLUMNS[by]}
						rows={rows}
						keyOf={({ group, brand, pool, playerId }) => playerId ?? `${group} ${brand} ${pool}`}
						{...(by === 'player'
							? {
									onOpen: ({ playerId }: Life) =>
										void navigate({ to: '/players/$playerId', params: { playerId: playerId ?? '' } }),
								}
							: {})}
						empty="No player signed up in this period."
					/>
				)}
			</Loaded>
		</>
	);
}

const POOL_CHOICES = POOLS.map((pool) => ({ value: pool, text: pool }));

/** A balance leads to the postings of its day, which say what the account held before. */
const accountsOf = (pool: string, day: string): readonly Column<Balance>[] => [
	{ head: 'Account', value: ({ account }) => account, width: 2 },
	{
		head: 'Balance',
		value: ({ balance }) => balance,
		show: ({ account, balance }) => (
			<PostingsLink value={balance} of={{ pool, account, from: day, to: day, opening: true }} />
		),
		isFigure: true,
	},
];

function TrialBalance(props: { pool: string; day: string; onPool: (pool: string) => void }): ReactElement {
	const { pool, day, onPool } = props;
	const columns = useMemo(() => accountsOf(pool, day), [pool, day]);
	const query = useCall('trial-balance', { pool: pool as 'PLAY', day });
	return (
		<section aria-label="Trial balance">
			<h2>Trial balance at the end of {day}</h2>
			<FilterSelect label="Pool" value={pool} options={POOL_CHOICES} onChange={onPool} />
			<Loaded query={query}>
				{(rows) => {
					const sum = rows.reduce((total, { balance }) => total + Math.round(balance * 100), 0);
					return (
						<>
							<RecordTable
								title="Accounts"
								isPlain
								columns={columns}
								rows={rows}
								keyOf={({ account }) => account}
								empty="No account of this pool holds anything."
							/>
							<p>
								Sum: <span className={sum === 0 ? '' : 'text-loss'}>{amount(sum / 100)}</span>
							</p>
						</>
					);
				}}
			</Loaded>
		</section>
	);
}

const dayColumnsOf = (pool: string): readonly Column<DayEntry>[] => [
	{ head: 'Day', value: ({ day }) => day, width: 1.2 },
	{ head: 'Account', value: ({ account }) => account, width: 2 },
	...(['opening', 'debits', 'credits', 'closing'] as const).map(
		(name): Column<DayEntry> => ({
			head: name[0]?.toUpperCase() + name.slice(1),
			value: (entry) => entry[name],
			show: (entry) =>
				name === 'debits' || name === 'credits' ? (
					<PostingsLink value={entry[name]} of={{ pool, account: entry.account, from: entry.day, to: entry.day }} />
				) : (
					amount(entry[name])
				),
			isFigure: true,
		}),
	),
];

/** The accounts of each day; debits and credits of a day are equal, and its balances sum to zero. */
function DayBooks(asked: { pool: string; from: string; to: string }): ReactElement {
	const columns = useMemo(() => dayColumnsOf(asked.pool), [asked.pool]);
	const query = useCall('day-books', { ...asked, pool: asked.pool as 'PLAY' });
	return (
		<Loaded query={query}>
			{(rows) => (
				<RecordTable
					title="Books day by day"
					columns={columns}
					rows={rows}
					keyOf={({ day, account }) => `${day} ${account}`}
					empty="No account of this pool held or moved anything in this period."
				/>
			)}
		</Loaded>
	);
}
