import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { SCORE_WORDS as words } from '#web/texts/more.ts';

type Tennis = ScoreOf<'tennis'>;

/** A row for each player: games of each set, points of the game, and the server's mark. */
export function TennisScore({ score }: { score: Tennis }): ReactElement {
	const sets = Math.max(1, ...score.players.map(({ games }) => games.length));
	const columns = Array.from({ length: sets }, (_, at) => at);
	return (
		<>
			<table className="score-table">
				<thead>
					<tr>
						<th scope="col">
							<span className="unseen">{words.player}</span>
						</th>
						<th scope="col">{words.sets}</th>
						{columns.map((set) => (
							<th key={set} scope="col">
								<span aria-hidden="true">{set + 1}</span>
								<span className="unseen">{words.set(set + 1)}</span>
							</th>
						))}
						<th scope="col">{words.points}</th>
					</tr>
				</thead>
				<tbody>
					{score.players.map(({ name, sets: won, games, points, serving }) => (
						<tr key={name}>
							<th scope="row">
								<span className="truncate">{name}</span>
								{serving && (
									<span className="serve-mark" title={words.serving}>
										<span className="unseen">{words.serving}</span>
									</span>
								)}
							</th>
							<td className="font-bold">{won}</td>
							{columns.map((set) => (
								<td key={set} data-past={set < sets - 1 || undefined}>
									{games[set] ?? '–'}
								</td>
							))}
							<td className="score-points">{points}</td>
						</tr>
					))}
				</tbody>
			</table>
			<p className="text-xs text-muted">
				{words.bestOf(score.bestOf)}
				{score.tieBreak && ` · ${words.tieBreak}`}
			</p>
		</>
	);
}
