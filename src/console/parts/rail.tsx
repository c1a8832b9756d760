/** The menu at the left: sections, and beside each screen how many wait there; on a phone it opens over the page. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ResultOf } from '#console/api/operate.ts';
import { useCall } from '#console/api/queries.ts';
import type { menuFor } from '#console/parts/menu.ts';

/** Beside the server's word on changes. */
const EVERY_MS = 60_000;

interface RailProps {
	menu: ReturnType<typeof menuFor>;
	/** Whether the member may know what waits. */
	hasCounts: boolean;
	/** After a screen was chosen. */
	onChosen: () => void;
}

export function Rail({ menu, hasCounts, onChosen }: RailProps): ReactElement {
	return (
		<nav aria-label="Console">
			{menu.map(({ title, entries }) => (
				<div key={title}>
					<p className="rail-title">{title}</p>
					{entries.map(({ to, label, key, waiting }) => (
						<Link key={to} to={to} title={`g ${key}`} activeProps={{ 'aria-current': 'page' }} onClick={onChosen}>
							{label}
							{hasCounts && waiting && <Waiting of={waiting} />}
						</Link>
					))}
				</div>
			))}
		</nav>
	);
}

function Waiting({ of }: { of: (today: ResultOf<'today'>) => number }): ReactElement | null {
	const { data } = useCall('today', {}, EVERY_MS);
	const count = data ? of(data) : 0;
	if (count === 0) return null;
	return (
		<span className="rail-count">
			{count}
			<span className="unseen"> waiting</span>
		</span>
	);
}
