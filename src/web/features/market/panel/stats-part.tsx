import type { CSSProperties, ReactElement } from 'react';
import { teamColours } from '#ui/side-drawing.tsx';
import { type Stats, statsOf } from '#web/features/market/panel/stat-lines.ts';
import type { Score } from '#web/features/market/score/score-types.ts';
import { formatNumber } from '#web/format.ts';
import { GRID_WORDS, STAT_WORDS } from '#web/texts/more.ts';

/** Each side's part of the two, as a bar in its colour. */
function Bars({ home, away, names }: { home: number; away: number; names: Stats['names'] }): ReactElement {
	const share = home + away === 0 ? 0.5 : home / (home + away);
	const style = {
		'--share': `${share * 100}%`,
		'--home': teamColours(names[0])[0],
		'--away': teamColours(names[1])[0],
	} as CSSProperties;
	return <i aria-hidden="true" className="stat-bar" style={style} data-even={home + away === 0 || undefined} />;
}

/** The two sides compared, a line for each thing counted. */
export function StatsPart({ score }: { score: Score | null }): ReactElement {
	const stats = score && statsOf(score);
	if (!stats) return <p className="panel-empty">{score ? STAT_WORDS.none : GRID_WORDS.noScore}</p>;
	return (
		<table className="stats">
			<thead>
				<tr>
					<th scope="col">{stats.names[0]}</th>
					<th scope="col">
						<span className="unseen">{STAT_WORDS.title}</span>
					</th>
					<th scope="col">{stats.names[1]}</th>
				</tr>
			</thead>
			<tbody>
				{stats.lines.map(({ name, home, away }) => (
					<tr key={name}>
						<td>{formatNumber(home)}</td>
						<th scope="row">
							{name}
							<Bars home={home} away={away} names={stats.names} />
						</th>
						<td>{formatNumber(away)}</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}
