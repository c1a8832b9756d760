import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Icon } from '#ui/icon.tsx';
import type { PricedEvent } from '#web/api/answers.ts';
import { TEXTS } from '#web/texts.ts';

/** Results named in the folded line. */
const NAMED = 3;

const resultOf = ({ title, score, status }: PricedEvent): string =>
	`${title} ${status === 'ABANDONED' ? TEXTS.matches.abandoned : (score ?? '')}`.trim();

/** What has ended, folded into one line; open, a line each. */
export function ResultsLine({ events }: { events: readonly PricedEvent[] }): ReactElement {
	const [open, setOpen] = useState(false);
	return (
		<details className="results" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
			<summary>
				<b>{TEXTS.matches.finished}</b>
				<span className="text-muted">{events.length}</span>
				{!open && <span className="results-named">{events.slice(0, NAMED).map(resultOf).join(' · ')}</span>}
				<Icon solid size="xs" className="results-chevron">
					chevron-right
				</Icon>
			</summary>
			{open && (
				<ul>
					{events.map((event) => (
						<li key={event.id}>
							<Link to="/markets/{-$eventid}/$dreamEventId" params={{ dreamEventId: event.id }} className="results-row">
								<bdi className="min-w-0 flex-1 truncate">{event.title}</bdi>
								<b>{event.status === 'ABANDONED' ? TEXTS.matches.abandoned : event.score}</b>
							</Link>
						</li>
					))}
				</ul>
			)}
		</details>
	);
}
