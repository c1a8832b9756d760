import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { EventSummary } from '#web/api/answers.ts';
import { CricketScore } from '#web/features/market/score/cricket-score.tsx';
import { FootballScore } from '#web/features/market/score/football-score.tsx';
import { KabaddiScore } from '#web/features/market/score/kabaddi-score.tsx';
import { RacingScore } from '#web/features/market/score/racing-score.tsx';
import type { Score } from '#web/features/market/score/score-types.ts';
import { TennisScore } from '#web/features/market/score/tennis-score.tsx';
import { TradeScore } from '#web/features/market/score/trade-score.tsx';
import { setScoreCardOpen, usePreferences } from '#web/store/preferences.ts';
import { scoreCardQuery } from '#web/store/queries.ts';
import { GRID_WORDS } from '#web/texts/market.ts';

function Card({ score }: { score: Score }): ReactElement {
	switch (score.sport) {
		case 'cricket':
			return <CricketScore score={score} />;
		case 'football':
			return <FootballScore score={score} />;
		case 'tennis':
			return <TennisScore score={score} />;
		case 'kabaddi':
			return <KabaddiScore score={score} />;
		case 'horseRacing':
			return <RacingScore score={score} />;
		case 'trade':
			return <TradeScore score={score} />;
	}
}

/** The current score, as tall before it is loaded as after; it can be collapsed, and the device remembers that. */
export function ScoreCard({ event: match }: { event: EventSummary }): ReactElement {
	const { data: score, isPending } = useQuery(scoreCardQuery(match.id));
	const open = usePreferences((preferences) => preferences.scoreCardOpen);
	return (
		<details
			className="score-card"
			open={open}
			onToggle={(event) => {
				if (event.currentTarget.open !== open) setScoreCardOpen(event.currentTarget.open);
			}}
		>
			<summary className="flex min-h-11 items-center gap-2 px-3">
				<span className="flex-none font-semibold">{GRID_WORDS.score}</span>
				<span className="min-w-0 flex-1 truncate text-xs text-muted">{score?.note}</span>
				<Icon solid size="xs" className="score-chevron text-muted">
					chevron-right
				</Icon>
			</summary>
			<div className="score-body" data-sport={match.sportId} data-status={match.status}>
				{isPending && <Skeleton className="w-full self-stretch" />}
				{!isPending && !score && <p className="text-muted">{GRID_WORDS.noScore}</p>}
				{score && <Card score={score} />}
			</div>
		</details>
	);
}
