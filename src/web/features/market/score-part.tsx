import type { ReactElement } from 'react';
import type { EventSummary } from '#web/api/answers.ts';
import { CricketScore } from '#web/features/market/score/cricket-score.tsx';
import { FootballScore } from '#web/features/market/score/football-score.tsx';
import { KabaddiScore } from '#web/features/market/score/kabaddi-score.tsx';
import { RacingScore } from '#web/features/market/score/racing-score.tsx';
import type { Score } from '#web/features/market/score/score-types.ts';
import { TennisScore } from '#web/features/market/score/tennis-score.tsx';
import { TradeScore } from '#web/features/market/score/trade-score.tsx';
import { GRID_WORDS } from '#web/texts/more.ts';

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

/** The score in full. */
export function ScorePart({ event, score }: { event: EventSummary; score: Score | null }): ReactElement {
	if (!score) return <p className="panel-empty">{GRID_WORDS.noScore}</p>;
	return (
		<div className="score-body" data-sport={event.sportId}>
			<Card score={score} />
		</div>
	);
}
