import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { CricketScore } from '#web/features/market/score/cricket-score.tsx';
import { FootballScore } from '#web/features/market/score/football-score.tsx';
import { KabaddiScore } from '#web/features/market/score/kabaddi-score.tsx';
import { RacingScore } from '#web/features/market/score/racing-score.tsx';
import type { Score } from '#web/features/market/score/score-types.ts';
import { TennisScore } from '#web/features/market/score/tennis-score.tsx';
import { TradeScore } from '#web/features/market/score/trade-score.tsx';
import { setScoreCardOpen, usePreferences } from '#web/store/preferences.ts';
import { scoreCardQuery } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

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

/** The score as it stands; collapses, and stays so on this device. */
export function ScoreCard({ eventId }: { eventId: string }): ReactElement {
	const { data: score, isPending } = useQuery(scoreCardQuery(eventId));
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
				<span className="flex-none font-semibold">{TEXTS.market.score}</span>
				<span className="min-w-0 flex-1 truncate text-xs text-muted">{score?.note}</span>
				<Icon solid size="xs" className="tree-chevron text-muted">
					chevron-right
				</Icon>
			</summary>
			<div className="score-body">
				{isPending && <Skeleton className="h-16 w-full" />}
				{!isPending && !score && <p className="text-muted">{TEXTS.market.noScore}</p>}
				{score && <Card score={score} />}
			</div>
		</details>
	);
}
