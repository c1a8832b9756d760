/** Finds players by name, mobile, id, bet id or UTR. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import { KeptBars } from '#console/parts/kept-bars.tsx';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type Found = ResultOf<'player-search'>[number];

const COLUMNS: readonly Column<Found>[] = [
	{ head: 'Player', value: ({ userName }) => userName, width: 2 },
	{ head: 'Id', value: ({ playerId }) => playerId },
	{ head: 'Brand', value: ({ brand }) => brand, width: 2 },
	{ head: 'Pool', value: ({ pool }) => pool },
	{
		head: 'Mobile',
		value: ({ mobile, isMobileProven }) =>
			mobile === null || isMobileProven ? (mobile ?? '') : `${mobile}, not proven`,
		width: 2,
	},
	{ head: 'Found by', value: ({ by }) => by },
];

export function PlayersScreen(): ReactElement {
	const navigate = useNavigate();
	const asked = useSearch({ from: '/players' }).query ?? '';
	const [text, setText] = useState(asked);
	const find = (event: FormEvent) => {
		event.preventDefault();
		void navigate({ to: '/players', search: { query: text.trim() } });
	};
	return (
		<>
			<h1>Players</h1>
			<form className="asked" onSubmit={find}>
				<input
					type="search"
					className="filter-text"
					aria-label="Name, mobile, id, bet id, UTR, #tag or note:words"
					placeholder="Name, mobile, id, bet id, UTR, #tag or note:words"
					value={text}
					onChange={({ target }) => setText(target.value)}
				/>
				<Button type="submit">Find</Button>
			</form>
			{asked === '' ? (
				<>
					<p className="py-2 text-muted">Type the beginning of a name, or a whole number.</p>
					<KeptBars />
				</>
			) : (
				<Results
					key={asked}
					query={asked}
					onOpen={({ playerId }) => void navigate({ to: '/players/$playerId', params: { playerId } })}
				/>
			)}
		</>
	);
}

function Results({ query: text, onOpen }: { query: string; onOpen: (found: Found) => void }): ReactElement {
	const query = useCall('player-search', { query: text });
	return (
		<Loaded query={query}>
			{(found) => (
				<RecordTable
					title="Players"
					isPlain
					columns={COLUMNS}
					rows={found}
					keyOf={({ playerId }) => playerId}
					onOpen={onOpen}
					empty="No player is found."
				/>
			)}
		</Loaded>
	);
}
