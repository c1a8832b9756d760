/** Limits and breaks that rest on unproven mobiles; two members decide about each. */
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall, useMe } from '#console/api/queries.ts';
import { time } from '#console/parts/format.ts';
import { Loaded } from '#console/parts/loaded.tsx';
import { ReasonDialog } from '#console/parts/reason-dialog.tsx';
import { Button } from '#ui/button.tsx';

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
											<Button onClick={() => setAsked({ kept, lifts: true })}>Propose to lift …</Button>{' '}
											<Button onClick={() => setAsked({ kept, lifts: false })}>Propose to keep …</Button>
										</>
									)}
								</li>
							))}
						</ul>
						{asked && (
							<ReasonDialog
								title={`${asked.lifts ? 'Lift' : 'Keep'} the bars of ${asked.kept.userName}`}
								act="bar-on-hint-decide"
								input={(reason) => ({ playerId: asked.kept.playerId, lifts: asked.lifts, reason })}
								onClose={() => setAsked(null)}
							/>
						)}
					</section>
				)
			}
		</Loaded>
	);
}
