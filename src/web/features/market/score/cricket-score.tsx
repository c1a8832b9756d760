import type { ReactElement } from 'react';
import type { ScoreOf } from '#web/features/market/score/score-types.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

type Cricket = ScoreOf<'cricket'>;

function Innings({ score }: { score: Cricket }): ReactElement {
	return (
		<ul className="flex flex-wrap gap-x-8 gap-y-2">
			{score.innings.map(({ team, runs, wickets, overs, target }, at) => {
				const current = at === score.currentInnings - 1 && score.state !== 'FINISHED';
				return (
					<li key={team} className={current ? 'text-text' : 'text-muted'}>
						<p className="text-xs">
							{team}
							{target !== null && <span className="text-suspended"> · {GRID_WORDS.target(target)}</span>}
						</p>
						<p className="text-lg leading-7 font-bold" data-innings={at + 1}>
							{runs}/{wickets}{' '}
							<span className="text-xs font-normal text-muted">{GRID_WORDS.overs(overs, score.maxOvers)}</span>
						</p>
					</li>
				);
			})}
		</ul>
	);
}

function AtTheCrease({ score }: { score: Cricket }): ReactElement | null {
	const { batters, bowler } = score;
	if (batters.length === 0 && !bowler) return null;
	return (
		<dl className="grid min-w-40 grid-cols-[1fr_auto] gap-x-4 text-xs">
			{batters.map(({ name, runs, balls, fours, sixes, onStrike }) => (
				<div key={name} className="contents">
					<dt className="truncate">
						{name}
						{onStrike && (
							<span className="text-soon" title={GRID_WORDS.onStrike}>
								{' '}
								●<span className="unseen"> {GRID_WORDS.onStrike}</span>
							</span>
						)}
					</dt>
					<dd className="text-right font-semibold" title={GRID_WORDS.boundaries(fours, sixes)}>
						{GRID_WORDS.batterLine(runs, balls)}
					</dd>
				</div>
			))}
			{bowler && (
				<>
					<dt className="truncate text-muted">{bowler.name}</dt>
					<dd className="text-right text-muted">
						{bowler.wickets}/{bowler.runs} ({bowler.overs})
					</dd>
				</>
			)}
		</dl>
	);
}

/** The last eight balls, each with a key: after a wide the ball is bowled again, so its number can occur twice. */
function lastBalls({ recentBalls }: Cricket): { key: string; ball: Cricket['recentBalls'][number] }[] {
	const seen = new Map<string, number>();
	return recentBalls.slice(-8).map((ball) => {
		const times = (seen.get(ball.over) ?? 0) + 1;
		seen.set(ball.over, times);
		return { key: `${ball.over}#${times}`, ball };
	});
}

function LastBalls({ score }: { score: Cricket }): ReactElement {
	return (
		<ol aria-label={GRID_WORDS.thisOver} className="flex flex-wrap gap-1">
			{lastBalls(score).map(({ key, ball }) => (
				<li key={key} className="ball" data-kind={ball.wicket ? 'wicket' : ball.runs >= 4 ? 'boundary' : undefined}>
					{ball.label}
				</li>
			))}
		</ol>
	);
}

/** Innings, batters, bowler, and the last balls. */
export function CricketScore({ score }: { score: Cricket }): ReactElement {
	return (
		<>
			<Innings score={score} />
			<AtTheCrease score={score} />
			<LastBalls score={score} />
		</>
	);
}
