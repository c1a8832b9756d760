/** All bets of a market: sorted and filtered by the server, saved as a file, and chosen for a void. */
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { createContext, type ReactElement, use, useMemo, useState } from 'react';
import { type InputOf, operate, type ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { StateBadge } from '#console/parts/market-state.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { PreviewedProposal } from '#console/screens/propose-dialog.tsx';
import { BET_SORTS, BET_STATES } from '#contract/operators/market-bets.ts';
import { Button } from '#ui/button.tsx';
import { SelectField } from '#ui/field.tsx';
import { saveText } from '#ui/save-text.ts';
import type { Column } from '#ui/table-columns.ts';
import { csvOf } from '#values/csv.ts';

type Asked = InputOf<'market-bets'>;
type Page = ResultOf<'market-bets'>;
type Bet = Page['rows'][number];

/** Fields of the address. */
export const MARKET_BETS_FIELDS = ['order', 'runner', 'side', 'state', 'playerId'] as const;
type Texts = { [Field in (typeof MARKET_BETS_FIELDS)[number]]?: string };

const PAGE_OF_FILE = 500;
/** About as many rows as a spreadsheet opens quickly. */
const MOST_PAGES = 400;

const SORT_TEXTS = { placed: 'Placed', stake: 'Stake', price: 'Price', matched: 'Matched', profit: 'Profit' } as const;
const ORDERS = BET_SORTS.flatMap((sort) => [
	{ value: `-${sort}`, text: `${SORT_TEXTS[sort]}, ${sort === 'placed' ? 'newest' : 'largest'} first` },
	{ value: sort, text: `${SORT_TEXTS[sort]}, ${sort === 'placed' ? 'oldest' : 'smallest'} first` },
]);
const STATES = [{ value: '', text: 'any' }, ...BET_STATES.map((value) => ({ value, text: words(value) }))];
const SIDES = ['', 'BACK', 'LAY'].map((value) => ({ value, text: value === '' ? 'any' : words(value) }));

const isOneOf = <Name extends string>(names: readonly Name[], text: string): text is Name =>
	names.some((name) => name === text);

function askedOf(marketId: string, { order = '', runner, side = '', state = '', playerId }: Texts): Asked {
	const sort = order.replace(/^-/, '');
	return {
		marketId,
		...(isOneOf(BET_SORTS, sort) ? { sort, isDown: order.startsWith('-') } : {}),
		...(runner ? { runner } : {}),
		...(side === 'BACK' || side === 'LAY' ? { side } : {}),
		...(isOneOf(BET_STATES, state) ? { state } : {}),
		...(playerId ? { playerId } : {}),
	};
}

const COLUMNS: readonly Column<Bet>[] = [
	{
		head: 'Player',
		value: ({ player }) => player,
		show: ({ player, playerId, brand }) =>
			brand === null ? (
				player
			) : (
				<Link to="/players/$playerId" params={{ playerId }}>
					{player}
				</Link>
			),
		width: 1.5,
	},
	{ head: 'Bet', value: ({ betId }) => betId },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.6 },
	{ head: 'Runner', value: ({ runner }) => runner, width: 1.5 },
	{ head: 'Side', value: ({ side }) => words(side), width: 0.6 },
	{ head: 'Price', value: ({ price }) => price, isFigure: true, width: 0.6 },
	{ head: 'Stake', value: ({ stake }) => stake, show: ({ stake }) => amount(stake), isFigure: true },
	{ head: 'Matched', value: ({ matched }) => matched, show: ({ matched }) => amount(matched), isFigure: true },
	{ head: 'At', value: ({ averagePrice }) => averagePrice ?? '', isFigure: true, width: 0.6 },
	{ head: 'Rests', value: ({ remaining }) => remaining, show: ({ remaining }) => amount(remaining), isFigure: true },
	{ head: 'Gone', value: ({ gone }) => gone, show: ({ gone }) => amount(gone), isFigure: true },
	{ head: 'Result', value: ({ result }) => words(result ?? '') },
	{
		head: 'Profit',
		value: ({ profit }) => profit ?? '',
		show: ({ profit }) => (profit === null ? '' : amount(profit)),
		isFigure: true,
	},
	{ head: 'Placed', value: ({ placedAt }) => placedAt, show: ({ placedAt }) => time(placedAt), width: 1.8 },
];

interface Choice {
	/** Ids of bets. */
	chosen: readonly string[];
	turn: (betId: string) => void;
}

const ChosenBets = createContext<Choice>({ chosen: [], turn: () => undefined });

/** Nothing is void of a bet that was not matched. */
function ChooseBet({ bet: { betId, matched } }: { bet: Bet }): ReactElement | null {
	const { chosen, turn } = use(ChosenBets);
	if (matched === 0) return null;
	return (
		<input
			type="checkbox"
			aria-label={`Choose bet ${betId}`}
			checked={chosen.includes(betId)}
			onChange={() => turn(betId)}
		/>
	);
}

const VOID: Column<Bet> = { head: 'Void', value: () => '', show: (bet) => <ChooseBet bet={bet} />, width: 0.5 };
const PROPOSERS_COLUMNS: readonly Column<Bet>[] = [...COLUMNS.slice(0, 1), VOID, ...COLUMNS.slice(1)];

export function MarketBetsScreen(): ReactElement {
	const { eventId, marketId } = useParams({ from: '/markets/$eventId/$marketId/bets' });
	const navigate = useNavigate();
	const { before = '', ...texts } = useSearch({ from: '/markets/$eventId/$marketId/bets' });
	const asked = askedOf(marketId, texts);
	const query = useCall('market-bets', { ...asked, before });
	const ask = (changed: Texts & { before?: string }) => {
		const given = Object.entries({ ...texts, ...changed }).filter(([, value]) => value !== '');
		void navigate({
			to: '/markets/$eventId/$marketId/bets',
			params: { eventId, marketId },
			search: Object.fromEntries(given),
		});
	};
	return (
		<>
			<p>
				<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
					← The market
				</Link>
			</p>
			<Loaded query={query}>
				{(page) => (
					<>
						<h1>
							Bets of {page.market} <span className="text-muted">· {page.event}</span>{' '}
							<StateBadge state={page.status} />
						</h1>
						<Filters page={page} texts={texts} onAsk={ask} />
						<Bets page={page} marketId={marketId} />
						<OlderNewest
							onOlder={page.next === null ? null : () => ask({ before: page.next ?? '' })}
							onNewest={before === '' ? null : () => ask({})}
						>
							<SaveAll key={JSON.stringify(asked)} asked={asked} />
						</OlderNewest>
					</>
				)}
			</Loaded>
		</>
	);
}

function Filters({ page, texts, onAsk }: { page: Page; texts: Texts; onAsk: (changed: Texts) => void }): ReactElement {
	const runners = [{ value: '', text: 'any' }, ...page.runners.map(({ id, name }) => ({ value: id, text: name }))];
	const fields = [
		['order', 'Order', ORDERS],
		['runner', 'Runner', runners],
		['side', 'Side', SIDES],
		['state', 'State', STATES],
	] as const;
	return (
		<div className="asked">
			{fields.map(([name, label, options]) => (
				<SelectField
					key={name}
					label={label}
					options={options}
					value={texts[name] ?? (name === 'order' ? '-placed' : '')}
					onChange={({ target }) => onAsk({ [name]: target.value })}
				/>
			))}
		</div>
	);
}

/** Bets are chosen on this page; another page begins without a choice. */
function Bets({ page, marketId }: { page: Page; marketId: string }): ReactElement {
	const { data: me } = useMe();
	const mayPropose = me?.permissions.includes('results.propose') ?? false;
	const [chosen, setChosen] = useState<readonly string[]>([]);
	const [isProposing, setProposing] = useState(false);
	const shown = chosen.filter((betId) => page.rows.some((row) => row.betId === betId));
	const choice = useMemo<Choice>(
		() => ({
			chosen,
			turn: (betId) => setChosen((now) => (now.includes(betId) ? now.filter((one) => one !== betId) : [...now, betId])),
		}),
		[chosen],
	);
	return (
		<>
			{mayPropose && (
				<p className="acts">
					<Button disabled={shown.length === 0} onClick={() => setProposing(true)}>
						Propose to void {shown.length === 1 ? '1 bet' : `${shown.length} bets`} …
					</Button>
				</p>
			)}
			<ChosenBets value={choice}>
				<RecordTable
					title="Bets"
					columns={mayPropose ? PROPOSERS_COLUMNS : COLUMNS}
					rows={page.rows}
					keyOf={({ betId }) => betId}
					empty="No bet is like that."
				/>
			</ChosenBets>
			{isProposing && (
				<Dialog title="Propose to void bets" onClose={() => setProposing(false)}>
					<p>Every match of these bets is void, on both sides. The market is suspended, closed or settled.</p>
					<PreviewedProposal
						act="void-bets"
						input={{ marketId, betIds: shown }}
						onClose={() => {
							setProposing(false);
							setChosen([]);
						}}
					/>
				</Dialog>
			)}
		</>
	);
}

async function fileOf(asked: Asked) {
	const rows: Bet[] = [];
	let before: string | null = '';
	for (let page = 0; page < MOST_PAGES && before !== null; page++) {
		const answer: Page = await operate('market-bets', { ...asked, before, count: PAGE_OF_FILE });
		rows.push(...answer.rows);
		before = answer.next;
	}
	const text = csvOf(
		COLUMNS.map(({ head }) => head),
		rows.map((row) => COLUMNS.map(({ value }) => value(row))),
	);
	return { text, isWhole: before === null };
}

/** The table's own button saves the page. */
function SaveAll({ asked }: { asked: Asked }): ReactElement {
	const saving = useMutation({
		mutationFn: () => fileOf(asked),
		onSuccess: ({ text }) => saveText(`bets-of-${asked.marketId}.csv`, text),
	});
	return (
		<>
			<Button disabled={saving.isPending} onClick={() => saving.mutate()}>
				{saving.isPending ? 'Reading all pages …' : 'Save all pages as CSV'}
			</Button>
			{saving.data?.isWhole === false && <output>The file has the first {MOST_PAGES * PAGE_OF_FILE} alone.</output>}
			<Problem error={saving.error} />
		</>
	);
}
