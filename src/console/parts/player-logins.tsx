/** Where a player is logged in, and the ends of those log-ins. */
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time, words } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { RecordTable } from '#console/parts/record-table.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';
import { Button } from '#ui/button.tsx';
import type { Column } from '#ui/table-columns.ts';

type OpenLogin = ResultOf<'player-logins'>[number];

const timeOr = (iso: string | null): string => (iso === null ? '' : time(iso));

const COLUMNS: readonly Column<OpenLogin>[] = [
	{ head: 'Where', value: ({ kind }) => words(kind) },
	{ head: 'Address', value: ({ address }) => address ?? '', width: 2 },
	{ head: 'Since', value: ({ openedAt }) => openedAt ?? '', show: ({ openedAt }) => timeOr(openedAt), width: 2 },
	{ head: 'Used last', value: ({ usedAt }) => usedAt ?? '', show: ({ usedAt }) => timeOr(usedAt), width: 2 },
	{ head: 'Ends', value: ({ endsAt }) => endsAt, show: ({ endsAt }) => time(endsAt), width: 2 },
];

export function PlayerLogins({ playerId }: { playerId: string }): ReactElement {
	const { data: me } = useMe();
	const query = useCall('player-logins', { playerId });
	const [ending, setEnding] = useState<{ loginId: string | null } | null>(null);
	const mayEnd = me?.permissions.includes('players.logins') ?? false;
	return (
		<>
			<h2>Open log-ins</h2>
			{mayEnd && (
				<p className="acts">
					<Button onClick={() => setEnding({ loginId: null })}>End all log-ins …</Button>
				</p>
			)}
			<Loaded query={query}>
				{(logins) => (
					<RecordTable
						title="Open log-ins"
						isPlain
						columns={COLUMNS}
						rows={logins}
						keyOf={({ loginId }) => loginId}
						{...(mayEnd ? { onOpen: setEnding } : {})}
						empty="The player is logged in nowhere."
					/>
				)}
			</Loaded>
			{ending && <EndDialog playerId={playerId} loginId={ending.loginId} onClose={() => setEnding(null)} />}
		</>
	);
}

function EndDialog({
	onClose,
	...on
}: {
	playerId: string;
	/** Null for all. */
	loginId: string | null;
	onClose: () => void;
}): ReactElement {
	const act = useAct('player-logins-end');
	return (
		<Dialog title={on.loginId === null ? 'End all log-ins' : 'End this log-in'} onClose={onClose}>
			<RecordForm
				schema={OPERATOR_CALLS['player-logins-end'].input}
				fields={{ reason: 'Reason' }}
				fixed={on}
				submit="End"
				error={act.error}
				isBusy={act.isPending}
				onSubmit={(input) => act.mutate(input, { onSuccess: onClose })}
			/>
		</Dialog>
	);
}
