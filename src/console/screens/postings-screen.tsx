/** Postings of the ledger: what is asked for stands in the address, so that the list can be sent to a colleague. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent, ReactElement } from 'react';
import { type InputOf, operate, type ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { amount, time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { OlderNewest } from '#console/parts/older-newest.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { SaveAllPages } from '#console/parts/save-all-pages.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Row = ResultOf<'postings'>['rows'][number];

const FIELDS = {
	from: 'From',
	to: 'To',
	account: 'Account',
	kind: 'Kind',
	brand: 'Brand',
	zone: 'Zone',
	pool: 'Pool',
	playerId: 'Player',
	marketId: 'Market',
} as const;
export const POSTINGS_FIELDS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

const COLUMNS: readonly Column<Row>[] = [
	{ head: 'At', value: ({ at }) => at, show: ({ at }) => time(at), width: 2.2 },
	{ head: 'Amount', value: ({ amount: sum }) => sum, show: (row) => amount(row.amount), isFigure: true, width: 1.3 },
	{ head: 'Debit', value: ({ debit }) => debit },
	{ head: 'Credit', value: ({ credit }) => credit },
	{ head: 'Kind', value: ({ kind }) => kind, show: ({ kind }) => words(kind), width: 1.4 },
	{ head: 'Number', value: ({ ref }) => ref },
	{
		head: 'Player',
		value: ({ userName }) => userName,
		show: ({ playerId, userName }) =>
			playerId && (
				<Link to="/players/$playerId" params={{ playerId }}>
					{userName}
				</Link>
			),
		width: 1.4,
	},
	{ head: 'Brand', value: ({ brand }) => brand, width: 1.4 },
	{ head: 'Pool', value: ({ pool }) => pool, width: 0.7 },
	{ head: 'Market', value: ({ marketId }) => marketId },
];

type Asked = Record<keyof typeof FIELDS, string>;

export function PostingsScreen(): ReactElement {
	const navigate = useNavigate();
	const search = useSearch({ from: '/postings' });
	const asked = Object.fromEntries(POSTINGS_FIELDS.map((name) => [name, search[name] ?? ''])) as Asked;
	const before = search.before ?? '';
	const isOpeningAsked = search.opening === true;
	const query = useCall('postings', { ...asked, before, opening: isOpeningAsked && before === '' });
	const ask = (changed: Record<string, string>) => {
		const given = Object.entries({ ...asked, ...changed }).filter(([, value]) => value !== '');
		const opening = isOpeningAsked ? { opening: true } : {};
		void navigate({ to: '/postings', search: { ...Object.fromEntries(given), ...opening } });
	};
	const find = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		ask(Object.fromEntries(POSTINGS_FIELDS.map((name) => [name, String(form.get(name) ?? '').trim()])));
	};
	return (
		<>
			<h1>Postings</h1>
			<form className="asked" onSubmit={find} key={JSON.stringify(asked)}>
				{POSTINGS_FIELDS.map((name) => (
					<input
						key={name}
						className="filter-text"
						name={name}
						aria-label={FIELDS[name]}
						placeholder={FIELDS[name]}
						defaultValue={asked[name]}
					/>
				))}
				<Button type="submit">Find</Button>
			</form>
			<Loaded query={query}>
				{({ rows, count, debits, credits, opening, next }) => (
					<>
						<p>
							{count === 1 ? '1 posting' : `${count} postings`}
							{asked.account !== '' && (
								<>
									: {asked.account} was credited {amount(credits)} and debited {amount(debits)}, together{' '}
									<strong>{amount(Math.round((credits - debits) * 100) / 100)}</strong>
								</>
							)}
						</p>
						{opening !== null && (
							<p>
								The account held {amount(opening)} before, and{' '}
								<strong>{amount(Math.round((opening + credits - debits) * 100) / 100)}</strong> after.
							</p>
						)}
						<RecordTable
							title="Postings"
							columns={COLUMNS}
							rows={rows}
							keyOf={({ id }) => id}
							empty="No money moved."
						/>
						<OlderNewest
							onOlder={next === null ? null : () => ask({ before: next })}
							onNewest={before === '' ? null : () => ask({})}
						>
							<SaveAllPages
								key={JSON.stringify(asked)}
								name="all-postings.csv"
								columns={COLUMNS}
								pageOf={(page) => operate('postings', { ...asked, before: page } as InputOf<'postings'>)}
							/>
						</OlderNewest>
					</>
				)}
			</Loaded>
		</>
	);
}
