/** Pairs whose matches look arranged: what passed between them, and the way to both and to their markets. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { amount, time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import type { Column } from '#ui/table-columns.ts';

type Pair = ResultOf<'suspicious-matches'>[number];

const OF_ANOTHER_BRAND = 'of another brand';

const account = (head: string, of: (pair: Pair) => Pair['one']): Column<Pair> => ({
	head,
	value: (pair) => of(pair)?.userName ?? OF_ANOTHER_BRAND,
	show: (pair) => {
		const shown = of(pair);
		if (!shown) return OF_ANOTHER_BRAND;
		return (
			<Link to="/players/$playerId" params={{ playerId: shown.playerId }} title={shown.brand}>
				<bdi>{shown.userName}</bdi>
			</Link>
		);
	},
	width: 1.4,
});

const COLUMNS: readonly Column<Pair>[] = [
	account('One', ({ one }) => one),
	account('Other', ({ other }) => other),
	{ head: 'Linked by', value: ({ why }) => why ?? '', width: 1.6 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	{
		head: 'Passed to one',
		value: ({ gain }) => gain,
		show: ({ gain }) => <span className={gain < 0 ? 'text-loss' : ''}>{amount(gain)}</span>,
		isFigure: true,
	},
	{ head: 'Matches', value: ({ matches }) => matches, isFigure: true },
	{ head: 'Stakes', value: ({ stake }) => stake, show: ({ stake }) => amount(stake), isFigure: true },
	{ head: 'Far off', value: ({ farOff }) => farOff, isFigure: true },
	{ head: 'Open', value: ({ open }) => open, isFigure: true },
	{
		head: 'Markets',
		value: ({ markets }) => markets.map(({ marketId }) => marketId).join(' '),
		show: ({ markets }) =>
			markets.map(({ eventId, marketId }) => (
				<span key={marketId}>
					<Link to="/markets/$eventId/$marketId" params={{ eventId, marketId }}>
						{marketId}
					</Link>{' '}
				</span>
			)),
		width: 1.4,
	},
	{ head: 'Last', value: ({ last }) => last, show: ({ last }) => time(last), width: 2.2 },
];

export function SuspiciousMatches(asked: { from: string; to: string }): ReactElement {
	const query = useCall('suspicious-matches', asked);
	return (
		<>
			<p className="text-muted">
				Linked accounts that bet against each other, and others that did so far beside the market. The period has 31
				days at most. “Far off” counts matches more than a tenth outside the trades of other pairs before and after.
				What linked accounts match with each other earns no bonus and no referral.
			</p>
			<Loaded query={query}>
				{(rows) => (
					<RecordTable
						title="Suspicious matches"
						columns={COLUMNS}
						rows={rows}
						keyOf={({ pair }) => pair}
						empty="No linked accounts met in this period, and nobody far beside the market."
					/>
				)}
			</Loaded>
		</>
	);
}
