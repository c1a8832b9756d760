/** Limits and breaks that rest on unproven mobiles; two members decide about each. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { InputOf, ResultOf } from '#console/api/operate.ts';
import { useAct, useCall, useMe } from '#console/api/queries.ts';
import { Dialog } from '#console/parts/dialog.tsx';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { RecordForm } from '#console/parts/record-form.tsx';
import { OPERATOR_CALLS } from '#contract/operators/registry.ts';

type Kept = ResultOf<'bars-on-hints'>[number];

const whatOf = ({ excludedUntil, timeOutUntil, limits }: Kept): string =>
	[
		excludedUntil && `excluded until ${time(excludedUntil)}`,
		timeOutUntil && `time-out until ${time(timeOutUntil)}`,
		limits.length > 0 && `limits: ${limits.join(', ')}`,
	]
		.filter(Boolean)
		.join('; ');

export function KeptBars(): ReactElement | null {
	const { data: me } = useMe();
	const query = useCall('bars-on-hints', {});
	const [asked, setAsked] = useState<{ kept: Kept; lifts: boolean } | null>(null);
	const mayPropose = me?.permissions.includes('players.protect') ?? false;
	return (
		<Loaded query={query}>
			{(found) =>
				found.length === 0 ? null : (
					<section aria-label="Bars on unproven mobiles">
						<h2>Bars on unproven mobiles</h2>
						<ul>
							{found.map((kept) => (
								<li key={kept.playerId}>
									<Link to="/players/$playerId" params={{ playerId: kept.playerId }}>
										<bdi>{kept.userName}</bdi>
									</Link>{' '}
									of {kept.brand}: {whatOf(kept)}, shared with {kept.others.join(', ') || 'none'}{' '}
									{mayPropose && (
										<>
											<button type="button" onClick={() => setAsked({ kept, lifts: true })}>
												Propose to lift …
											</button>{' '}
											<button type="button" onClick={() => setAsked({ kept, lifts: false })}>
												Propose to keep …
											</button>
										</>
									)}
								</li>
							))}
						</ul>
						{asked && <DecideDialog {...asked} onClose={() => setAsked(null)} />}
					</section>
				)
			}
		</Loaded>
	);
}

function DecideDialog({
	kept: { playerId, userName },
	lifts,
	onClose,
}: {
	kept: Kept;
	lifts: boolean;
	onClose: () => void;
}): ReactElement {
	const propose = useAct('propose');
	return (
		<Dialog title={`${lifts ? 'Lift' : 'Keep'} the bars of ${userName}`} onClose={onClose}>
			<p>{OPERATOR_CALLS['bar-on-hint-decide'].summary} Another member confirms it.</p>
			<RecordForm
				schema={OPERATOR_CALLS.propose.input}
				fields={{ reason: 'Reason' }}
				submit="Propose"
				error={propose.error}
				isBusy={propose.isPending}
				onSubmit={({ reason }) => {
					const input = { playerId, lifts, reason };
					propose.mutate({ act: 'bar-on-hint-decide', input, reason } as InputOf<'propose'>, { onSuccess: onClose });
				}}
			/>
		</Dialog>
	);
}
