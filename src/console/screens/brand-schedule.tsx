/** Changes of a brand that wait for their instant, and what became of earlier ones. */
import type { ReactElement } from 'react';
import { useAct, useCall } from '#console/api/queries.ts';
import { time } from '#console/parts/format.ts';
import { Loaded, Problem } from '#console/parts/loaded.tsx';
import { labelOf } from '#console/parts/setting-fields.ts';
import { Button } from '#ui/button.tsx';

/** A change is made or refused by the clock, while the page is open. */
const EVERY_MS = 10_000;
const STATES = { WAITING: 'waits', DONE: 'made', REFUSED: 'refused', WITHDRAWN: 'withdrawn' } as const;

export function BrandSchedule({ host, mayEdit }: { host: string; mayEdit: boolean }): ReactElement {
	const query = useCall('brand-schedules', { host }, EVERY_MS);
	const withdraw = useAct('brand-schedule-withdraw');
	return (
		<section aria-labelledby="brand-schedule">
			<h2 id="brand-schedule">Scheduled</h2>
			<Problem error={withdraw.error} />
			<Loaded query={query}>
				{(rows) => (
					<ul>
						{rows.length === 0 && <li className="text-muted">No change is scheduled.</li>}
						{rows.map(({ scheduleId, at, changes, state, outcome, reason, by }) => (
							<li key={scheduleId}>
								{time(at)} {by}, {STATES[state]}
								{outcome !== null && ` (${reason ?? outcome})`}:{' '}
								{changes.map(({ field, value }) => `${labelOf(field)} ${value}`).join('; ')}{' '}
								{mayEdit && state === 'WAITING' && (
									<Button onClick={() => withdraw.mutate({ host, scheduleId })}>Withdraw</Button>
								)}
							</li>
						))}
					</ul>
				)}
			</Loaded>
		</section>
	);
}
